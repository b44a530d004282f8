package widget

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/scatter"
)

// fieldOf is a field whose element (a, b) is (a + 2b) / 3r: it tells its axes apart.
func fieldOf(r int) FieldPicture {
	m := scatter.Matrix{R: r, Values: make([]float64, r*r)}
	for e := range m.Values {
		m.Values[e] = float64(e%r+2*(e/r)) / float64(3*r)
	}
	return NewFieldPicture(m, render.FieldScale(1, nil), 1.28)
}

// previewOf is a field marked as a preview.
func previewOf(r int) FieldPicture {
	p := fieldOf(r)
	p.Preview = true
	return p
}

// regionsOf are shares that grow from region to region.
func regionsOf(n int) RegionPicture {
	text := func(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }
	p := RegionPicture{N: n, Scale: render.Scale{High: 1}, Text: text}
	for k := range n * n {
		p.Values = append(p.Values, float64(k)/float64(n*n))
	}
	return p
}

// spotOf is the middle of a cell in the plot.
func spotOf(p *Plot, item int) fyne.Position {
	at, _ := p.spot(item)
	return at
}

func alike(a, b color.RGBA, slack int) bool {
	apart := func(x, y uint8) bool { return max(int(x), int(y))-min(int(x), int(y)) > slack }
	return !apart(a.R, b.R) && !apart(a.G, b.G) && !apart(a.B, b.B)
}

// TestMatrixPixels: the middle of every cell has the colour of its value, where its row and column
// say, in a square of whole pixels.
func TestMatrixPixels(t *testing.T) {
	for _, size := range []fyne.Size{{Width: 60, Height: 60}, {Width: 233, Height: 233}, {Width: 600, Height: 320}} {
		heat, field, regions := NewHeatmap(), NewField(""), NewRegions()
		heat.SetPicture(picture(31))
		field.SetPicture(fieldOf(16))
		three := regionsOf(3)
		three.Text, three.Scale = nil, render.Scale{Low: -1, High: 1} // of a difference
		regions.SetPicture(three)
		for _, p := range []*Plot{&heat.Plot, &field.Plot, &regions.Plot} {
			img := show(t, p.self, size).Canvas().Capture()
			m, a := p.figure.Matrix, p.area
			if a.width != a.height || a.width != whole(a.width) || a.width < 30 {
				t.Errorf("%v: the cells lie in %+v", size, a)
			}
			if float32(m.Rows)*3 > a.width {
				continue // cells of few pixels have no middle to speak of
			}
			for k, v := range m.Values {
				if row, column := k/m.Columns, k%m.Columns; m.Rows > 3 &&
					(min(row, column) == 0 || max(row, column) == m.Rows-1) {
					continue // the frame runs over the outer ones
				}
				at := spotOf(p, k)
				if got, want := pixel(img, at.X, at.Y), m.Colours.Color(v); got != want {
					t.Fatalf("%v: cell %d of %d is %v, want %v", size, k, len(m.Values), got, want)
				}
			}
		}
	}
}

// TestRegionsOverAnImage: every pixel of the image is seen through the cell that it lies in, in the
// proportions of the image.
func TestRegionsOverAnImage(t *testing.T) {
	for _, c := range []struct{ n, width, height int }{{1, 8, 8}, {3, 12, 9}, {4, 8, 16}} {
		under := image.NewGray(image.Rect(0, 0, c.width, c.height))
		for k := range under.Pix {
			under.Pix[k] = uint8((k%c.width + k/c.width) % 2 * 255)
		}
		p := regionsOf(c.n)
		p.Image, p.Text = under, nil
		r := NewRegions()
		r.SetPicture(p)
		img := show(t, r, fyne.NewSize(400, 330)).Canvas().Capture()
		a := r.area
		if got, want := a.width/a.height, float32(c.width)/float32(c.height); math.Abs(float64(got-want)) > 0.02 {
			t.Errorf("%+v: drawn as %+v, which is out of proportion", c, a)
		}
		for k, gray := range under.Pix {
			x := a.left + (float32(k%c.width)+0.4)*a.width/float32(c.width)
			y := a.top + (float32(k/c.width)+0.4)*a.height/float32(c.height)
			v := p.Scale.Color(p.Values[r.at(fyne.NewPos(x, y))])
			mix := func(v uint8) uint8 { return uint8(0.6*float64(v) + 0.4*float64(gray) + 0.5) }
			if got, want := pixel(img, x, y), (color.RGBA{mix(v.R), mix(v.G), mix(v.B), 0xff}); !alike(got, want, 4) {
				t.Fatalf("%+v: pixel %d is %v, want %v", c, k, got, want)
			}
		}
	}
}

