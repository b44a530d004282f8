package picture

import (
	"fmt"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/uitest/stage"
)

// numbered is a wall of labels that show their item's number.
func numbered(least fyne.Size, made, filled *int) *Wall {
	return NewWall(func() fyne.Size { return least }, func() fyne.CanvasObject {
		*made++
		return widget.NewLabel("")
	}, func(id int, card fyne.CanvasObject) {
		*filled++
		card.(*widget.Label).SetText(fmt.Sprint(id))
	})
}

// texts are what the visible cards say, sorted as text.
func texts(w *Wall) []string {
	var all []string
	for _, o := range w.sheet.Objects {
		if o.Visible() {
			all = append(all, o.(*widget.Label).Text)
		}
	}
	slices.Sort(all)
	return all
}

func TestWallMakesOnlyWhatIsInSight(t *testing.T) {
	s := stage.New(t)
	made, filled := 0, 0
	w := numbered(fyne.NewSize(100, 50), &made, &filled)
	window := s.Window(w, fyne.NewSize(430, 210))
	w.SetCount(10000, true)
	if w.Columns() != 4 || made > 24 {
		t.Fatalf("%d columns, %d cards made", w.Columns(), made)
	}
	if got := texts(w); !slices.Contains(got, "0") || len(got) < 16 {
		t.Errorf("cards %v", got)
	}
	for range 500 {
		w.scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -200)})
	}
	if made > 28 {
		t.Errorf("%d cards were made while scrolling", made)
	}
	ids := w.InSight()
	if len(ids) == 0 || slices.Min(ids) < 1000 {
		t.Errorf("in sight %v", ids)
	}
	w.ScrollTo(9999)
	if !slices.Contains(texts(w), "9999") {
		t.Errorf("the last card is not in sight: %v", texts(w))
	}
	w.ScrollTo(0)
	if !slices.Contains(texts(w), "0") {
		t.Errorf("the first card is not in sight: %v", texts(w))
	}
	w.ScrollTo(10000)
	window.Resize(fyne.NewSize(430, 800))
	if got := len(w.InSight()); got < 4*14 {
		t.Errorf("a larger window shows %d cards", got)
	}
}

func TestWallShrinks(t *testing.T) {
	s := stage.New(t)
	made, filled := 0, 0
	w := numbered(fyne.NewSize(100, 50), &made, &filled)
	s.Window(w, fyne.NewSize(430, 210))
	w.SetCount(1000, true)
	w.ScrollTo(999)
	w.SetCount(3, false)
	if got := texts(w); !slices.Equal(got, []string{"0", "1", "2"}) || w.Count() != 3 {
		t.Errorf("cards %v", got)
	}
	filled = 0
	w.Update()
	if filled != 3 {
		t.Errorf("%d cards were filled anew", filled)
	}
	w.SetCount(0, false)
	if got := texts(w); len(got) != 0 {
		t.Errorf("cards of an empty wall: %v", got)
	}
}

func TestWallBeforeItIsShown(t *testing.T) {
	stage.New(t)
	made, filled := 0, 0
	w := numbered(fyne.NewSize(100, 50), &made, &filled)
	w.SetCount(10, true)
	w.ScrollTo(9)
	if made != 0 || w.Columns() != 1 || w.Rows() != 1 {
		t.Errorf("%d cards without a place", made)
	}
}

func TestWallFollowsTheFontSize(t *testing.T) {
	s := stage.New(t)
	made, filled := 0, 0
	least := fyne.NewSize(100, 50)
	w := numbered(least, &made, &filled)
	w.least = func() fyne.Size { return least }
	s.Window(w, fyne.NewSize(430, 210))
	w.SetCount(100, true)
	least = fyne.NewSize(200, 100)
	w.Refresh()
	if card := w.sheet.Objects[0]; w.Columns() != 2 || card.Size().Height != 100 {
		t.Errorf("%d columns of cards %v", w.Columns(), card.Size())
	}
}

func BenchmarkWallScroll(b *testing.B) {
	s := stage.New(b)
	made, filled := 0, 0
	w := numbered(fyne.NewSize(100, 50), &made, &filled)
	s.Window(w, fyne.NewSize(1100, 400))
	w.SetCount(10000, true)
	step := float32(-37)
	for b.Loop() {
		if w.scroll.Offset.Y > 40000 || w.scroll.Offset.Y < 40 {
			step = -step
		}
		w.scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, step)})
	}
}
