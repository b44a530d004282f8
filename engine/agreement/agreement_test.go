package agreement

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

const none = Missing

func TestMeanOf(t *testing.T) {
	for _, c := range []struct {
		values []Value
		want   Value
	}{
		{[]Value{defined(1), undefined(NoCommonItems), defined(0)}, defined(0.5)},
		{[]Value{undefined(ExpectedAgreement), undefined(NoCommonItems)}, undefined(ExpectedAgreement)},
		{nil, undefined(NoCommonItems)},
	} {
		testdata.Is(t, fmt.Sprintf("meanOf(%v)", c.values), meanOf(c.values), c.want)
	}
}

func TestWords(t *testing.T) {
	for kappa, want := range map[float64]string{
		-1: "poor", -1e-9: "poor", 0: "slight", 0.2: "slight", 0.205: "fair", 0.21: "fair", 0.4: "fair",
		0.41: "moderate", 0.6: "moderate", 0.61: "substantial", 0.8: "substantial", 0.81: "almost perfect",
		1: "almost perfect",
	} {
		testdata.Is(t, fmt.Sprintf("Words(%g)", kappa), Words(kappa), want)
	}
}

func TestReasons(t *testing.T) {
	fleiss := func(r Report) Estimate { return r.Fleiss }
	mean := func(r Report) Estimate { return r.CohenMean }
	pair := func(r Report) Estimate { return r.Cohen[0].Kappa }
	same, apart := [][]int{{1, 1}, {1, 1}}, [][]int{{0, none}, {none, 1}}
	for _, c := range []struct {
		name    string
		ratings [][]int
		classes int
		of      func(Report) Estimate
		want    result.Reason
	}{
		{"one class", [][]int{{0, 0}, {0, 0}}, 1, fleiss, TooFewClasses},
		{"one class, pair", [][]int{{0, 0}, {0, 0}}, 1, pair, TooFewClasses},
		{"no raters", nil, 2, fleiss, NoItemTwice},
		{"no raters, mean", nil, 2, mean, NoCommonItems},
		{"one rater", [][]int{{0, 1}}, 2, func(r Report) Estimate { return r.GwetAC1 }, NoItemTwice},
		{"no items", [][]int{{}, {}}, 2, func(r Report) Estimate { return r.Cohen[0].Percent }, NoCommonItems},
		{"all one class", same, 2, func(r Report) Estimate { return r.KrippendorffNominal }, ExpectedNoConflict},
		{"all one class, mean", same, 2, mean, ExpectedAgreement},
		{"apart", apart, 3, func(r Report) Estimate { return *r.KrippendorffOrdinal }, NoItemTwice},
	} {
		e := c.of(Measure(c.ratings, c.classes, names(len(c.ratings)), Options{}))
		if e.Value.Defined() || e.Value.Reason != c.want || e.Words != "" {
			t.Errorf("%s: %+v, want undefined for %q", c.name, e, c.want)
		}
	}
}

func TestReportShape(t *testing.T) {
	ratings := [][]int{{0, 0, 1, none}, {0, 1, 1, none}, {0, 1, 1, none}}
	two := Measure(ratings, 2, names(3), Options{})
	if two.GwetAC2Linear != nil || two.KrippendorffOrdinal != nil || two.Cohen[0].Linear != nil {
		t.Error("two classes must not have weighted values")
	}
	if two.Generalised || two.Items != 4 || two.ItemsRated != 3 || two.ItemsTwo != 3 {
		t.Errorf("generalised %v, items %d rated %d twice %d", two.Generalised, two.Items, two.ItemsRated, two.ItemsTwo)
	}
	testdata.NoDiff(t, "confusion of the first pair", cmp.Diff([][]int{{1, 1}, {0, 1}}, two.Cohen[0].Confusion))
	if p, ok := two.Pair(2, 0); !ok || p.A != 0 || p.B != 2 {
		t.Errorf("Pair(2, 0) = %+v, %v", p, ok)
	}
	if _, ok := two.Pair(1, 1); ok {
		t.Error("a rater makes a pair with itself")
	}
	if two.Percent.Interval != nil || two.Fleiss.Words == "" || two.Percent.Words != "" {
		t.Errorf("percent %+v, fleiss %+v", two.Percent, two.Fleiss)
	}
	ratings[2][0] = none
	if three := Measure(ratings, 3, names(3), Options{}); !three.Generalised || three.KrippendorffInterval == nil {
		t.Errorf("generalised %v, interval %v", three.Generalised, three.KrippendorffInterval)
	}
}

