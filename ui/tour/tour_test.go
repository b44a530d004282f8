package tour

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/uitest/stage"
)

// show starts a tour of three steps over a window: beside the button that is at the left, at
// nothing, over all.
func show(
	t *testing.T, size fyne.Size,
) (s *stage.Stage, w fyne.Window, tour *Tour, left *widget.Button, seen *[]string) {
	t.Helper()
	s = stage.New(t)
	left = widget.NewButton("left", func() { t.Error("a click went through the tour") })
	ground := canvas.NewRectangle(color.White)
	w = s.Window(container.NewBorder(nil, nil, left, nil, ground), size)
	log := []string{}
	where := func(o fyne.CanvasObject) func() (fyne.Position, fyne.Size) {
		return func() (fyne.Position, fyne.Size) {
			return fyne.CurrentApp().Driver().AbsolutePositionForObject(o), o.Size()
		}
	}
	steps := []Step{
		{Title: "First", Text: strings.Repeat("words about it ", 12), Target: where(left)},
		{Title: "Second", Text: "in the middle", Enter: func() { log = append(log, "second") }},
		{Title: "Third", Text: "over all", Target: where(ground)},
	}
	tour = Start(Options{Canvas: w.Canvas(), Steps: steps, Later: s.Post, Ended: func() { log = append(log, "ended") }})
	s.Pump()
	return s, w, tour, left, &log
}

func press(w fyne.Window, key fyne.KeyName) { w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: key}) }

// The number and the buttons have the room that their texts need, on every card.
func TestTheCardsLastLineFits(t *testing.T) {
	s, w, tour, _, _ := show(t, fyne.NewSize(900, 600))
	for range 3 {
		for _, o := range tour.card.row.Objects {
			if least := o.MinSize().Width; o.Visible() && o.Size().Width < least {
				t.Errorf("step %d: %T has a width of %v, and needs %v", tour.At(), o, o.Size().Width, least)
			}
		}
		press(w, fyne.KeyRight)
		s.Pump()
	}
}

func TestTheKeyboardWalks(t *testing.T) {
	s, w, tour, _, seen := show(t, fyne.NewSize(900, 600))
	for _, c := range []struct {
		key fyne.KeyName
		at  int
	}{
		{fyne.KeyLeft, 0},
		{fyne.KeyReturn, 1},
		{fyne.KeyRight, 2},
		{fyne.KeyRight, 2},
		{fyne.KeyLeft, 1},
		{fyne.KeyUp, 0},
		{fyne.KeyDown, 1},
		{fyne.KeySpace, 2},
	} {
		press(w, c.key)
		s.Pump()
		if tour.At() != c.at || !tour.Open() {
			t.Fatalf("after %s the tour is at %d, want %d", c.key, tour.At(), c.at)
		}
	}
	press(w, fyne.KeyReturn)
	if tour.Open() || w.Canvas().Overlays().Top() != nil {
		t.Error("the tour does not end after its last step")
	}
	if got := strings.Join(*seen, " "); got != "second second second ended" {
		t.Errorf("it told: %s", got)
	}
	tour.Leave()
	s.Pump()
	if len(*seen) != 4 {
		t.Error("it ended twice")
	}
}

func TestTabReachesEveryButton(t *testing.T) {
	_, w, tour, _, seen := show(t, fyne.NewSize(900, 600))
	tour.Next() // Back can be pressed
	reached := map[string]bool{}
	for range 3 {
		reached[w.Canvas().Focused().(*step).Text] = true
		w.Canvas().(interface{ FocusNext() }).FocusNext()
	}
	if len(reached) != 3 || !reached["Skip"] || !reached["Back"] || !reached["Next"] {
		t.Errorf("reached %v", reached)
	}
	tour.card.skip.OnTapped()
	if tour.Open() || (*seen)[len(*seen)-1] != "ended" {
		t.Error("Skip does not end the tour")
	}
}

// A click beside the card is not one on what lies there, and the keyboard stays.
func TestClicksBesideTheCard(t *testing.T) {
	_, w, tour, left, _ := show(t, fyne.NewSize(900, 600))
	w.Canvas().Unfocus()
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(left)
	test.TapCanvas(w.Canvas(), at.AddXY(10, 10))
	if !tour.Open() || w.Canvas().Focused() != fyne.Focusable(tour.card.next) {
		t.Error("the tour lost the keyboard by a click")
	}
}

