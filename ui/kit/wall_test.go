package kit

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/widget"
)

// wallRig is a wall of numbers in a window. Its item k has the ID ids[k].
type wallRig struct {
	*testing.T
	stage    *stage.Stage
	window   fyne.Window
	wall     *Wall
	ids      []int
	filled   int
	selected int // times
	opened   []int
	passed   []fyne.KeyName
	said     []string
}

func newWallRig(t testing.TB, count int, change func(*Wall)) *wallRig {
	r := &wallRig{stage: stage.New(t)}
	r.T, _ = t.(*testing.T)
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(430, 210))
	for k := range count {
		r.ids = append(r.ids, 10*k)
	}
	declared := Wall{
		Host: &Host{
			Window: r.window, Status: func(text string) { r.said = append(r.said, text) },
			Locate: func(suite string) { r.said = append(r.said, "locate "+suite) },
		},
		Look: CardLook{Pictures: 1, Side: 80, Pad: 10},
		Card: func(k int) Card {
			r.filled++
			return Card{
				Sides: []CardSide{{Lines: []CardText{{Text: fmt.Sprint(r.ids[k])}}}}, Hint: fmt.Sprint("hint ", k),
			}
		},
		ID: func(k int) int { return r.ids[k] }, OnSelect: func() { r.selected++ },
		OnOpen: func(k int) { r.opened = append(r.opened, k) },
		Keys: widget.Keys{OnKey: func(ev *fyne.KeyEvent) bool {
			r.passed = append(r.passed, ev.Name)
			return ev.Name == fyne.KeyDelete
		}},
	}
	if change != nil {
		change(&declared)
	}
	r.wall = NewWall(declared)
	r.window.SetContent(r.wall.Object())
	r.wall.Set(count, true)
	return r
}

// texts are what the cards in sight say.
func (r *wallRig) texts() (list []string) {
	for _, c := range r.wall.InSight() {
		list = append(list, c.Sides[0].Lines[0].Text)
	}
	return list
}

func (r *wallRig) keys(names ...fyne.KeyName) {
	for _, name := range names {
		r.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: name})
	}
}

func (r *wallRig) card(item int) *wallCard {
	return r.wall.cards[slices.IndexFunc(r.wall.cards, func(c *wallCard) bool { return c.item == item })]
}

func (r *wallRig) press(item int, with fyne.KeyModifier) {
	r.card(item).MouseDown(&desktop.MouseEvent{Button: desktop.MouseButtonPrimary, Modifier: with})
	r.card(item).MouseUp(nil)
}

func TestWallMakesOnlyCardsInSight(t *testing.T) {
	r := newWallRig(t, 10000, nil)
	w := r.wall
	if got := r.texts(); w.Columns() != 4 || got[0] != "0" || len(got) < 12 || len(got) > 20 {
		t.Fatalf("%d columns, cards %v", w.Columns(), got)
	}
	for range 500 {
		w.scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -200)})
	}
	if len(w.cards) > 24 || slices.Contains(r.texts(), "0") {
		t.Errorf("%d cards were made, %v are in sight", len(w.cards), r.texts())
	}
	for _, item := range []int{9999, 0} {
		if w.Select(item); !slices.Contains(r.texts(), fmt.Sprint(10*item)) || w.Cursor() != item {
			t.Errorf("item %d is not in sight: %v", item, r.texts())
		}
	}
	r.window.Resize(fyne.NewSize(430, 800))
	if got := len(r.texts()); got < 4*8 {
		t.Errorf("a larger window shows %d cards", got)
	}
	w.Look.Below = 4
	r.stage.App().Settings().SetTheme(stage.Look(theme.VariantDark, 2))
	if got := r.card(0).Size(); got.Height != w.Look.size().Height {
		t.Errorf("a card of %v under another font size", got)
	}
}

func TestWallBeforeItIsShown(t *testing.T) {
	stage.New(t)
	w := NewWall(Wall{Host: &Host{}, Look: CardLook{Pictures: 1, Side: 80}})
	w.Set(10, true)
	w.Select(9)
	if len(w.cards) != 0 || w.Columns() != 1 || w.Count() != 10 || w.Cursor() != 9 {
		t.Errorf("%d cards without a place", len(w.cards))
	}
}

