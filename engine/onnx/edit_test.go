package onnx

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// Whatever the names, the edited file has them as outputs after its own, and the bytes given stay
// as they are.
func TestExposeProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.StringN(1, 300, 600), 0, 20).Draw(t, "names")
		before := slices.Grow(tiny().file(), 1000) // room behind must not be written to
		edge := before[:len(before)+1]
		kept, last := slices.Clone(before), edge[len(before)]
		edited := expose(before, names)
		if !slices.Equal(before, kept) || edge[len(before)] != last {
			t.Fatal("the given bytes were changed")
		}
		r := modelReader{}
		if err := r.readModel(edited); err != nil {
			for _, name := range names {
				if _, bad := (field{typ: 2, bytes: []byte(name)}).text(); bad != nil {
					return
				}
			}
			t.Fatal(err)
		}
		var got []string
		for _, v := range r.model.graph.outputs {
			got = append(got, v.name)
		}
		testdata.Equal(t, "got", got, append([]string{"scores"}, names...))
	})
}

func TestMissingOutputs(t *testing.T) {
	_, a, err := inspect("tiny.onnx", tiny().file())
	testdata.OK(t, err)
	testdata.Equal(t, "missing outputs", a.missingOutputs(list("scores", "conv", "pool", "conv")), list("conv", "pool"))
}
