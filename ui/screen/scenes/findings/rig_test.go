package findings

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"
	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is the page of a workspace on a stage.
type rig struct {
	*testing.T
	stage  *stage.Stage
	ws     *scenestest.Workspace
	page   *Page
	window fyne.Window
	calls  *scenestest.Calls
}

// newRig shows the page of a workspace; change, which may be nil, changes what the page is made
// from.
func newRig(t *testing.T, ws *scenestest.Workspace, size fyne.Size, change func(*page.Site)) *rig {
	t.Helper()
	r := &rig{T: t, stage: stage.New(t), ws: ws}
	r.window = r.stage.Window(fynewidget.NewLabel(""), size)
	site, calls := ws.Site(t, r.window)
	r.calls = calls
	if change != nil {
		change(&site)
	}
	r.page = New(site)
	t.Cleanup(r.page.Close)
	r.window.SetContent(r.page.Object())
	r.page.Look(ws.Subject())
	r.page.Shown()
	r.idle()
	return r
}

// idle waits until what the page reads is read.
func (r *rig) idle() {
	r.Helper()
	r.stage.Until("the page is read", r.page.Idle)
	for _, err := range r.calls.Errors {
		r.Fatal(err)
	}
}

// tab opens a tab by its key.
func (r *rig) tab(key string) {
	r.page.tabs.Select(key)
	r.stage.Pump()
}

// says tells whether a text stands in the window.
func (r *rig) says(text string) (found bool) {
	stage.Walk(r.window.Content(), func(o fyne.CanvasObject) {
		if label, ok := o.(*fynewidget.Label); ok && strings.Contains(label.Text, text) {
			found = true
		}
	})
	return found
}

// button finds a visible button by its text.
func (r *rig) button(text string) *fynewidget.Button {
	r.Helper()
	var found *fynewidget.Button
	stage.Walk(r.window.Content(), func(o fyne.CanvasObject) {
		if b, ok := o.(*fynewidget.Button); ok && b.Text == text && b.Visible() {
			found = b
		}
	})
	if found == nil {
		r.Fatalf("there is no button %q", text)
	}
	return found
}

func (r *rig) press(text string) {
	r.Helper()
	b := r.button(text)
	r.stage.Until("button "+text+" can be pressed", func() bool { return !b.Disabled() })
	test.Tap(b)
}

// round labels the models of a workspace that ran, as three annotators: agreed, but for every
// second one.
func round(tb testing.TB, ws *scenestest.Workspace, change func(*label.Round)) label.Round {
	tb.Helper()
	r := label.Round{
		Name: "scenes", Kind: label.BackgroundRound, Suite: ws.Targets.Hash, Selection: ws.Selection.Hash,
		Interpolants: []string{"I1", "I2", "I3"}, Modalities: []string{"max@CONF", "max@HEAD"}, Classes: 3,
		Annotators: []string{"r1", "r2", "r3"}, Guideline: "Look.",
	}
	for _, m := range ws.Models {
		r.Models = append(r.Models, m.Hash)
	}
	if change != nil {
		change(&r)
	}
	r = testdata.Must(ws.CreateRound(tb.Context(), r))(tb)
	values := label.Values(3)
	for k, m := range ws.Models[:len(ws.Models)-1] {
		for a, name := range r.Annotators {
			v := values[min(3*k/(len(ws.Models)-1), 2)]
			if a == 2 && k%2 == 0 {
				v = label.Borderline
			}
			ev := label.Event{
				Round: r.ID, Model: m.Hash, Annotator: name, Kind: label.Label, Pass: 1, Value: v,
				Sure: true, Guideline: r.GuidelineHash(),
			}
			testdata.Must(ws.Append(ev))(tb)
		}
	}
	return r
}

// seeds adds selections of one way with different seeds, in which the first models ran.
func seeds(tb testing.TB, ws *scenestest.Workspace, n, models int) []store.SelectionRecord {
	tb.Helper()
	var list []store.SelectionRecord
	for seed := range n {
		s := ws.Choose(tb, fmt.Sprintf("jitter %d", seed+1),
			func(a *scenes.Ask) { a.Choice.Jitter, a.Choice.Seed = true, uint64(seed+1) })
		for k, m := range ws.Models[:models] {
			ws.Run(tb, m, k, s)
		}
		list = append(list, s)
	}
	return list
}

// repetitions are those that assessors are trained with.
func (r *rig) repetitions(text string) {
	r.Helper()
	testdata.OK(r, r.page.accuracy.Form.Put("repetitions", text))
	r.stage.Until("it is looked for", r.page.accuracy.Idle)
}

// waiting is work that ends when it is cancelled, failing work that fails.
func waiting(ctx context.Context, _ *jobs.Progress) error {
	<-ctx.Done()
	return ctx.Err()
}

func failing(context.Context, *jobs.Progress) error { return errors.New("no") }
