package inspect

import (
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"
)

// Both objects keep their least width wherever the bar was dragged to, and nothing lies outside or
// twice.
func TestSplitKeepsBothVisible(t *testing.T) {
	test.NewTempApp(t)
	rapid.Check(t, func(t *rapid.T) {
		left, right := canvas.NewRectangle(color.Black), canvas.NewRectangle(color.White)
		best := rapid.Float32Range(0, 900).Draw(t, "best")
		s := newSplit(left, right, func(fyne.Size) float32 { return best }, 190)
		var kept []float32
		s.moved = func(share float32) { kept = append(kept, share) }
		size := fyne.NewSize(rapid.Float32Range(leastLeft+barWidth+190, 1200).Draw(t, "width"), 800)
		s.box.Resize(size)
		for range rapid.IntRange(0, 5).Draw(t, "drags") {
			s.bar.Dragged(&fyne.DragEvent{Dragged: fyne.Delta{DX: rapid.Float32Range(-700, 700).Draw(t, "by")}})
		}
		s.bar.DragEnd()
		if left.Size().Width < leastLeft-0.01 || right.Size().Width < 190-0.01 {
			t.Fatalf("widths %v and %v of %v", left.Size().Width, right.Size().Width, size.Width)
		}
		if got := left.Size().Width + s.bar.Size().Width + right.Size().Width; got < size.Width-0.1 ||
			got > size.Width+0.1 {
			t.Fatalf("widths sum to %v of %v", got, size.Width)
		}
		if len(kept) != 1 || kept[0] != s.share {
			t.Fatalf("kept %v", kept)
		}
	})
}

func TestSplitBar(t *testing.T) {
	test.NewTempApp(t)
	s := newSplit(canvas.NewRectangle(color.Black), canvas.NewRectangle(color.White),
		func(fyne.Size) float32 { return 200 }, 100)
	s.box.Resize(fyne.NewSize(500, 400))
	if s.bar.MouseIn(nil); !s.bar.over.Visible() || s.bar.Size().Width != barWidth {
		t.Error("the grip does not answer the pointer")
	}
	s.set(0.6)
	if s.bar.DoubleTapped(nil); s.share != 0 || s.left.Size().Width != 200 {
		t.Error("a double click divides by itself")
	}
	if least := s.box.MinSize().Width; least != leastLeft+barWidth+100 {
		t.Errorf("both need %v", least)
	}
	if s.showLeft(false); s.right.Size().Width != 500 || s.box.MinSize().Width != 100 {
		t.Errorf("alone the right one has %v", s.right.Size().Width)
	}
}
