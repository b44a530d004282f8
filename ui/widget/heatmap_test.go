package widget

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/render"
)

// TestHeatmapPixels compares the drawn widget with render.Raster at the middle of every element.
func TestHeatmapPixels(t *testing.T) {
	for _, size := range []float32{80, 120, 233, 300, 600} {
		h := NewHeatmap()
		h.SetPicture(picture(31))
		img := show(t, h, fyne.NewSquareSize(size)).Canvas().Capture()
		p := h.Picture()
		if h.area.side != float32(int(h.area.side)) || h.area.side < 30 {
			t.Errorf("size %v: side %v, want whole pixels", size, h.area.side)
		}
		if h.area.side < 62 {
			continue // elements of one pixel have no middle to speak of
		}
		for i := range 31 {
			for j := range 31 {
				x, y := h.area.x+h.area.centre(j, 31), h.area.y+h.area.side-h.area.centre(i, 31)
				if i == 0 || j == 0 || i == 30 || j == 30 {
					continue // the frame runs over the outer elements
				}
				if got, want := pixel(img, x, y), p.Scale.Color(p.Matrix.At(i, j)); got != want {
					t.Fatalf("size %v: element %d,%d is drawn as %v, want %v", size, i, j, got, want)
				}
			}
		}
	}
}

// TestAxesNeverClip tries sizes from the smallest to large screens with short, long and fractional values.
func TestAxesNeverClip(t *testing.T) {
	test.NewTempApp(t)
	rapid.Check(t, func(t *rapid.T) {
		n := 2*rapid.IntRange(1, 40).Draw(t, "k") + 1
		axis := axisOf(n, rapid.SampledFrom([]string{"", "°", "×"}).Draw(t, "unit"))
		step := rapid.SampledFrom([]float64{1, 0.02, 0.125, 1000}).Draw(t, "step")
		for i := range axis.Values {
			axis.Values[i] *= step
		}
		h := NewHeatmap()
		h.SetPicture(NewPicture(ramp(n), render.Scale{High: 1}, axis))
		size := fyne.NewSize(float32(rapid.IntRange(72, 900).Draw(t, "width")), float32(rapid.IntRange(72, 700).Draw(t, "height")))
		h.Resize(size)
		objects := test.WidgetRenderer(h).Objects()
		if err := checkTexts(objects, size); err != nil {
			t.Error(err)
		}
		if h.area.side <= 0 || h.area.x < 0 || h.area.y < 0 || h.area.x+h.area.side > size.Width || h.area.y+h.area.side > size.Height {
			t.Errorf("square %+v does not lie in %v", h.area, size)
		}
		if size.Width >= 150 && size.Height >= 150 && step == 1 && len(texts(objects)) < 6 {
			t.Errorf("%d texts in %v, want three ticks on each axis", len(texts(objects)), size)
		}
	})
}

