package assess

import (
	"fmt"
	"math"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/internal/testdata"
)

// TestGoldenModels compares with scripts/golden/assessors.py: distances to what was learned from,
// the corrected t-test with Holm's adjustment, variance by groups, ceilings, and intervals of
// shares.
func TestGoldenModels(t *testing.T) {
	var tolerance struct{ Abs float64 }
	tests := map[string]func(*testing.T, testdata.Case, func(what string, got, want float64)){
		"corrected_t": goldenCorrected, "oneway": goldenOneWay, "distance": goldenDistance, "ceiling": goldenCeiling,
		"share": goldenShare, "holm": goldenHolm,
	}
	testdata.Cases(t, testdata.Further(t, "assessors"), &tolerance, func(t *testing.T, c testdata.Case) {
		test, ok := tests[c.Kind]
		if !ok {
			t.Fatalf("kind %q is not known", c.Kind)
		}
		test(t, c, func(what string, got, want float64) {
			testdata.Near(t, what, got, want, tolerance.Abs*max(1, math.Abs(want)))
		})
	})
}

func goldenCorrected(t *testing.T, raw testdata.Case, near func(string, float64, float64)) {
	var input struct {
		Kind        string
		Differences []float64
		Ratio       float64
	}
	var want struct{ Mean, Low, High, T, P float64 }
	raw.Read(t, &input, &want)
	got := stats.CorrectedT(input.Differences, input.Ratio)
	near("mean", got.Mean, want.Mean)
	near("low", got.Low, want.Low)
	near("high", got.High, want.High)
	near("t", got.T, want.T)
	near("p", got.P, want.P)
}

func goldenOneWay(t *testing.T, raw testdata.Case, near func(string, float64, float64)) {
	var input struct {
		Kind   string
		Values []float64
		Groups []int
	}
	var want struct {
		MeanBetween                           float64 `json:"mean_between"`
		MeanWithin                            float64 `json:"mean_within"`
		Between, Within, F, P, ICC, Low, High float64
		Singles                               int
	}
	raw.Read(t, &input, &want)
	got := stats.OneWay(append(input.Values, math.NaN()), append(input.Groups, 0)) // which is left out
	near("MSB", got.MeanBetween, want.MeanBetween)
	near("MSW", got.MeanWithin, want.MeanWithin)
	near("between", got.Between, want.Between)
	near("within", got.Within, want.Within)
	near("F", got.F, want.F)
	near("p", got.P, want.P)
	near("ICC", got.ICC, want.ICC)
	near("low", got.Low, want.Low)
	near("high", got.High, want.High)
	testdata.Is(t, "groups of one", got.Singles, want.Singles)
	testdata.Is(t, "values", got.N, len(input.Values))
}

func goldenDistance(t *testing.T, raw testdata.Case, near func(string, float64, float64)) {
	var input struct {
		Kind     string
		Training [][]float64
		Row      []float64
	}
	var want struct {
		Value, Limit, Share float64
		Nearest             int
		Outside             bool
		Beyond              [][2]*float64 // column and distance, null for a constant feature
	}
	raw.Read(t, &input, &want)
	d := goldenData(input.Training, nil)
	got := SeenOf(d, d.Places()).Distance(Row{ID: "judged", X: input.Row})
	near("distance", got.Value, want.Value)
	near("limit", got.Limit, want.Limit)
	near("share", got.Share, want.Share)
	testdata.Is(t, "nearest", got.Nearest, fmt.Sprint(want.Nearest))
	testdata.Is(t, "outside", got.Outside, want.Outside)
	testdata.Is(t, "features beyond", len(got.Beyond), len(want.Beyond))
	last := math.Inf(1)
	for _, b := range got.Beyond {
		for _, w := range want.Beyond {
			switch {
			case b.Feature != d.Names[int(*w[0])]:
			case w[1] == nil:
				testdata.Is(t, "a constant feature has no distance", math.IsNaN(b.SDs), true)
			default:
				near(b.Feature, b.SDs, *w[1])
			}
		}
		if b.SDs > last || math.IsNaN(last) {
			t.Errorf("%s stands behind what is nearer", b.Feature)
		}
		last = b.SDs
	}
}

func goldenCeiling(t *testing.T, raw testdata.Case, near func(string, float64, float64)) {
	var input struct {
		Kind    string
		Ratings [][]*int
		Labels  []int
		Classes int
	}
	type estimate struct{ Value, Low, High float64 }
	var want struct {
		Models        int
		Label, Others estimate
	}
	raw.Read(t, &input, &want)
	d := Data{Classes: label.Values(input.Classes), Raters: make([]string, len(input.Ratings))}
	var e Evaluation
	for i, class := range input.Labels {
		row := Row{Label: d.Classes[class], Ratings: make([]label.Value, len(input.Ratings))}
		for r, own := range input.Ratings {
			if own[i] != nil {
				row.Ratings[r] = d.Classes[*own[i]]
			}
		}
		d.Rows = append(d.Rows, row)
		e.Predictions = append(e.Predictions, Prediction{Row: i, Truth: class, Verdict: Verdict{Class: class}})
	}
	got := CeilingsOf([]Compared{{Data: &d, Evaluation: e}})
	for k, w := range []estimate{want.Label, want.Others, want.Label} { // the assessor is never wrong here
		near(got[k].Judge, got[k].Value.Value, w.Value)
		low, high := got[k].Ends()
		near("low", low, w.Low)
		near("high", high, w.High)
		testdata.Is(t, "models", got[k].N, want.Models)
	}
}

func goldenShare(t *testing.T, raw testdata.Case, near func(string, float64, float64)) {
	var input struct {
		Kind     string
		Right, N int
	}
	var want struct{ Low, High float64 }
	raw.Read(t, &input, &want)
	low, high := stats.Wilson(float64(input.Right)/float64(input.N), input.N)
	near("low", low, want.Low)
	near("high", high, want.High)
}

func goldenHolm(t *testing.T, raw testdata.Case, near func(string, float64, float64)) {
	var input struct {
		Kind string
		P    []*float64 // null for no test
	}
	var want struct{ Adjusted []*float64 }
	raw.Read(t, &input, &want)
	number := func(v *float64) float64 {
		if v == nil {
			return math.NaN()
		}
		return *v
	}
	var p []float64
	for _, v := range input.P {
		p = append(p, number(v))
	}
	for k, adjusted := range stats.Holm(p) {
		near(fmt.Sprint("test ", k), adjusted, number(want.Adjusted[k]))
	}
}
