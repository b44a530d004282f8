package onnx

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// FuzzMasks edits whatever the reader lets pass: no panic, the bytes given stay as they are, and
// what comes out is a model file in which the maps are masked and new names are new.
func FuzzMasks(f *testing.F) {
	for _, m := range maskGraphs() {
		f.Add(m.file(0), byte(m.masks.N), byte(0), true)
		f.Add(m.file(1), byte(2), byte(2), false)
	}
	for seed := range uint64(8) {
		f.Add(randomNet(rand.New(rand.NewPCG(seed, 9))).file(), byte(3), byte(seed), seed%2 == 0)
	}
	for _, g := range []graphOf{endless(), slow(10)} {
		f.Add(g.file(), byte(3), byte(1), false)
	}
	data := testdata.Must(os.ReadFile(sceneModels(f)[0]))(f)
	f.Add(data, byte(4), byte(1), true)
	f.Fuzz(func(t *testing.T, data []byte, n, layer byte, after bool) {
		g, a, err := inspect("fuzz.onnx", data)
		masks := transform.Masks{N: int(n), AfterBatchNorm: after}
		if layer > 0 {
			masks.Layers = []int{int(layer)}
		}
		if _, _, wrong := Maps("fuzz.onnx", data, g.Input, masks); wrong != nil &&
			!strings.HasPrefix(wrong.Error(), "fuzz.onnx ") {
			t.Errorf("unclear: %v", wrong)
		}
		if err != nil || checkMasks(g, masks) != nil {
			return
		}
		before := slices.Clone(data)
		outputs := []string{g.Outputs[0].Name}
		if after {
			outputs = append(outputs, g.Convs[0])
		}
		spots := a.spots(masks, outputs)
		for k := range spots {
			spots[k].shape = [4]int{1, k, 4, 4 + k%3}
		}
		e := testdata.Must(newMaskEdit(a, data, spots, outputs))(t)
		checkEdited(t, e, data, g.Input.Name)
		testdata.Equal(t, "the given bytes were changed", before, data)
	})
}

func checkEdited(t *testing.T, e *maskEdit, data []byte, image string) {
	t.Helper()
	if bytes.Contains(data, []byte(e.name)) {
		t.Errorf("the new name %s is an old one", e.name)
	}
	edited := testdata.Must(parse("edited.onnx", e.masked(image)))(t)
	inputs, _ := e.inputNames(image)
	for _, name := range inputs {
		if !slices.ContainsFunc(edited.graph.inputs, func(v valueInfo) bool { return v.name == name }) {
			t.Errorf("%s is no input", name)
		}
	}
	for _, s := range e.spots {
		if _, fed := e.first[s.tensor]; !fed && e.needed != nil && !e.needed[s.node] {
			continue // nothing wanted depends on it
		}
		muls := 0
		for _, n := range edited.graph.nodes {
			if n.is("Mul") && n.input(0) == e.rawName(s) && slices.Equal(n.outputs, []string{s.tensor}) &&
				slices.Contains(e.sizes, s.mask()) {
				muls++
			}
		}
		testdata.Is(t, fmt.Sprintf("map %d is masked", s.number), muls, 1)
	}
	if e.shared == nil {
		return
	}
	cut := testdata.Must(parse("before.onnx", e.before()))(t)
	for k, v := range cut.graph.outputs {
		testdata.Is(t, fmt.Sprintf("output %d of the cut-off part", k), v.name, e.shared[k])
	}
	if slices.ContainsFunc(cut.graph.nodes, func(n nodeProto) bool { return strings.HasPrefix(n.input(0), e.name) }) {
		t.Error("the cut-off part is masked")
	}
}
