package dscore

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/screen/sample"
	"github.com/variscope/variscope/ui/stage"
)

// gated is a workspace whose diagnosing can be held back and made to fail.
type gated struct {
	Store
	gate  chan struct{} // nil for open
	fails error
	asked int
	gone  error // why there is no average image
}

func (g *gated) Diagnose(
	ctx context.Context, ask diagnosis.Ask, p engine.Progress,
) ([]score.Diagnosis, []score.LeftOut, error) {
	g.asked++
	if g.gate != nil {
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-g.gate:
		}
	}
	if g.fails != nil {
		return nil, nil, g.fails
	}
	return g.Store.Diagnose(ctx, ask, p)
}

func (g *gated) Average(ctx context.Context, suiteHash string, limit int, p engine.Progress) (suite.Image, error) {
	if g.gone != nil {
		return suite.Image{}, g.gone
	}
	return g.Store.Average(ctx, suiteHash, limit, p)
}

type rig struct {
	*testing.T
	stage     *stage.Stage
	store     *sample.Workspace
	gated     *gated
	screen    *Screen
	window    fyne.Window
	opened    []string
	started   []Run
	augmented []score.Diagnosis
	located   []string
	said      string
	errs      []error
}

// newRig puts the screen of a sample on a stage; prepare, which may be nil, changes what is there
// before it is shown.
func newRig(t *testing.T, models int, prepare func(*rig)) *rig {
	r := &rig{T: t, stage: stage.New(t), store: sample.New(t, models)}
	work := background.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.gated = &gated{Store: Of(r.store.Workspace, nil)}
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(1200, 700))
	if prepare != nil {
		prepare(r)
	}
	r.screen = New(Deps{
		Store: r.gated, Work: work, Window: r.window, Status: func(text string) { r.said = text },
		Inspect: func(hash string) { r.opened = append(r.opened, hash) }, Import: func() {},
		Start:     func(runs []Run) { r.started = append(r.started, runs...) },
		Augment:   func(d score.Diagnosis) { r.augmented = append(r.augmented, d) },
		Locate:    func(suite string) { r.located = append(r.located, suite) },
		ShowError: func(err error) { r.errs = append(r.errs, err) },
	})
	t.Cleanup(r.screen.Close)
	r.window.SetContent(r.screen.Object())
	r.screen.Shown()
	return r
}

// spread makes the models of the sample differ enough for their regions to matter.
const spread = 12

// computed computes sets for all models but the last.
func computed(sets ...string) func(*rig) {
	return func(r *rig) {
		for k, m := range r.store.Imported[:len(r.store.Imported)-1] {
			for _, set := range sets {
				r.store.ComputeOn(r.T, m, spread+k*spread, r.store.Shapes, set)
			}
		}
	}
}

// idle waits until nothing is under way.
func (r *rig) idle() *View {
	r.Helper()
	d := r.screen.face.main.detail
	r.stage.Until("computed", func() bool { return r.screen.renewal.Idle() && d.average.job == nil })
	for _, err := range r.errs {
		r.Fatal(err)
	}
	return r.screen.view
}

// tab opens a tab by its number.
func (r *rig) tab(k int) {
	r.screen.face.tabs.SelectIndex(k)
	r.stage.Pump()
}

// button finds a visible button by its text.
func (r *rig) button(text string) *fynewidget.Button {
	r.Helper()
	var found *fynewidget.Button
	for _, root := range append([]fyne.CanvasObject{r.window.Content()}, r.window.Canvas().Overlays().List()...) {
		stage.Walk(root, func(o fyne.CanvasObject) {
			if b, ok := o.(*fynewidget.Button); ok && b.Text == text {
				found = b
			}
		})
	}
	if found == nil {
		r.Fatalf("there is no button %q", text)
	}
	return found
}

func (r *rig) press(text string) {
	r.Helper()
	b := r.button(text)
	if b.Disabled() {
		r.Fatalf("button %q cannot be pressed", text)
	}
	test.Tap(b)
}

// sets are the sets of runs that were started.
func (r *rig) sets() []string {
	var list []string
	for _, run := range r.started {
		list = append(list, run.Set)
	}
	return list
}

// TestLook draws the screen's tabs; VARISCOPE_SCREENS keeps the pictures.
func TestLook(t *testing.T) {
	r := newRig(t, 6, computed("mask:3", "shift:3:5", "mask:2", "shift:2:5", "mask:3;layers=1", "mask:3;layers=2"))
	v := r.idle()
	folder := os.Getenv("VARISCOPE_SCREENS")
	for k := range 3 {
		row, _ := v.At(k)
		r.screen.Mark(row.Model.Hash)
	}
	for k, name := range []string{"models", "several", "lose", "compare", "left"} {
		r.tab(k)
		r.stage.Until("it is there", func() bool { return k != 2 || len(r.screen.face.lose.made.Layers) > 1 })
		r.stage.Draw(r.window, folder, "dscore-"+name)
	}
	if names := slices.Collect(func(yield func(string) bool) {
		for _, item := range r.screen.face.tabs.Items {
			if !yield(item.Text) {
				return
			}
		}
	}); !strings.HasPrefix(names[4], "Left out 2") {
		t.Errorf("tabs %v", names)
	}
}
