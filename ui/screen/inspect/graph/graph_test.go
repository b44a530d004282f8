package graph

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/panetest"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// residual are the layers of a small network with a branch; its tensors are those of the sample's
// models.
func residual() []model.Layer {
	shape := []int64{-1, 4, 6, 6}
	return []model.Layer{
		{
			Name: "/stem/Conv", Op: "Conv", Inputs: []string{"input"}, Outputs: []string{"conv1"}, From: []int{-1},
			Shape: shape, Shaped: true, Attributes: "3×3, pad 1", Parameters: 1040,
		},
		{
			Name: "/stem/Relu", Op: "Relu", Inputs: []string{"conv1"}, Outputs: []string{"relu1"}, From: []int{0},
			Shape: shape, Shaped: true,
		},
		{
			Name: "/block/Conv", Op: "Conv", Inputs: []string{"relu1"}, Outputs: []string{"conv2"}, From: []int{1},
			Shape: shape, Shaped: true, Attributes: "3×3, pad 1, stride 2", Parameters: 2320,
		},
		{Op: "Add", Inputs: []string{"conv2", "relu1"}, Outputs: []string{"sum"}, From: []int{2, 1}},
		{
			Op: "Flatten", Inputs: []string{"sum"}, Outputs: []string{"flat"}, From: []int{3}, Shape: []int64{-1, 144},
			Shaped: true,
		},
		{
			Name: "fc", Op: "Gemm", Inputs: []string{"flat"}, Outputs: []string{"logits"}, From: []int{4},
			Shape: []int64{-1, 3}, Shaped: true, Parameters: 435,
		},
	}
}

type rig struct {
	*panetest.Screen
	store   *sample.Workspace
	pane    *Pane
	subject pane.Subject
	steps   []history.Step
	layers  func(path string) ([]model.Layer, error)
	asked   []string
}

func newRig(t *testing.T, layers func(path string) ([]model.Layer, error)) *rig {
	t.Helper()
	r := &rig{Screen: panetest.New(t, fyne.NewSize(1190, 300)), store: sample.New(t, 3), layers: layers}
	read := func(path string) ([]model.Layer, error) { r.asked = append(r.asked, path); return r.layers(path) }
	r.pane = New(r.Site(), r.store, read, func(s history.Step) { r.steps = append(r.steps, s) })
	r.subject = panetest.Within(panetest.Subject(t, r.store.Workspace, r.store.Imported[0].Hash, variance.AllImages()),
		0, sample.Last)
	r.Stand(r.pane.Tab, r.subject)
	r.read()
	return r
}

func (r *rig) read() { r.Stage.Until("layers", r.pane.page.Idle) }

func ofResidual(string) ([]model.Layer, error) { return residual(), nil }

func TestViewSaysWhatALayerIs(t *testing.T) {
	m := model.Model{Graph: model.Graph{
		Convs: []string{"conv1", "conv2"}, Head: "flat", Outputs: []model.Output{{Name: "logits"}},
		Tensors: []string{"conv1", "relu1", "conv2", "flat", "logits"}, Parameters: 3795,
	}}
	v := NewView(m, residual())
	for k, want := range [][]string{{model.Conv2}, nil, {model.Conv1}, nil, {model.Head}, {model.CONF}} {
		if got := v.Positions(k); !slices.Equal(got, want) {
			t.Errorf("layer %d is %v, want %v", k, got, want)
		}
	}
	if v.Tensor(0) != "conv1" || v.Tensor(3) != "" {
		t.Errorf("tensors %q, %q", v.Tensor(0), v.Tensor(3))
	}
	want := []Fact{
		{"operator", "Add"},
		{"name", "sum"},
		{"shape", "?"},
		{"takes", "conv2  N×4×6×6"},
		{"takes", "relu1  N×4×6×6"},
		{"makes", "sum  ?"},
	}
	if got := v.Facts(3); !slices.Equal(got, want) {
		t.Errorf("facts %q", got)
	}
	if got := v.Facts(0); got[3] != (Fact{"attributes", "3×3, pad 1"}) || got[4] != (Fact{"parameters", "1,040"}) ||
		got[5] != (Fact{"takes", "input  the model's input"}) || got[7].Value != model.Conv2 {
		t.Errorf("facts %q", got)
	}
	for text, want := range map[string][]int{
		"": nil, " ": nil, "conv": {0, 2}, "CONV-2": {0}, "stride 2": {2},
		"n×4": {0, 1, 2}, "flat": {4}, "nothing": nil,
	} {
		if got := v.Find(text); !slices.Equal(got, want) {
			t.Errorf("%q is found in %v, want %v", text, got, want)
		}
	}
	if v.Sum() != "6 layers, 3,795 parameters" {
		t.Errorf("sum %q", v.Sum())
	}
	for want, l := range map[string]model.Layer{
		"one number": {Shaped: true},
		"3×?×5":      {Shaped: true, Shape: []int64{3, -1, 5}},
	} {
		if got := ShapeText(l); got != want {
			t.Errorf("shape %q, want %q", got, want)
		}
	}
}

