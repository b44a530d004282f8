package onnx

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
)

// FuzzInspect holds the reader to its promises on any bytes: no panic, errors that name the file,
// and descriptions that are consistent in themselves.
func FuzzInspect(f *testing.F) {
	for _, g := range []graphOf{tiny(), endless(), hungry(false), hungry(true), slow(10)} {
		f.Add(g.file())
	}
	for _, r := range refusals() {
		if len(r.data) < 1<<16 {
			f.Add(r.data)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, path := range sceneModels(f)[:3] {
		data := testdata.Must(os.ReadFile(path))(f)
		f.Add(data[:len(data)/2])
		mutant := slices.Clone(data[:min(len(data), 20000)])
		mutant[random.IntN(len(mutant))]++
		f.Add(mutant)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := InspectBytes("fuzz.onnx", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "fuzz.onnx ") || strings.Contains(err.Error(), "\n") &&
				!strings.Contains(string(data), "\n") {
				t.Errorf("unclear: %v", err)
			}
			return
		}
		checkGraph(t, g)
	})
}

func checkGraph(t *testing.T, g model.Graph) {
	t.Helper()
	in := g.Input
	if in.Name == "" || in.Channels != 1 && in.Channels != 3 || !in.Layout.Known() ||
		in.Batch < 0 || in.Height < 0 || in.Width < 0 || in.Height > maxSide || in.Width > maxSide ||
		in.Batch > maxBatch {
		t.Errorf("input %+v", in)
	}
	if len(g.Outputs) == 0 || g.Parameters < 0 {
		t.Errorf("%d outputs, %d parameters", len(g.Outputs), g.Parameters)
	}
	for _, out := range g.Outputs {
		if out.Name == "" || out.Classes < 0 || out.Classes > maxClasses {
			t.Errorf("output %+v", out)
		}
	}
	if sorted := slices.Sorted(slices.Values(g.Tensors)); len(slices.Compact(sorted)) != len(g.Tensors) {
		t.Errorf("a tensor is listed twice: %q", g.Tensors)
	}
}
