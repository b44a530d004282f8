package rank

import (
	"fmt"
	"slices"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestBudgetsOfThePaper(t *testing.T) {
	if got := Budgets(20, 8154); got[0] != 30 || got[1] != 35 || got[30] != 180 ||
		!slices.Equal(got[31:], []int{500, 1500, 2500}) {
		t.Errorf("20 models: %v", got)
	}
	for _, c := range []struct {
		models, samples int
		want            []int
	}{
		{165, 100000, []int{165, 170, 175, 180, 500, 1500, 2500}},
		{200, 600, []int{500}},
		{600, 2000, []int{1500}},
		{5, 44, []int{30, 35, 40}},
		{5, 29, nil},
		{178, 179, []int{178}},
	} {
		testdata.Equal(t, fmt.Sprintf("%d models, %d samples", c.models, c.samples),
			Budgets(c.models, c.samples), c.want)
	}
}

func TestAPointOfACurveIsTheBoardOfThatBudget(t *testing.T) {
	d := withGiven(simulated(8, 6, 240, 4))
	o := Options{Methods: []Method{AllMethods}, Repetitions: 5, Seed: 2, Workers: 1}
	p := &testdata.Progress{}
	budgets := []int{120, 30, 37, 7, 60, 30, 241}
	curves := testdata.Must(Curves(t.Context(), d, o, budgets, p))(t)
	p.Whole(t, max(1, p.Total.Load()))
	want := map[Method][]int{
		SDS: {7, 30, 37, 60}, CES: {30, 37, 60, 120}, CESReference: {30, 37, 60, 120},
		CESOracle: {30, 37, 60, 120},
	}
	for _, c := range curves {
		expected := want[c.Method]
		if expected == nil {
			expected = []int{7, 30, 37, 60, 120}
		}
		if !slices.Equal(c.Budgets, expected) || len(c.Quality) != len(c.Budgets) {
			t.Fatalf("%s: budgets %v, want %v", c.Method, c.Budgets, expected)
		}
		if c.Method == EI { // two of them
			continue
		}
		for k, budget := range c.Budgets {
			o.Budget, o.Methods = budget, []Method{c.Method}
			r := leaderboard(t, d, o).of(t, c.Method)
			if r.Quality.Draws = nil; fmt.Sprint(r.Quality) != fmt.Sprint(c.Quality[k]) { // a point has no draws
				t.Errorf("%s at %d: %+v, want %+v", c.Method, budget, c.Quality[k], r.Quality)
			}
		}
	}
	testdata.Is(t, "curves", len(curves), 13)
}

func TestRankersThatCannotAnswerHaveNoCurve(t *testing.T) {
	d := simulated(8, 4, 100, 3)
	d.Softmax = nil
	curves, err := Curves(t.Context(), d, Options{Repetitions: 2, Methods: []Method{CES, SDS, CRC, DScore, Random}},
		[]int{50, 80}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(curves) != 1 || curves[0].Method != Random {
		t.Errorf("the curves are %+v, want only Random", curves)
	}
}

func TestWhyThereAreNoCurves(t *testing.T) {
	d := simulated(8, 4, 100, 3)
	gap := onlyLabelled(d, testdata.UpTo(99))
	for _, c := range []struct {
		name    string
		data    Data
		budgets []int
		want    string
	}{
		{"gap", gap, []int{30}, "1 of 100 have none"},
		{"large", d, []int{101}, "no budget of at most 100 labels"},
		{"none", d, nil, "no budget of at most 100 labels"},
		{"zero", d, []int{0, 30}, "a budget of 0 labels is none"},
	} {
		testdata.Refused(t, fmt.Sprintf("%s: the error", c.name),
			testdata.Err(Curves(t.Context(), c.data, Options{}, c.budgets, nil)), c.want)
	}
	d.Softmax = d.Subset(nil, []int{1, 2}).Softmax // too short
	testdata.Refused(t, "bad probabilities",
		testdata.Err(Curves(t.Context(), d, Options{Methods: []Method{CES}}, []int{30}, nil)),
		"model m0 has 6 probabilities")
}
