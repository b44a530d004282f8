package agreement

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

const none = Missing

// Table III of the ML4ML paper cannot be rebuilt (its labels are not published), but its three
// coders and two classes never tie, and the mean of the printed pairs is the printed 0.794.
func TestMeanOfPublishedPairs(t *testing.T) {
	mean := meanOf([]Value{defined(0.818), defined(0.801), defined(0.763)})
	testdata.Near(t, "mean", mean.Value, 0.794, 5e-4)
}

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
	for _, c := range []struct {
		name    string
		ratings [][]int
		classes int
		of      func(Report) Estimate
		want    result.Reason
	}{
		{"one class", [][]int{{0, 0}, {0, 0}}, 1, func(r Report) Estimate { return r.Fleiss }, TooFewClasses},
		{
			"one class, pair",
			[][]int{{0, 0}, {0, 0}},
			1, func(r Report) Estimate { return r.Cohen[0].Kappa }, TooFewClasses,
		},
		{"no raters", nil, 2, func(r Report) Estimate { return r.Fleiss }, NoItemTwice},
		{"no raters, mean", nil, 2, func(r Report) Estimate { return r.CohenMean }, NoCommonItems},
		{"one rater", [][]int{{0, 1}}, 2, func(r Report) Estimate { return r.GwetAC1 }, NoItemTwice},
		{"no items", [][]int{{}, {}}, 2, func(r Report) Estimate { return r.Cohen[0].Percent }, NoCommonItems},
		{
			"all one class",
			[][]int{{1, 1}, {1, 1}},
			2, func(r Report) Estimate { return r.KrippendorffNominal }, ExpectedNoConflict,
		},
		{
			"all one class, mean",
			[][]int{{1, 1}, {1, 1}},
			2, func(r Report) Estimate { return r.CohenMean }, ExpectedAgreement,
		},
		{
			"apart",
			[][]int{{0, none}, {none, 1}},
			3, func(r Report) Estimate { return *r.KrippendorffOrdinal }, NoItemTwice,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := c.of(Measure(c.ratings, c.classes, names(len(c.ratings)), Options{}))
			if e.Value.Defined() || e.Value.Reason != c.want || e.Words != "" {
				t.Errorf("%+v, want undefined for %q", e, c.want)
			}
		})
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
		{
			"full agreement on two classes",
			[][]int{{0, 0, 0, 0, 1, 1, 1, 1}, {0, 0, 0, 0, 1, 1, 1, 1}},
			fleiss,
			NoVariance,
		},
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

func BenchmarkPoint3x600(b *testing.B) {
	ratings := random(3, 600, 3, 1)
	for b.Loop() {
		Measure(ratings, 3, names(3), Options{})
	}
}

func BenchmarkIntervals3x600(b *testing.B) {
	ratings := random(3, 600, 3, 1)
	for b.Loop() {
		Measure(ratings, 3, names(3), Options{Intervals: true})
	}
}

func BenchmarkIntervals12x600(b *testing.B) {
	ratings := random(12, 600, 3, 1)
	for b.Loop() {
		Measure(ratings, 3, names(12), Options{Intervals: true})
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
	r := Measure(ratings, 3, []string{"a", "b", "c", "d"}, Options{})
	for name, one := range map[string]struct {
		mean *Estimate
		of   func(Cohen) *Estimate
	}{
		"linear":    {r.CohenMeanLinear, func(c Cohen) *Estimate { return c.Linear }},
		"quadratic": {r.CohenMeanQuadratic, func(c Cohen) *Estimate { return c.Quadratic }},
	} {
		sum, n := 0.0, 0
		for _, p := range r.Cohen {
			if e := one.of(p.Cohen); e.Value.Defined() {
				sum, n = sum+e.Value.Value, n+1
			}
		}
		if n == 0 || n == len(r.Cohen) {
			t.Fatalf("%d of %d pairs are defined", n, len(r.Cohen))
		}
		testdata.Near(t, name, one.mean.Value.Value, sum/float64(n), 1e-12)
	}
	if r := Measure([][]int{{0, 1}, {1, 1}}, 2, []string{"a", "b"}, Options{}); r.CohenMeanLinear != nil ||
		r.CohenMeanQuadratic != nil {
		t.Error("two classes have weighted means")
	}
}
