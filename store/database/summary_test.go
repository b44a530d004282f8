package database

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
)

func TestSummaryCodec(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 6).Draw(t, "n")
		numbers := rapid.Float64()
		s := Summary{
			Key: "k", Matrices: map[string]variance.Matrix{},
			Robust: numbers.Draw(t, "robust"), Images: 3, Model: "m", Suite: "s",
			Classes: rapid.SliceOfN(rapid.IntRange(-1, 9), 1, 4).Draw(t, "classes"),
			Family:  rapid.SampledFrom([]string{"f", "rot90", "shift:3:5"}).Draw(t, "family"),
		}
		if rapid.Bool().Draw(t, "counted") {
			s.Chance = &chance.Counts{Labelled: 3, Correct: 1, Classes: 2, Largest: 2, Top: 3, TopLabels: 1}
		}
		if k := rapid.IntRange(0, 5).Draw(t, "accuracies"); k > 0 {
			s.Accuracy = rapid.SliceOfN(numbers, k, k).Draw(t, "accuracy")
		}
		for _, m := range signal.DefaultModalities() {
			if rapid.Bool().Draw(t, "there") {
				s.Matrices[m.String()] = variance.Matrix{N: n, Data: rapid.SliceOfN(numbers, n*n, n*n).Draw(t, "data")}
			}
		}
		data := testdata.Must(s.Encode())(t)
		got, err := decodeSummary("k", data, WithMatrices)
		if err != nil || !cmp.Equal(s, got) {
			t.Fatal(err, cmp.Diff(s, got))
		}
		cut := rapid.IntRange(0, len(data)-1).Draw(t, "cut")
		if _, err := decodeSummary("k", data[:cut], WithMatrices); err == nil {
			t.Fatalf("took %d of %d bytes", cut, len(data))
		}
	})
}

func FuzzSummary(f *testing.F) {
	data, err := Summary{
		Accuracy: []float64{1},
		Matrices: map[string]variance.Matrix{"max@CONF": {N: 1, Data: []float64{0}}},
	}.Encode()
	must(f, err)
	f.Add(data)
	f.Add([]byte{2, 0, 0, 0, '{', '}'})
	f.Fuzz(func(_ *testing.T, data []byte) { _, _ = decodeSummary("k", data, WithMatrices) })
}
