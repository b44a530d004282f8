package desk

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

var must = testdata.OK

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const family = "rotation:-15:15:15;interpolation=bilinear;border=zero"

// home makes a workspace with a suite of nine images, three models with signals and a round of
// annotators a, b and c.
func home(tb testing.TB, change func(*label.Round)) (*store.Workspace, label.Round) {
	tb.Helper()
	ws := sums.Empty(tb)
	s := images(tb, ws)
	r := label.Round{
		Name: "first", Suite: s.Hash, Family: family, Classes: 3, Annotators: []string{"a", "b", "c"},
		Guideline: "Look at CONF first.",
	}
	for k := range 3 {
		r.Models = append(r.Models, addModel(tb, ws, s, k).Hash)
	}
	if change != nil {
		change(&r)
	}
	r, err := ws.CreateRound(tb.Context(), r)
	must(tb, err)
	return ws, r
}

// images adds a suite of nine pictures, each with another pixel that is not black.
func images(tb testing.TB, ws *store.Workspace) suite.Manifest {
	tb.Helper()
	folder := filepath.Join(tb.TempDir(), "shapes")
	for k := range 9 {
		place := filepath.Join(folder, []string{"bird", "boat", "bridge"}[k%3], fmt.Sprintf("%d.png", k))
		sums.Gray(tb, place, func(p int) uint8 {
			if p == k {
				return uint8(200 - k)
			}
			return 0
		})
	}
	return sums.Suite(tb, ws, folder)
}

// addModel stores model number k with signals; the second one has one convolution only.
func addModel(tb testing.TB, ws *store.Workspace, s suite.Manifest, k int) model.Model {
	tb.Helper()
	convs := []string{"conv1", "conv2"}
	if k == 1 {
		convs = convs[:1]
	}
	m, _, err := ws.AddModel(model.Model{
		ID: fmt.Sprintf("m%d", k), File: fmt.Sprintf("m%d.onnx", k), ProbedKind: model.Logits,
		Probes: map[string][][]int64{"passed here": nil}, Record: []model.Field{{Name: "architecture", Value: "vgg"}},
		Curves: []model.Epoch{{Epoch: 1, Values: map[string]float64{"train_loss": 0.5}}},
		Graph: model.Graph{
			Opset: 13, Input: model.Input{Name: "x", Layout: model.NCHW, Channels: 1, Height: 6, Width: 6},
			Convs: convs, Outputs: []model.Output{{Name: "y", Classes: 3}},
			Tensors: append(convs[:len(convs):len(convs)], "y"),
		},
	}, bytes.NewReader(fmt.Appendf(nil, "model file %d", k)))
	must(tb, err)
	spec := sums.MadeUpSpec(tb, m, s, family)
	var absent []string
	for _, position := range model.DefaultPositions() {
		if tensor, ok := m.Graph.Tensor(position, nil); ok {
			spec.Positions = append(spec.Positions, signal.Position{Name: position, Tensor: tensor})
		} else {
			absent = append(absent, position)
		}
	}
	must(tb, ws.Record(tb.Context(), spec, unit(spec, k)))
	task := engine.Task{ID: m.ID, Spec: spec, Absent: absent, Classes: []int{0, 1, 2}, MappedBy: "by index"}
	must(tb, ws.Finish(tb.Context(), task))
	return m
}

func unit(spec signal.Spec, k int) *signal.Unit {
	const t, classes = 3, 3
	n := spec.Images
	u := &signal.Unit{Transformations: t, Images: n, Classes: classes, Softmax: make([]float32, t*n*classes)}
	for i := range t {
		for x := range n {
			u.Prediction = append(u.Prediction, int32((x/3+i*k*(x%2))%classes))
			u.Confidence = append(u.Confidence, 0.5+float32(x*i)/100)
		}
	}
	for range spec.Positions {
		reduced := make([]float32, signal.Reducers*t*n)
		for j := range reduced {
			reduced[j] = float32((j*j*(k+1))%17) / 17
		}
		u.Reduced = append(u.Reduced, reduced)
	}
	return u
}

// put labels an item and returns the event.
func put(tb testing.TB, ws *store.Workspace, r label.Round, annotator string, item int, v label.Value) label.Event {
	tb.Helper()
	ev, err := ws.Append(label.Event{
		Round: r.ID, Model: r.Models[item], Annotator: annotator, Kind: label.Label, Value: v, Sure: true, Seconds: 1.5,
		Ranges: map[string]label.Range{"max@CONF": {Low: 0, High: 0.3}},
	})
	must(tb, err)
	return ev
}

// packed writes the package of a round, whose progress ends at its total, and returns its path.
func packed(tb testing.TB, ws *store.Workspace, r label.Round, full bool) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "first.vround")
	var p testdata.Progress
	must(tb, testdata.Err(Invite(tb.Context(), ws, r.ID, path, full, &p)))
	p.Whole(tb, p.Total.Load())
	return path
}

// invited opens the package of a round at another desk.
func invited(tb testing.TB, from *store.Workspace, r label.Round, full bool) *store.Workspace {
	tb.Helper()
	ws := sums.Empty(tb)
	must(tb, testdata.Err(Open(tb.Context(), ws, packed(tb, from, r, full), nil)))
	return ws
}

// sent writes what a desk has labelled into a file and returns its path.
func sent(tb testing.TB, ws *store.Workspace, r label.Round, annotator string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "mine.vlabels")
	must(tb, testdata.Err(Send(tb.Context(), ws, r.ID, annotator, path)))
	return path
}

// merged previews files and merges them.
func merged(tb testing.TB, ws *store.Workspace, paths ...string) Plan {
	tb.Helper()
	plan := testdata.Must(Preview(tb.Context(), ws, paths, Reading{}, nil))(tb)
	if added, err := Merge(ws, plan); err != nil || added != plan.Added {
		tb.Fatalf("added %d of %d: %v", added, plan.Added, err)
	}
	return plan
}
