package widget

import (
	"image"
	"math"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"
)

func labelGroups() []Group {
	return []Group{{"invariant", LookInvariant}, {"borderline", LookBorderline}, {"variant", LookVariant}, {"unlabelled", LookNone}}
}

// corners are four points in the corners and one in the middle, and one that cannot be drawn.
func corners() ScatterData {
	return ScatterData{
		XName: "svm", YName: "robust accuracy", Groups: labelGroups(), Empty: "nothing",
		Points: []ScatterPoint{
			{X: 0, Y: 0, Group: 0, Name: "m0"}, {X: 1, Y: 0, Group: 1, Name: "m1"}, {X: 0, Y: 1, Group: 2, Name: "m2"}, {X: 1, Y: 1, Group: 3, Name: "m3"}, {X: 0.5, Y: 0.5, Group: 2, Name: "m4"}, {X: math.NaN(), Y: 0.5, Group: 0, Name: "m5"},
		},
	}
}

func shownScatter(t *testing.T) (*Scatter, fyne.Window) {
	t.Helper()
	s := NewScatter()
	w := show(t, s, fyne.NewSize(500, 400))
	s.SetData(corners())
	return s, w
}

// on is the place of a point.
func (s *Scatter) on(k int) fyne.Position {
	return fyne.NewPos(s.plot.x(s.data.Points[k].X), s.plot.y(s.data.Points[k].Y))
}

func TestScatterReadsOff(t *testing.T) {
	s, _ := shownScatter(t)
	var said []string
	s.OnHover = func(text string) { said = append(said, text) }
	at := s.on(4)
	s.MouseIn(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at.AddXY(3, 2)}})
	s.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at.AddXY(-3, 2)}}) // the same point
	s.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at.AddXY(60, 0)}}) // none
	s.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: s.on(1)}})
	s.MouseOut()
	want := []string{"m4, variant: svm 0.5, robust accuracy 0.5", "", "m1, borderline: svm 1, robust accuracy 0", ""}
	if !slices.Equal(said, want) {
		t.Errorf("said %q, want %q", said, want)
	}
	if s.Data().readOut(9) != "" || s.Data().readOut(-1) != "" {
		t.Error("a point that is not there is read off")
	}
}

func TestScatterChoosesAndOpens(t *testing.T) {
	s, w := shownScatter(t)
	var chosen, opened []int
	s.OnTapped = func(k int) { chosen = append(chosen, k) }
	s.OnOpen = func(k int) { opened = append(opened, k) }
	s.Tapped(&fyne.PointEvent{Position: s.on(2)})
	if s.Selected() != 2 || !slices.Equal(chosen, []int{2}) || w.Canvas().Focused() != fyne.Focusable(s) {
		t.Fatalf("selected %d, chosen %v", s.Selected(), chosen)
	}
	s.Tapped(&fyne.PointEvent{Position: s.on(2)})
	if !slices.Equal(opened, []int{2}) {
		t.Errorf("a double click opens %v", opened)
	}
	s.lastTap = time.Time{}
	s.Tapped(&fyne.PointEvent{Position: s.on(4).AddXY(50, 0)}) // beside all
	if s.Selected() != 2 || len(chosen) != 1 {
		t.Errorf("a click on the ground chooses %v", chosen)
	}
	s.TypedKey(key(fyne.KeyDown)) // chooses without a click
	if len(chosen) != 2 || len(opened) != 1 {
		t.Errorf("chosen %v, opened %v", chosen, opened)
	}
	s.Select(99)
	if s.Selected() != -1 {
		t.Errorf("selected %d of %d", s.Selected(), len(s.data.Points))
	}
}

func TestScatterKeys(t *testing.T) {
	s, w := shownScatter(t)
	var chosen, opened []int
	s.OnTapped = func(k int) { chosen = append(chosen, k) }
	s.OnOpen = func(k int) { opened = append(opened, k) }
	w.Canvas().Focus(s)
	s.TypedKey(key(fyne.KeyReturn)) // nothing to open yet
	for _, name := range []fyne.KeyName{fyne.KeyRight, fyne.KeyRight, fyne.KeyUp, fyne.KeyLeft, fyne.KeyLeft, fyne.KeyDown, fyne.KeyReturn} {
		s.TypedKey(key(name))
	}
	// The first key takes the first point; to its right lies m1; above that, m3; then m2 through the
	// whole upper row.
	if want := []int{0, 1, 3, 2, 0}; !slices.Equal(chosen, want) {
		t.Errorf("the keys chose %v, want %v", chosen, want)
	}
	if !slices.Equal(opened, []int{0}) {
		t.Errorf("Return opened %v", opened)
	}
	var runes []rune
	s.OnRune = func(r rune) { runes = append(runes, r) }
	s.TypedRune('x')
	s.OnKey = func(*fyne.KeyEvent) bool { return true }
	s.TypedKey(key(fyne.KeyUp))
	if string(runes) != "x" || s.Selected() != 0 {
		t.Errorf("runes %q, selected %d", string(runes), s.Selected())
	}
}