func TestNoInterval(t *testing.T) {
	same, some := make([]int, 12), []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0}
	half := []int{0, 0, 0, 0, 1, 1, 1, 1}
	fleiss := func(r Report) Estimate { return r.Fleiss }
	gwet := func(r Report) Estimate { return r.GwetAC1 }
	for _, c := range []struct {
		name    string
		ratings [][]int
		of      func(Report) Estimate
		want    string
	}{
		{"few", [][]int{some[5:], some[5:]}, fleiss, TooFewItems},
		{"one class", [][]int{same, same}, fleiss, ExpectedAgreement.Text},
		{"two of another class", [][]int{some, some, some}, fleiss, TooFewSecond},
		{"apart", [][]int{{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 0, 0, 0, 0, 0}}, gwet, TooFewAgreeing},
		{"full agreement", [][]int{same, same}, gwet, NoVariance},
		{"full agreement on two classes", [][]int{half, half}, fleiss, NoVariance},
		{"a pair", [][]int{some, some, same}, func(r Report) Estimate { return r.Cohen[0].Kappa }, TooFewSecond},
	} {
		e := c.of(Measure(c.ratings, 2, names(len(c.ratings)), Options{Intervals: true}))
		if e.Interval == nil || e.Interval.Reason != c.want || !strings.HasSuffix(e.Tell(result.Coefficient), c.want) {
			t.Errorf("%s: %+v, %q; want none for %q", c.name, e.Interval, e.Remark(), c.want)
		}
	}
	// A live round of six had the interval from -0.5 to -0.5.
	six := Measure([][]int{{0, 1, 0, 1, 0, 1}, {1, 0, 1, 0, 1, 0}, {0, 1, 0, 1, 0, 1}}, 2, names(3),
		Options{Intervals: true})
	if iv := six.Fleiss.Interval; iv.Reason != TooFewItems {
		t.Errorf("%+v", iv)
	}
}

// Where all items are alike, a share has the exact interval: with 12 of 12, 0.025^(1/12) = 0.735 is
// the share under which 12 of 12 come in 2.5 % of the samples.
func TestIntervalOfFullAgreement(t *testing.T) {
	a, b := make([]int, 12), make([]int, 12)
	if iv := Measure([][]int{a, b}, 2, names(2), Options{Intervals: true}).Percent.Interval; iv.High != 1 ||
		math.Abs(iv.Low-0.735) > 5e-4 {
		t.Errorf("all agree: %+v", iv)
	}
	for i := range b {
		b[i] = 1
	}
	if iv := Measure([][]int{a, b}, 2, names(2), Options{Intervals: true}).Percent.Interval; iv.Low != 0 ||
		math.Abs(iv.High-0.265) > 5e-4 {
		t.Errorf("none agree: %+v", iv)
	}
}

func TestMeasurePanicsOnProgrammingErrors(t *testing.T) {
	for name, call := range map[string]func(){
		"names":  func() { Measure([][]int{{0}}, 2, nil, Options{}) },
		"ragged": func() { Measure([][]int{{0}, {0, 1}}, 2, names(2), Options{}) },
		"class":  func() { Measure([][]int{{2}}, 2, names(1), Options{}) },
	} {
		testdata.Panics(t, name, call)
	}
}

// random makes ratings that agree about four times in five, with a few missing.
func random(raters, items, classes int, seed uint64) [][]int {
	rng := rand.New(rand.NewPCG(seed, 0))
	ratings := make([][]int, raters)
	for r := range ratings {
		ratings[r] = make([]int, items)
	}
	for i := range items {
		truth := rng.IntN(classes)
		for r := range ratings {
			switch {
			case rng.IntN(20) == 0:
				ratings[r][i] = Missing
			case rng.IntN(5) == 0:
				ratings[r][i] = rng.IntN(classes)
			default:
				ratings[r][i] = truth
			}
		}
	}
	return ratings
}

func BenchmarkIntervals3x600(b *testing.B) {
	ratings := random(3, 600, 3, 1)
	for b.Loop() {
		Measure(ratings, 3, names(3), Options{Intervals: true})
	}
}

// The weighted means are those of the pairs' weighted kappas, as far as these are defined; two
// classes have none.
func TestWeightedMeansOfPairs(t *testing.T) {
	ratings := [][]int{
		{0, 1, 2, 2, 0, 1, 0},
		{0, 2, 2, 1, 0, 1, 1},
		{1, 1, 2, 2, 0, Missing, Missing},
		{Missing, Missing, Missing, Missing, Missing, 2, 2},
	}
	r := Measure(ratings, 3, names(4), Options{})
	var linear, quadratic []Value
	for _, p := range r.Cohen {
		linear, quadratic = append(linear, p.Linear.Value), append(quadratic, p.Quadratic.Value)
	}
	if undefined := slices.ContainsFunc(linear, func(v Value) bool { return !v.Defined() }); !undefined {
		t.Error("all pairs are defined, so that nothing is shown about the others")
	}
	testdata.Is(t, "linear", r.CohenMeanLinear.Value, meanOf(linear))
	testdata.Is(t, "quadratic", r.CohenMeanQuadratic.Value, meanOf(quadratic))
	if r := Measure([][]int{{0, 1}, {1, 1}}, 2, names(2), Options{}); r.CohenMeanLinear != nil ||
		r.CohenMeanQuadratic != nil {
		t.Error("two classes have weighted means")
	}
}
