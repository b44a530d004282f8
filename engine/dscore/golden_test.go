package dscore

import (
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

type goldenTolerance struct {
	Abs   float64
	Image float64 `json:"image_abs"`
}

func TestGoldenDScore(t *testing.T) {
	for _, data := range [][]byte{testdata.Golden(t, "dscore"), testdata.Further(t, "dscore")} {
		var tolerance goldenTolerance
		testdata.Cases(t, data, &tolerance, func(t *testing.T, c testdata.Case) {
			switch c.Kind {
			case "score":
				goldenScore(t, c, tolerance.Abs)
			case "score_from_shares":
				goldenFromShares(t, c, tolerance.Abs)
			case "padding":
				goldenPadding(t, c)
			case "regions":
				goldenRegions(t, c)
			case "shift":
				goldenShift(t, c, tolerance.Image)
			case "augmentation":
				goldenAugmentation(t, c)
			default:
				t.Errorf("kind %q is not known", c.Kind)
			}
		})
	}
}

func goldenScore(t *testing.T, c testdata.Case, tolerance float64) {
	var in struct {
		Kind     string
		Baseline float64   `json:"baseline_accuracy"`
		Variants []float64 `json:"variant_accuracy"`
		Shifted  []float64 `json:"shifted_accuracy"`
		Classes  int
	}
	var want struct {
		Features  []float64 `json:"feature_distribution"`
		Attention []float64 `json:"attention_distribution"`
		Terms     []float64 `json:"robust_terms"`
		Robust    float64   `json:"v_robust"`
		Fitness   float64   `json:"v_fitness"`
		DScore    float64   `json:"d_score"`
		G         float64
		P         float64
		Flags     []Flag
	}
	c.Read(t, &in, &want)
	s, err := Compute(Accuracies{
		Original: in.Baseline, Variants: in.Variants, Shifted: in.Shifted, Classes: in.Classes,
	})
	if err != nil {
		t.Fatal(err)
	}
	testdata.NearAll(t, "features", s.Features, want.Features, tolerance)
	testdata.NearAll(t, "attention", s.Attention, want.Attention, tolerance)
	testdata.NearAll(t, "terms of v_robust", s.RobustTerms[:], want.Terms, tolerance)
	testdata.Near(t, "v_robust", s.Robust, want.Robust, tolerance)
	testdata.Near(t, "v_fitness", s.Fitness, want.Fitness, tolerance)
	testdata.Near(t, "D-Score", s.DScore, want.DScore, tolerance)
	testdata.Near(t, "g", s.Bound, want.G, tolerance)
	testdata.Near(t, "p", s.P, want.P, tolerance)
	testdata.Equal(t, "flags", s.Flags, want.Flags)
}

func goldenFromShares(t *testing.T, c testdata.Case, tolerance float64) {
	var in struct {
		Kind     string
		Baseline float64   `json:"baseline_accuracy"`
		Features []float64 `json:"feature_distribution"`
		Shifted  []float64 `json:"shifted_accuracy"`
	}
	var want struct {
		Robust  float64 `json:"v_robust"`
		Fitness float64 `json:"v_fitness"`
		DScore  float64 `json:"d_score"`
	}
	c.Read(t, &in, &want)
	n := testdata.Must(grid(len(in.Features), len(in.Shifted), 10))(t) // the number of classes touches g and p alone
	s := score(n, in.Baseline, in.Features, in.Shifted, 10)
	testdata.Near(t, "v_robust", s.Robust, want.Robust, tolerance)
	testdata.Near(t, "v_fitness", s.Fitness, want.Fitness, tolerance)
	testdata.Near(t, "D-Score", s.DScore, want.DScore, tolerance)
}