// TestWallKeys: the keys move the cursor within what there is, open, and go to Keys first.
func TestWallKeys(t *testing.T) {
	r := newWallRig(t, 30, nil)
	r.wall.Focus()
	for _, c := range []struct {
		key  fyne.KeyName
		want int
	}{
		{fyne.KeyRight, 0},
		{fyne.KeyRight, 1},
		{fyne.KeyDown, 5},
		{fyne.KeyPageDown, 13},
		{fyne.KeyUp, 9},
		{fyne.KeyLeft, 8},
		{fyne.KeyEnd, 29},
		{fyne.KeyRight, 29},
		{fyne.KeyDown, 29},
		{fyne.KeyPageUp, 21},
		{fyne.KeyHome, 0},
		{fyne.KeyUp, 0},
	} {
		if r.keys(c.key); r.wall.Cursor() != c.want {
			t.Fatalf("%s leads to %d, want %d", c.key, r.wall.Cursor(), c.want)
		}
	}
	if r.selected != 12 || !slices.Equal(r.wall.Marked(), []int{0}) {
		t.Errorf("told %d times, marked %v", r.selected, r.wall.Marked())
	}
	r.keys(fyne.KeyReturn, fyne.KeyEnter, fyne.KeyDelete, fyne.KeySpace, fyne.KeyEscape)
	if !slices.Equal(r.opened, []int{0, 0}) || len(r.passed) != 17 || r.wall.Key(fyne.KeyF5) ||
		r.wall.Key(fyne.KeySpace) {
		t.Errorf("opened %v, passed %v", r.opened, r.passed)
	}
	r.wall.Select(-1)
	if r.keys(fyne.KeyReturn, fyne.KeyEnd); r.wall.Cursor() != 29 || len(r.opened) != 2 {
		t.Errorf("End without a cursor leads to %d", r.wall.Cursor())
	}
	r.wall.Set(0, false)
	if r.keys(fyne.KeyHome, fyne.KeyReturn); r.wall.Cursor() != -1 || len(r.wall.Marked()) != 0 || len(r.texts()) != 0 {
		t.Error("there is a cursor without items")
	}
}

// TestWallMarks: clicks with Ctrl and Shift and Space mark, a plain click and Escape unmark.
func TestWallMarks(t *testing.T) {
	r := newWallRig(t, 12, func(w *Wall) { w.Several = true })
	marked := func(what string, want ...int) {
		t.Helper()
		if got := r.wall.Marked(); !slices.Equal(got, want) {
			t.Errorf("%s: marked %v, want %v", what, got, want)
		}
	}
	marked("at first")
	r.press(1, 0)
	marked("a click", 10)
	r.press(4, fyne.KeyModifierShift)
	marked("a range", 10, 20, 30, 40)
	r.press(2, fyne.KeyModifierControl)
	marked("without one", 10, 30, 40)
	if !r.card(1).selected || r.card(2).selected || !r.card(2).cursor {
		t.Error("the marked cards are not drawn as such")
	}
	r.press(0, 0)
	r.press(3, fyne.KeyModifierControl)
	marked("a click and one with Ctrl", 0, 30)
	r.keys(fyne.KeyRight, fyne.KeySpace, fyne.KeyRight, fyne.KeySpace, fyne.KeySpace)
	marked("Space", 0, 30, 40)
	r.ids = []int{5, 40, 0, 50}
	r.wall.Set(4, false)
	marked("other items", 0, 40)
	if r.wall.Cursor() != 3 {
		t.Errorf("the cursor stays on its item, not at %d", r.wall.Cursor())
	}
	r.ids = []int{5, 40}
	if r.wall.Set(2, false); r.wall.Cursor() != 1 {
		t.Errorf("the cursor is at %d after its item has gone", r.wall.Cursor())
	}
	r.wall.Unmark()
	marked("unmarked", 40)
	r.keys(fyne.KeyEscape)
	marked("Escape")
	if r.wall.Key(fyne.KeyEscape) {
		t.Error("Escape is used although nothing is marked")
	}
	r.press(1, 0)
	if r.wall.Set(2, true); r.wall.Cursor() != -1 {
		t.Error("a cursor on new items")
	}
}

func TestWallMouse(t *testing.T) {
	r := newWallRig(t, 12, nil)
	r.press(2, fyne.KeyModifierControl)
	r.press(5, 0)
	r.press(5, 0)
	if !slices.Equal(r.opened, []int{5}) || r.window.Canvas().Focused() != fyne.Focusable(r.wall.surface) {
		t.Errorf("opened %v", r.opened)
	}
	r.card(5).MouseIn(nil)
	r.card(5).MouseOut()
	if !slices.Equal(r.said, []string{"hint 5", ""}) {
		t.Errorf("said %q", r.said)
	}
	taken := 0
	r = newWallRig(t, 12, func(w *Wall) { w.Take, w.OnOpen = func() { taken++ }, nil })
	r.press(5, 0)
	r.press(5, 0)
	if taken != 2 || r.wall.Key(fyne.KeyReturn) {
		t.Errorf("the keyboard was taken %d times", taken)
	}
}

// TestWallMenu: a card's menu copies what it says and saves the pictures that there are.
func TestWallMenu(t *testing.T) {
	r := newWallRig(t, 3, nil)
	r.card(1).MouseDown(&desktop.MouseEvent{Button: desktop.MouseButtonSecondary})
	if r.window.Canvas().Overlays().Top() == nil || r.wall.Cursor() != 1 {
		t.Error("no menu is over the card")
	}
	items := r.wall.entries(Card{
		Head: "a pair", Words: []CardText{{Text: "word"}},
		Sides: []CardSide{
			{Picture: image.NewRGBA(image.Rect(0, 0, 2, 2)), Lines: []CardText{{Text: "one"}, {}}},
			{Lines: []CardText{{Text: "two"}}},
		},
	})
	items[0].Action()
	if got := fyne.CurrentApp().Clipboard().Content(); got != "a pair\nword\none\ntwo" {
		t.Errorf("copied %q", got)
	}
	if len(items) != 3 || items[1].Disabled || !items[2].Disabled || !strings.Contains(items[1].Label, "left") {
		t.Errorf("%+v", items)
	}
}

