package database

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
)

func TestEvidenceEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64Range(-1e9, 1e9)
		n := rapid.IntRange(1, 4).Draw(t, "n")
		e := Evidence{
			Round: "R", Model: "m", Suite: "s", Family: "f", Filter: "all", Chosen: 3, Total: 4,
			Robust: number.Draw(t, "robust"), Accuracy: rapid.SliceOfN(number, 1, 5).Draw(t, "accuracy"),
			Matrices: map[string]variance.Matrix{}, Absent: map[string]string{"max@CONV-2": "no second convolution"},
		}
		for _, name := range rapid.SliceOfDistinct(rapid.StringMatching("[a-z]@[A-Z]"), rapid.ID).Draw(t, "names") {
			e.Matrices[name] = variance.Matrix{N: n, Data: rapid.SliceOfN(number, n*n, n*n).Draw(t, name)}
		}
		data := testdata.Must(e.Encode())(t)
		back, err := DecodeEvidence(data)
		if err != nil || cmp.Diff(e, back, cmpopts.IgnoreUnexported(Evidence{})) != "" {
			t.Fatalf("%v: %s", err, cmp.Diff(e, back, cmpopts.IgnoreUnexported(Evidence{})))
		}
		if cut := rapid.IntRange(0, len(data)-1).Draw(t, "cut"); true {
			if _, err := DecodeEvidence(data[:cut]); err == nil {
				t.Fatalf("%d of %d bytes are accepted", cut, len(data))
			}
		}
	})
	if _, err := (Evidence{Matrices: map[string]variance.Matrix{
		"a": {N: 1, Data: []float64{1}},
		"b": {N: 2, Data: make([]float64, 4)},
	}}).Encode(); err == nil {
		t.Error("matrices of different sizes are taken")
	}
}