// TestMatricesNeverClip tries sizes from the smallest to large screens, axes of any length, numbers
// in cells.
func TestMatricesNeverClip(t *testing.T) {
	test.NewTempApp(t)
	rapid.Check(t, func(t *rapid.T) {
		heat, field, regions := NewHeatmap(),
			NewField(rapid.SampledFrom([]string{"", "max@HEAD: a long title"}).Draw(t, "title")), NewRegions()
		axis := axisOf(2*rapid.IntRange(1, 40).Draw(t, "k")+1, rapid.SampledFrom([]string{"", "°"}).Draw(t, "unit"))
		for i := range axis.Values {
			axis.Values[i] *= rapid.SampledFrom([]float64{1, 0.02, 1000}).Draw(t, "step")
		}
		heat.SetPicture(NewPicture(ramp(len(axis.Values)),
			render.Scale{High: rapid.SampledFrom([]float64{1, 5000, 1e-7}).Draw(t, "high")}, axis))
		p := previewOf(4)
		p.D = rapid.SampledFrom([]float64{1, 1.0345, 0.0123, 99, 12345}).Draw(t, "D")
		field.SetPicture(p)
		field.SetBar(rapid.Bool().Draw(t, "bar"))
		regions.SetPicture(regionsOf(rapid.IntRange(1, 9).Draw(t, "n")))
		size := fyne.NewSize(float32(rapid.IntRange(72, 900).Draw(t, "width")),
			float32(rapid.IntRange(72, 700).Draw(t, "height")))
		for _, p := range []*Plot{&heat.Plot, &field.Plot, &regions.Plot} {
			p.self.Resize(size)
			objects := test.WidgetRenderer(p.self.(fyne.Widget)).Objects()
			if err := checkTexts(objects, size); err != nil {
				t.Error(err)
			}
			if a := p.area; a.width <= 0 || a.left < 0 || a.top < 0 || a.left+a.width > size.Width ||
				a.top+a.height > size.Height {
				t.Errorf("%T: the cells %+v do not lie in %v", p.self, a, size)
			}
		}
		if least := min(size.Width, size.Height); least >= 220 && len(texts(test.WidgetRenderer(heat).Objects())) < 6 {
			t.Errorf("fewer than three ticks on each axis in %v", size)
		}
	})
}

// TestPointerAndLink: the cell under the pointer is reported once, and shown in the linked plots,
// which report nothing, whatever their number of cells.
func TestPointerAndLink(t *testing.T) {
	f, other := NewField("I1"), NewField("I2")
	f.SetPicture(fieldOf(4))
	other.SetPicture(fieldOf(8))
	var link Link
	link.Add(&f.Plot)
	link.Add(&other.Plot)
	var got []FieldPoint
	f.OnHover = func(p FieldPoint) { got = append(got, p) }
	other.OnHover = func(FieldPoint) { t.Error("who follows must not report") }
	w := show(t, container.NewGridWithColumns(2, f, other), fyne.NewSize(640, 300))
	a := f.area
	f.MouseIn(at(a.left+1, a.top+a.height-1)) // bottom-left
	f.MouseMoved(at(a.left+2, a.top+a.height-2))
	f.MouseMoved(at(a.left+0.6*a.width, a.top+0.1*a.height))
	if c := other.Cursor(); c.A != 5 || c.B != 7 || !c.Inside {
		t.Errorf("the other field shows %+v", c)
	}
	if n := len(texts(objectsOf(t, other))); n < 2 || texts(objectsOf(t, other))[n-1].Text == "" {
		t.Error("the other field reads nothing out")
	}
	f.MouseMoved(at(a.left-3, a.top)) // over the ticks
	f.MouseOut()
	want := []FieldPoint{{0, 0, true, 0.16, 0.16, 0}, {2, 3, true, 0.8, 1.12, 8.0 / 12}, {}}
	if fmt.Sprintf("%.6v", got) != fmt.Sprintf("%.6v", want) || other.Cursor().Inside {
		t.Errorf("got %.6v, want %.6v; the other shows %+v", got, want, other.Cursor())
	}
	test.MoveMouse(w.Canvas(), fyne.NewPos(a.left+0.4*a.width, a.top+0.9*a.height))
	if c := f.Cursor(); c.A != 1 || c.B != 0 {
		t.Errorf("through the canvas the cursor is at %+v, want 1, 0", c)
	}
}