// TestWallSaysWhatIsMissing: why there are no pictures, with a button where locating helps.
func TestWallSaysWhatIsMissing(t *testing.T) {
	r := newWallRig(t, 3, nil)
	button := r.wall.missing.button
	r.wall.Arrived(fmt.Errorf("no such family"), "abc")
	if !r.wall.Problem() || !button.Disabled() {
		t.Error("an image is looked for where the family is wrong")
	}
	r.wall.Arrived(store.ErrNoImages, "abc")
	test.Tap(button)
	r.wall.Arrived(&store.SuiteError{Suite: "def", Err: store.ErrNoImages}, "abc")
	test.Tap(button)
	if want := []string{"locate abc", "locate def"}; !slices.Equal(r.said, want) {
		t.Errorf("said %q, want %q", r.said, want)
	}
	r.filled = 0
	if r.wall.Arrived(nil, ""); r.wall.Problem() || r.filled == 0 {
		t.Errorf("the line stays, or %d cards were filled", r.filled)
	}
	if m := NewMissingImages(nil); m.button.Visible() {
		t.Error("a button that nobody hears")
	}
}

// TestCardLook: everything that a card shows stands inside of it, cut to its room.
func TestCardLook(t *testing.T) {
	r := newWallRig(t, 0, nil)
	picture := image.NewRGBA(image.Rect(0, 0, 8, 8))
	long := CardText{Text: strings.Repeat("a long text ", 9), Colour: theme.ColorNameWarning}
	for name, look := range map[string]CardLook{
		"pair":  {Pictures: 2, Side: 72, Pad: 5, Head: true, Below: 3, Digits: 11},
		"words": {Pictures: 2, Side: 84, Pad: 5, Below: 2, Close: 1, Words: 6, Room: 13},
		"bare":  {Pictures: 1, Side: 64, Pad: 7, Below: 3, Close: 2, Frameless: true},
	} {
		for _, sign := range []CardSign{NoSign, Good, Bad} {
			c := newWallCard(&Wall{Host: r.wall.Host, Look: look})
			c.content = Card{
				Head: "head", Words: slices.Repeat([]CardText{long}, look.Words), Sign: sign, Edge: color.White,
			}
			for range look.Pictures {
				c.content.Sides = append(c.content.Sides,
					CardSide{Picture: picture, Lines: slices.Repeat([]CardText{long}, look.Below)})
			}
			c.selected, c.cursor = sign == Good, sign == Good
			c.Resize(c.MinSize())
			texts, pictures := 0, 0
			stage.Walk(c, func(o fyne.CanvasObject) {
				switch o := o.(type) {
				case *canvas.Text:
					texts++
					if right := o.Position().X + min(o.MinSize().Width, o.Size().Width); right > c.Size().Width+1 ||
						o.Position().X < 0 || o.MinSize().Width > o.Size().Width+8 {
						t.Errorf("%s: %q reaches %v of %v", name, o.Text, right, c.Size())
					}
				case *canvas.Image:
					pictures++
				}
			})
			want := look.Words + look.Pictures*look.Below
			if look.Head {
				want++
			}
			if sign != NoSign {
				want++
			}
			if texts != want || pictures != look.Pictures {
				t.Errorf("%s: %d texts of %d, %d pictures", name, texts, want, pictures)
			}
		}
	}
}

func TestFrame(t *testing.T) {
	s := stage.New(t)
	f := NewFrame(40)
	s.Window(f, fyne.NewSize(100, 80))
	small, large := image.NewRGBA(image.Rect(0, 0, 8, 8)), image.NewRGBA(image.Rect(0, 0, 300, 300))
	f.SetPicture(small)
	crisp := f.image.ScaleMode
	f.SetPicture(large)
	if f.image.ScaleMode == crisp || f.Picture() != image.Image(large) || f.MinSize().Width != 40 {
		t.Error("small and large pictures are drawn alike")
	}
	f.SetPicture(nil)
	if f.image.Visible() || !f.ground.Visible() {
		t.Error("an empty frame shows a picture")
	}
}

func BenchmarkWallScroll(b *testing.B) {
	r := newWallRig(b, 10000, nil)
	r.window.Resize(fyne.NewSize(1100, 400))
	step := float32(-37)
	for b.Loop() {
		if r.wall.scroll.Offset.Y > 40000 || r.wall.scroll.Offset.Y < 40 {
			step = -step
		}
		r.wall.scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, step)})
	}
}
