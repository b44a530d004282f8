package scenestest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// side is that of all images of the scenes world.
const side = 64

// AddModel adds model number k, without signals. Its input is that of the scenes world; its file is
// none that could be run.
func (w *Workspace) AddModel(tb testing.TB, k int) model.Model {
	tb.Helper()
	id := fmt.Sprintf("m%02d", k)
	m, _, err := w.Workspace.AddModel(model.Model{
		ID: id, File: id + ".onnx",
		Graph: model.Graph{
			Opset: 13, Producer: "pytorch", Convs: []string{"conv1", "conv2"}, Head: "features",
			Input:   model.Input{Name: "input", Layout: model.NCHW, Channels: 3, Height: side, Width: side},
			Outputs: []model.Output{{Name: "output", Classes: len(Classes)}},
			Tensors: []string{"conv1", "conv2", "features", "output"},
		},
		Record: []model.Field{
			{Name: "output_kind", Value: "logits"},
			{Name: "fold", Value: "regular"},
			{Name: "architecture", Value: "resnet8"},
			{Name: "class_names", Value: `["` + strings.Join(Classes, `", "`) + `"]`},
		},
	}, strings.NewReader("model file "+id))
	testdata.OK(tb, err)
	w.Models = append(w.Models, m)
	return m
}

// Run records and finishes signals of a model on the composites of a selection: its certainty falls
// with a scene's distance, the more so the larger k, and where it falls below a bound another class
// comes first. A model whose graph names no head has no signals of HEAD.
func (w *Workspace) Run(tb testing.TB, m model.Model, k int, selection store.SelectionRecord) {
	tb.Helper()
	settings := testdata.Must(m.Settings())(tb)
	family := testdata.Must(selection.Family())(tb)
	spec := signal.Spec{
		Model: m.Hash, Source: w.Targets.Hash, Images: w.Targets.Images, Family: family,
		Preprocessing: settings.Preprocessing, OutputKind: settings.OutputKind, Output: settings.Output, Channels: 3,
		Height: side, Width: side, Batch: 32, Runtime: "1.30.0", Arch: "amd64", Level: "sample",
		Positions: []signal.Position{{Name: model.CONF, Tensor: "output"}},
	}
	if m.Graph.Head != "" {
		spec.Positions = append(spec.Positions, signal.Position{Name: model.Head, Tensor: m.Graph.Head})
	}
	for chunk := range spec.Chunks() {
		testdata.OK(tb, w.Record(context.Background(), spec, w.unit(spec, chunk, k, selection)))
	}
	task := engine.Task{ID: m.ID, Spec: spec, MappedBy: "by name"}
	for c := range Classes {
		task.Classes = append(task.Classes, c)
	}
	testdata.OK(tb, w.Finish(context.Background(), task))
}

func (w *Workspace) unit(spec signal.Spec, chunk, k int, selection store.SelectionRecord) *signal.Unit {
	first, n := spec.ChunkImages(chunk)
	chosen, far := selection.Selection.Chosen, selection.Selection.Far()
	u := &signal.Unit{Chunk: chunk, Transformations: selection.N + 1, Images: n, Classes: len(Classes)}
	cells := u.Transformations * n
	u.Softmax, u.Prediction, u.Confidence = make([]float32, cells*len(Classes)), make([]int32, cells),
		make([]float32, cells)
	for range spec.Positions {
		u.Reduced = append(u.Reduced, make([]float32, signal.Reducers*cells))
	}
	for x := range n {
		random := rand.New(rand.NewPCG(uint64(k), uint64(first+x)))
		for j := range u.Transformations {
			distance := 0.0
			if j > 0 {
				distance = chosen[first+x][j-1].Distance
			}
			shake := 0.6 * float64(k) * distance / far * (0.5 + random.Float64())
			put(u, j*n+x, w.Targets.Labels[first+x], shake)
		}
	}
	return u
}

// put fills in one image: its class is found with a certainty that falls with shake.
func put(u *signal.Unit, cell, class int, shake float64) {
	certain := 0.34 + 0.64*math.Exp(-shake)
	found := class
	if certain < 0.6 {
		found = (class + 1) % len(Classes)
	}
	for c := range Classes {
		u.Softmax[cell*len(Classes)+c] = float32((1 - certain) / float64(len(Classes)-1))
	}
	u.Softmax[cell*len(Classes)+found] = float32(certain)
	u.Prediction[cell], u.Confidence[cell] = int32(found), float32(certain)
	for r := range signal.Reducers {
		at := r*u.Transformations*u.Images + cell
		u.Reduced[0][at] = float32(certain)
		if len(u.Reduced) > 1 {
			u.Reduced[1][at] = float32((5 - 2*shake) / float64(r+1))
		}
	}
}
