package dscore

import (
	"strconv"
	"testing"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
)

type rig struct {
	*testing.T
	stage     *stage.Stage
	store     *sample.Workspace
	screen    *Screen
	window    fyne.Window
	opened    []string
	started   []kit.Run
	augmented []Row
	located   []string
	said      string
	errs      []error
}

// newRig puts the screen of a sample on a stage; prepare, which may be nil, changes what is there
// before it is shown.
func newRig(t *testing.T, models int, prepare func(*rig)) *rig {
	r := &rig{T: t, stage: stage.New(t), store: sample.New(t, models)}
	work := jobs.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(1200, 760))
	if prepare != nil {
		prepare(r)
	}
	r.screen = New(&kit.Host{
		Work: work, Window: r.window, Status: func(text string) { r.said = text }, Changes: r.store.Subscribe,
		Inspect: func(hash string) { r.opened = append(r.opened, hash) }, Import: func() {},
		Locate:    func(suite string) { r.located = append(r.located, suite) },
		ShowError: func(err error) { r.errs = append(r.errs, err) },
		Start:     func(runs ...kit.Run) { r.started = append(r.started, runs...) },
	}, r.store.Workspace, nil, func(d Row) { r.augmented = append(r.augmented, d) })
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

// recordP gives the models a p in their training records, a kind that is no number, and before
// these a column that has a number for the last model alone, which has no score.
func (r *rig) recordP() {
	r.Helper()
	for k, m := range r.store.Imported {
		last := "none"
		if k == len(r.store.Imported)-1 {
			last = "1"
		}
		testdata.OK(r, r.store.UpdateModel(m.Hash, func(m *model.Model) error {
			m.Record = append(m.Record, model.Field{Name: "last", Value: last},
				model.Field{Name: "p", Value: strconv.Itoa(k)}, model.Field{Name: "kind", Value: "k" + strconv.Itoa(k)})
			return nil
		}))
	}
}

// idle waits until nothing is under way.
func (r *rig) idle() Data {
	r.Helper()
	r.stage.Until("computed", r.screen.Idle)
	for _, err := range r.errs {
		r.Fatal(err)
	}
	return r.screen.data()
}

// tab opens a tab by its key.
func (r *rig) tab(key string) {
	r.screen.tabs.Select(key)
	r.stage.Pump()
}

// choose chooses an option of the screen.
func (r *rig) choose(name, text string) {
	r.Helper()
	testdata.OK(r, r.screen.Form.Put(name, text))
	r.idle()
}

// losses waits for the tab of what would be lost.
func (r *rig) losses() Losses {
	r.Helper()
	r.stage.Until("the layers", r.screen.lose.Idle)
	l, _ := r.screen.lose.Data()
	return l
}

func (r *rig) button(text string) *fynewidget.Button {
	r.Helper()
	return r.stage.Button(r.window, text)
}

func (r *rig) press(text string) {
	r.Helper()
	r.stage.Press(r.window, text)
}

// sets are the sets of runs that were started.
func (r *rig) sets() []string {
	var list []string
	for _, run := range r.started {
		list = append(list, run.Family)
	}
	return list
}
