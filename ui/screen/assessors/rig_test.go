package assessors

import (
	"context"
	"strings"
	"sync"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// rig is the screen over a workspace with models and labels.
type rig struct {
	*testing.T
	stage  *stage.Stage
	ws     *sample.Workspace
	screen *Screen
	window fyne.Window
	steps  []history.Step
	opened []string
	asked  [][]string // rounds that were asked for
	placed []string   // selections of those about scenes
	said   string
	failed []error
}

func newRig(t *testing.T, models int) *rig {
	r := &rig{T: t, stage: stage.New(t), ws: sample.New(t, models)}
	work := jobs.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(1180, 740))
	r.open(r.ws.Workspace, work)
	return r
}

// newRated is a rig whose models are rated, with a form that offers the round.
func newRated(t *testing.T, models int) *rig {
	r := newRig(t, models)
	rate(t, r.ws)
	r.screen.Refresh()
	r.stage.Until("the round is offered", func() bool { return r.screen.widgets.form.Options().Labels != "" })
	return r
}

// open shows the screen of a workspace and waits until it is filled.
func (r *rig) open(ws *store.Workspace, work *jobs.Group) {
	r.Helper()
	r.screen = New(&kit.Host{
		Work: work, Window: r.window, Changes: ws.Subscribe,
		Inspect:   func(hash string) { r.opened = append(r.opened, hash) },
		Status:    func(text string) { r.said = text },
		ShowError: func(err error) { r.failed = append(r.failed, err) },
	}, ws, Actions{
		Version:  "test",
		NewRound: func(_ string, hashes []string) { r.asked = append(r.asked, hashes) },
		NewScenesRound: func(selection, _ string, hashes []string) {
			r.placed, r.asked = append(r.placed, selection), append(r.asked, hashes)
		},
		Did: func(s history.Step) { r.steps = append(r.steps, s) },
	})
	r.Cleanup(r.screen.Close)
	r.window.SetContent(r.screen.Object())
	r.screen.Shown()
	r.stage.Until("the form is filled", func() bool { _, filled := r.screen.Data(); return filled })
}

// rate has three annotators label the models, all but the last six; the more a model varies, the
// more call it variant.
func rate(t *testing.T, ws *sample.Workspace) label.Round {
	t.Helper()
	return vote(t, ws, ws.NewRound(t, nil))
}

// vote labels a round as rate does, and closes it.
func vote(t *testing.T, ws *sample.Workspace, round label.Round) label.Round {
	t.Helper()
	n := len(ws.Imported)
	for i, m := range ws.Imported[:n-6] {
		for k, who := range round.Annotators {
			value := label.Invariant
			if i > n/3+2*k || i == 3*k+1 {
				value = label.Variant
			}
			ws.Put(t, round, who, m.Hash, value)
		}
	}
	round.Closed = true
	testdata.OK(t, ws.UpdateRound(round))
	return round
}

// train trains on the round that was just rated.
func (r *rig) train(change func(*assess.EvalOptions)) *Training {
	r.Helper()
	asked := r.screen.widgets.form.Options()
	asked.Repetitions, asked.Trees = 2, 10
	if change != nil {
		change(&asked)
	}
	r.screen.Train(asked)
	r.stage.Until("it is trained", func() bool {
		return !r.screen.busy() && (r.screen.training != nil || len(r.failed) > 0)
	})
	r.settle()
	for _, err := range r.failed {
		r.Fatal(err)
	}
	return r.screen.training
}

// settle waits until the page in front shows what there is.
func (r *rig) settle() {
	r.Helper()
	f := r.screen.widgets
	idle := map[string]func() bool{
		"scores": f.scores.Idle, "inside": f.inside.Idle, "verdicts": f.judge.Idle,
		"doubts": f.doubts.Idle,
	}
	r.stage.Until("the page is filled", func() bool {
		front, loads := idle[f.tabs.Front()]
		return !loads || front() || len(r.failed) > 0
	})
}

// turn brings a page to the front.
func (r *rig) turn(page string) {
	r.Helper()
	r.screen.widgets.tabs.Select(page)
	r.settle()
}

// choose looks at the assessor of an algorithm.
func (r *rig) choose(a assess.Algorithm) {
	r.Helper()
	for k, e := range r.screen.training.Entries {
		if e.Settings.Algorithm == a {
			r.screen.Choose(k)
			r.settle()
			return
		}
	}
	r.Fatalf("%s was not trained", a)
}

func (r *rig) press(text string) {
	r.Helper()
	r.stage.Press(r.window, text)
}

// texts are all visible labels and texts of the window.
func (r *rig) texts() string {
	var all []string
	roots := append([]fyne.CanvasObject{r.window.Content()}, r.window.Canvas().Overlays().List()...)
	for _, root := range roots {
		stage.Walk(root, func(o fyne.CanvasObject) {
			switch o := o.(type) {
			case *fynewidget.Label:
				all = append(all, o.Text)
			case *canvas.Text:
				all = append(all, o.Text)
			}
		})
	}
	return strings.Join(all, "\n")
}

// usual are the options that the form begins with.
func usual() (asked assess.EvalOptions) {
	option.SetDefaults(&asked)
	return asked
}

// trainingOf trains without a screen.
func trainingOf(t *testing.T, ws *sample.Workspace, change func(*assess.EvalOptions)) Training {
	t.Helper()
	d := usual()
	d.Repetitions, d.Trees = 2, 10
	rounds := testdata.Must(ws.Rounds())(t)
	d.Labels = rounds[0].ID
	if change != nil {
		change(&d)
	}
	plan := testdata.Must(newPlan(d))(t)
	at := testdata.Must(whereFor(ws.Workspace, plan.Selection))(t)
	l := testdata.Must(Learn(context.Background(), ws.Workspace, at, plan, &training.Cache{}, engine.NoProgress{}))(t)
	for _, e := range l.Entries {
		if e.Problem != nil {
			t.Fatal(e.Settings.Algorithm, present.Sentence(e.Problem))
		}
	}
	return l
}

// classroom is a rated workspace and a training on it.
func classroom(t *testing.T) (*sample.Workspace, Training) {
	t.Helper()
	ws := sample.New(t, 30)
	rate(t, ws)
	return ws, trainingOf(t, ws, nil)
}

// once is the training of all tests that only read it: training takes seconds.
var once struct {
	sync.Once
	trained Training
}

// taught is a training on a rated workspace, made once. What a test changes in it must be a copy.
func taught(t *testing.T) Training {
	t.Helper()
	once.Do(func() { _, once.trained = classroom(t) })
	if len(once.trained.Entries) == 0 {
		t.Fatal("there is no training")
	}
	return once.trained
}

// subjectOf is the subject of an algorithm.
func subjectOf(t *testing.T, l Training, a assess.Algorithm) Subject {
	t.Helper()
	for k, e := range l.Entries {
		if e.Settings.Algorithm == a {
			return l.subject(k)
		}
	}
	t.Fatalf("%s was not trained", a)
	return Subject{}
}
