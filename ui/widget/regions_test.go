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
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/render"
)

// checked is an image of black and white squares, one pixel each.
func checked(width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.Set(x, y, color.Gray{Y: uint8((x + y) % 2 * 255)})
		}
	}
	return img
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

// over is what a cell of a value looks like over a gray of 0 or 255.
func over(s render.Scale, value float64, gray int) color.RGBA {
	c := s.Color(value)
	blend := func(v uint8) uint8 {
		return uint8(math.Round(render.RegionOpacity*float64(v) + (1-render.RegionOpacity)*float64(gray)))
	}
	return color.RGBA{blend(c.R), blend(c.G), blend(c.B), 0xff}
}

func alike(a, b color.RGBA, slack int) bool {
	apart := func(x, y uint8) bool { return max(int(x), int(y))-min(int(x), int(y)) > slack }
	return !apart(a.R, b.R) && !apart(a.G, b.G) && !apart(a.B, b.B)
}

// Every pixel of the image is seen through the cell that it lies in, and the cell's colour can be told.
func TestRegionsPixels(t *testing.T) {
	for _, c := range []struct{ n, width, height int }{{1, 8, 8}, {2, 8, 8}, {3, 12, 9}, {4, 8, 16}, {5, 10, 10}} {
		p := regionsOf(c.n)
		p.Image, p.Text = checked(c.width, c.height), nil
		r := NewRegions()
		r.SetPicture(p)
		img := show(t, r, fyne.NewSize(400, 330)).Canvas().Capture()
		if got, want := r.area.width/r.area.height, float32(c.width)/float32(c.height); math.Abs(float64(got-want)) > 0.01 {
			t.Errorf("%+v: drawn as %v, which is no longer in proportion", c, r.area)
		}
		wide, high := r.area.width/float32(c.width), r.area.height/float32(c.height)
		for y := range c.height {
			for x := range c.width {
				px, py := r.area.x+(float32(x)+0.3)*wide, r.area.y+(float32(y)+0.3)*high // beside the lines between cells
				region := r.area.region(fyne.NewPos(px, py), c.n)
				want := over(p.Scale, p.Values[region-1], (x+y)%2*255)
				if got := pixel(img, px, py); !alike(got, want, 3) {
					t.Fatalf("%+v: pixel %d,%d in region %d is %v, want %v", c, x, y, region, got, want)
				}
			}
		}
	}
}

// Without an image the colours are those of the scale, in a square.
func TestRegionsWithoutAnImage(t *testing.T) {
	r := NewRegions()
	p := regionsOf(3)
	p.Text, p.Scale = nil, render.Scale{Low: -1, High: 1} // of a difference
	r.SetPicture(p)
	img := show(t, r, fyne.NewSize(300, 200)).Canvas().Capture()
	if r.area.width != r.area.height {
		t.Errorf("no square: %+v", r.area)
	}
	for region := 1; region <= 9; region++ {
		cell := r.area.cell(region, 3)
		want := render.Scale{Low: -1, High: 1, Map: &render.Diverging}.Color(p.Values[region-1])
		if got := pixel(img, cell.x+cell.width/2, cell.y+cell.height/2); got != want {
			t.Errorf("region %d is %v, want %v", region, got, want)
		}
	}
}

func TestRegionsUnderThePointer(t *testing.T) {
	r := NewRegions()
	p := regionsOf(3)
	p.Image = checked(30, 20)
	r.SetPicture(p)
	var hovered, chosen []int
	r.OnHover, r.OnChosen = func(k int) { hovered = append(hovered, k) }, func(k int) { chosen = append(chosen, k) }
	w := show(t, r, fyne.NewSize(320, 320))
	a := r.area
	middle := func(region int) fyne.Position {
		c := a.cell(region, 3)
		return fyne.NewPos(c.x+c.width/2, c.y+c.height/2)
	}
	for region := 1; region <= 9; region++ {
		test.MoveMouse(w.Canvas(), middle(region))
	}
	r.MouseMoved(at(middle(9).X+1, middle(9).Y+1))
	r.MouseMoved(at(a.x+5, a.y-2))
	r.MouseIn(at(a.x+1, a.y+1))
	r.MouseOut()
	if want := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 0}; !slices.Equal(hovered, want) {
		t.Errorf("hovered %v, want %v", hovered, want)
	}
	test.TapCanvas(w.Canvas(), middle(8))
	test.TapCanvas(w.Canvas(), fyne.NewPos(a.x+5, a.y-5))
	if !slices.Equal(chosen, []int{8}) || w.Canvas().Focused() != fyne.Focusable(r) {
		t.Errorf("chosen %v, the keyboard is with %v", chosen, w.Canvas().Focused())
	}
}

