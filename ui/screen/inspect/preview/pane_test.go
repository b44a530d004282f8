package preview

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"
	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/uitest/panetest"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type rig struct {
	testing.TB
	stage  *stage.Stage
	sample *sample.Workspace
	host   *panetest.Host
	window fyne.Window
	pane   *Pane
	passed []string
}

func newRig(t testing.TB) *rig {
	r := &rig{TB: t, stage: stage.New(t), sample: sample.New(t, 5), host: &panetest.Host{}}
	work := background.New(fyne.Do)
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(1100, 600))
	keys := widget.Keys{OnRune: func(c rune) { r.passed = append(r.passed, string(c)) }, OnKey: func(ev *fyne.KeyEvent) bool {
		r.passed = append(r.passed, string(ev.Name))
		return true
	}}
	r.pane = New(r.host.Site(r.window, work, keys), r.sample)
	t.Cleanup(func() { r.pane.Close(); work.Stop(); work.Wait() })
	r.window.SetContent(r.pane.Object())
	return r
}

func (r *rig) subject(model int, excluded ...int) pane.Subject {
	choice := variance.AllImages()
	choice.Excluded = excluded
	return panetest.Subject(r, r.sample.Workspace, r.sample.Imported[model].Hash, choice)
}

// drawn waits until every picture in sight is there.
func (r *rig) drawn() {
	r.Helper()
	r.stage.Until("pictures", func() bool {
		all := r.pane.wall.InSight()
		return len(all) > 10 && r.pane.original.Picture() != nil && r.pane.larger.Picture() != nil &&
			!slices.ContainsFunc(all, func(c kit.Card) bool { return c.Sides[0].Picture == nil })
	})
}

func (r *rig) keys(all ...fyne.KeyName) {
	for _, k := range all {
		r.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: k})
	}
}

func (r *rig) typed(text string) {
	for _, c := range text {
		r.window.Canvas().Focused().TypedRune(c)
	}
}

func TestPaneShowsTheWholeFamily(t *testing.T) {
	r := newRig(t)
	r.pane.Show(r.subject(2))
	r.drawn()
	if r.pane.Title() != "Preview" || !r.pane.Tall() || r.pane.wall.Count() != 31 || r.pane.image != 0 {
		t.Errorf("%s with %d cards of image %d", r.pane.Title(), r.pane.wall.Count(), r.pane.image)
	}
	if r.pane.largerText.Text != "0°: bird 93.0 % ✓" || !strings.Contains(r.pane.note.Text, "before normalisation") {
		t.Errorf("captions %q, %q", r.pane.largerText.Text, r.pane.note.Text)
	}
	if r.pane.original.Picture() != r.pane.larger.Picture() {
		t.Error("the identity is not the original")
	}
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SCREENS"), "inspect-preview")
	r.pane.Take()
	r.typed("n")
	r.drawn()
	if !strings.Contains(r.pane.note.Text, "(pixel − 0.519) / 0.2443") || !r.pane.normalised.Checked {
		t.Errorf("note %q", r.pane.note.Text)
	}
}

func TestPaneEnlargesATransformation(t *testing.T) {
	r := newRig(t)
	r.pane.Show(r.subject(2))
	r.drawn()
	r.pane.TakeBack()
	r.keys(fyne.KeyEnd, fyne.KeyLeft)
	if r.pane.chosen != 29 || !strings.HasPrefix(r.pane.largerText.Text, "14°: ") {
		t.Errorf("chosen %d, caption %q", r.pane.chosen, r.pane.largerText.Text)
	}
	r.keys(fyne.KeyHome, fyne.KeyF5)
	r.typed("p")
	if r.pane.chosen != 15 || r.pane.wall.Cursor() != 15 || !slices.Equal(r.passed, []string{"F5", "p"}) {
		t.Errorf("chosen %d, passed on %v", r.pane.chosen, r.passed)
	}
	s := panetest.Focused(r.subject(2), "max@CONF", 28, 2)
	r.pane.Show(s)
	if r.pane.chosen != 28 {
		t.Errorf("a click on a cell chooses %d", r.pane.chosen)
	}
}

