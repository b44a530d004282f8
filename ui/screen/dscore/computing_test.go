package dscore

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestLeftOutCanBeComputed(t *testing.T) {
	r := newRig(t, 4, computed("mask:3", "shift:3:5"))
	v := r.idle()
	f := r.screen.face
	r.tab(4)
	if len(v.Left) != 1 || f.tabs.Items[4].Text != "Left out 1" || !r.stage.Button(r.window, "Compute").Disabled() {
		t.Fatalf("left out %+v", v.Left)
	}
	f.left.Select(leftOut.ID(v.Left[0]))
	r.press("Compute")
	if !slices.Equal(r.sets(), []string{"mask:3", "shift:3:5"}) || !slices.Equal(r.started[0].Models, []string{r.store.Imported[3].Hash}) {
		t.Errorf("started %+v", r.started)
	}
	v.Left[0].Sets = nil
	f.left.show()
	f.left.Select(leftOut.ID(v.Left[0]))
	if !r.stage.Button(r.window, "Compute").Disabled() {
		t.Error("what a run does not help can be run")
	}
}

func TestEmptyStatesSayWhatHelps(t *testing.T) {
	t.Run("nothing computed", func(t *testing.T) {
		r := newRig(t, 3, nil)
		r.idle()
		f := r.screen.face
		if f.tabs.Visible() || !strings.Contains(f.empty.Text(), "No D-Score was computed on shapes yet") || !f.export.Disabled() || f.grid.Selected != "" {
			t.Fatalf("%q", f.empty.Text())
		}
		r.press("Compute 3 × 3 regions, t = 5 for 3 models")
		if !slices.Equal(r.sets(), []string{"mask:3;layers=auto", "shift:3:5"}) || len(r.started[0].Models) != 3 || r.started[0].Suite != r.store.Shapes.Hash {
			t.Errorf("started %+v", r.started)
		}
		r.press("Compute something else…")
		if r.window.Canvas().Overlays().Top() == nil {
			t.Error("no form")
		}
	})
	for name, c := range map[string]struct {
		change func(*Data)
		text   string
		button string
	}{
		"no models": {func(d *Data) { d.Models = nil }, "no models yet", "Import…"},
		"no suite":  {func(d *Data) { d.Suite.Hash = "" }, "no test suite yet", "Import…"},
		"no labels": {func(d *Data) { d.Suite.Labels = []int{-1, -1} }, "has no labels", "Import…"},
		"no convolution": {func(d *Data) {
			d.Models = slices.Clone(d.Models)
			for k := range d.Models {
				d.Models[k].Graph.Convs = nil
			}
		}, "No model has a convolution", "Import…"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, 2, nil)
			d := r.idle().Data
			c.change(&d)
			r.screen.view.Take(d, nil)
			r.screen.face.show()
			if text := r.screen.face.empty.Text(); !strings.Contains(text, c.text) {
				t.Errorf("%q", text)
			}
			r.button(c.button)
			if name != "no models" && !r.screen.face.compute.Disabled() {
				t.Error("it can be computed all the same")
			}
		})
	}
}

func TestComputeForm(t *testing.T) {
	r := newRig(t, 4, computed("mask:3", "shift:3:5"))
	v := r.idle()
	row, _ := v.At(0)
	r.screen.Mark(row.Model.Hash)
	f := newComputeForm(v)
	if len(f.groups) != 3 || f.which.Selected != "marked (1)" || !slices.Equal(f.usual.Selected, []string{"3"}) || f.t.Text != "5" {
		t.Fatalf("%q, n %v, t %q", f.which.Options, f.usual.Selected, f.t.Text)
	}
	f.which.SetSelected("without a score (1)")
	f.usual.SetSelected([]string{"2", "4"})
	f.others.SetText("6, 2")
	f.t.SetText("3 5")
	o, err := f.order()
	if err != nil || !slices.Equal(o.N, []int{2, 4, 6}) || !slices.Equal(o.T, []int{3, 5}) || o.Models[0].Hash != r.store.Imported[3].Hash {
		t.Errorf("%+v, %v", o, err)
	}
	if !strings.HasPrefix(f.note.Text, "9 runs, ") {
		t.Errorf("%q", f.note.Text)
	}
	f.t.SetText("many")
	if !strings.Contains(f.note.Text, "takes whole numbers from 1 to 1,000") {
		t.Errorf("%q", f.note.Text)
	}
	r.press("Compute…")
	r.press("Start")
	if !slices.Equal(r.sets(), []string{"mask:3", "shift:3:5"}) || !slices.Equal(r.started[0].Models, []string{row.Model.Hash}) {
		t.Errorf("started %+v", r.started)
	}
}

