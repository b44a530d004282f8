package preview

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/panetest"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type rig struct {
	*panetest.Screen
	testing.TB
	sample *sample.Workspace
	pane   *Pane
}

// newRig shows a model in the tab.
func newRig(t testing.TB, model int) *rig {
	r := &rig{TB: t, Screen: panetest.New(t, fyne.NewSize(1100, 600)), sample: sample.New(t, 5)}
	r.pane = New(r.Site(), r.sample)
	r.Stand(r.pane.Tab, r.subject(model))
	return r
}

func (r *rig) subject(model int, excluded ...int) pane.Subject {
	choice := variance.AllImages()
	choice.Excluded = excluded
	return panetest.Subject(r.TB, r.sample.Workspace, r.sample.Imported[model].Hash, choice)
}

// drawn waits until every picture in sight is there.
func (r *rig) drawn() {
	r.TB.Helper()
	r.Stage.Until("pictures", func() bool {
		all := r.pane.wall.InSight()
		return len(all) > 10 && r.pane.original.Picture() != nil && r.pane.larger.Picture() != nil &&
			!slices.ContainsFunc(all, func(c kit.Card) bool { return c.Sides[0].Picture == nil })
	})
}

func TestPaneShowsTheWholeFamily(t *testing.T) {
	r := newRig(t, 2)
	r.drawn()
	if r.pane.wall.Count() != 31 || r.pane.image != 0 {
		t.Errorf("%d cards of image %d", r.pane.wall.Count(), r.pane.image)
	}
	if r.pane.largerText.Text != "0°: bird 93.0 % ✓" || !strings.Contains(r.pane.note.Text, "before normalisation") {
		t.Errorf("captions %q, %q", r.pane.largerText.Text, r.pane.note.Text)
	}
	if r.pane.original.Picture() != r.pane.larger.Picture() {
		t.Error("the identity is not the original")
	}
	r.Stage.Draw(r.Window, os.Getenv("VARISCOPE_SCREENS"), "inspect-preview")
	r.Type("n")
	r.drawn()
	if !strings.Contains(r.pane.note.Text, "(pixel − 0.519) / 0.2443") || !r.pane.normalised.Checked {
		t.Errorf("note %q", r.pane.note.Text)
	}
}

func TestPaneEnlargesATransformation(t *testing.T) {
	r := newRig(t, 2)
	r.drawn()
	r.Type("", fyne.KeyEnd, fyne.KeyLeft)
	if r.pane.chosen != 29 || !strings.HasPrefix(r.pane.largerText.Text, "14°: ") {
		t.Errorf("chosen %d, caption %q", r.pane.chosen, r.pane.largerText.Text)
	}
	r.Type("", fyne.KeyHome, fyne.KeyF5)
	r.Type("p")
	if r.pane.chosen != 15 || r.pane.wall.Cursor() != 15 || !slices.Equal(r.Passed, []string{"F5", "p"}) {
		t.Errorf("chosen %d, passed on %v", r.pane.chosen, r.Passed)
	}
	s := panetest.Focused(r.subject(2), "max@CONF", 28, 2)
	r.Show(s)
	if r.pane.chosen != 28 {
		t.Errorf("a click on a cell chooses %d", r.pane.chosen)
	}
}