func TestRegionsKeys(t *testing.T) {
	r := NewRegions()
	r.SetPicture(regionsOf(3))
	w := show(t, r, fyne.NewSquareSize(200))
	chosen, runes := 0, ""
	r.OnChosen, r.OnRune = func(k int) { chosen = k }, func(char rune) { runes += string(char) }
	w.Canvas().Focus(r)
	for _, c := range []struct {
		key  fyne.KeyName
		want int
	}{
		{fyne.KeyReturn, 0},
		{fyne.KeyUp, 5}, // the first arrow shows the cursor in the middle
		{fyne.KeyUp, 2},
		{fyne.KeyUp, 2},
		{fyne.KeyLeft, 1},
		{fyne.KeyLeft, 1},
		{fyne.KeyEnd, 9},
		{fyne.KeyRight, 9},
		{fyne.KeyDown, 9},
		{fyne.KeyHome, 1},
		{fyne.KeyDown, 4},
		{fyne.KeyF1, 4},
		{fyne.KeyRight, 5},
		{fyne.KeyEscape, 0},
		{fyne.KeyEnd, 9},
	} {
		r.TypedKey(key(c.key))
		if r.Region() != c.want {
			t.Errorf("after %s region %d, want %d", c.key, r.Region(), c.want)
		}
	}
	if r.TypedKey(key(fyne.KeyEnter)); chosen != 9 {
		t.Errorf("Enter chose %d", chosen)
	}
	r.TypedKey(key(fyne.KeyEscape))
	r.SetMarked([]int{3})
	r.TypedKey(key(fyne.KeyLeft))
	if r.Region() != 3 {
		t.Errorf("beside the cursor the arrows begin at %d, want the marked region 3", r.Region())
	}
	r.OnKey = func(*fyne.KeyEvent) bool { return true }
	r.TypedKey(key(fyne.KeyLeft))
	if typeTo(w.Canvas(), "iv"); r.Region() != 3 || runes != "iv" {
		t.Errorf("region %d, runes %q: claimed keys belong to the screen", r.Region(), runes)
	}
	w.Canvas().Unfocus()
	if r.focused || r.Region() != 0 {
		t.Error("without the keyboard there is no cursor")
	}
}

// What is marked and where the cursor is stays as long as it fits.
func TestRegionsChangeTheirPicture(t *testing.T) {
	r := NewRegions()
	show(t, r, fyne.NewSquareSize(240))
	r.SetPicture(regionsOf(4))
	plain := len(objectsOf(t, r))
	marks := []int{1, 12, 0, 17}
	r.SetMarked(marks)
	if got := len(objectsOf(t, r)) - plain; got != 4 {
		t.Errorf("%d outlines for two regions inside, want 4", got)
	}
	marks[0] = 2
	if r.marked[0] != 1 {
		t.Error("the caller's slice is used")
	}
	r.point(12)
	left := 0
	r.OnHover = func(region int) { left = region + 100 }
	r.SetPicture(regionsOf(4))
	if r.Region() != 12 || left != 0 {
		t.Errorf("region %d: the cursor fits still", r.Region())
	}
	r.SetPicture(regionsOf(3))
	if r.Region() != 0 || left != 100 {
		t.Errorf("region %d, told %d: the cursor lies outside", r.Region(), left)
	}
	r.SetPicture(RegionPicture{Absent: "no model is chosen"})
	r.TypedKey(key(fyne.KeyUp))
	r.MouseMoved(at(100, 100))
	if r.Region() != 0 {
		t.Error("nothing has no regions")
	}
	said := ""
	for _, text := range texts(objectsOf(t, r)) {
		said += text.Text + " "
	}
	if said != "no model is chosen " {
		t.Errorf("absent regions say %q", said)
	}
}

// A region without a value is hatched and has no number.
func TestRegionsWithoutAValue(t *testing.T) {
	r := NewRegions()
	show(t, r, fyne.NewSquareSize(300))
	p := regionsOf(2)
	p.Values = []float64{0.5, math.NaN(), 0.25}
	p.Image = checked(4, 4)
	r.SetPicture(p)
	var numbers []string
	for _, text := range texts(objectsOf(t, r)) {
		numbers = append(numbers, text.Text)
	}
	if !slices.Equal(numbers, []string{"0.50", "0.25"}) {
		t.Errorf("numbers %v", numbers)
	}
	hatched := map[int]int{}
	for _, o := range objectsOf(t, r) {
		if line, ok := o.(*canvas.Line); ok && line.Position1.X != line.Position2.X && line.Position1.Y != line.Position2.Y {
			mid := fyne.NewPos((line.Position1.X+line.Position2.X)/2, (line.Position1.Y+line.Position2.Y)/2)
			hatched[r.area.region(mid, 2)]++
		}
	}
	if hatched[2] < 5 || hatched[4] < 5 || len(hatched) != 2 {
		t.Errorf("diagonals by region: %v, want them in 2 and 4", hatched)
	}
}

