package onnx

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// exposed is expose done the other way: the graph is rewritten with the outputs inside.
func exposed(g graphOf, tensors ...string) []byte {
	for _, name := range tensors {
		g.outputs = append(g.outputs, pb{}.str(1, name))
	}
	return g.file()
}

// The appended graph field and a rewritten graph are the same model to the library.
func TestExposeEqualsRewriting(t *testing.T) {
	library(t)
	names := list("scores", "conv", "pool")
	var results [2][]float32
	for k, data := range [][]byte{expose(tiny().file(), names[1:]), exposed(tiny(), names[1:]...)} {
		feed := feedOf(t, save(t, "edited.onnx", data), 3, names[1:]...)
		run := openRunner(t, library(t), feed)
		fill(run.Input())
		testdata.OK(t, run.Run(t.Context()))
		for i := range names {
			_, values := run.Result(i)
			results[k] = append(results[k], values...)
		}
	}
	if len(results[0]) == 0 || !slices.Equal(results[0], results[1]) {
		t.Errorf("%v\n%v", results[0], results[1])
	}
}

func TestExposeNothing(t *testing.T) {
	data := tiny().file()
	testdata.Equal(t, "the file was changed", expose(data, nil), data)
}

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
	if err != nil {
		t.Fatal(err)
	}
	testdata.Equal(t, "missing outputs", a.missingOutputs(list("scores", "conv", "pool", "conv")), list("conv", "pool"))
}