func TestScatterZoom(t *testing.T) {
	s, _ := shownScatter(t)
	s.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: s.on(4)}, Scrolled: fyne.NewDelta(0, 50)})
	x0, x1, y0, y1 := s.Ends()
	if !s.Zoomed() || x0 <= -0.05 || x1 >= 1.05 || y0 <= -0.05 || y1 >= 1.05 {
		t.Fatalf("the wheel shows %v..%v, %v..%v", x0, x1, y0, y1)
	}
	s.TypedKey(key(fyne.KeyEscape))
	if s.Zoomed() {
		t.Error("Escape keeps the zoom")
	}
	from, to := s.on(4).AddXY(-40, -30), s.on(4).AddXY(40, 30)
	s.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: from}, Button: desktop.MouseButtonPrimary})
	s.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: to}})
	s.MouseUp(nil)
	s.DragEnd()
	if x0, x1, _, _ := s.Ends(); !s.Zoomed() || x0 < 0.3 || x1 > 0.7 {
		t.Errorf("the rectangle shows %v..%v", x0, x1)
	}
	if s.nearest(s.on(0)) >= 0 {
		t.Error("a point outside of what is shown is found")
	}
	before, _, _, _ := s.Ends()
	s.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: s.on(4)}, Button: desktop.MouseButtonTertiary})
	s.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: s.on(4).AddXY(30, 0)}})
	s.DragEnd()
	if after, _, _, _ := s.Ends(); after >= before {
		t.Errorf("moving to the right shows %v instead of %v at the left", after, before)
	}
	other := corners()
	other.XName = "mean"
	s.SetData(other)
	if s.Zoomed() {
		t.Error("another axis keeps the zoom")
	}
	items := zoomItems(s.ShowAll, s.Zoomed(), true, func() []*fyne.MenuItem { return []*fyne.MenuItem{fyne.NewMenuItem("save", nil)} })
	if len(items) != 3 || !items[0].Disabled {
		t.Errorf("%d entries in the menu", len(items))
	}
}

// TestScatterPixels: every group has its colour where its point is, in light and in dark.
func TestScatterPixels(t *testing.T) {
	for name, look := range map[string]variant{"light": lightTheme, "dark": darkTheme} {
		s, w := shownScatter(t)
		test.ApplyTheme(t, look)
		s.Refresh()
		img := w.Canvas().Capture()
		for _, k := range []int{0, 1, 2} {
			want := colourOf(s.data.Groups[s.data.Points[k].Group].Look, styleOf(s).background)
			at := s.on(k)
			got := pixel(img, at.X, at.Y)
			r, g, b, _ := want.RGBA()
			if d := max(off(got.R, r), off(got.G, g), off(got.B, b)); d > 12 {
				t.Errorf("%s: point %d is %v, want %v", name, k, got, want)
			}
		}
	}
}

func TestScatterSaysWhenEmpty(t *testing.T) {
	s := NewScatter()
	show(t, s, fyne.NewSize(400, 300))
	s.SetData(ScatterData{Empty: "no scores", Points: []ScatterPoint{{X: math.NaN(), Y: 1, Name: "m"}}})
	if got := textsOf(t, s); !slices.Equal(got, []string{"no scores"}) {
		t.Errorf("texts %q", got)
	}
	s.MouseMoved(at(100, 100))
	s.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 10)})
	s.TypedKey(key(fyne.KeyRight))
	if s.Selected() != -1 || s.Zoomed() {
		t.Error("an empty plot has a selection or a zoom")
	}
	s.SetData(corners())
	s.Resize(fyne.NewSize(200, 40))
	if got := textsOf(t, s); !slices.Equal(got, []string{tooSmall}) {
		t.Errorf("texts %q in a small plot", got)
	}
}

func TestScatterNeverClips(t *testing.T) {
	test.NewTempApp(t)
	rapid.Check(t, func(t *rapid.T) {
		d := ScatterData{XName: "max@CONV-1.hg_rstd", YName: "robust accuracy", Groups: labelGroups()}
		for range rapid.IntRange(1, 30).Draw(t, "points") {
			d.Points = append(d.Points, ScatterPoint{
				X: rapid.Float64Range(-1e4, 1e4).Draw(t, "x"), Y: rapid.Float64Range(-1e-3, 1).Draw(t, "y"), Group: rapid.IntRange(-1, 5).Draw(t, "group"),
			})
		}
		s := NewScatter()
		s.SetData(d)
		s.Select(0)
		s.SetMarked([]int{0, 40})
		size := fyne.NewSize(float32(rapid.IntRange(160, 900).Draw(t, "width")), float32(rapid.IntRange(120, 600).Draw(t, "height")))
		s.Resize(size)
		if err := checkTexts(test.WidgetRenderer(s).Objects(), size); err != nil {
			t.Error(err)
		}
	})
}

// TestScatterDrawsItsPointsOnce: the pointer does not have the raster drawn anew.
func TestScatterDrawsItsPointsOnce(t *testing.T) {
	s, _ := shownScatter(t)
	r := test.WidgetRenderer(s).(*scatterRenderer)
	drawn := 0
	before := r.dots.Generator
	r.dots.Generator = func(w, h int) image.Image {
		drawn++
		return before(w, h)
	}
	version := s.version
	s.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: s.on(4)}})
	s.Select(2)
	if s.version != version || r.version != version {
		t.Error("pointing asks for other points")
	}
	s.SetData(corners())
	if r.version == version {
		t.Error("other points are not drawn")
	}
	if drawn != 0 {
		t.Errorf("drawn %d times before the window asked", drawn)
	}
}

func BenchmarkScatterPoints(b *testing.B) {
	d := corners()
	d.Points = nil
	for k := range 2000 {
		d.Points = append(d.Points, ScatterPoint{X: float64(k % 53), Y: float64(k % 97), Group: k % 4})
	}
	f, _ := d.ranges()
	f.width, f.height = 700, 500
	p := dotted{frame: f, points: d.Points, groups: d.Groups, ground: lightTheme.Color("background", 0)}
	for b.Loop() {
		p.draw(700, 500)
	}
}
