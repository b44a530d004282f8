package images

import (
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
	"github.com/variscope/variscope/ui/widget"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a window with both panes, of which one is shown.
type rig struct {
	*testing.T
	stage    *stage.Stage
	sample   *sample.Workspace
	host     *panetest.Host
	window   fyne.Window
	pane     *Pane
	extremes *Extremes
	located  []string
	opened   []int
	passed   []rune
	keys     []fyne.KeyName
}

func newRig(t *testing.T) *rig {
	r := &rig{T: t, stage: stage.New(t), sample: sample.New(t, 4), host: &panetest.Host{}}
	work := background.New(fyne.Do)
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(1100, 560))
	site := r.host.Site(r.window, work, widget.Keys{OnRune: func(c rune) { r.passed = append(r.passed, c) }, OnKey: func(ev *fyne.KeyEvent) bool {
		r.keys = append(r.keys, ev.Name)
		return true
	}})
	site.Locate = func(suite string) { r.located = append(r.located, suite) }
	preview := func(image int) { r.opened = append(r.opened, image) }
	r.pane, r.extremes = New(site, r.sample, preview), NewExtremes(site, r.sample, preview)
	t.Cleanup(func() { r.pane.Close(); r.extremes.Close(); work.Stop(); work.Wait() })
	return r
}

func (r *rig) subject(model int, excluded ...int) pane.Subject {
	choice := variance.AllImages()
	choice.Excluded = excluded
	return panetest.Focused(panetest.Subject(r, r.sample.Workspace, r.sample.Imported[model].Hash, choice), conf, 30, 0)
}

// show puts a pane with a subject on the window and waits for its title.
func (r *rig) show(p pane.Pane, s pane.Subject, title string) {
	r.Helper()
	r.window.SetContent(p.Object())
	p.Show(s)
	label := r.pane.title
	if p != pane.Pane(r.pane) {
		label = r.extremes.title
	}
	r.stage.Until(title, func() bool { return strings.Contains(label.Text, title) })
}

func (r *rig) typeKey(name fyne.KeyName) {
	r.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: name})
}
func (r *rig) typeRune(c rune) { r.window.Canvas().Focused().TypedRune(c) }

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
	r.Helper()
	r.stage.Until("pictures", func() bool {
		all := b.wall.InSight()
		return len(all) > 4 && !slices.ContainsFunc(all, func(c kit.Card) bool {
			return c.Sides[0].Picture == nil || c.Sides[1].Picture == nil
		})
	})
}

func TestPaneShowsTheImagesBehindACell(t *testing.T) {
	r := newRig(t)
	r.show(r.pane, r.subject(2), "max@CONF between 15° and -15°")
	if r.pane.Title() != "Images" || r.pane.Tall() || r.pane.wall.Count() != sample.Images {
		t.Errorf("%s shows %d images", r.pane.Title(), r.pane.wall.Count())
	}
	r.picturesArrive(r.pane.ranked)
	c, said := first(r.pane.ranked)
	if !strings.Contains(said, "# ") || !strings.Contains(said, "|dif ") || !strings.Contains(said, "Σ ") {
		t.Errorf("the card says %q", said)
	}
	if left, right := c.Sides[0].Lines[0].Text, c.Sides[1].Lines[0].Text; !strings.HasPrefix(left, "15°") || !strings.HasPrefix(right, "-15°") || !strings.HasSuffix(left, " %") {
		t.Errorf("the card's captions %q and %q", left, right)
	}
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SCREENS"), "inspect-images")
}

// TestPaneExcludes what is marked by X and the button, which say how many; keys that nothing uses
// go to the screen.
func TestPaneExcludes(t *testing.T) {
	r := newRig(t)
	r.show(r.pane, r.subject(2), "60 images")
	r.pane.TakeBack()
	for _, k := range []fyne.KeyName{fyne.KeyRight, fyne.KeySpace, fyne.KeyRight, fyne.KeySpace} {
		r.typeKey(k)
	}
	want := numbers(r.pane.ranking.Entries[:2])
	slices.Sort(want)
	if r.pane.exclude.Text != "Exclude 2 (X)" {
		t.Errorf("the button says %q", r.pane.exclude.Text)
	}
	r.typeRune('x')
	r.typeKey(fyne.KeyReturn)
	test.Tap(r.pane.exclude)
	last := r.pane.ranking.Entries[1].Image
	if !slices.EqualFunc(r.host.Excluded, [][]int{want, {last}}, slices.Equal) || !slices.Equal(r.opened, []int{last}) {
		t.Errorf("excluded %v, opened %v", r.host.Excluded, r.opened)
	}
	r.typeKey(fyne.KeyEscape)
	r.typeKey(fyne.KeyEscape)
	r.typeKey(fyne.KeyF5)
	r.typeRune('p')
	if !slices.Equal(r.keys, []fyne.KeyName{fyne.KeyEscape, fyne.KeyF5}) || string(r.passed) != "p" || !r.pane.exclude.Disabled() {
		t.Errorf("passed on: %v, %q", r.keys, string(r.passed))
	}
}

