package rank

import (
	"fmt"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// goldenTolerance holds the file's largest allowed differences; everything else must be equal.
type goldenTolerance struct {
	Exact      float64 `json:"exact_specialty"`
	Posterior  float64 `json:"exact_posterior"`
	Q          float64
	FixedPoint float64 `json:"fixed_point"`
	Reference  float64 `json:"reference_specialty"`
	Other      float64 `json:"other_abs"`
}

// Each kind has its own form of input and expected values, which its check reads strictly.
func TestGoldenLaF(t *testing.T) {
	checks := map[string]func(golden, testdata.Case){
		"laf": golden.laf, "sds": golden.sds, "ces": golden.ces, "crc": golden.crc, "metrics": golden.metrics,
		"suites": golden.suites,
	}
	for _, data := range [][]byte{
		testdata.Golden(t, "laf"), testdata.Further(t, "laf"),
		testdata.Further(t, "laf-suites"),
	} {
		var tolerance goldenTolerance
		testdata.Cases(t, data, &tolerance, func(t *testing.T, c testdata.Case) {
			check, known := checks[c.Kind]
			if !known {
				t.Fatalf("kind %q is not known", c.Kind)
			}
			check(golden{T: t, tolerance: tolerance}, c)
		})
	}
}

// golden compares answers with the file's values.
type golden struct {
	*testing.T
	tolerance goldenTolerance
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
