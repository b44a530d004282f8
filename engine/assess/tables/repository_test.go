package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

// TestTable5 is the published one: 62, 70 and 118 of 250 models.
func TestTable5(t *testing.T) {
	d := assess.Data{Classes: label.Values(3)}
	for value, n := range map[label.Value]int{label.Invariant: 62, label.Borderline: 70, label.Variant: 118, "": 4} {
		for range n {
			d.Rows = append(d.Rows, assess.Row{Label: value})
		}
	}
	parts, unlabelled := Table5(d)
	var texts []string
	for _, p := range parts {
		texts = append(texts, fmt.Sprintf("%s %d %.1f", p.Label, p.Models, 100*p.Share))
	}
	if got := strings.Join(texts, ", "); got != "invariant 62 24.8, borderline 70 28.0, variant 118 47.2" ||
		unlabelled != 4 {
		t.Errorf("%s, %d unlabelled", got, unlabelled)
	}
	parts, unlabelled = Table5(assess.Data{Classes: label.Values(3), Rows: make([]assess.Row, 2)})
	if len(parts) != 3 || parts[0].Models != 0 || !math.IsNaN(parts[0].Share) || unlabelled != 2 {
		t.Errorf("nobody has labelled: %+v, %d", parts, unlabelled)
	}
}

func TestTable6(t *testing.T) {
	nan := math.NaN()
	d := assess.Data{Rows: []assess.Row{
		{Accuracy: 0.5, Scores: assess.Scores{CorrectProduct: 0.25}},
		{Accuracy: nan, Scores: assess.Scores{CorrectProduct: nan}},
		{Accuracy: 1, Scores: assess.Scores{CorrectProduct: 0.75}},
		{Accuracy: 0.75, Scores: assess.Scores{CorrectProduct: nan}},
	}}
	accuracy, worst := Table6(d)
	testdata.Is(t, "accuracy", accuracy, (Figures{N: 3, Mean: 0.75, Max: 1, Min: 0.5, Std: math.Sqrt(0.125 / 3)}))
	testdata.Is(t, "worst case", worst, (Figures{N: 2, Mean: 0.5, Max: 0.75, Min: 0.25, Std: 0.25}))
	if none, _ := Table6(assess.Data{Rows: d.Rows[1:2]}); none.N != 0 || !math.IsNaN(none.Mean) ||
		!math.IsNaN(none.Min) || !math.IsNaN(none.Std) {
		t.Errorf("no model has one: %+v", none)
	}
}

// TestTable4 computes the published F1 from the published coverage and kappa, by way of ratings
// whose Fleiss' kappa is known.
func TestTable4(t *testing.T) {
	nan := math.NaN()
	full := [][]int{{0, 1, 2, 0}, {0, 1, 2, 0}, {0, 1, 2, 0}}
	d := Table4(50, []float64{0.5, nan, 0.7}, full, 3)
	if d.N != 50 || d.Models != 2 || math.Abs(d.Coverage-0.6) > 1e-15 || d.Fleiss.Value != 1 ||
		math.Abs(d.F1-2*0.6/1.6) > 1e-12 {
		t.Errorf("%+v", d)
	}
	against := [][]int{{0, 1, 2, 0}, {1, 2, 0, 1}}
	if d = Table4(32, []float64{0.5}, against, 3); !(d.Fleiss.Value < 0) || d.F1 != 0 {
		t.Errorf("a negative kappa counts as 0: %+v", d)
	}
	if d = Table4(32, []float64{nan}, full, 3); d.Models != 0 || !math.IsNaN(d.Coverage) || !math.IsNaN(d.F1) {
		t.Errorf("no coverage: %+v", d)
	}
	if d = Table4(32, []float64{0.5}, [][]int{{0, 0}, {0, 0}}, 3); d.Fleiss.Defined() || !math.IsNaN(d.F1) {
		t.Errorf("one class only: %+v", d)
	}
	if d = Table4(32, []float64{0.5}, nil, 3); d.Fleiss.Defined() || !math.IsNaN(d.F1) {
		t.Errorf("nobody has labelled: %+v", d)
	}
}

func TestHistogram(t *testing.T) {
	got, err := Histogram([]float64{0, 0.1, 0.3, 0.29, 0.95, 1, math.NaN(), 0.7}, 10)
	if want := []int{1, 1, 1, 1, 0, 0, 0, 1, 0, 2}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		bins := rapid.IntRange(1, 60).Draw(t, "bins")
		values := rapid.SliceOf(rapid.OneOf(rapid.Float64Range(0, 1), rapid.Custom(func(t *rapid.T) float64 {
			return float64(rapid.IntRange(0, bins).Draw(t, "border")) / float64(bins)
		}))).Draw(t, "values")
		got := testdata.Must(Histogram(values, bins))(t)
		for k, n := range got {
			low, high := float64(k)/float64(bins), float64(k+1)/float64(bins)
			want := 0
			for _, v := range values {
				if v >= low && (v < high || k == bins-1) {
					want++
				}
			}
			testdata.Is(t, fmt.Sprintf("bin %d of %d", k, bins), n, want)
		}
	})
	for want, values := range map[string][]float64{"1.5 is no share": {1.5}, "-0.1 is no share": {-0.1}} {
		testdata.Refused(t, fmt.Sprintf("%v", values), testdata.Err(Histogram(values, 5)), want)
	}
	testdata.Refused(t, "no bins", testdata.Err(Histogram(nil, 0)), "0 bins")
}