func TestPaneSortsAndShowsExcludedImages(t *testing.T) {
	r := newRig(t)
	r.show(r.pane, r.subject(1, 5, 9), "58 images")
	r.pane.wall.Select(3)
	kept := r.pane.wall.Marked()
	r.pane.TakeBack()
	r.typeRune('s')
	r.typeRune('S')
	r.stage.Until("sorted by number", func() bool { return r.pane.ranking.Entries[0].Image == 0 })
	if got := r.pane.wall.Marked(); !slices.Equal(got, kept) {
		t.Errorf("sorting changed the selection from %v to %v", kept, got)
	}
	r.typeRune('e')
	r.stage.Until("excluded images", func() bool { return strings.Contains(r.pane.title.Text, "2 excluded images") })
	r.pane.TakeBack()
	r.typeKey(fyne.KeyHome)
	if _, said := first(r.pane.ranked); r.pane.exclude.Text != "Include again (X)" || !strings.HasSuffix(said, "|excluded") {
		t.Errorf("the button says %q, the card %q", r.pane.exclude.Text, said)
	}
	r.typeRune('x')
	if len(r.host.Included) != 1 || !slices.Equal(r.host.Included[0], []int{5}) {
		t.Errorf("included %v", r.host.Included)
	}
	r.show(r.pane, r.subject(1), "0 excluded images")
	r.pane.TakeBack()
	r.typeRune('x')
	if len(r.host.Said) == 0 {
		t.Error("nothing is said where nothing is selected")
	}
}

func TestPaneDropsStaleAnswers(t *testing.T) {
	r := newRig(t)
	r.window.SetContent(r.pane.Object())
	for model := range 3 {
		r.pane.Show(r.subject(model))
	}
	r.stage.Until("the last model", func() bool { return r.pane.ranking.subject.Model.Hash == r.sample.Imported[2].Hash })
	r.pane.Show(r.subject(3)) // without signals
	r.stage.Until("no signals", func() bool { return strings.Contains(r.pane.title.Text, "no signals") })
	if r.pane.wall.Count() != 0 || !r.pane.exclude.Disabled() {
		t.Error("a model without signals has images to exclude")
	}
	r.pane.Hidden()
}

func TestPaneWithoutImages(t *testing.T) {
	r := newRig(t)
	away := r.sample.Shapes.Root + "-elsewhere"
	if err := os.Rename(r.sample.Shapes.Root, away); err != nil {
		t.Fatal(err)
	}
	r.show(r.pane, r.subject(2), "60 images")
	r.stage.Until("images not found", func() bool { return r.pane.wall.Problem() })
	if c, said := first(r.pane.ranked); c.Sides[0].Picture != nil || !strings.Contains(said, "|dif ") {
		t.Errorf("without images the numbers stay: %s", said)
	}
	r.stage.Press(r.window, "Locate…")
	if !slices.Equal(r.located, []string{r.sample.Shapes.Hash}) {
		t.Fatalf("located %v", r.located)
	}
	if err := r.sample.RelocateSuite(t.Context(), r.sample.Shapes.Hash, away); err != nil {
		t.Fatal(err)
	}
	r.pane.Show(r.subject(2))
	r.picturesArrive(r.pane.ranked)
	if r.pane.wall.Problem() {
		t.Error("the line about missing images stays")
	}
}

func TestExtremesPane(t *testing.T) {
	r := newRig(t)
	s := panetest.WithSignal(r.subject(0), conf, 4, 17, 9)
	r.show(r.extremes, s, "max@CONF, whole matrix: 60 images")
	p := r.extremes
	if p.Title() != "Extremes" || !p.Tall() || !p.leave.Visible() || p.leave.Text != "Leave out 1 (L)" {
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
	if said := r.host.Said[len(r.host.Said)-1]; !strings.Contains(said, "V_i = -11°") || !strings.Contains(said, ", after ") {
		t.Errorf("read-out %q", said)
	}
	p.before.OnHover(widget.Cell{})
	p.before.OnTapped(widget.Cell{I: 4, J: 1, Inside: true})
	if want := (pane.Focus{Modality: conf, I: 4, J: 1}); len(r.host.Focuses) != 1 || r.host.Focuses[0] != want {
		t.Errorf("focus %v", r.host.Focuses)
	}
	r.typeRune('l')
	test.Tap(p.leave)
	if len(r.host.Excluded) != 2 || !slices.Equal(r.host.Excluded[1], []int{17}) {
		t.Errorf("excluded %v", r.host.Excluded)
	}
	p.modality.SetSelected("mean@CONV-1")
	if last := r.host.Focuses[len(r.host.Focuses)-1]; last != pane.Whole("mean@CONV-1") {
		t.Errorf("another matrix asks for %v", last)
	}
	r.typeRune('s')
	r.typeRune('s')
	r.stage.Until("sorted", func() bool { return p.ranking.Entries[0].Image == 0 })
	r.typeKey(fyne.KeyRight)
	r.typeRune('x')
	if last := r.host.Excluded[len(r.host.Excluded)-1]; !slices.Equal(last, []int{0}) {
		t.Errorf("excluded %v", last)
	}
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SCREENS"), "inspect-extremes")
}

func TestExtremesOfPartOfTheMatrix(t *testing.T) {
	r := newRig(t)
	s := r.subject(2)
	s.First, s.Last = 10, 20
	r.show(r.extremes, s, "whole matrix")
	p := r.extremes
	if p.leave.Visible() || p.after.Heatmap().Picture().Matrix.N != 0 || !strings.Contains(p.lines.Text, "No image is extreme") {
		t.Errorf("nothing is extreme, but: %q", p.lines.Text)
	}
	p.after.OnHover(widget.Cell{I: 1, J: 0, Inside: true}) // the hatched tile reads nothing off
	p.before.OnTapped(widget.Cell{I: 1, J: 0, Inside: true})
	if want := (pane.Focus{Modality: conf, I: 11, J: 10}); r.host.Focuses[0] != want {
		t.Errorf("a cell of the sub-interval is %v", r.host.Focuses[0])
	}
	p.Hidden()
}
