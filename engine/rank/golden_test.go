package rank

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// goldenCase is one case of golden/laf.json. Each kind has its own form of input and expected values, which its check reads
// strictly, so that a key that the tests do not know fails them.
type goldenCase struct {
	Name     string          `json:"name"`
	How      string          `json:"how"`
	Input    json.RawMessage `json:"input"`
	Expected json.RawMessage `json:"expected"`
}

// goldenTolerance holds the file's largest allowed differences; everything else must be equal.
type goldenTolerance struct {
	Exact      float64 `json:"exact_specialty"`
	Posterior  float64 `json:"exact_posterior"`
	Q          float64 `json:"q"`
	FixedPoint float64 `json:"fixed_point"`
	Reference  float64 `json:"reference_specialty"`
	Other      float64 `json:"other_abs"`
}

type goldenFile struct {
	Topic       string          `json:"topic"`
	Format      int             `json:"format"`
	Spec        string          `json:"spec"`
	Tolerance   goldenTolerance `json:"tolerance"`
	Note        string          `json:"note"`
	Published   json.RawMessage `json:"published"`
	Information json.RawMessage `json:"information"`
	Cases       []goldenCase    `json:"cases"`
}

// goldenKinds are the checks of the kinds of case.
var goldenKinds = map[string]func(golden, goldenCase){
	"laf": golden.laf,
}

func TestGoldenLaF(t *testing.T) {
	fmt.Printf("golden laf: %d cases\n", runGolden(t, testdata.Golden(t, "laf")))
}

func TestGoldenLaFFurther(t *testing.T) {
	fmt.Printf("further laf: %d cases\n", runGolden(t, testdata.Further(t, "laf")))
}

// runGolden runs every case of a file and says how many there are.
func runGolden(t *testing.T, data []byte) int {
	var file goldenFile
	if err := strictly(data, &file); err != nil {
		t.Fatalf("golden laf: %v", err)
	}
	for _, c := range file.Cases {
		t.Run(c.Name, func(t *testing.T) {
			var input struct {
				Kind string `json:"kind"`
			}
			if err := json.Unmarshal(c.Input, &input); err != nil {
				t.Fatal(err)
			}
			check, known := goldenKinds[input.Kind]
			if !known {
				t.Fatalf("kind %q is not known", input.Kind)
			}
			check(golden{T: t, tolerance: file.Tolerance}, c)
		})
	}
	return len(file.Cases)
}

func strictly(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// golden compares answers with the file's values.
type golden struct {
	*testing.T
	tolerance goldenTolerance
}

func (g golden) read(data []byte, into any) {
	g.Helper()
	if err := strictly(data, into); err != nil {
		g.Fatal(err)
	}
}

// near compares lists of numbers; a NaN is never near.
func (g golden) near(what string, got, want []float64, tolerance float64) {
	g.Helper()
	if len(got) != len(want) {
		g.Errorf("%s = %v, want %v", what, got, want)
		return
	}
	for k := range got {
		if !(math.Abs(got[k]-want[k]) <= tolerance) {
			g.Errorf("%s: value %d is %v, want %v", what, k, got[k], want[k])
		}
	}
}

// goldenEqual compares lists that must be equal.
func goldenEqual[T comparable](g golden, what string, got, want []T) {
	g.Helper()
	if !slices.Equal(got, want) {
		g.Errorf("%s = %v, want %v", what, got, want)
	}
}

// goldenLabels flattens labels[i][j] of the file into data of unnamed models.
func goldenLabels(labels [][]int32, classes int) Data {
	d := Data{Models: make([]Model, len(labels[0])), Samples: len(labels), Classes: classes}
	for j := range d.Models {
		d.Models[j].ID = fmt.Sprintf("model-%d", j)
	}
	for _, row := range labels {
		d.Labels = append(d.Labels, row...)
	}
	return d
}