// TestTheCardStaysInTheWindow: in small and large windows, with usual and large text, light and
// dark, the card lies inside the window, its text is whole, and it leaves what it is about free;
// when the window changes, it follows.
func TestTheCardStaysInTheWindow(t *testing.T) {
	s, w, tour, left, _ := show(t, fyne.NewSize(1280, 800))
	sizes := []fyne.Size{{Width: 1280, Height: 800}, {Width: 640, Height: 420}, {Width: 1920, Height: 1080}}
	if testing.Short() {
		sizes = sizes[:2]
	}
	for _, size := range sizes {
		for _, text := range []float32{1, 1.4, 2} {
			for _, variant := range []fyne.ThemeVariant{theme.VariantLight, theme.VariantDark} {
				s.App().Settings().SetTheme(stage.Look(variant, text))
				w.Resize(size)
				for tour.Back(); tour.At() > 0; tour.Back() {
				}
				s.Pump()
				r := test.WidgetRenderer(tour).(*renderer)
				card := areaOf(r.ground)
				if window := w.Canvas().Size(); card.left < 0 || card.top < 0 || card.right > window.Width+0.5 ||
					card.bottom > window.Height+0.5 {
					t.Errorf("window %v, text %g: the card lies at %+v", size, text, card)
				}
				if need := tour.card.content.MinSize(); need.Height > tour.card.content.Size().Height+0.5 {
					t.Errorf("window %v, text %g: the card needs %v and has %v", size, text, need,
						tour.card.content.Size())
				}
				lit := areaOf(r.light)
				room := size.Width - lit.right - gap - edge
				if lit.width() != left.Size().Width || lit.height() != left.Size().Height || room >= card.width() &&
					card.left < lit.right {
					t.Errorf("window %v, text %g: the light is at %+v, the button %v, the card at %+v", size, text, lit,
						left.Size(), card)
				}
			}
		}
	}
}

func areaOf(o fyne.CanvasObject) area {
	at, size := o.Position(), o.Size()
	return area{at.X, at.Y, at.X + size.Width, at.Y + size.Height}
}

// What is dimmed is darker than before, and the target is not.
func TestOnlyTheTargetIsBright(t *testing.T) {
	s, w, tour, _, _ := show(t, fyne.NewSize(900, 600))
	tour.Next()
	s.Pump()
	dimmed := s.Capture(w, "", "")
	tour.Next()
	s.Pump()
	bright := s.Capture(w, "", "")
	if a, b := lightness(dimmed, 400, 60), lightness(bright, 400, 60); a >= b || b != 0xff {
		t.Errorf("the ground has %d below a tour, %d as its target", a, b)
	}
	if a, b := lightness(dimmed, 10, 300), lightness(bright, 10, 300); a != b {
		t.Errorf("what is beside the target has %d and %d", a, b)
	}
}

func lightness(picture image.Image, x, y int) uint8 {
	return color.GrayModel.Convert(picture.At(x, y)).(color.Gray).Y
}

// TestPlaced: wherever the target lies, a card that fits into the window lies in it; where there is
// room beside the target, it leaves that free; and what is dimmed and the target fill the window.
func TestPlaced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(least, most float32, name string) float32 {
			return rapid.Float32Range(least, most).Draw(t, name)
		}
		window := fyne.NewSize(number(400, 3000, "width"), number(300, 2000, "height"))
		card := fyne.NewSize(number(100, window.Width-2*edge, "card width"),
			number(50, window.Height-2*edge, "card height"))
		target := area{left: number(0, window.Width-1, "left"), top: number(0, window.Height-1, "top")}
		target.right, target.bottom = number(target.left, window.Width, "right"),
			number(target.top, window.Height, "bottom")
		at := placed(card, window, target)
		if at.X < edge || at.Y < edge || at.X+card.Width > window.Width-edge+0.01 ||
			at.Y+card.Height > window.Height-edge+0.01 {
			t.Fatalf("a card of %v at %v in a window of %v", card, at, window)
		}
		beside := at.X >= target.right || at.X+card.Width <= target.left || at.Y >= target.bottom ||
			at.Y+card.Height <= target.top
		if room := window.Width - target.right - gap - edge; room >= card.Width && !beside {
			t.Fatalf("the card at %v hides its target %+v though there is room at the right", at, target)
		}
		sum := target.width() * target.height()
		for _, a := range around(window, target) {
			sum += a.width() * a.height()
		}
		if whole := window.Width * window.Height; sum < whole*0.999 || sum > whole*1.001 {
			t.Fatalf("%v of %v is dimmed or bright", sum, whole)
		}
	})
}