func TestHeatmapHover(t *testing.T) {
	h := NewHeatmap()
	h.SetPicture(picture(5))
	var got []Cell
	h.OnHover = func(c Cell) { got = append(got, c) }
	w := show(t, h, fyne.NewSquareSize(300))
	a := h.area
	cell := a.side / 5
	h.MouseIn(at(a.x+1, a.y+a.side-1)) // bottom-left
	h.MouseMoved(at(a.x+2, a.y+a.side-2))
	h.MouseMoved(at(a.x+a.side-1, a.y+1)) // top-right
	h.MouseMoved(at(a.x+2.5*cell, a.y+0.5*cell))
	h.MouseMoved(at(a.x-3, a.y)) // over the ticks
	h.MouseMoved(at(a.x+1, a.y+1))
	h.MouseOut()
	want := []Cell{{0, 0, true, 0}, {4, 4, true, 24.0 / 25}, {4, 2, true, 22.0 / 25}, {}, {4, 0, true, 20.0 / 25}, {}}
	if len(got) != len(want) {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	for k := range want {
		if got[k] != want[k] {
			t.Errorf("report %d is %+v, want %+v", k, got[k], want[k])
		}
	}
	test.MoveMouse(w.Canvas(), fyne.NewPos(a.x+1.5*cell, a.y+3.5*cell))
	if c := h.Cursor(); c.I != 1 || c.J != 1 {
		t.Errorf("through the canvas the cursor is at %+v, want 1, 1", c)
	}
}

func TestHeatmapTap(t *testing.T) {
	h := NewHeatmap()
	h.SetPicture(picture(3))
	var got []Cell
	h.OnTapped = func(c Cell) { got = append(got, c) }
	w := show(t, h, fyne.NewSquareSize(200))
	test.TapCanvas(w.Canvas(), fyne.NewPos(h.area.x+h.area.side/2, h.area.y+h.area.side-1))
	test.TapCanvas(w.Canvas(), fyne.NewPos(h.area.x+h.area.side/2, h.area.y+h.area.side+3))
	if len(got) != 1 || got[0].I != 0 || got[0].J != 1 {
		t.Errorf("got %+v, want one tap on 0, 1", got)
	}
	if w.Canvas().Focused() == h {
		t.Error("a click must not take the focus from the label surface")
	}
}

func TestHeatmapKeys(t *testing.T) {
	h := NewHeatmap()
	h.SetPicture(picture(5))
	w := show(t, h, fyne.NewSquareSize(200))
	var confirmed Cell
	h.OnTapped = func(c Cell) { confirmed = c }
	w.Canvas().Focus(h)
	for _, c := range []struct {
		key  fyne.KeyName
		i, j int
	}{
		{fyne.KeyUp, 3, 2}, // the cursor starts in the middle
		{fyne.KeyUp, 4, 2},
		{fyne.KeyUp, 4, 2},
		{fyne.KeyRight, 4, 3},
		{fyne.KeyDown, 3, 3},
		{fyne.KeyLeft, 3, 2},
		{fyne.KeyF1, 3, 2},
	} {
		h.TypedKey(key(c.key))
		if got := h.Cursor(); got.I != c.i || got.J != c.j || !got.Inside {
			t.Errorf("after %s the cursor is at %+v, want %d, %d", c.key, got, c.i, c.j)
		}
	}
	h.TypedKey(key(fyne.KeyReturn))
	if confirmed.I != 3 || confirmed.J != 2 {
		t.Errorf("Return confirmed %+v", confirmed)
	}
	h.TypedKey(key(fyne.KeyEscape))
	if h.Cursor().Inside {
		t.Error("Escape must leave the matrix")
	}
	runes := ""
	h.OnRune = func(r rune) { runes += string(r) }
	h.OnKey = func(ev *fyne.KeyEvent) bool { return ev.Name == fyne.KeyUp }
	test.Type(h, "iv")
	h.TypedKey(key(fyne.KeyUp))
	if runes != "iv" || h.Cursor().Inside {
		t.Errorf("runes %q, cursor %+v: unused and claimed keys must go to the screen", runes, h.Cursor())
	}
	w.Canvas().Unfocus()
	if h.focused {
		t.Error("the focus was not given back")
	}
}

func TestHeatmapKeepsCursorWherePossible(t *testing.T) {
	h := NewHeatmap()
	h.SetPicture(picture(5))
	show(t, h, fyne.NewSquareSize(200))
	h.point(4, 4)
	reports := 0
	h.OnHover = func(Cell) { reports++ }
	h.SetPicture(picture(5))
	if !h.Cursor().Inside || reports != 0 {
		t.Error("the same picture is no news")
	}
	h.SetPicture(NewPicture(ramp(5), render.Scale{High: 2}, axisOf(5, "")))
	if h.Cursor().Inside || reports != 1 {
		t.Error("what was read out under another range must go")
	}
	h.SetAbsent("gone")
	h.TypedKey(key(fyne.KeyUp))
	h.MouseMoved(at(100, 100))
	if h.Cursor().Inside || h.Picture().Matrix.N != 0 {
		t.Error("an absent matrix has no elements to point at")
	}
}

func TestHeatmapMarks(t *testing.T) {
	h := NewHeatmap()
	h.SetPicture(picture(5))
	show(t, h, fyne.NewSquareSize(300))
	before := len(objectsOf(t, h))
	marks := []Mark{{1, 2}, {-1, 3}, {4, -1}, {9, 9}}
	h.SetMarks(marks)
	if got := len(objectsOf(t, h)) - before; got != 3 {
		t.Errorf("%d marks drawn, want 3 (the last one lies outside)", got)
	}
	marks[0] = Mark{0, 0}
	if h.marks[0] != (Mark{1, 2}) {
		t.Error("the caller's slice is used")
	}
	pos, size := h.area.box(Mark{1, 2}, 5)
	cell := h.area.side / 5
	if pos != fyne.NewPos(h.area.x+2*cell, h.area.y+3*cell) || size != fyne.NewSquareSize(cell) {
		t.Errorf("mark 1, 2 is at %v of size %v", pos, size)
	}
	if _, size := h.area.box(Mark{-1, 0}, 5); size != fyne.NewSize(cell, h.area.side) {
		t.Errorf("a column is %v", size)
	}
}

func TestAbsentReasonIsReadable(t *testing.T) {
	test.NewTempApp(t)
	for _, size := range []float32{72, 120, 300} {
		h := NewHeatmap()
		h.SetAbsent("no second convolution")
		h.Resize(fyne.NewSquareSize(size))
		objects := test.WidgetRenderer(h).Objects()
		if err := checkTexts(objects, fyne.NewSquareSize(size)); err != nil {
			t.Error(err)
		}
		words := ""
		for _, text := range texts(objects) {
			words += text.Text + " "
		}
		if words != "no second convolution " {
			t.Errorf("size %v: the reason reads %q", size, words)
		}
	}
}

func TestCellUnderPosition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		s := square{float32(rapid.IntRange(0, 50).Draw(t, "x")), 7, float32(rapid.IntRange(61, 700).Draw(t, "side"))}
		i, j := rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(0, n-1).Draw(t, "j")
		gi, gj, ok := s.cell(fyne.NewPos(s.x+s.centre(j, n), s.y+s.side-s.centre(i, n)), n)
		if !ok || gi != i || gj != j {
			t.Errorf("middle of %d,%d is in %d,%d (%v)", i, j, gi, gj, ok)
		}
	})
	for _, pos := range []fyne.Position{{X: -1, Y: 5}, {X: 5, Y: -1}, {X: 10, Y: 5}, {X: 5, Y: 10}} {
		if _, _, ok := (square{0, 0, 10}).cell(pos, 3); ok {
			t.Errorf("%v lies outside", pos)
		}
	}
	if _, _, ok := (square{}).cell(fyne.Position{}, 0); ok {
		t.Error("an empty square has no elements")
	}
}

