package widget

import (
	"math"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6*math.Max(1, math.Abs(b)) }

// shown is a chart of a falling line in a window.
func shown(t *testing.T) *Chart {
	t.Helper()
	c := NewChart()
	c.SetData(falling())
	show(t, c, fyne.NewSize(500, 300))
	return c
}

func wheel(c *Chart, x, y, dy float32) {
	c.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}, Scrolled: fyne.NewDelta(0, dy)})
}

// sweep drags from one place to another with a mouse button.
func sweep(c *Chart, from, to fyne.Position, button desktop.MouseButton, modifier fyne.KeyModifier) {
	down := at(from.X, from.Y)
	down.Button, down.Modifier = button, modifier
	c.MouseDown(down)
	for k := 1; k <= 4; k++ {
		share := float32(k) / 4
		pos := fyne.NewPos(from.X+(to.X-from.X)*share, from.Y+(to.Y-from.Y)*share)
		c.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: pos}})
	}
	c.MouseUp(at(to.X, to.Y))
	c.DragEnd()
}

func TestWheelZoomsAroundThePointer(t *testing.T) {
	c := shown(t)
	f := c.plot
	wheel(c, f.x(5), f.y(0.8), wheelUnit)
	if !c.Zoomed() {
		t.Fatal("the wheel does not zoom")
	}
	if x, y := c.plot.x(5), c.plot.y(0.8); math.Abs(float64(x-f.x(5))) > 1.5 || math.Abs(float64(y-f.y(0.8))) > 1.5 {
		t.Errorf("the point under the pointer moved from %v, %v to %v, %v", f.x(5), f.y(0.8), x, y)
	}
	if x0, x1, _, _ := c.Ends(); !near(x1-x0, 30*wheelStep) {
		t.Errorf("30 became %v", x1-x0)
	}
	c.ShowAll()
	wheel(c, f.left-20, f.top+50, wheelUnit) // beside the y axis
	if x0, x1, y0, y1 := c.Ends(); x0 != -15 || x1 != 15 || !near(y1-y0, (f.y1-f.y0)*wheelStep) {
		t.Errorf("beside the y axis: %v..%v, %v..%v", x0, x1, y0, y1)
	}
	c.ShowAll()
	wheel(c, f.x(0), f.top+f.height+10, wheelUnit) // below the x axis
	if x0, x1, y0, y1 := c.Ends(); !near(x1-x0, 30*wheelStep) || y0 != f.y0 || y1 != f.y1 {
		t.Errorf("below the x axis: %v..%v, %v..%v", x0, x1, y0, y1)
	}
	for range 20 {
		wheel(c, f.x(0), f.top+50, -wheelUnit)
	}
	if c.Zoomed() {
		t.Error("turning the wheel back does not show all")
	}
}

func TestDraggingZoomsIntoTheRectangle(t *testing.T) {
	c := shown(t)
	f := c.plot
	from, to := fyne.NewPos(f.x(-5), f.y(0.85)), fyne.NewPos(f.x(5), f.y(0.7))
	for _, way := range [][2]fyne.Position{{from, to}, {to, from}} {
		c.ShowAll()
		sweep(c, way[0], way[1], desktop.MouseButtonPrimary, 0)
		x0, x1, y0, y1 := c.Ends()
		if math.Abs(x0+5) > 0.1 || math.Abs(x1-5) > 0.1 || math.Abs(y0-0.7) > 0.01 || math.Abs(y1-0.85) > 0.01 {
			t.Errorf("shows %v..%v, %v..%v", x0, x1, y0, y1)
		}
	}
	ticks := 0
	for _, text := range texts(objectsOf(t, c)) {
		if strings.HasSuffix(text.Text, "°") {
			ticks++
		}
		if text.Text == "-15°" {
			t.Error("a tick outside what is shown")
		}
	}
	if ticks < 4 {
		t.Errorf("only %d ticks on the x axis of a part", ticks)
	}
	c.ShowAll()
	sweep(c, fyne.NewPos(f.x(-5), f.y(0.8)), fyne.NewPos(f.x(5), f.y(0.8)+2), desktop.MouseButtonPrimary, 0)
	if x0, _, y0, y1 := c.Ends(); math.Abs(x0+5) > 0.1 || y0 != f.y0 || y1 != f.y1 {
		t.Errorf("a flat rectangle shows %v.., %v..%v", x0, y0, y1)
	}
	c.ShowAll()
	sweep(c, fyne.NewPos(f.x(0), f.y(0.8)), fyne.NewPos(f.x(0)+3, f.y(0.8)+2), desktop.MouseButtonPrimary, 0)
	if c.Zoomed() {
		t.Error("a trembling hand zooms")
	}
}

func TestShiftAndMiddleButtonMove(t *testing.T) {
	for _, c := range []struct {
		button   desktop.MouseButton
		modifier fyne.KeyModifier
	}{{desktop.MouseButtonTertiary, 0}, {desktop.MouseButtonPrimary, fyne.KeyModifierShift}} {
		chart := shown(t)
		chart.show(&extent{-5, 5, 0.7, 0.8})
		f := chart.plot
		sweep(chart, fyne.NewPos(f.x(0), f.y(0.75)), fyne.NewPos(f.x(2), f.y(0.75)), c.button, c.modifier)
		if x0, x1, y0, y1 := chart.Ends(); math.Abs(x0+7) > 0.1 || math.Abs(x1-3) > 0.1 || !near(y0, 0.7) || !near(y1, 0.8) {
			t.Errorf("%+v shows %v..%v, %v..%v", c, x0, x1, y0, y1)
		}
		sweep(chart, fyne.NewPos(f.x(-4), f.y(0.75)), fyne.NewPos(f.x(4)+2000, f.y(0.75)), c.button, c.modifier)
		if x0, x1, _, _ := chart.Ends(); x0 != -15 || !near(x1, -5) {
			t.Errorf("%+v goes beyond the data: %v..%v", c, x0, x1)
		}
	}
}