// TestMatrixKeys: the arrows begin in the middle or at the one mark, stay inside, and what is not
// used or claimed goes to the screen.
func TestMatrixKeys(t *testing.T) {
	h := NewHeatmap()
	h.SetPicture(picture(5))
	w := show(t, h, fyne.NewSquareSize(200))
	var confirmed Cell
	var moved []Cell
	h.OnTapped, h.OnMoved = func(c Cell) { confirmed = c }, func(c Cell) { moved = append(moved, c) }
	w.Canvas().Focus(h)
	for _, c := range []struct {
		key  fyne.KeyName
		i, j int
	}{
		{fyne.KeyUp, 3, 2},
		{fyne.KeyUp, 4, 2},
		{fyne.KeyUp, 4, 2},
		{fyne.KeyRight, 4, 3},
		{fyne.KeyDown, 3, 3},
		{fyne.KeyF1, 3, 3},
		{fyne.KeyHome, 0, 0},
		{fyne.KeyEnd, 4, 4},
		{fyne.KeyLeft, 4, 3},
	} {
		h.TypedKey(key(c.key))
		if got := h.Cursor(); got.I != c.i || got.J != c.j || !got.Inside {
			t.Errorf("after %s the cursor is at %+v, want %d, %d", c.key, got, c.i, c.j)
		}
	}
	if h.TypedKey(key(fyne.KeyReturn)); confirmed != h.Cursor() || moved[len(moved)-1] != confirmed {
		t.Errorf("Return confirmed %+v, moved %+v", confirmed, moved)
	}
	if h.TypedKey(key(fyne.KeyEscape)); h.Cursor().Inside || moved[len(moved)-1].Inside {
		t.Error("Escape must leave the matrix")
	}
	h.SetMarks([]Mark{{I: 2, J: 3}, {9, 9}})
	if h.TypedKey(key(fyne.KeyLeft)); h.Cursor().I != 2 || h.Cursor().J != 2 {
		t.Errorf("from the mark to the left: %+v", h.Cursor())
	}
	runes := ""
	h.OnRune, h.OnKey = func(r rune) { runes += string(r) }, func(*fyne.KeyEvent) bool { return true }
	test.Type(h, "iv")
	if h.TypedKey(key(fyne.KeyUp)); runes != "iv" || h.Cursor().I != 2 {
		t.Errorf("runes %q, cursor %+v: unused and claimed keys must go to the screen", runes, h.Cursor())
	}
	if w.Canvas().Unfocus(); h.focused || h.Cursor().Inside {
		t.Error("without the keyboard there is no cursor")
	}
	r := NewRegions()
	r.SetPicture(regionsOf(3))
	for _, c := range []struct {
		key  fyne.KeyName
		want int
	}{{fyne.KeyUp, 2}, {fyne.KeyLeft, 1}, {fyne.KeyEnd, 9}, {fyne.KeyDown, 9}, {fyne.KeyHome, 1}, {fyne.KeyDown, 4}} {
		if r.TypedKey(key(c.key)); r.Region() != c.want {
			t.Errorf("after %s region %d, want %d: regions run from the top down", c.key, r.Region(), c.want)
		}
	}
}

// TestMatrixTaps: a click chooses a cell and leaves the keyboard to the screen, but for regions;
// the sign and the other button open the menu.
func TestMatrixTaps(t *testing.T) {
	h, r := NewHeatmap(), NewRegions()
	h.SetPicture(picture(3))
	r.SetPicture(regionsOf(3))
	var tapped []Cell
	chosen, opened := 0, 0
	h.OnTapped, r.OnChosen = func(c Cell) { tapped = append(tapped, c) }, func(region int) { chosen = region }
	r.Menu = func() []*fyne.MenuItem { opened++; return []*fyne.MenuItem{fyne.NewMenuItem("Save…", func() {})} }
	w := show(t, container.NewGridWithColumns(2, h, r), fyne.NewSize(500, 250))
	test.TapCanvas(w.Canvas(), spotOf(&h.Plot, 1))
	test.TapCanvas(w.Canvas(), fyne.NewPos(h.area.left+5, h.area.top+h.area.height+3))
	if len(tapped) != 1 || tapped[0].I != 0 || tapped[0].J != 1 || w.Canvas().Focused() != nil {
		t.Errorf("tapped %+v, the keyboard is with %v", tapped, w.Canvas().Focused())
	}
	test.TapCanvas(w.Canvas(), r.Position().Add(spotOf(&r.Plot, 7)))
	if chosen != 8 || w.Canvas().Focused() != fyne.Focusable(r) {
		t.Errorf("chosen %d, the keyboard is with %v", chosen, w.Canvas().Focused())
	}
	r.Tapped(&fyne.PointEvent{Position: fyne.NewPos(r.Size().Width-5, 5)})
	w.Canvas().Overlays().Top().Hide()
	r.TappedSecondary(&fyne.PointEvent{Position: fyne.NewPos(50, 50)})
	if opened != 2 || r.area.left+r.area.width > r.Size().Width-menuSide {
		t.Errorf("the menu opened %d times; the cells %+v", opened, r.area)
	}
}

