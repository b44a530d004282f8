package dscore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// goldenFile is read strictly, so that a form of case that this test does not know fails it.
type goldenFile struct {
	Topic       string          `json:"topic"`
	Format      int             `json:"format"`
	Spec        string          `json:"spec"`
	Tolerance   goldenTolerance `json:"tolerance"`
	Cases       []goldenCase    `json:"cases"`
	Note        string          `json:"note"`
	Published   json.RawMessage `json:"published"`
	Information json.RawMessage `json:"information"`
}

type goldenCase struct {
	Name        string          `json:"name"`
	How         string          `json:"how"`
	Input       json.RawMessage `json:"input"`
	Expected    json.RawMessage `json:"expected"`
	Published   json.RawMessage `json:"published"`
	Information json.RawMessage `json:"information"`
}

type goldenTolerance struct {
	Abs   float64 `json:"abs"`
	Image float64 `json:"image_abs"`
}

func strictly(t *testing.T, data []byte, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("golden dscore: %v", err)
	}
}

func TestGoldenDScore(t *testing.T) {
	fmt.Printf("golden dscore: %d cases\n", runGolden(t, testdata.Golden(t, "dscore")))
}

func TestGoldenDScoreFurther(t *testing.T) {
	fmt.Printf("further dscore: %d cases\n", runGolden(t, testdata.Further(t, "dscore")))
}

// runGolden runs every case of a file and says how many there are.
func runGolden(t *testing.T, data []byte) int {
	var file goldenFile
	strictly(t, data, &file)
	for _, c := range file.Cases {
		t.Run(c.Name, func(t *testing.T) {
			var kind struct {
				Kind string `json:"kind"`
			}
			if err := json.Unmarshal(c.Input, &kind); err != nil {
				t.Fatal(err)
			}
			switch kind.Kind {
			case "score":
				goldenScore(t, c, file.Tolerance.Abs)
			case "score_from_shares":
				goldenFromShares(t, c, file.Tolerance.Abs)
			case "padding":
				goldenPadding(t, c)
			case "regions":
				goldenRegions(t, c)
			case "shift":
				goldenShift(t, c, file.Tolerance.Image)
			case "augmentation":
				goldenAugmentation(t, c)
			default:
				t.Errorf("kind %q is not known", kind.Kind)
			}
		})
	}
	return len(file.Cases)
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func nearAll(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range want {
		near(t, fmt.Sprintf("%s of region %d", what, i+1), got[i], want[i], tolerance)
	}
}

func goldenScore(t *testing.T, c goldenCase, tolerance float64) {
	var in struct {
		Kind     string    `json:"kind"`
		Baseline float64   `json:"baseline_accuracy"`
		Variants []float64 `json:"variant_accuracy"`
		Shifted  []float64 `json:"shifted_accuracy"`
		Classes  int       `json:"classes"`
	}
	var want struct {
		Features  []float64 `json:"feature_distribution"`
		Attention []float64 `json:"attention_distribution"`
		Terms     []float64 `json:"robust_terms"`
		Robust    float64   `json:"v_robust"`
		Fitness   float64   `json:"v_fitness"`
		DScore    float64   `json:"d_score"`
		G         float64   `json:"g"`
		P         float64   `json:"p"`
		Flags     []Flag    `json:"flags"`
	}
	strictly(t, c.Input, &in)
	strictly(t, c.Expected, &want)
	s, err := Compute(Accuracies{Original: in.Baseline, Variants: in.Variants, Shifted: in.Shifted, Classes: in.Classes})
	if err != nil {
		t.Fatal(err)
	}
	nearAll(t, "features", s.Features, want.Features, tolerance)
	nearAll(t, "attention", s.Attention, want.Attention, tolerance)
	nearAll(t, "terms of v_robust", s.RobustTerms[:], want.Terms, tolerance)
	near(t, "v_robust", s.Robust, want.Robust, tolerance)
	near(t, "v_fitness", s.Fitness, want.Fitness, tolerance)
	near(t, "D-Score", s.DScore, want.DScore, tolerance)
	near(t, "g", s.Bound, want.G, tolerance)
	near(t, "p", s.P, want.P, tolerance)
	if !slices.Equal(s.Flags, want.Flags) {
		t.Errorf("flags %v, want %v", s.Flags, want.Flags)
	}
	if c.Published != nil {
		goldenPublished(t, c.Published, s)
	}
}

// goldenPublished: where the golden file says that the paper's figure recomputes, ours rounds to the printed digits.
func goldenPublished(t *testing.T, data []byte, s Score) {
	var published struct {
		Robust  float64         `json:"v_robust"`
		Fitness float64         `json:"v_fitness"`
		DScore  float64         `json:"d_score"`
		G       float64         `json:"g"`
		P       float64         `json:"p"`
		Matches map[string]bool `json:"matches"`
	}
	if err := json.Unmarshal(data, &published); err != nil { // for reading: it may say more
		t.Fatal(err)
	}
	for name, matches := range published.Matches {
		figure, known := map[string]struct{ got, printed, unit float64 }{
			"v_robust": {s.Robust, published.Robust, 1e-4}, "v_fitness": {s.Fitness, published.Fitness, 1e-4},
			"d_score": {s.DScore, published.DScore, 1e-4}, "g": {s.Bound, published.G, 1e-2}, "p": {s.P, published.P, 1e-2},
		}[name]
		if !known {
			t.Errorf("published figure %q is not known", name)
		}
		if matches && !roundsTo(figure.got, figure.printed, figure.unit) {
			t.Errorf("%s = %v does not round to the printed %v", name, figure.got, figure.printed)
		}
	}
}

// roundsTo says whether a value rounds to a printed number whose last digit is worth a unit.
func roundsTo(value, printed, unit float64) bool {
	return math.Round(value/unit) == math.Round(printed/unit)
}

func goldenFromShares(t *testing.T, c goldenCase, tolerance float64) {
	var in struct {
		Kind     string    `json:"kind"`
		Baseline float64   `json:"baseline_accuracy"`
		Features []float64 `json:"feature_distribution"`
		Shifted  []float64 `json:"shifted_accuracy"`
	}
	type parts struct {
		Robust  float64 `json:"v_robust"`
		Fitness float64 `json:"v_fitness"`
		DScore  float64 `json:"d_score"`
	}
	var want parts
	strictly(t, c.Input, &in)
	strictly(t, c.Expected, &want)
	s, err := FromShares(in.Baseline, in.Features, in.Shifted, 10) // the number of classes touches g and p alone
	if err != nil {
		t.Fatal(err)
	}
	near(t, "v_robust", s.Robust, want.Robust, tolerance)
	near(t, "v_fitness", s.Fitness, want.Fitness, tolerance)
	near(t, "D-Score", s.DScore, want.DScore, tolerance)
	if c.Published == nil {
		return
	}
	var published struct {
		parts
		Matches [3]bool `json:"matches"`
	}
	if err := json.Unmarshal(c.Published, &published); err != nil {
		t.Fatal(err)
	}
	got, printed := [3]float64{s.Robust, s.Fitness, s.DScore}, [3]float64{published.Robust, published.Fitness, published.DScore}
	for k, matches := range published.Matches {
		if matches && !roundsTo(got[k], printed[k], 1e-4) {
			t.Errorf("part %d = %v does not round to the printed %v", k+1, got[k], printed[k])
		}
	}
}
