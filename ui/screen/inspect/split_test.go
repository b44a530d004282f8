package inspect

import (
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"
)

// Both objects keep their least height wherever the bar was dragged to, and nothing lies outside or twice.
func TestSplitKeepsBothVisible(t *testing.T) {
	test.NewTempApp(t)
	rapid.Check(t, func(t *rapid.T) {
		upper, lower := canvas.NewRectangle(color.Black), canvas.NewRectangle(color.White)
		best := rapid.Float32Range(0, 900).Draw(t, "best")
		s := newSplit(upper, lower, func(float32) float32 { return best }, 190)
		var kept []float32
		s.moved = func(share float32) { kept = append(kept, share) }
		size := fyne.NewSize(800, rapid.Float32Range(leastUpper+barHeight+190, 1200).Draw(t, "height"))
		s.box.Resize(size)
		for range rapid.IntRange(0, 5).Draw(t, "drags") {
			s.bar.Dragged(&fyne.DragEvent{Dragged: fyne.Delta{DY: rapid.Float32Range(-700, 700).Draw(t, "by")}})
		}
		s.bar.DragEnd()
		if upper.Size().Height < leastUpper-0.01 || lower.Size().Height < 190-0.01 {
			t.Fatalf("heights %v and %v of %v", upper.Size().Height, lower.Size().Height, size.Height)
		}
		if got := upper.Size().Height + s.bar.Size().Height + lower.Size().Height; got < size.Height-0.1 || got > size.Height+0.1 {
			t.Fatalf("heights sum to %v of %v", got, size.Height)
		}
		if len(kept) != 1 || kept[0] != s.share {
			t.Fatalf("kept %v", kept)
		}
	})
}

func TestSplitBar(t *testing.T) {
	test.NewTempApp(t)
	s := newSplit(canvas.NewRectangle(color.Black), canvas.NewRectangle(color.White), func(float32) float32 { return 200 }, 100)
	s.box.Resize(fyne.NewSize(400, 500))
	if s.bar.MouseIn(nil); !s.bar.over.Visible() || s.bar.Size().Height != barHeight {
		t.Error("the grip does not answer the pointer")
	}
	s.set(0.6)
	if s.bar.DoubleTapped(nil); s.share != 0 || s.upper.Size().Height != 200 {
		t.Error("a double click divides by itself")
	}
	if s.showUpper(false); s.lower.Size().Height != 500 || s.box.MinSize().Height != leastUpper+barHeight+100 {
		t.Errorf("alone the lower one has %v", s.lower.Size().Height)
	}
}
