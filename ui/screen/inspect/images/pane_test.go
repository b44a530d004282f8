package images

import (
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
	"github.com/variscope/variscope/ui/widget"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a screen with both tabs, of which one is shown.
type rig struct {
	*panetest.Screen
	*testing.T
	sample   *sample.Workspace
	pane     *Pane
	extremes *Extremes
	located  []string
	opened   []int
	followed []int // images that were chosen
}

func newRig(t *testing.T) *rig {
	r := &rig{T: t, Screen: panetest.New(t, fyne.NewSize(1100, 560)), sample: sample.New(t, 4)}
	site := r.Site()
	site.Locate = func(suite string) { r.located = append(r.located, suite) }
	preview := func(image int) { r.opened = append(r.opened, image) }
	follow := func(image int) { r.followed = append(r.followed, image) }
	r.pane, r.extremes = New(site, r.sample, follow, preview), NewExtremes(site, r.sample, follow, preview)
	t.Cleanup(func() { r.pane.page.Close(); r.extremes.page.Close() })
	return r
}

func (r *rig) subject(model int, excluded ...int) pane.Subject {
	choice := variance.AllImages()
	choice.Excluded = excluded
	return panetest.Focused(panetest.Subject(r.T, r.sample.Workspace, r.sample.Imported[model].Hash, choice), conf,
		30, 0)
}

// show brings a tab to the front with a subject and waits for its line.
func (r *rig) show(b *ranked, s pane.Subject, line string) {
	r.T.Helper()
	r.Stand(b.Tab, s)
	r.Show(s)
	r.Stage.Until(line, func() bool { return b.page.Idle() && strings.Contains(b.ranking.Title, line) })
}

// first is the first card, words what stands right of its pictures.
func first(b *ranked) (c kit.Card, words string) {
	c = b.wall.InSight()[0]
	var lines []string
	for _, text := range c.Words {
		lines = append(lines, text.Text)
	}
	return c, strings.Join(lines, "|")
}

func (r *rig) picturesArrive(b *ranked) {
	r.T.Helper()
	r.Stage.Until("pictures", func() bool {
		all := b.wall.InSight()
		return len(all) > 4 && !slices.ContainsFunc(all, func(c kit.Card) bool {
			return c.Sides[0].Picture == nil || c.Sides[1].Picture == nil
		})
	})
}

func TestPaneShowsTheImagesBehindACell(t *testing.T) {
	r := newRig(t)
	r.show(r.pane.ranked, r.subject(2), "max@CONF between 15° and -15°")
	if r.pane.wall.Count() != sample.Images {
		t.Errorf("%d images", r.pane.wall.Count())
	}
	r.picturesArrive(r.pane.ranked)
	c, said := first(r.pane.ranked)
	if !strings.Contains(said, "# ") || !strings.Contains(said, "|dif ") || !strings.Contains(said, "Σ ") {
		t.Errorf("the card says %q", said)
	}
	if left, right := c.Sides[0].Lines[0].Text, c.Sides[1].Lines[0].Text; !strings.HasPrefix(left, "15°") ||
		!strings.HasPrefix(right, "-15°") || !strings.HasSuffix(left, " %") {
		t.Errorf("the card's captions %q and %q", left, right)
	}
	r.Stage.Draw(r.Window, os.Getenv("VARISCOPE_SCREENS"), "inspect-images")
	r.Show(r.subject(3)) // has no signals
	r.Stage.Until("no signals", func() bool { return r.pane.page.Idle() && !r.pane.page.Body.Visible() })
	if r.pane.wall.Count() != 0 || !r.pane.exclude.Disabled() {
		t.Error("a model without signals has images to exclude")
	}
}

// TestPaneExcludes what is marked by X and the button, which say how many; keys that nothing uses
// go to the screen.
func TestPaneExcludes(t *testing.T) {
	r := newRig(t)
	r.show(r.pane.ranked, r.subject(2), "60 images")
	r.Type("", fyne.KeyRight, fyne.KeySpace, fyne.KeyRight, fyne.KeySpace)
	want := numbers(r.pane.ranking.Entries[:2])
	slices.Sort(want)
	if r.pane.exclude.Text != "Exclude 2 (X)" {
		t.Errorf("the button says %q", r.pane.exclude.Text)
	}
	r.Type("x")
	r.Type("", fyne.KeyReturn)
	test.Tap(r.pane.exclude)
	last := r.pane.ranking.Entries[1].Image
	if !slices.EqualFunc(r.Excluded, [][]int{want, {last}}, slices.Equal) || !slices.Equal(r.opened, []int{last}) {
		t.Errorf("excluded %v, opened %v", r.Excluded, r.opened)
	}
	if len(r.followed) < 2 || r.followed[0] != r.pane.ranking.Entries[0].Image ||
		r.followed[len(r.followed)-1] != last {
		t.Errorf("followed %v", r.followed)
	}
	r.Type("", fyne.KeyEscape, fyne.KeyEscape, fyne.KeyF5)
	if r.Type("p"); !slices.Equal(r.Passed, []string{"Escape", "F5", "p"}) || !r.pane.exclude.Disabled() {
		t.Errorf("passed on: %v", r.Passed)
	}
}

func TestPaneSortsAndShowsExcludedImages(t *testing.T) {
	r := newRig(t)
	r.show(r.pane.ranked, r.subject(1, 5, 9), "58 images")
	r.pane.wall.Select(3)
	kept := r.pane.wall.Marked()
	r.Type("s")
	r.Type("S")
	r.Stage.Until("sorted by number", func() bool { return r.pane.ranking.Entries[0].Image == 0 })
	if got := r.pane.wall.Marked(); !slices.Equal(got, kept) {
		t.Errorf("sorting changed the selection from %v to %v", kept, got)
	}
	r.Type("e")
	r.Stage.Until("excluded images", func() bool { return strings.Contains(r.pane.ranking.Title, "2 excluded images") })
	r.Type("", fyne.KeyHome)
	if _, said := first(r.pane.ranked); r.pane.exclude.Text != "Include again (X)" ||
		!strings.HasSuffix(said, "|excluded") {
		t.Errorf("the button says %q, the card %q", r.pane.exclude.Text, said)
	}
	r.Type("x")
	if len(r.Included) != 1 || !slices.Equal(r.Included[0], []int{5}) {
		t.Errorf("included %v", r.Included)
	}
	r.show(r.pane.ranked, r.subject(1), "0 excluded images")
	r.Type("x")
	if len(r.Said) == 0 {
		t.Error("nothing is said where nothing is selected")
	}
}

func TestPaneWithoutImages(t *testing.T) {
	r := newRig(t)
	away := r.sample.Shapes.Root + "-elsewhere"
	testdata.OK(t, os.Rename(r.sample.Shapes.Root, away))
	r.show(r.pane.ranked, r.subject(2), "60 images")
	r.Stage.Until("images not found", func() bool { return r.pane.wall.Problem() })
	if c, said := first(r.pane.ranked); c.Sides[0].Picture != nil || !strings.Contains(said, "|dif ") {
		t.Errorf("without images the numbers stay: %s", said)
	}
	r.Stage.Press(r.Window, "Locate…")
	if !slices.Equal(r.located, []string{r.sample.Shapes.Hash}) {
		t.Fatalf("located %v", r.located)
	}
	testdata.OK(t, r.sample.RelocateSuite(t.Context(), r.sample.Shapes.Hash, away))
	r.Show(r.subject(2))
	r.picturesArrive(r.pane.ranked)
	if r.pane.wall.Problem() {
		t.Error("the line about missing images stays")
	}
}

func TestExtremesPane(t *testing.T) {
	r := newRig(t)
	s := panetest.WithSignal(r.subject(0), conf, 4, 17, 9)
	r.show(r.extremes.ranked, s, "max@CONF, whole matrix: 60 images")
	p := r.extremes
	if !p.leave.Visible() || p.leave.Text != "Leave out 1 (L)" {
		t.Errorf("the button says %q", p.leave.Text)
	}
	if p.before.Heatmap().Picture().Matrix.N != 31 || p.after.Heatmap().Picture().Matrix.N != 31 {
		t.Error("the matrix is not shown before and after")
	}
	r.picturesArrive(p.ranked)
	if _, said := first(p.ranked); !strings.HasPrefix(said, "# 17|") || !strings.HasSuffix(said, "|extreme") {
		t.Errorf("the first card says %q", said)
	}
	p.before.OnHover(widget.Cell{I: 4, J: 1, Inside: true})
	if said := r.Said[len(r.Said)-1]; !strings.Contains(said, "V_i = -11°") || !strings.Contains(said, ", after ") {
		t.Errorf("read-out %q", said)
	}
	p.before.OnHover(widget.Cell{})
	p.before.OnTapped(widget.Cell{I: 4, J: 1, Inside: true})
	if want := (pane.Focus{Modality: conf, I: 4, J: 1}); len(r.Marked) != 1 || r.Marked[0] != want {
		t.Errorf("focus %v", r.Marked)
	}
	r.Type("l")
	test.Tap(p.leave)
	if len(r.Excluded) != 2 || !slices.Equal(r.Excluded[1], []int{17}) {
		t.Errorf("excluded %v", r.Excluded)
	}
	p.modality.SetSelected("mean@CONV-1")
	if last := r.Marked[len(r.Marked)-1]; last != pane.Whole("mean@CONV-1") {
		t.Errorf("another matrix asks for %v", last)
	}
	r.Type("s")
	r.Type("s")
	r.Stage.Until("sorted", func() bool { return p.ranking.Entries[0].Image == 0 })
	r.Type("", fyne.KeyRight)
	r.Type("x")
	if last := r.Excluded[len(r.Excluded)-1]; !slices.Equal(last, []int{0}) {
		t.Errorf("excluded %v", last)
	}
	r.Stage.Draw(r.Window, os.Getenv("VARISCOPE_SCREENS"), "inspect-extremes")
}

func TestExtremesOfPartOfTheMatrix(t *testing.T) {
	r := newRig(t)
	s := r.subject(2)
	s.First, s.Last = 10, 20
	r.show(r.extremes.ranked, s, "whole matrix")
	p := r.extremes
	if p.leave.Visible() || p.after.Heatmap().Picture().Matrix.N != 0 ||
		!strings.Contains(p.lines.Text, "No image is extreme") {
		t.Errorf("nothing is extreme, but: %q", p.lines.Text)
	}
	p.after.OnHover(widget.Cell{I: 1, J: 0, Inside: true}) // the hatched tile reads nothing off
	p.before.OnTapped(widget.Cell{I: 1, J: 0, Inside: true})
	if want := (pane.Focus{Modality: conf, I: 11, J: 10}); r.Marked[0] != want {
		t.Errorf("a cell of the sub-interval is %v", r.Marked[0])
	}
}
