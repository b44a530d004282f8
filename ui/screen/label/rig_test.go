package label

import (
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// gate is the real workspace with a door in front of Append: it can be held shut, or made to fail.
type gate struct {
	*sample.Workspace
	mu    sync.Mutex
	held  chan struct{} // nil: open
	fails error
	calls int
}

func (g *gate) Append(ev labels.Event) (labels.Event, error) {
	g.mu.Lock()
	held, fails := g.held, g.fails
	g.calls++
	g.mu.Unlock()
	if held != nil {
		<-held
	}
	if fails != nil {
		return ev, fails
	}
	return g.Workspace.Append(ev)
}

func (g *gate) shut() (open func()) {
	held := make(chan struct{})
	g.mu.Lock()
	g.held = held
	g.mu.Unlock()
	return func() {
		g.mu.Lock()
		g.held = nil
		g.mu.Unlock()
		close(held)
	}
}

// rig is the screen in a window over a real workspace.
type rig struct {
	testing.TB
	stage  *stage.Stage
	store  *gate
	screen *Screen
	window fyne.Window
	work   *jobs.Group
	errs   []error
	now    time.Time
	agreed string // round whose agreement was asked for
}

func newRig(t testing.TB, models int) *rig { return newRigOver(t, sample.New(t, models)) }

func newRigOver(t testing.TB, ws *sample.Workspace) *rig {
	r := &rig{TB: t, stage: stage.New(t), store: &gate{Workspace: ws}, now: dawn}
	r.work = jobs.New(fyne.Do)
	t.Cleanup(func() { r.work.Stop(); r.work.Wait() })
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(1000, 650))
	r.open()
	return r
}

// signedIn is a rig over a round of so many models, with r1 signed in; change, which may be nil,
// changes the round.
func signedIn(t testing.TB, models int, change func(*labels.Round)) (*rig, labels.Round) {
	r := newRig(t, models+1)
	round := r.store.NewRound(t, func(x *labels.Round) {
		x.Models = x.Models[:models]
		if change != nil {
			change(x)
		}
	})
	r.signIn(round, "r1")
	return r, round
}

// open makes the screen anew, as after a restart.
func (r *rig) open() {
	r.screen = New(&kit.Host{
		Work: r.work, Window: r.window, Changes: r.store.Subscribe,
		ShowError: func(err error) { r.errs = append(r.errs, err) },
	}, Deps{
		Store: r.store, Now: func() time.Time { return r.now }, Scenes: evidence.ScenesOf(r.store.Workspace.Workspace),
		Agreement: func(id string) { r.agreed = id },
	})
	r.window.SetContent(r.screen.Object())
	r.screen.Shown()
	r.Cleanup(r.screen.Close)
}

func (r *rig) signIn(round labels.Round, annotator string) {
	r.Helper()
	r.screen.SignIn(round.ID, annotator)
	r.stage.Until("signed in", func() bool { return r.screen.Session() != nil && r.ready() })
}

// ready tells whether the item's matrices are on the screen, or the round is done.
func (r *rig) ready() bool {
	hash, ok := r.screen.currentItem()
	_, there := r.screen.cache.get(hash)
	return !r.screen.saving && (!ok || there)
}

// key types a key on whatever has the focus, as a person does.
func (r *rig) key(p rune) {
	r.Helper()
	r.window.Canvas().Focused().TypedRune(p)
	r.stage.Until("stored", r.ready)
}

func (r *rig) named(k fyne.KeyName) {
	r.Helper()
	r.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: k})
	r.stage.Until("stored", r.ready)
}

func (r *rig) button(text string) *fynewidget.Button {
	r.Helper()
	for _, b := range buttons(r.screen.Object()) {
		if b.Text == text {
			return b
		}
	}
	r.Fatalf("no button %q on the screen", text)
	return nil
}

// buttons are those that are shown in an object.
func buttons(in fyne.CanvasObject) (list []*fynewidget.Button) {
	stage.Walk(in, func(o fyne.CanvasObject) {
		switch b := o.(type) {
		case *fynewidget.Button:
			list = append(list, b)
		case *widget.AnswerButton:
			list = append(list, &b.Button)
		}
	})
	return list
}

func (r *rig) click(text string) {
	r.Helper()
	test.Tap(r.button(text))
	r.stage.Until("stored", r.ready)
	if r.window.Canvas().Focused() != fyne.Focusable(r.screen.widgets.surface) {
		r.Fatalf("after a click on %q the keys do not have the focus", text)
	}
}

func (r *rig) events(round labels.Round) []labels.Event {
	r.Helper()
	return testdata.Must(r.store.Events(round.ID))(r)
}

func (r *rig) item() string {
	hash, _ := r.screen.currentItem()
	return hash
}

// enter presses a sign-in button and waits for the session.
func (r *rig) enter(name string) {
	r.Helper()
	test.Tap(r.button(name))
	r.stage.Until("signed in", func() bool { return r.screen.Session() != nil && r.ready() })
}
