//go:build cgo

package background_test

import (
	"math"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
	scenes "github.com/variscope/variscope/store/background"
)

// TestZooCoverage computes the coverage of two models again, composite by composite in batches of
// one.
func TestZooCoverage(t *testing.T) {
	rt := zooRuntime(t)
	if rt == nil {
		return
	}
	s := readSummary(t, scenesFolder(t))
	z := &backgroundZoo{world: newWorld(t, s.Targets[:4]), summary: s}
	z.record = z.selection(z.ask(5))
	models := z.addModels()
	if _, reason, err := scenes.Cover(t.Context(), z.ws, rt, models[0], z.record.Hash, 0,
		engine.NoProgress{}); err != nil || reason == "" {
		t.Errorf("without a run: %q, %v", reason, err)
	}
	if _, ok, reason, err := scenes.Covered(z.ws, models[0], z.record); ok || err != nil || reason == "" {
		t.Errorf("without a run something is kept: %v, %q, %v", ok, reason, err)
	}
	z.run(rt)
	composites := testdata.Must(scenes.Open(z.ws, z.record.Hash))(z)
	defer func() { must(z, composites.Close()) }()
	for _, m := range models {
		m := testdata.Must(z.ws.Model(m.Hash))(z)
		low, reason, err := scenes.Cover(t.Context(), z.ws, rt, m, z.record.Hash, 0.2, engine.NoProgress{})
		if err != nil || reason != "" {
			t.Fatal(reason, err)
		}
		for _, threshold := range []float64{0, 0.2} {
			got, reason, err := scenes.Cover(t.Context(), z.ws, rt, m, z.record.Hash, threshold, engine.NoProgress{})
			if err != nil || reason != "" {
				t.Fatal(reason, err)
			}
			if threshold == 0 {
				threshold = 0.5
			}
			want := z.slowCoverage(rt, m, composites, threshold)
			if got != want || got.Share > low.Share || !(got.Share > 0) {
				t.Errorf("model %s over %v: %+v, want %+v", m.ID, threshold, got, want)
			}
			if kept, ok, reason, err := scenes.Covered(z.ws, m, z.record); err != nil || reason != "" || !ok ||
				threshold == 0.5 && kept != got {
				t.Errorf("model %s: %+v is kept, %v, %q, %v", m.ID, kept, ok, reason, err)
			}
			again, _, err := scenes.Cover(t.Context(), z.ws, nil, m, z.record.Hash, threshold, engine.NoProgress{})
			if err != nil || again != got { // what is kept needs no runtime
				t.Errorf("model %s: kept as %+v, %v", m.ID, again, err)
			}
		}
	}
	_, _, err := scenes.Cover(t.Context(), z.ws, nil, z.model(models[0]), z.record.Hash, 0.9,
		engine.NoProgress{})
	testdata.Refused(t, "without a runtime", err, engine.ErrNoRuntime.Error())
}

func (z *backgroundZoo) model(m model.Model) model.Model {
	z.Helper()
	return testdata.Must(z.ws.Model(m.Hash))(z)
}

// slowCoverage runs one composite at a time and scales its channels by hand.
func (z *backgroundZoo) slowCoverage(
	rt engine.Library, m model.Model, composites *scenes.Composites, threshold float64,
) scenes.NeuronCoverage {
	z.Helper()
	settings := testdata.Must(m.Settings())(z)
	tensor, _ := m.Graph.Tensor(model.Head, nil)
	feed := engine.Feed{
		Path: z.ws.ModelPath(m.Hash), Input: m.Graph.Input, Output: settings.Output, Tensors: []string{tensor},
	}
	feed.Input.Batch = 1
	session := testdata.Must(rt.Open(z.Context(), feed))(z)
	defer func() { must(z, session.Close()) }()
	runner := testdata.Must(session.Runner())(z)
	defer func() { must(z, runner.Close()) }()
	covered := map[int]bool{}
	neurons := 0
	for i := range composites.Len() {
		for j := 1; j <= 5; j++ {
			picture := testdata.Must(composites.Picture(i, j, feed.Input.Height, feed.Input.Width))(z)
			into, area := runner.Input(), feed.Input.Height*feed.Input.Width
			for k, v := range picture.Pix {
				c := k / area
				into[k] = float32((float64(v) - settings.Preprocessing.Mean[c]) / settings.Preprocessing.Std[c])
			}
			must(z, runner.Run(z.Context()))
			shape, values := runner.Result(1)
			if len(shape) != 4 {
				z.Fatalf("model %s has a tensor of shape %v", m.ID, shape)
			}
			neurons = int(shape[1])
			means := make([]float64, neurons)
			for k, v := range values {
				means[k/(len(values)/neurons)] += float64(v) / float64(len(values)/neurons)
			}
			least, largest := math.Inf(1), math.Inf(-1)
			for _, v := range means {
				least, largest = min(least, v), max(largest, v)
			}
			for k, v := range means {
				if (v-least)/(largest-least) > threshold {
					covered[k] = true
				}
			}
		}
	}
	return scenes.NeuronCoverage{Neurons: neurons, Share: float64(len(covered)) / float64(neurons)}
}
