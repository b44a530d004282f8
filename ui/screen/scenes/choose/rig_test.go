package choose

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

// rig is the page in a window, with the workspace behind it.
type rig struct {
	*testing.T
	stage  *stage.Stage
	world  *scenestest.Workspace
	calls  *scenestest.Calls
	window fyne.Window
	page   *Page
}

// newRig shows the page of a workspace.
func newRig(t *testing.T, world *scenestest.Workspace, subject page.Subject) *rig {
	t.Helper()
	r := &rig{T: t, stage: stage.New(t), world: world}
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(1200, 720))
	var site page.Site
	site, r.calls = world.Site(t, r.window)
	site.Choose = func(s page.Subject) {
		r.calls.Chosen = append(r.calls.Chosen, s)
		r.page.Look(s)
	}
	r.page = New(site)
	t.Cleanup(r.page.Close)
	r.window.SetContent(r.page.Object())
	r.page.Look(subject)
	r.page.Shown()
	return r
}

// idle waits until nothing is under way.
func (r *rig) idle() *View {
	r.Helper()
	r.stage.Until("read", func() bool {
		return r.page.Idle() && !r.page.keeping && len(r.page.pending) == 0 && !r.page.cache.Busy()
	})
	for _, err := range r.calls.Errors {
		r.Fatal(err)
	}
	return r.page.view
}

// button finds a visible button by its text, in the window and what lies over it.
func (r *rig) button(text string) *fynewidget.Button {
	r.Helper()
	var found *fynewidget.Button
	for _, root := range append([]fyne.CanvasObject{r.window.Content()}, r.window.Canvas().Overlays().List()...) {
		stage.Walk(root, func(o fyne.CanvasObject) {
			if b, ok := o.(*fynewidget.Button); ok && strings.HasPrefix(b.Text, text) {
				found = b
			}
		})
	}
	if found == nil {
		r.Fatalf("there is no button %q", text)
	}
	return found
}

// says tells whether a label over the window begins with a text.
func (r *rig) says(text string) (found bool) {
	for _, root := range r.window.Canvas().Overlays().List() {
		stage.Walk(root, func(o fyne.CanvasObject) {
			if l, ok := o.(*fynewidget.Label); ok && strings.HasPrefix(l.Text, text) {
				found = true
			}
		})
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
	r.stage.Pump()
}

// key types a key into what has the keyboard.
func (r *rig) key(name fyne.KeyName) {
	r.Helper()
	r.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: name})
}