func TestPaneChoosesImages(t *testing.T) {
	r := newRig(t)
	r.pane.Show(r.subject(3))
	r.pane.Take()
	expect := func(what string, ok func(image int) bool) {
		t.Helper()
		if !ok(r.pane.image) || r.pane.entry.Text != fmt.Sprint(r.pane.image) {
			t.Errorf("%s: image %d, the entry says %s", what, r.pane.image, r.pane.entry.Text)
		}
	}
	is := func(want int) func(int) bool { return func(image int) bool { return image == want } }
	r.keys(fyne.KeyPageDown, fyne.KeyPageDown, fyne.KeyPageUp)
	expect("page down and up", is(1))
	r.typed("..,")
	expect("points and commas", is(2))
	r.typed("w")
	expect("wrong", func(k int) bool { return r.pane.prepared.guesses.Verdict(15, k) == picture.Wrong })
	r.typed("c")
	expect("changing", func(k int) bool { return r.pane.prepared.guesses.Changes(k, 0, 30) })
	r.pane.entry.SetText("44")
	r.pane.entry.OnSubmitted("44")
	expect("a typed number", is(44))
	r.pane.entry.SetText("60")
	r.pane.entry.OnSubmitted("60")
	expect("a number beyond", is(44))
	if len(r.host.Said) == 0 || r.host.Said[len(r.host.Said)-1] != "image numbers go from 0 to 59" {
		t.Errorf("said %v", r.host.Said)
	}
	r.pane.entry.SetText("7")
	r.pane.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	expect("escape", is(44))
	r.pane.classes.SetSelected("boat")
	expect("a class", is(20))
	r.keys(fyne.KeyPageUp)
	expect("round within the class", is(39))
	for range 20 {
		r.typed("r")
		expect("random of a class", func(k int) bool { return k >= 20 && k < 40 })
	}
	r.pane.prepared.subject.Suite.Images = 0
	r.typed(".")
	if r.host.Said[len(r.host.Said)-1] != "there is no such image" {
		t.Errorf("said %v", r.host.Said)
	}
}

func TestPaneExcludes(t *testing.T) {
	r := newRig(t)
	r.pane.Choose(9) // before anything is shown
	r.pane.Show(r.subject(2))
	test.Tap(r.pane.widgets.excluded)
	r.pane.Show(r.subject(2, 9))
	if r.pane.image != 9 || r.pane.widgets.excluded.Text != "Include again (X)" {
		t.Errorf("image %d, the button says %q", r.pane.image, r.pane.widgets.excluded.Text)
	}
	r.typed("x")
	if len(r.host.Excluded) != 1 || r.host.Excluded[0][0] != 9 || len(r.host.Included) != 1 || r.host.Included[0][0] != 9 {
		t.Errorf("excluded %v, included %v", r.host.Excluded, r.host.Included)
	}
}

func TestPaneWithoutSignalsOrImages(t *testing.T) {
	r := newRig(t)
	r.pane.Show(r.subject(4))
	r.drawn()
	if !strings.Contains(r.pane.title.Text, "no signals yet") {
		t.Errorf("title %q", r.pane.title.Text)
	}
	r.pane.Hidden()
	if err := os.RemoveAll(r.sample.Shapes.Root); err != nil {
		t.Fatal(err)
	}
	s := r.subject(2)
	set := *s.Set
	set.Spec.Height = 8 // another lens, so that pictures have to be made
	s.Set = &set
	r.pane.Show(s)
	r.stage.Until("images not found", func() bool { return r.pane.wall.Problem() })
	if !strings.Contains(r.pane.title.Text, "right under") {
		t.Errorf("title %q", r.pane.title.Text)
	}
	s.Family = ""
	r.pane.Show(s)
	r.pane.Take()
	r.typed("xnrwc.")
	r.keys(fyne.KeyRight, fyne.KeyHome)
	if r.pane.original.Picture() != nil || len(r.host.Excluded) != 0 || r.pane.wall.Count() != 0 {
		t.Error("without a family there is nothing to show")
	}
	if p := r.pane; !p.excluded.Disabled() || !p.before.Disabled() || !p.wrong.Disabled() {
		t.Error("buttons that can do nothing are enabled")
	}
	s = r.subject(1)
	r.pane.Show(s)
	if r.pane.excluded.Disabled() || r.pane.wrong.Disabled() {
		t.Error("buttons stay disabled")
	}
}