func TestPaneChoosesImages(t *testing.T) {
	r := newRig(t, 3)
	expect := func(what string, ok func(image int) bool) {
		t.Helper()
		if !ok(r.pane.image) || r.pane.entry.Text != fmt.Sprint(r.pane.image) {
			t.Errorf("%s: image %d, the entry says %s", what, r.pane.image, r.pane.entry.Text)
		}
	}
	is := func(want int) func(int) bool { return func(image int) bool { return image == want } }
	r.Type("", fyne.KeyPageDown, fyne.KeyPageDown, fyne.KeyPageUp)
	expect("page down and up", is(1))
	r.Type("..,")
	expect("points and commas", is(2))
	r.Type("w")
	expect("wrong", func(k int) bool { return r.pane.prepared.guesses.Verdict(15, k) == picture.Wrong })
	r.Type("c")
	expect("changing", func(k int) bool { return r.pane.prepared.guesses.Changes(k, 0, 30) })
	r.pane.entry.SetText("44")
	r.pane.entry.OnSubmitted("44")
	expect("a typed number", is(44))
	r.pane.entry.SetText("60")
	r.pane.entry.OnSubmitted("60")
	expect("a number beyond", is(44))
	if len(r.Said) == 0 || r.Said[len(r.Said)-1] != "image numbers go from 0 to 59" {
		t.Errorf("said %v", r.Said)
	}
	r.pane.entry.SetText("7")
	r.pane.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	expect("escape", is(44))
	r.pane.classes.SetSelected("boat")
	expect("a class", is(20))
	r.Type("", fyne.KeyPageUp)
	expect("round within the class", is(39))
	for range 20 {
		r.Type("r")
		expect("random of a class", func(k int) bool { return k >= 20 && k < 40 })
	}
	r.pane.prepared.subject.Suite.Images = 0
	r.Type(".")
	if r.Said[len(r.Said)-1] != "there is no such image" {
		t.Errorf("said %v", r.Said)
	}
}

func TestPaneExcludes(t *testing.T) {
	r := newRig(t, 2)
	r.pane.Choose(9)
	test.Tap(r.pane.widgets.excluded)
	r.Show(r.subject(2, 9))
	if r.pane.image != 9 || r.pane.widgets.excluded.Text != "Include again (X)" {
		t.Errorf("image %d, the button says %q", r.pane.image, r.pane.widgets.excluded.Text)
	}
	r.Type("x")
	if len(r.Excluded) != 1 || r.Excluded[0][0] != 9 || len(r.Included) != 1 || r.Included[0][0] != 9 {
		t.Errorf("excluded %v, included %v", r.Excluded, r.Included)
	}
}

func TestPaneWithoutSignalsOrImages(t *testing.T) {
	r := newRig(t, 4)
	r.drawn()
	if !strings.Contains(r.pane.title.Text, "no signals yet") {
		t.Errorf("title %q", r.pane.title.Text)
	}
	testdata.OK(t, os.RemoveAll(r.sample.Shapes.Root))
	s := r.subject(2)
	set := *s.Set
	set.Spec.Height = 8 // another lens, so that pictures have to be made
	s.Set = &set
	r.Show(s)
	r.Stage.Until("images not found", func() bool { return r.pane.wall.Problem() })
	if !strings.Contains(r.pane.title.Text, "right under") {
		t.Errorf("title %q", r.pane.title.Text)
	}
	s.Family = ""
	r.Show(s)
	r.Type("xnrwc.")
	r.Type("", fyne.KeyRight, fyne.KeyHome)
	if r.pane.original.Picture() != nil || len(r.Excluded) != 0 || r.pane.wall.Count() != 0 {
		t.Error("without a family there is nothing to show")
	}
	if p := r.pane; !p.excluded.Disabled() || !p.before.Disabled() || !p.wrong.Disabled() {
		t.Error("buttons that can do nothing are enabled")
	}
	s = r.subject(1)
	r.Show(s)
	if r.pane.excluded.Disabled() || r.pane.wrong.Disabled() {
		t.Error("buttons stay disabled")
	}
}

// TestPreviewFollowsTheChosenImage: at once where it is in front, else as soon as it is shown.
func TestPreviewFollowsTheChosenImage(t *testing.T) {
	r := newRig(t, 2)
	if r.pane.Follow(41); r.pane.sheet.Image != 41 || r.pane.entry.Text != "41" {
		t.Errorf("in front it shows %d", r.pane.sheet.Image)
	}
	r.pane.Page.Hidden()
	if r.pane.Follow(7); r.pane.sheet.Image != 41 {
		t.Error("it is drawn although nobody sees it")
	}
	if r.pane.Page.Shown(); r.pane.sheet.Image != 7 ||
		!strings.HasPrefix(r.pane.title.Text, r.subject(2).ImageName(7)) {
		t.Errorf("shown again it has image %d, %q", r.pane.sheet.Image, r.pane.title.Text)
	}
}