func TestClicks(t *testing.T) {
	c := shown(t)
	var got []float64
	c.OnTapped = func(x float64) { got = append(got, x) }
	f := c.plot
	test.TapAt(c, fyne.NewPos(f.x(3)+1, f.top+10))
	if len(got) != 1 || got[0] != 3 {
		t.Fatalf("clicks report %v", got)
	}
	c.lastTap = c.lastTap.Add(-fyne.CurrentApp().Driver().DoubleTapDelay())
	c.show(&extent{-5, 5, 0.7, 0.8})
	test.TapAt(c, fyne.NewPos(1, 1)) // outside the plotted area
	if len(got) != 1 || !c.Zoomed() {
		t.Errorf("a click outside reports %v", got)
	}
	test.TapAt(c, fyne.NewPos(1, 1))
	if c.Zoomed() || len(got) != 1 {
		t.Error("a double click does not show all")
	}
}

func TestChartMenu(t *testing.T) {
	c := shown(t)
	overlays := fyne.CurrentApp().Driver().CanvasForObject(c).Overlays()
	if items := c.items(); len(items) != 1 || !items[0].Disabled {
		t.Errorf("without Menu: %d entries", len(items))
	}
	called := ""
	c.Menu = func() []*fyne.MenuItem { return []*fyne.MenuItem{fyne.NewMenuItem("Save", func() { called = "save" })} }
	c.Refresh()
	c.show(&extent{-5, 5, 0.7, 0.8})
	items := c.items()
	if len(items) != 3 || items[0].Disabled {
		t.Fatalf("%d entries", len(items))
	}
	items[2].Action()
	items[0].Action()
	if called != "save" || c.Zoomed() {
		t.Error("the entries do nothing")
	}
	test.TapAt(c, fyne.NewPos(c.Size().Width-5, 5))
	if overlays.Top() == nil {
		t.Error("the sign does not open the menu")
	}
	overlays.Remove(overlays.Top())
	test.TapSecondaryAt(c, fyne.NewPos(100, 100))
	if overlays.Top() == nil {
		t.Error("a secondary click does not open the menu")
	}
	c.SetData(ChartData{Empty: "nothing"})
	if items := c.items(); len(items) != 1 {
		t.Error("nothing to save, yet the menu offers it")
	}
}

func TestZoomStaysWithTheAxis(t *testing.T) {
	c := shown(t)
	c.show(&extent{-5, 5, 0.7, 0.8})
	c.SetData(falling())
	if !c.Zoomed() {
		t.Error("other values over the same axis end the zoom")
	}
	other := falling()
	other.XName = "epoch"
	c.SetData(other)
	if c.Zoomed() {
		t.Error("another axis keeps the zoom")
	}
}

func TestMark(t *testing.T) {
	c := shown(t)
	before := len(objectsOf(t, c))
	c.SetMark(4)
	if got := len(objectsOf(t, c)); got != before+1 {
		t.Errorf("%d objects with a mark, %d without", got, before)
	}
	c.show(&extent{-5, 2, 0.7, 0.9})
	inside := len(objectsOf(t, c))
	c.SetMark(math.NaN())
	if got := len(objectsOf(t, c)); got != inside {
		t.Error("a mark outside what is shown was drawn")
	}
}

// TestZoomStaysInside: whatever is scrolled and dragged, the chart shows a part of the data, wide enough to be drawn.
func TestZoomStaysInside(t *testing.T) {
	c := shown(t)
	all, _ := c.data.ranges()
	place := func(t *rapid.T) fyne.Position {
		return fyne.NewPos(rapid.Float32Range(-10, 510).Draw(t, "x"), rapid.Float32Range(-10, 310).Draw(t, "y"))
	}
	rapid.Check(t, func(t *rapid.T) {
		c.ShowAll()
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "wheel") {
				pos := place(t)
				wheel(c, pos.X, pos.Y, rapid.Float32Range(-300, 300).Draw(t, "dy"))
				continue
			}
			modifier := fyne.KeyModifier(0)
			if rapid.Bool().Draw(t, "move") {
				modifier = fyne.KeyModifierShift
			}
			sweep(c, place(t), place(t), desktop.MouseButtonPrimary, modifier)
		}
		x0, x1, y0, y1 := c.Ends()
		if x0 < all.x0-1e-9 || x1 > all.x1+1e-9 || y0 < all.y0-1e-9 || y1 > all.y1+1e-9 ||
			x1-x0 < 0.99*deepest*(all.x1-all.x0) || y1-y0 < 0.99*deepest*(all.y1-all.y0) {
			t.Fatalf("%v..%v, %v..%v of %+v", x0, x1, y0, y1, all)
		}
		if err := checkTexts(test.WidgetRenderer(c).Objects(), c.Size()); err != nil {
			t.Fatal(err)
		}
	})
}