func TestCancelAndFailure(t *testing.T) {
	r := newRig(t, 3, func(r *rig) {
		computed("mask:2", "shift:2:5")(r)
		r.gated.gate = make(chan struct{})
	})
	e := r.screen.face.empty
	if e.Text() != "Computing D-Scores…" {
		t.Errorf("%q", e.Text())
	}
	r.screen.renewal.Job().Cancel()
	r.stage.Until("cancelled", func() bool { return r.screen.renewal.Job() == nil })
	if !strings.Contains(e.Text(), "cancelled") || len(r.errs) > 0 {
		t.Errorf("%q, %v", e.Text(), r.errs)
	}
	r.gated.gate, r.gated.fails = nil, errors.New("the disk is gone")
	r.press("Compute again")
	r.stage.Until("failed", func() bool { return len(r.errs) == 1 })
	if !strings.Contains(e.Text(), "The disk is gone.") {
		t.Errorf("%q", e.Text())
	}
	r.gated.fails, r.errs = nil, nil
	r.press("Compute again")
	if v := r.idle(); v.Len() != 2 {
		t.Errorf("%d rows", v.Len())
	}
}

// TestHiddenScreenWaits: what changes meanwhile is read when the screen is shown again, once; what
// changes while it is shown is read soon.
func TestHiddenScreenWaits(t *testing.T) {
	r := newRig(t, 3, computed("mask:3", "shift:3:5"))
	v := r.idle()
	r.screen.Hidden()
	asked := r.gated.asked
	for _, set := range []string{"mask:3", "shift:3:5"} {
		r.store.ComputeOn(t, r.store.Imported[2], 9, r.store.Shapes, set)
	}
	r.stage.Until("stale", func() bool { return r.screen.renewal.Stale() })
	if r.gated.asked != asked {
		t.Error("a hidden screen computes")
	}
	r.screen.Shown()
	r.idle()
	if v.Len() != 3 || r.gated.asked != asked+1 {
		t.Errorf("%d rows after asking %d times", v.Len(), r.gated.asked-asked)
	}
	for _, set := range []string{"mask:4", "shift:4:5"} {
		r.store.ComputeOn(t, r.store.Imported[0], 3, r.store.Shapes, set)
	}
	r.stage.Until("the new grid", func() bool { return len(r.screen.face.grid.Options) == 2 && r.screen.renewal.Idle() })
	if v.Grid().N != 3 || v.Len() != 3 {
		t.Errorf("n = %d with %d rows", v.Grid().N, v.Len())
	}
}

// A grid of a single layer is computed when it is chosen, and the choice is remembered.
func TestGridOfOneLayer(t *testing.T) {
	r := newRig(t, 3, computed("mask:3", "shift:3:5", "mask:3;layers=2"))
	v := r.idle()
	if len(v.Grids) != 2 || len(v.Rows) != 2 {
		t.Fatalf("%d grids, %d rows", len(v.Grids), len(v.Rows))
	}
	r.screen.face.grid.SetSelected("3 × 3 regions, t = 5, layer 2")
	r.idle()
	if len(v.Rows) != 4 || v.Len() != 2 || v.Grid().Mask != "mask:3;layers=2" {
		t.Errorf("%d rows, %d shown, %s", len(v.Rows), v.Len(), v.Grid().Mask)
	}
	kept := recalled(r.gated)
	if kept.Grid != v.Grid() {
		t.Errorf("remembered %+v", kept)
	}
	r.tab(2)
	r.stage.Until("the layers", func() bool { return len(r.screen.face.lose.made.Layers) == 2 })
	if got := r.screen.face.lose.made.Layers[0].Name; got != "layer 2" {
		t.Errorf("the first line is %q", got)
	}
}
