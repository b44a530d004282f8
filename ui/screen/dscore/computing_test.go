package dscore

import (
	"slices"
	"strings"
	"testing"
)

func TestLeftOutCanBeComputed(t *testing.T) {
	r := newRig(t, 4, computed("mask:3", "shift:3:5"))
	d := r.idle()
	r.tab("left")
	if len(d.Left) != 1 || !r.stage.Button(r.window, "Compute").Disabled() {
		t.Fatalf("left out %+v", d.Left)
	}
	left := r.screen.left
	left.Select(leftOut.ID(d.Left[0]))
	r.press("Compute")
	if !slices.Equal(r.sets(), []string{"mask:3", "shift:3:5"}) || !slices.Equal(r.started[0].Models, []string{r.store.Imported[3].Hash}) {
		t.Errorf("started %+v", r.started)
	}
	d.Left[0].Sets = nil
	left.Set(d.Left)
	left.Select(leftOut.ID(d.Left[0]))
	if !r.stage.Button(r.window, "Compute").Disabled() {
		t.Error("what a run does not help can be run")
	}
}

func TestEmptyStatesSayWhatHelps(t *testing.T) {
	r := newRig(t, 3, nil)
	whole := r.idle()
	if e, is := r.screen.empty(whole); !is || !strings.Contains(e.Text, "No D-Score was computed on shapes yet") {
		t.Fatalf("%q", e.Text)
	}
	r.press("Compute 3 × 3 regions, t = 5 for 3 models")
	if !slices.Equal(r.sets(), []string{"mask:3;layers=auto", "shift:3:5"}) || len(r.started[0].Models) != 3 || r.started[0].Suite != r.store.Shapes.Hash {
		t.Errorf("started %+v", r.started)
	}
	r.press("Compute something else…")
	if r.window.Canvas().Overlays().Top() == nil {
		t.Error("no form")
	}
	for want, change := range map[string]func(*Data){
		"no models yet":     func(d *Data) { d.Models = nil },
		"no test suite yet": func(d *Data) { d.Suite.Hash = "" },
		"has no labels":     func(d *Data) { d.Suite.Labels = []int{-1, -1} },
		"No model has a convolution": func(d *Data) {
			d.Models = slices.Clone(d.Models)
			for k := range d.Models {
				d.Models[k].Graph.Convs = nil
			}
		},
	} {
		d := whole
		change(&d)
		if e, is := r.screen.empty(d); !is || !strings.Contains(e.Text, want) || len(e.Help) != 1 || e.Help[0].Text != "Import…" {
			t.Errorf("%s: %q", want, e.Text)
		}
	}
}

func TestComputeForm(t *testing.T) {
	r := newRig(t, 4, computed("mask:3", "shift:3:5"))
	d := r.idle()
	row, _ := r.screen.models.list.Selected()
	f := newComputeForm(d, d.Models[:1])
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
	r.screen.models.list.Focus()
	r.press("Compute…")
	r.press("Start")
	if !slices.Equal(r.sets(), []string{"mask:3", "shift:3:5"}) || len(r.started[0].Models) != 1 || row.Model.Hash == "" {
		t.Errorf("started %+v", r.started)
	}
}
