package widget

import (
	"fmt"
	"image"
	"math"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
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

// TestFieldPixels compares the drawn widget with the scale at the middle of every element, the origin at the bottom-left.
func TestFieldPixels(t *testing.T) {
	for _, c := range []struct {
		r             int
		width, height float32
	}{{64, 420, 380}, {31, 200, 200}, {8, 120, 300}, {64, 900, 300}} {
		f := NewField("I1")
		f.SetPicture(fieldOf(c.r))
		f.SetNames("x", "y")
		size := fyne.NewSize(c.width, c.height)
		img := show(t, f, size).Canvas().Capture()
		p := f.Picture()
		if f.area.side != float32(int(f.area.side)) || f.area.side < float32(c.r)*2 {
			t.Errorf("%v: side %v, want whole pixels, two for an element at least", size, f.area.side)
		}
		for b := 1; b < c.r-1; b++ {
			for a := 1; a < c.r-1; a++ { // the frame runs over the outer elements
				x, y := f.area.x+f.area.centre(a, c.r), f.area.y+f.area.side-f.area.centre(b, c.r)
				if got, want := pixel(img, x, y), p.Scale.Color(p.Matrix.At(a, b)); got != want {
					t.Fatalf("%v: element %d, %d is drawn as %v, want %v", size, a, b, got, want)
				}
			}
		}
	}
}

// TestFieldNeverClips tries sizes from the smallest to large screens and axes of any length.
func TestFieldNeverClips(t *testing.T) {
	test.NewTempApp(t)
	rapid.Check(t, func(t *rapid.T) {
		p := fieldOf(rapid.SampledFrom([]int{4, 64}).Draw(t, "R"))
		p.D = rapid.SampledFrom([]float64{1, 1.0345, 0.0123, 1.61, 99, 12345}).Draw(t, "D")
		p.Preview = rapid.Bool().Draw(t, "preview")
		f := NewField(rapid.SampledFrom([]string{"", "I2", "max@HEAD: a long title that has no room"}).Draw(t, "title"))
		f.SetPicture(p)
		f.SetNames("distance of image i", "distance of image j")
		f.SetBar(rapid.Bool().Draw(t, "bar"))
		f.Follow(FieldPoint{A: 1, B: 2, Inside: true})
		size := fyne.NewSize(float32(rapid.IntRange(80, 900).Draw(t, "width")), float32(rapid.IntRange(110, 700).Draw(t, "height")))
		f.Resize(size)
		objects := test.WidgetRenderer(f).Objects()
		if err := checkTexts(objects, size); err != nil {
			t.Error(err)
		}
		if f.area.side <= 0 || f.area.x < 0 || f.area.y < 0 || f.area.x+f.area.side > size.Width || f.area.y+f.area.side > size.Height {
			t.Errorf("square %+v does not lie in %v", f.area, size)
		}
		for _, o := range objects {
			if w, ok := o.(fyne.Widget); ok && (w.Position().X < 0 || w.Position().Y < 0 || w.Position().X+w.Size().Width > size.Width || w.Position().Y+w.Size().Height > size.Height) {
				t.Errorf("%T at %v of %v sticks out of %v", w, w.Position(), w.Size(), size)
			}
		}
		if size.Width >= 200 && size.Height >= 200 && len(f.title) < 3 && len(texts(objects)) < 6 {
			t.Errorf("%d texts in %v, want ticks on each axis", len(texts(objects)), size)
		}
	})
}

func TestFieldsSideBySideAreInLine(t *testing.T) {
	a, b, c := NewField("I1"), NewField(""), NewField("I3")
	a.SetPicture(previewOf(64))
	b.SetPicture(fieldOf(64))
	c.SetPicture(fieldOf(32))
	show(t, container.NewGridWithColumns(3, a, b, c), fyne.NewSize(900, 320))
	if a.area != b.area || b.area != c.area {
		t.Errorf("squares %+v, %+v, %+v", a.area, b.area, c.area)
	}
}

func TestFieldHover(t *testing.T) {
	f, other := NewField("I1"), NewField("I2")
	f.SetPicture(fieldOf(4))
	other.SetPicture(fieldOf(4))
	var got []FieldPoint
	f.OnHover = func(p FieldPoint) { got = append(got, p); other.Follow(p) }
	other.OnHover = func(FieldPoint) { t.Error("who follows must not report") }
	w := show(t, container.NewGridWithColumns(2, f, other), fyne.NewSize(640, 300))
	a := f.area
	cell := a.side / 4
	f.MouseIn(at(a.x+1, a.y+a.side-1)) // bottom-left
	f.MouseMoved(at(a.x+2, a.y+a.side-2))
	f.MouseMoved(at(a.x+2.5*cell, a.y+0.5*cell))
	if c := other.Cursor(); c.A != 2 || c.B != 3 || !c.Inside {
		t.Errorf("the other field shows %+v", c)
	}
	f.MouseMoved(at(a.x-3, a.y)) // over the ticks
	f.MouseMoved(at(a.x+a.side-1, a.y+a.side-1))
	f.MouseOut()
	want := []FieldPoint{{0, 0, true, 0.16, 0.16, 0}, {2, 3, true, 0.8, 1.12, 8.0 / 12}, {}, {3, 0, true, 1.12, 0.16, 3.0 / 12}, {}}
	if fmt.Sprintf("%.6v", got) != fmt.Sprintf("%.6v", want) {
		t.Errorf("got  %.6v\nwant %.6v", got, want)
	}
	if other.Cursor().Inside {
		t.Error("the other field keeps its crosshair")
	}
	test.MoveMouse(w.Canvas(), fyne.NewPos(a.x+1.5*cell, a.y+3.5*cell))
	if c := f.Cursor(); c.A != 1 || c.B != 0 {
		t.Errorf("through the canvas the cursor is at %+v, want 1, 0", c)
	}
}

func TestFieldTapMenuAndKeys(t *testing.T) {
	f := NewField("I1")
	f.SetPicture(fieldOf(5))
	var tapped []FieldPoint
	f.OnTapped = func(p FieldPoint) { tapped = append(tapped, p) }
	w := show(t, f, fyne.NewSize(260, 240))
	test.TapCanvas(w.Canvas(), fyne.NewPos(f.area.x+f.area.side/2, f.area.y+f.area.side-1))
	test.TapCanvas(w.Canvas(), fyne.NewPos(f.area.x+f.area.side/2, f.area.y+f.area.side+3))
	if len(tapped) != 1 || tapped[0].A != 2 || tapped[0].B != 0 {
		t.Errorf("got %+v, want one tap on 2, 0", tapped)
	}
	if w.Canvas().Focused() == f {
		t.Error("a click must not take the focus from the label surface")
	}
	f.Leave()
	w.Canvas().Focus(f)
	for _, step := range []struct {
		key  fyne.KeyName
		a, b int
	}{{fyne.KeyUp, 2, 3}, {fyne.KeyRight, 3, 3}, {fyne.KeyRight, 4, 3}, {fyne.KeyRight, 4, 3}, {fyne.KeyDown, 4, 2}, {fyne.KeyLeft, 3, 2}, {fyne.KeyF1, 3, 2}} {
		f.TypedKey(key(step.key))
		if got := f.Cursor(); got.A != step.a || got.B != step.b || !got.Inside {
			t.Errorf("after %s the cursor is at %+v, want %d, %d", step.key, got, step.a, step.b)
		}
	}
	f.TypedKey(key(fyne.KeyReturn))
	if last := tapped[len(tapped)-1]; len(tapped) != 2 || last.A != 3 || last.B != 2 {
		t.Errorf("Return confirmed %+v", tapped)
	}
	f.TypedKey(key(fyne.KeyEscape))
	if f.Cursor().Inside {
		t.Error("Escape must leave the matrix")
	}
	runes := ""
	f.OnRune = func(r rune) { runes += string(r) }
	f.OnKey = func(ev *fyne.KeyEvent) bool { return ev.Name == fyne.KeyUp }
	test.Type(f, "iv")
	f.TypedKey(key(fyne.KeyUp))
	if runes != "iv" || f.Cursor().Inside {
		t.Errorf("runes %q, cursor %+v: unused and claimed keys must go to the screen", runes, f.Cursor())
	}
	opened := 0
	f.Menu = func() []*fyne.MenuItem { opened++; return []*fyne.MenuItem{fyne.NewMenuItem("Save…", func() {})} }
	f.Refresh()
	test.TapCanvas(w.Canvas(), fyne.NewPos(255, 5))
	w.Canvas().Overlays().Top().Hide()
	f.TappedSecondary(&fyne.PointEvent{Position: fyne.NewPos(50, 50)})
	if opened != 2 {
		t.Errorf("the menu opened %d times, want 2", opened)
	}
}

func TestFieldStates(t *testing.T) {
	f := NewField("I2")
	p := fieldOf(8)
	p.Matrix.Values[0] = math.NaN()
	f.SetPicture(p)
	show(t, f, fyne.NewSize(300, 280))
	reports := 0
	f.OnHover = func(FieldPoint) { reports++ }
	f.point(0, 0)
	f.SetPicture(p)
	if reports != 1 {
		t.Errorf("%d reports of an element without a value, want 1", reports)
	}
	f.point(7, 7)
	f.SetPicture(fieldOf(4))
	if f.Cursor().Inside || reports != 3 {
		t.Errorf("cursor %+v after %d reports: it lies outside the smaller matrix", f.Cursor(), reports)
	}
	said := func() (list []string) {
		for _, text := range texts(allObjects(f)) {
			list = append(list, text.Text)
		}
		return list
	}
	if slices.Contains(said(), "preview") {
		t.Error("an exact matrix is marked as a preview")
	}
	f.SetPicture(previewOf(4))
	if !slices.Contains(said(), "preview") || !slices.Contains(said(), "I2") {
		t.Errorf("a preview says %q", said())
	}
	f.SetPicture(fieldOf(4))
	f.SetTitle("32,4,32")
	if slices.Contains(said(), "preview") || !slices.Contains(said(), "32,4,32") {
		t.Errorf("the exact matrix says %q", said())
	}
	f.SetAbsent("no run")
	f.TypedKey(key(fyne.KeyUp))
	f.MouseMoved(at(150, 150))
	f.Follow(FieldPoint{Inside: true})
	if f.Cursor().Inside || f.Picture().Matrix.R != 0 || !slices.Contains(said(), "no run") {
		t.Errorf("an absent matrix says %q and has no elements to point at", said())
	}
}

func TestFieldHasOneImage(t *testing.T) {
	f := NewField("")
	f.SetPicture(fieldOf(64))
	f.SetBar(false)
	show(t, f, fyne.NewSize(500, 500))
	f.point(3, 4)
	var images []image.Image
	objects := objectsOf(t, f)
	for _, o := range objects {
		if i, ok := o.(*canvas.Image); ok && i.ScaleMode == canvas.ImageScalePixels {
			images = append(images, i.Image)
		}
	}
	if len(images) != 1 || images[0] != image.Image(f.Picture().Image) || len(objects) > 60 {
		t.Errorf("%d images, %d objects", len(images), len(objects))
	}
	if p := NewFieldPicture(scatter.Matrix{R: 2, Values: []float64{-1, 0.2, 0.7, math.NaN()}}, render.FieldScale(0.5, nil), 1); p.Under != 1 || p.Over != 1 || p.Image.Bounds().Dx() != 2 {
		t.Errorf("under %d, over %d", p.Under, p.Over)
	}
}
