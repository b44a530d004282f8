package picturelabel

import (
	"sync"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// gate is the real workspace with a door in front of SetImageLabel: it can be held shut, or made
// to fail.
type gate struct {
	*sample.Workspace
	mu    sync.Mutex
	held  chan struct{} // nil: open
	fails error
}

func (g *gate) SetImageLabel(suite string, l store.ImageLabel) error {
	g.mu.Lock()
	held, fails := g.held, g.fails
	g.mu.Unlock()
	if held != nil {
		<-held
	}
	if fails != nil {
		return fails
	}
	return g.Workspace.SetImageLabel(suite, l)
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

// rig is the screen over a window with a real workspace.
type rig struct {
	*testing.T
	stage  *stage.Stage
	store  *gate
	screen *Screen
	window fyne.Window
	work   *jobs.Group
	behind *fynewidget.Entry // has the keyboard before the screen is shown
	errs   []error
	done   int
}

func newRig(t *testing.T) *rig {
	r := &rig{T: t, stage: stage.New(t), store: &gate{Workspace: sample.New(t, 1)}}
	r.work = jobs.New(fyne.Do)
	t.Cleanup(func() { r.work.Stop(); r.work.Wait() })
	r.behind = fynewidget.NewEntry()
	r.window = r.stage.Window(r.behind, fyne.NewSize(1000, 650))
	r.window.Canvas().Focus(r.behind)
	return r
}

// open asks for labels of images of the sample's suite.
func (r *rig) open(images ...int) {
	r.Helper()
	r.ask(Task{Suite: r.store.Shapes.Hash, Title: "Labels for SDS", Images: images, Classes: sample.Classes})
}

func (r *rig) ask(task Task) {
	r.Helper()
	host := &kit.Host{Work: r.work, Window: r.window, ShowError: func(err error) { r.errs = append(r.errs, err) }}
	r.screen = Open(host, r.store, "ada", task, func() { r.done++ })
	r.stage.Until("the first image", r.ready)
}

// ready tells whether the screen waits for the person.
func (r *rig) ready() bool {
	s := r.screen
	return s.session != nil && !s.saving && (s.dialog.Closed() || s.session.Ended() || s.seen()) || len(r.errs) > 0
}

// key types a character on whatever has the focus, as a person does.
func (r *rig) key(p rune) {
	r.Helper()
	r.window.Canvas().Focused().TypedRune(p)
	r.stage.Until("stored", r.ready)
}

func (r *rig) named(keys ...fyne.KeyName) {
	r.Helper()
	for _, k := range keys {
		r.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: k})
		r.stage.Until("stored", r.ready)
	}
}

// click presses a button of the dialog.
func (r *rig) click(text string) {
	r.Helper()
	var found *fynewidget.Button
	stage.Walk(r.window.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
		if b, ok := o.(*fynewidget.Button); ok && b.Text == text {
			found = b
		}
	})
	if found == nil {
		r.Fatalf("no button %q on the screen", text)
	}
	test.Tap(found)
	r.stage.Until("stored", r.ready)
}

// labels are the classes on disk by image.
func (r *rig) labels(id string) map[int]int {
	r.Helper()
	kept := testdata.Must(r.store.ImageLabels(id))(r)
	classes := map[int]int{}
	for at, l := range kept {
		if l.By != "ada" {
			r.Errorf("image %d was labelled by %q", at, l.By)
		}
		classes[at] = l.Class
	}
	return classes
}

// image is the number of the image that is shown.
func (r *rig) image() int {
	r.Helper()
	if r.screen.session.Ended() {
		r.Fatal("no image is shown: the end")
	}
	return r.screen.session.Image(r.screen.session.At())
}
