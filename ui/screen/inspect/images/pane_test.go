package images

import (
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"
	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/uitest/panetest"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
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

// press presses the mouse on an entry's card, which must be in sight.
func (r *rig) press(b *board, entry int, with fyne.KeyModifier) {
	r.Helper()
	for _, c := range shown(b) {
		if c.Item() == entry {
			c.MouseDown(&desktop.MouseEvent{Button: desktop.MouseButtonPrimary, Modifier: with})
			c.MouseUp(nil)
			return
		}
	}
	r.Fatalf("entry %d is not in sight", entry)
}

// cards are the cards in sight.
func shown(b *board) (list []*picture.Card) {
	stage.Walk(b.wall, func(o fyne.CanvasObject) {
		if c, ok := o.(*picture.Card); ok {
			list = append(list, c)
		}
	})
	return list
}

// words are the lines beside the pictures of a card.
func words(c *picture.Card) string {
	var lines []string
	for _, text := range c.Content().Words {
		lines = append(lines, text.Words)
	}
	return strings.Join(lines, "|")
}

func (r *rig) picturesArrive(b *board) {
	r.Helper()
	r.stage.Until("pictures", func() bool {
		all := shown(b)
		return len(all) > 4 && !slices.ContainsFunc(all, func(c *picture.Card) bool {
			return c.Content().Sides[0].Picture == nil || c.Content().Sides[1].Picture == nil
		})
	})
}

func TestPaneShowsTheImagesBehindACell(t *testing.T) {
	r := newRig(t)
	r.show(r.pane, r.subject(2), "max@CONF between 15° and -15°")
	if r.pane.Title() != "Images" || r.pane.Tall() || r.pane.board.wall.Count() != sample.Images {
		t.Errorf("%s shows %d images", r.pane.Title(), r.pane.board.wall.Count())
	}
	r.picturesArrive(r.pane.board)
	first := shown(r.pane.board)[0]
	lines := words(first)
	if !strings.Contains(lines, "# ") || !strings.Contains(lines, "|dif ") || !strings.Contains(lines, "Σ ") {
		t.Errorf("the card says %q", lines)
	}
	var texts []string
	stage.Walk(first, func(o fyne.CanvasObject) {
		if text, ok := o.(*canvas.Text); ok {
			texts = append(texts, text.Text)
		}
	})
	if said := strings.Join(texts, "|"); !strings.Contains(said, "15°") || !strings.Contains(said, "-15°") || !strings.Contains(said, " %") {
		t.Errorf("the card's captions %q", said)
	}
	r.stage.Draw(r.window, os.Getenv("VARISCOPE_SCREENS"), "inspect-images")
}

func TestPaneIsDrivenByKeys(t *testing.T) {
	r := newRig(t)
	r.show(r.pane, r.subject(2), "60 images")
	r.press(r.pane.board, 0, 0)
	entries := r.pane.board.ranking.Entries
	r.typeKey(fyne.KeyRight)
	r.typeKey(fyne.KeyRight)
	r.typeKey(fyne.KeyLeft)
	if r.pane.board.cursor != 1 || !slices.Equal(r.pane.board.picked(), []int{entries[1].Image}) {
		t.Errorf("cursor %d, picked %v", r.pane.board.cursor, r.pane.board.picked())
	}
	r.typeKey(fyne.KeySpace)
	r.typeKey(fyne.KeyDown)
	r.typeKey(fyne.KeySpace)
	r.typeKey(fyne.KeyRight)
	r.typeKey(fyne.KeySpace)
	r.typeKey(fyne.KeyRight)
	r.typeKey(fyne.KeySpace)
	r.typeKey(fyne.KeySpace) // in and out again
	below := 1 + r.pane.board.wall.Columns()
	want := []int{entries[1].Image, entries[below].Image, entries[below+1].Image}
	slices.Sort(want)
	if got := r.pane.board.picked(); !slices.Equal(got, want) || r.pane.exclude.Text != "Exclude 3 (X)" {
		t.Errorf("picked %v, want %v; the button says %q", got, want, r.pane.exclude.Text)
	}
	r.typeRune('x')
	if len(r.host.Excluded) != 1 || !slices.Equal(r.host.Excluded[0], want) {
		t.Errorf("excluded %v", r.host.Excluded)
	}
	for _, k := range []fyne.KeyName{fyne.KeyEnd, fyne.KeyPageUp, fyne.KeyUp, fyne.KeyPageDown} {
		r.typeKey(k)
	}
	if r.pane.board.cursor < 40 {
		t.Errorf("cursor %d", r.pane.board.cursor)
	}
	r.typeKey(fyne.KeyHome)
	r.typeKey(fyne.KeyEscape)
	r.typeKey(fyne.KeyEscape) // the last ones go to the screen
	r.typeKey(fyne.KeyF5)
	r.typeRune('p')
	if r.pane.board.cursor != -1 || len(r.keys) == 0 || r.keys[len(r.keys)-1] != fyne.KeyF5 || string(r.passed) != "p" {
		t.Errorf("cursor %d; passed on: %v, %q", r.pane.board.cursor, r.keys, string(r.passed))
	}
}

func TestPaneSelectsByMouse(t *testing.T) {
	r := newRig(t)
	r.show(r.pane, r.subject(1), "60 images")
	b := r.pane.board
	r.press(b, 1, 0)
	r.press(b, 4, fyne.KeyModifierShift)
	r.press(b, 2, fyne.KeyModifierControl)
	if len(b.picked()) != 3 || b.selected[b.ranking.Entries[2].Image] {
		t.Errorf("picked %v", b.picked())
	}
	r.press(b, 0, 0)
	r.press(b, 3, fyne.KeyModifierControl)
	if len(b.picked()) != 2 {
		t.Errorf("a click and one with Ctrl pick %v", b.picked())
	}
	r.press(b, 4, 0)
	r.press(b, 4, 0)
	r.typeKey(fyne.KeyReturn)
	if want := b.ranking.Entries[4].Image; !slices.Equal(r.opened, []int{want, want}) {
		t.Errorf("a double click and Return open %v, want %d twice", r.opened, want)
	}
	r.press(b, 3, 0)
	test.Tap(r.pane.exclude)
	if len(r.host.Excluded) != 1 || !slices.Equal(r.host.Excluded[0], []int{b.ranking.Entries[3].Image}) {
		t.Errorf("excluded %v", r.host.Excluded)
	}
	if r.window.Canvas().Focused() != fyne.Focusable(r.pane.Surface) {
		t.Error("the keys are not the pane's after a click")
	}
}

func TestPaneSortsAndShowsExcludedImages(t *testing.T) {
	r := newRig(t)
	r.show(r.pane, r.subject(1, 5, 9), "58 images")
	r.press(r.pane.board, 3, 0)
	kept := r.pane.board.picked()
	r.typeRune('s')
	r.typeRune('S')
	r.stage.Until("sorted by number", func() bool { return r.pane.board.ranking.Entries[0].Image == 0 })
	if got := r.pane.board.picked(); !slices.Equal(got, kept) {
		t.Errorf("sorting changed the selection from %v to %v", kept, got)
	}
	r.typeRune('e')
	r.stage.Until("excluded images", func() bool { return strings.Contains(r.pane.title.Text, "2 excluded images") })
	r.press(r.pane.board, 0, 0)
	if r.pane.exclude.Text != "Include again (X)" || !strings.HasSuffix(words(shown(r.pane.board)[0]), "|excluded") {
		t.Errorf("the button says %q", r.pane.exclude.Text)
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
	r.stage.Until("the last model", func() bool { return r.pane.board.ranking.subject.Model.Hash == r.sample.Imported[2].Hash })
	r.pane.Show(r.subject(3)) // without signals
	r.stage.Until("no signals", func() bool { return strings.Contains(r.pane.title.Text, "no signals") })
	if r.pane.board.wall.Count() != 0 || !r.pane.exclude.Disabled() {
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
	r.stage.Until("images not found", func() bool { return r.pane.board.missing.Object().Visible() })
	if c := shown(r.pane.board)[0]; c.Content().Sides[0].Picture != nil || !strings.Contains(words(c), "|dif ") {
		t.Errorf("without images the numbers stay: %s", words(c))
	}
	var button *fynewidget.Button
	stage.Walk(r.pane.board.missing.Object(), func(o fyne.CanvasObject) {
		if b, ok := o.(*fynewidget.Button); ok {
			button = b
		}
	})
	test.Tap(button)
	if !slices.Equal(r.located, []string{r.sample.Shapes.Hash}) {
		t.Fatalf("located %v", r.located)
	}
	if err := r.sample.RelocateSuite(t.Context(), r.sample.Shapes.Hash, away); err != nil {
		t.Fatal(err)
	}
	r.pane.Show(r.subject(2))
	r.picturesArrive(r.pane.board)
	if r.pane.board.missing.Object().Visible() {
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
	r.picturesArrive(p.board)
	if said := words(shown(p.board)[0]); !strings.HasPrefix(said, "# 17|") || !strings.HasSuffix(said, "|extreme") {
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
	r.stage.Until("sorted", func() bool { return p.board.ranking.Entries[0].Image == 0 })
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