// Numbers lie inside of their cells or are left out, whatever the size.
func TestRegionsNumbersFit(t *testing.T) {
	test.NewTempApp(t)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 16).Draw(t, "n")
		r := NewRegions()
		p := regionsOf(n)
		if rapid.Bool().Draw(t, "image") {
			p.Image = checked(rapid.IntRange(1, 60).Draw(t, "across"), rapid.IntRange(1, 60).Draw(t, "down"))
		}
		r.SetPicture(p)
		if rapid.Bool().Draw(t, "menu") {
			r.Menu = func() []*fyne.MenuItem { return nil }
		}
		size := fyne.NewSize(float32(rapid.IntRange(1, 900).Draw(t, "width")), float32(rapid.IntRange(1, 700).Draw(t, "height")))
		r.Resize(size)
		list := texts(test.WidgetRenderer(r).Objects())
		if len(list) != 0 && len(list) != n*n {
			t.Errorf("%d of %d numbers", len(list), n*n)
		}
		for k, text := range list {
			cell := r.area.cell(k+1, n)
			from, to := text.Position(), text.Position().Add(text.MinSize())
			if from.X < cell.x || from.Y < cell.y || to.X > cell.x+cell.width || to.Y > cell.y+cell.height {
				t.Errorf("%q from %v to %v is not inside of %+v", text.Text, from, to, cell)
			}
		}
		a := r.area
		if a.x < 0 || a.y < 0 || a.x+a.width > size.Width || a.y+a.height > size.Height {
			t.Errorf("%+v is not inside of %v", a, size)
		}
		if min(size.Width, size.Height) >= 300 && n <= 3 && p.Image == nil && len(list) == 0 {
			t.Errorf("no numbers in %v", size)
		}
	})
}

// The focus ring, marks and hatching have the theme's colours.
func TestRegionsFollowTheTheme(t *testing.T) {
	r := NewRegions()
	p := regionsOf(3)
	p.Values[4] = math.NaN()
	r.SetPicture(p)
	w := show(t, container.NewStack(r), fyne.NewSquareSize(240))
	w.Canvas().Focus(r)
	r.SetMarked([]int{2})
	for _, look := range []variant{darkTheme, lightTheme} {
		test.ApplyTheme(t, look)
		found := map[string]bool{}
		for _, o := range objectsOf(t, r) {
			if frame, ok := o.(*canvas.Rectangle); ok {
				found[fmt.Sprint(frame.StrokeColor, frame.StrokeWidth)] = true
			}
		}
		primary := look.Color(theme.ColorNamePrimary, 0)
		for _, width := range []float32{2, 3} { // the ring, the mark
			if !found[fmt.Sprint(primary, width)] {
				t.Errorf("no frame of %v, width %v: %v", primary, width, found)
			}
		}
	}
}

func TestRegionsAreDrawnTheSameAgain(t *testing.T) {
	r := NewRegions()
	p := regionsOf(3)
	p.Image, p.Values[8] = checked(28, 28), math.NaN()
	r.SetPicture(p)
	w := show(t, container.NewStack(r), fyne.NewSquareSize(240))
	before := w.Canvas().Capture()
	r.point(4)
	r.leave()
	after := w.Canvas().Capture()
	for y := range 240 {
		for x := range 240 {
			if before.At(x, y) != after.At(x, y) {
				t.Fatalf("pixel %d,%d changed from %v to %v", x, y, before.At(x, y), after.At(x, y))
			}
		}
	}
}

func TestRegionsMenu(t *testing.T) {
	r := NewRegions()
	r.SetPicture(regionsOf(2))
	w := show(t, r, fyne.NewSquareSize(200))
	opened := 0
	r.Menu = func() []*fyne.MenuItem { opened++; return []*fyne.MenuItem{fyne.NewMenuItem("Save", nil)} }
	r.Refresh()
	r.Tapped(&fyne.PointEvent{Position: fyne.NewPos(195, 5)})
	r.TappedSecondary(&fyne.PointEvent{Position: fyne.NewPos(50, 50)})
	if opened != 2 || r.Region() != 0 || w.Canvas().Overlays().Top() == nil {
		t.Errorf("the menu was opened %d times, region %d", opened, r.Region())
	}
	if r.area.x+r.area.width > 200-menuSide {
		t.Error("the menu's sign lies on the regions")
	}
}