func TestPaneAssignsAndUndoes(t *testing.T) {
	r := newRig(t, ofResidual)
	if want := r.store.ModelPath(r.subject.Model.Hash); !slices.Equal(r.asked, []string{want}) {
		t.Errorf("read %v", r.asked)
	}
	r.pane.Select(1)
	if r.pane.look.Disabled() || !strings.Contains(r.pane.facts.Text, "takes:  conv1  N×4×6×6") {
		t.Errorf("facts %q", r.pane.facts.Text)
	}
	r.pane.ShowPosition()
	if !slices.Equal(r.Positions, []string{"relu1"}) {
		t.Errorf("positions %v", r.Positions)
	}
	items := r.pane.uses()
	if len(items) != 3 || items[1].Label != "Use as CONV-2" {
		t.Fatalf("menu %v", items)
	}
	items[1].Action()
	r.Stage.Until("assigned", func() bool { return len(r.steps) == 1 })
	positions := func() map[string]string {
		m := testdata.Must(r.store.Model(r.subject.Model.Hash))(t)
		return m.Correction.Positions
	}
	if positions()[model.Conv2] != "relu1" || !strings.Contains(strings.Join(r.Said, "; "),
		"CONV-2 of m00 is now relu1") || r.steps[0].Title != "assignment of CONV-2 in m00" {
		t.Errorf("positions %v, said %q, step %q", positions(), r.Said, r.steps[0].Title)
	}
	// The screen hears of the change and shows the model anew.
	r.subject.Model.Correction.Positions = positions()
	r.Show(r.subject)
	r.read()
	if got := r.pane.view.Positions(1); !slices.Equal(got, []string{model.Conv2}) || len(r.asked) != 1 {
		t.Errorf("the layer is %v, read %d times", got, len(r.asked))
	}
	if items := r.pane.uses(); len(items) != 3 || items[2].Label != "Take CONV-2 back from relu1" {
		t.Errorf("menu %v", items)
	}
	for k, step := range []func(context.Context) error{r.steps[0].Undo, r.steps[0].Redo} {
		if err := step(context.Background()); err != nil || len(positions()) != k {
			t.Errorf("step %d: %v, positions %v", k, err, positions())
		}
	}
	r.pane.Release(model.Conv2)
	r.Stage.Until("released", func() bool { return len(r.steps) == 2 })
	if err := r.steps[1].Undo(context.Background()); err != nil || positions()[model.Conv2] != "relu1" {
		t.Errorf("undo of a release: %v, %v", err, positions())
	}
	r.pane.Select(3) // its tensor cannot be a position
	if !r.pane.look.Disabled() || len(r.pane.uses()) != 1 {
		t.Error("a tensor that is no float tensor can be shown")
	}
	r.pane.Assign(model.Head)
	r.pane.ShowPosition()
	if len(r.Positions) != 1 {
		t.Error("it was shown")
	}
}

func TestPaneSearches(t *testing.T) {
	r := newRig(t, ofResidual)
	r.pane.search.SetText("conv")
	if r.pane.selected != 0 || r.pane.hits.Text != "2 found" {
		t.Errorf("selected %d, %q", r.pane.selected, r.pane.hits.Text)
	}
	var path []int
	for _, by := range []int{1, 1, -1, -1} {
		r.pane.Next(by)
		path = append(path, r.pane.selected)
	}
	if !slices.Equal(path, []int{2, 0, 2, 0}) {
		t.Errorf("went to %v", path)
	}
	if !r.pane.key(fyne.KeyDown) || r.pane.selected != 1 || !r.pane.key(fyne.KeyUp) || !r.pane.key(fyne.KeyUp) ||
		r.pane.selected != 0 || r.pane.key(fyne.KeyLeft) {
		t.Errorf("keys led to %d", r.pane.selected)
	}
	r.pane.search.SetText("nothing like it")
	r.pane.Next(1)
	if r.pane.hits.Text != "0 found" || r.pane.selected != 0 {
		t.Errorf("%q, selected %d", r.pane.hits.Text, r.pane.selected)
	}
	r.Window.Canvas().Focus(r.pane.list)
	r.pane.list.Select(4)
	r.Type("", fyne.KeyUp, fyne.KeyF5)
	if r.pane.list.TypedRune('c'); r.pane.selected != 3 || !slices.Equal(r.Passed, []string{"F5", "c"}) {
		t.Errorf("selected %d, the screen got the keys %v", r.pane.selected, r.Passed)
	}
}

func TestPaneWithoutFile(t *testing.T) {
	r := newRig(t, func(string) ([]model.Layer, error) {
		return nil, errors.New("open model m00.onnx: no such file or directory")
	})
	if v, _ := r.pane.page.Data(); !strings.Contains(v.problem, "no such file") || r.pane.page.Body.Visible() ||
		r.pane.key(fyne.KeyDown) {
		t.Errorf("a list without layers, %q", v.problem)
	}
	r.layers = ofResidual
	r.Show(r.subject)
	if r.read(); !r.pane.page.Body.Visible() || len(r.asked) != 2 {
		t.Error("the list does not come back")
	}
}
