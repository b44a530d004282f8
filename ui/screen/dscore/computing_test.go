package dscore

import (
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/theme"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/stage"
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
	r.press("Start")
	r.press("Close")
	if !slices.Equal(r.sets(), []string{"mask:3", "shift:3:5"}) ||
		!slices.Equal(r.started[0].Models, []string{r.store.Imported[3].Hash}) {
		t.Errorf("started %+v", r.started)
	}
	d.Left[0].Sets = nil
	left.Set(d.Left)
	left.Select(leftOut.ID(d.Left[0]))
	if !r.stage.Button(r.window, "Compute").Disabled() {
		t.Error("what a run does not help can be run")
	}
}

// TestCommandsHaveTheirGrid: the options of a command name the grid that is looked at, and no
// other.
func TestCommandsHaveTheirGrid(t *testing.T) {
	for _, masks := range []transform.Masks{
		{N: 3},
		{N: 2, Auto: true},
		{N: 3, Layers: []int{2}},
		{N: 4, Layers: []int{1, 3}, AfterBatchNorm: true},
	} {
		g := testdata.Must(score.NewGrid(masks, 5))(t)
		o := exactly(g)
		if list, err := o.Grids(); err != nil || !slices.Equal(list, []score.Grid{g}) {
			t.Errorf("%+v is asked for as %+v, %v", g, list, err)
		}
	}
}

func TestEmptyStatesSayWhatHelps(t *testing.T) {
	r := newRig(t, 3, nil)
	whole := r.idle()
	if e, is := r.screen.empty(whole); !is || !strings.Contains(e.Text, "No D-Score was computed on shapes yet") {
		t.Fatalf("%q", e.Text)
	}
	r.press("Compute 3 × 3 regions, t = 5 for 3 models")
	if !slices.Equal(r.sets(), []string{"mask:3;layers=auto", "shift:3:5"}) || len(r.started[0].Models) != 3 ||
		r.started[0].Suite != r.store.Shapes.Hash {
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
		if e, is := r.screen.empty(d); !is || !strings.Contains(e.Text, want) || len(e.Help) != 1 ||
			e.Help[0].Text != "Import…" {
			t.Errorf("%s: %q", want, e.Text)
		}
	}
}

func TestComputeDialog(t *testing.T) {
	r := newRig(t, 4, computed("mask:3", "shift:3:5"))
	d := r.idle()
	var names []string
	for _, o := range groupsOf(d.Models[:1], d.without(), d.withConvolution()) {
		names = append(names, o.Name)
	}
	if !slices.Equal(names, []string{"marked (1)", "without a score (1)", "all (4)"}) {
		t.Errorf("%q", names)
	}
	r.press("Compute…")
	r.stage.Until("it says what there is to compute", func() bool { return !r.button("Start").Disabled() })
	r.stage.App().Settings().SetTheme(stage.Look(theme.VariantLight, 1))
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SCREENS"), "dscore-compute")
	r.press("Start")
	if !slices.Equal(r.sets(), []string{"mask:3", "shift:3:5"}) ||
		!slices.Equal(r.started[0].Models, []string{r.store.Imported[3].Hash}) {
		t.Errorf("started %+v", r.started)
	}
}