func TestPictureCountsOutside(t *testing.T) {
	p := NewPicture(ramp(2), render.Scale{Low: 0.1, High: 0.3}, axisOf(2, ""))
	if p.Under != 1 || p.Over != 2 || p.Image.Bounds().Dx() != 2 {
		t.Errorf("under %d, over %d", p.Under, p.Over)
	}
}

func TestFaded(t *testing.T) {
	for _, c := range []struct {
		share float64
		want  color.Color
	}{
		{0.5, color.NRGBA{200, 100, 50, 128}},
		{2, color.NRGBA{200, 100, 50, 255}},
		{-1, color.NRGBA{200, 100, 50, 0}},
		{math.NaN(), nil},
	} {
		got := faded(color.NRGBA{200, 100, 50, 255}, c.share)
		if c.want != nil && got != c.want {
			t.Errorf("share %v: got %v, want %v", c.share, got, c.want)
		}
	}
	if faded(color.Transparent, 1) != color.Transparent {
		t.Error("transparent stays transparent")
	}
}

func BenchmarkHeatmapHover(b *testing.B) {
	h := NewHeatmap()
	h.SetPicture(picture(31))
	show(b, h, fyne.NewSquareSize(300))
	k := 0
	for b.Loop() {
		k++
		h.point(k%31, k/31%31)
	}
}

// The arrow keys go on from the cursor, else from the one mark, and report where they have moved to.
func TestHeatmapReportsMoves(t *testing.T) {
	h := NewHeatmap()
	h.SetPicture(picture(9))
	show(t, h, fyne.NewSquareSize(300))
	var moved []Cell
	h.OnMoved = func(c Cell) { moved = append(moved, c) }
	press := func(k fyne.KeyName) Cell {
		h.TypedKey(&fyne.KeyEvent{Name: k})
		return moved[len(moved)-1]
	}
	if c := press(fyne.KeyUp); c.I != 5 || c.J != 4 || !c.Inside {
		t.Errorf("from the middle up: %+v", c)
	}
	if c := press(fyne.KeyEscape); c.Inside {
		t.Errorf("escape: %+v", c)
	}
	h.SetMarks([]Mark{{I: 2, J: 7}})
	if c := press(fyne.KeyLeft); c.I != 2 || c.J != 6 {
		t.Errorf("from the mark to the left: %+v", c)
	}
	n := len(moved)
	h.MouseOut()
	if h.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}); len(moved) != n {
		t.Error("the pointer and Return do not move")
	}
}

// TestHeatmapReportsNaNOnce: a pointer that stays on one element reports it once, also where it is no number.
func TestHeatmapReportsNaNOnce(t *testing.T) {
	h := NewHeatmap()
	p := picture(3)
	p.Matrix.Data[4] = math.NaN()
	h.SetPicture(p)
	reports := 0
	h.OnHover = func(Cell) { reports++ }
	show(t, h, fyne.NewSize(200, 200))
	for range 3 {
		h.point(1, 1)
	}
	if reports != 1 {
		t.Errorf("%d reports", reports)
	}
}