// TestMatrixZoomsToWholeCells: the wheel and a rectangle show whole cells in their places, a double
// click all of them; regions stay whole.
func TestMatrixZoomsToWholeCells(t *testing.T) {
	h, r := NewHeatmap(), NewRegions()
	h.SetPicture(picture(31))
	r.SetPicture(regionsOf(3))
	show(t, container.NewGridWithColumns(2, h, r), fyne.NewSize(700, 350))
	h.Scrolled(&fyne.ScrollEvent{
		PointEvent: fyne.PointEvent{Position: spotOf(&h.Plot, 15*31+15)}, Scrolled: fyne.NewDelta(0, 100),
	})
	part := h.Part()
	if !h.Zoomed() || part.X0 != math.Floor(part.X0)+0.5 || part.Y1 != math.Floor(part.Y1)+0.5 || part.X1-part.X0 > 20 {
		t.Fatalf("the wheel shows %+v", part)
	}
	corner := int(part.Y0+0.5)*31 + int(part.X0+0.5)
	if got := h.Plot.at(fyne.NewPos(h.area.left+1, h.area.top+h.area.height-1)); got != corner {
		t.Errorf("cell %d is at the lower left, want %d", got, corner)
	}
	spot := fyne.PointEvent{Position: spotOf(&h.Plot, corner)}
	h.Tapped(&spot)
	h.Tapped(&spot)
	r.Scrolled(&fyne.ScrollEvent{
		PointEvent: fyne.PointEvent{Position: spotOf(&r.Plot, 4)}, Scrolled: fyne.NewDelta(0, 100),
	})
	if h.Zoomed() || r.Zoomed() {
		t.Error("a double click shows all, and regions stay whole")
	}
}

// TestMatrixChanges: the cursor stays while the matrix is the same, marks while they fit, and an
// absent one says why, at every size.
func TestMatrixChanges(t *testing.T) {
	h := NewHeatmap()
	h.SetPicture(picture(5))
	show(t, h, fyne.NewSquareSize(200))
	h.MouseMoved(at(spotOf(&h.Plot, 24).X, spotOf(&h.Plot, 24).Y))
	reports := 0
	h.OnHover = func(Cell) { reports++ }
	h.SetMarks([]Mark{{1, 2}})
	h.SetPicture(picture(5))
	if !h.Cursor().Inside || reports != 0 || len(h.marked) != 1 {
		t.Error("the same picture is no news")
	}
	other := picture(5)
	other.Matrix.Data = slices.Clone(other.Matrix.Data)
	other.Matrix.Data[3] = math.NaN()
	h.SetPicture(other)
	if h.Cursor().Inside || reports != 1 || len(h.marked) != 1 {
		t.Error("what was read out of other values must go, marks stay")
	}
	for _, size := range []float32{72, 120, 300} {
		f := NewField("")
		f.SetAbsent("no second convolution")
		f.Resize(fyne.NewSquareSize(size))
		f.TypedKey(key(fyne.KeyUp))
		f.MouseMoved(at(size/2, size/2))
		objects, words := objectsOf(t, f), ""
		for _, text := range texts(objects) {
			words += text.Text + " "
		}
		if err := checkTexts(objects, fyne.NewSquareSize(size)); err != nil || words != "no second convolution " ||
			f.Cursor().Inside {
			t.Errorf("size %v: %q, cursor %+v (%v)", size, words, f.Cursor(), err)
		}
	}
}

func BenchmarkHeatmapHover(b *testing.B) {
	h := NewHeatmap()
	h.SetPicture(picture(31))
	show(b, h, fyne.NewSquareSize(300))
	k := 0
	for b.Loop() {
		k++
		h.Plot.point(k%961, math.NaN())
	}
}
