package widget

import (
	"math"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/engine/result"
)

var nan = math.NaN()

// falling is an accuracy that falls towards both ends, every degree from -15 to 15.
func falling() result.Figure {
	line := result.Line{Name: "accuracy"}
	for v := -15.0; v <= 15; v++ {
		line.X, line.Y = append(line.X, v), append(line.Y, 0.95-0.02*math.Abs(v))
	}
	return result.Figure{
		X: result.Axis{Name: "rotation", Unit: "°", Ticks: line.X},
		Y: result.Axis{Name: "accuracy", Format: result.Share}, Lines: []result.Line{line},
	}
}

func threePoints() result.Figure {
	return result.Figure{
		X: result.Axis{Name: "EI", Format: result.Number, High: 1},
		Y: result.Axis{Name: "accuracy", Format: result.Share, High: 1}, Crossed: "at chance",
		Groups: []result.Group{
			{Name: "invariant", Look: result.LookInvariant}, {Name: "variant", Look: result.LookVariant},
		},
		Points: []result.Point{
			{Name: "m1", ID: "one", X: 0.2, Y: 0.2, Low: 0.1, High: 0.3},
			{Name: "m2", ID: "two", X: 0.8, Y: 0.2, Group: 1, Crossed: true},
			{Name: "m3", ID: "three", X: 0.5, Y: 0.9},
			{Name: "m4", X: nan, Y: 0.5},
		},
	}
}

func waterfall() result.Figure {
	f := result.Figure{
		X: result.Axis{Name: "share of variant", Format: result.Number},
		Groups: []result.Group{
			{Name: "base"},
			{Name: "raises it", Look: result.LookVariant},
			{Name: "lowers it", Look: result.LookInvariant},
		},
	}
	f.AddBar("base", "0.4", "the base", 0, 0.4, 0)
	f.AddBar("max@CONF.svm", "+0.3", "the first", 0.4, 0.7, 1)
	f.AddBar("mean@CONV-1.dctny with a long name that has to be cut somewhere", "-0.1", "the second", 0.7, 0.6, 2)
	return f
}

// plotOf is a plot of a figure in a window.
func plotOf(t *testing.T, f result.Figure) (p *Plot, said *string) {
	t.Helper()
	p, said = NewPlot(), new(string)
	p.OnHover = func(text string) { *said = text }
	p.SetFigure(f)
	show(t, p, fyne.NewSize(500, 300))
	if p.area.width <= 0 {
		t.Fatal("nothing is laid out")
	}
	return p, said
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6*math.Max(1, math.Abs(b)) }

func (p *Plot) turn(x, y, dy float32) {
	p.Scrolled(&fyne.ScrollEvent{
		PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}, Scrolled: fyne.NewDelta(0, dy),
	})
}

// sweep drags from one place to another with a mouse button.
func (p *Plot) sweep(from, to fyne.Position, button desktop.MouseButton, modifier fyne.KeyModifier) {
	down := at(from.X, from.Y)
	down.Button, down.Modifier = button, modifier
	p.MouseDown(down)
	for k := 1; k <= 4; k++ {
		share := float32(k) / 4
		pos := fyne.NewPos(from.X+(to.X-from.X)*share, from.Y+(to.Y-from.Y)*share)
		p.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: pos}})
	}
	p.MouseUp(at(to.X, to.Y))
	p.DragEnd()
}

func (p *Plot) tap(x, y float32) { p.Tapped(&fyne.PointEvent{Position: fyne.NewPos(x, y)}) }

func TestLinesAreReadOffAtTheNearestX(t *testing.T) {
	p, said := plotOf(t, falling())
	tapped := nan
	p.OnX = func(x float64) { tapped = x }
	f := p.area
	p.MouseMoved(at(f.x(4.8), f.top+20))
	if *said != "rotation 5°: accuracy 85.0 %" {
		t.Errorf("said %q", *said)
	}
	p.tap(f.x(-3.2), f.top+20)
	if tapped != -3 {
		t.Errorf("tapped %v", tapped)
	}
	p.MouseMoved(at(f.left-30, f.top+20))
	if *said != "" {
		t.Errorf("beside the area it says %q", *said)
	}
	p.SetRule(7)
	lines := 0
	for _, o := range objectsOf(t, p) {
		if l, ok := o.(*canvas.Line); ok && l.Position1.X == l.Position2.X &&
			math.Abs(float64(l.Position1.X-f.x(7))) < 0.5 {
			lines++
		}
	}
	if lines != 1 {
		t.Errorf("%d lines at the rule", lines)
	}
}

func TestPointsAreChosenOpenedAndReached(t *testing.T) {
	p, said := plotOf(t, threePoints())
	var tapped, opened []int
	p.OnTapped, p.OnOpen = func(k int) { tapped = append(tapped, k) }, func(k int) { opened = append(opened, k) }
	place := func(k int) fyne.Position { at, _ := p.spot(k); return at }
	p.MouseMoved(at(place(1).X+4, place(1).Y-4))
	if *said != "m2, variant, at chance: EI 0.8, accuracy 20.0 %" {
		t.Errorf("said %q", *said)
	}
	p.tap(place(0).X, place(0).Y)
	p.TypedKey(key(fyne.KeyRight))
	if p.Selected() != 2 && p.Selected() != 1 {
		t.Errorf("right of the first is %d", p.Selected())
	}
	p.Select(0)
	p.TypedKey(key(fyne.KeyUp))
	if p.Selected() != 2 {
		t.Errorf("above the first is %d", p.Selected())
	}
	p.TypedKey(key(fyne.KeyReturn))
	if len(opened) != 1 || opened[0] != 2 {
		t.Errorf("opened %v", opened)
	}
	if len(tapped) != 3 || tapped[0] != 0 {
		t.Errorf("tapped %v", tapped)
	}
	p.Select(9)
	if p.Selected() != -1 {
		t.Error("a point that is not there is selected")
	}
	p.lastTap = time.Time{}
	p.tap(place(1).X, place(1).Y)
	p.tap(place(1).X, place(1).Y)
	if len(opened) != 2 || opened[1] != 1 {
		t.Errorf("a double click opened %v", opened)
	}
}

// TestCellsOfARowAreOneRecord: a double click opens it by any of its cells, the names beside cells
// are none of them, and an axis of names does not zoom.
func TestCellsOfARowAreOneRecord(t *testing.T) {
	f := result.Figure{
		X:      result.Axis{Name: "models", Names: []string{"m1", "m2", "m3"}},
		Y:      result.Axis{Name: "images", Names: []string{"#7", "#3"}},
		Groups: []result.Group{{Name: "right"}},
	}
	for k := range 6 {
		cell := result.Cell(k/3, k%3)
		cell.ID = f.Y.Names[k/3]
		f.Boxes = append(f.Boxes, cell)
	}
	p, said := plotOf(t, f)
	p.OnTapped = func(int) { p.Select(3) } // as the record's first cell
	opened := -1
	p.OnOpen = func(k int) { opened = k }
	at5, _ := p.spot(5)
	p.tap(at5.X, at5.Y)
	p.tap(at5.X, at5.Y)
	if opened < 3 {
		t.Errorf("a double click opens %d", opened)
	}
	p.MouseMoved(at(at5.X, at5.Y))
	if *said != "#3, m3: right" {
		t.Errorf("over a cell it says %q", *said)
	}
	p.MouseMoved(at(p.area.left-15, at5.Y))
	if *said != "" {
		t.Errorf("over a name it says %q", *said)
	}
	before := p.version
	p.turn(at5.X, at5.Y, wheelUnit)
	if p.Zoomed() || p.version != before {
		t.Error("the wheel draws cells anew")
	}
	p.OnTapped, p.OnOpen = nil, nil
	if !p.Disabled() {
		t.Error("the keyboard comes to a plot in which nothing can be chosen")
	}
}

func TestWheelZoomsAroundThePointer(t *testing.T) {
	p, _ := plotOf(t, falling())
	f := p.area
	p.turn(f.x(5), f.y(0.8), wheelUnit)
	if !p.Zoomed() {
		t.Fatal("the wheel does not zoom")
	}
	if part := p.Part(); !near(part.X1-part.X0, 30*wheelStep) || !near((5-part.X0)/(part.X1-part.X0), 20.0/30) {
		t.Errorf("30 became %+v", part)
	}
	p.ShowAll()
	p.turn(f.left-20, f.top+50, wheelUnit) // beside the y axis
	if part := p.Part(); part.X0 != -15 || part.X1 != 15 || !near(part.Y1-part.Y0, (f.y1-f.y0)*wheelStep) {
		t.Errorf("beside the y axis: %+v", part)
	}
	p.ShowAll()
	p.turn(f.x(0), f.top+f.height+10, wheelUnit) // below the x axis
	if part := p.Part(); !near(part.X1-part.X0, 30*wheelStep) || part.Y0 != f.y0 || part.Y1 != f.y1 {
		t.Errorf("below the x axis: %+v", part)
	}
	for range 20 {
		p.turn(f.x(0), f.top+50, -wheelUnit)
	}
	if p.Zoomed() {
		t.Error("turning the wheel back does not show all")
	}
	p.turn(f.x(0), f.top+50, wheelUnit)
	p.tap(f.x(0), f.top+50)
	p.tap(f.x(0), f.top+50)
	if p.Zoomed() {
		t.Error("a double click does not show all")
	}
}

// TestWheelScrollsWhatIsAround where that does not fit, and zooms elsewhere.
func TestWheelScrollsWhatIsAround(t *testing.T) {
	p, _ := plotOf(t, falling())
	room := canvas.NewRectangle(nil)
	around := container.NewVScroll(room)
	around.Resize(fyne.NewSize(100, 100))
	p.Wheel = Scrolling(around)
	for least, turned := range map[float32]float32{300: -wheelUnit, 50: wheelUnit} {
		p.ShowAll()
		around.ScrollToTop()
		room.SetMinSize(fyne.NewSize(10, least))
		around.Refresh()
		p.turn(p.area.x(5), p.area.y(0.8), turned)
		if scrolled := around.Offset.Y > 0; scrolled != (least > 100) || p.Zoomed() == scrolled {
			t.Errorf("content of %v in 100: offset %v, zoomed %v", least, around.Offset.Y, p.Zoomed())
		}
	}
}

func TestDraggingZoomsIntoTheRectangleOrMoves(t *testing.T) {
	p, _ := plotOf(t, falling())
	f := p.area
	from, to := fyne.NewPos(f.x(-5), f.y(0.85)), fyne.NewPos(f.x(5), f.y(0.7))
	for _, way := range [][2]fyne.Position{{from, to}, {to, from}} {
		p.ShowAll()
		p.sweep(way[0], way[1], desktop.MouseButtonPrimary, 0)
		if part := p.Part(); math.Abs(part.X0+5) > 0.1 || math.Abs(part.X1-5) > 0.1 || math.Abs(part.Y0-0.7) > 0.01 ||
			math.Abs(part.Y1-0.85) > 0.01 {
			t.Errorf("shows %+v", part)
		}
	}
	for _, text := range texts(objectsOf(t, p)) {
		if text.Text == "-15" {
			t.Error("a tick outside of what is shown")
		}
	}
	p.ShowAll()
	p.sweep(fyne.NewPos(f.x(0), f.y(0.8)), fyne.NewPos(f.x(0)+3, f.y(0.8)+2), desktop.MouseButtonPrimary, 0)
	if p.Zoomed() {
		t.Error("a trembling hand zooms")
	}
	for _, c := range []struct {
		button   desktop.MouseButton
		modifier fyne.KeyModifier
	}{{desktop.MouseButtonTertiary, 0}, {desktop.MouseButtonPrimary, fyne.KeyModifierShift}} {
		p.show(&extent{-5, 5, 0.7, 0.8})
		f := p.area
		p.sweep(fyne.NewPos(f.x(0), f.y(0.75)), fyne.NewPos(f.x(2), f.y(0.75)), c.button, c.modifier)
		if part := p.Part(); math.Abs(part.X0+7) > 0.2 || math.Abs(part.X1-3) > 0.2 || !near(part.Y0, 0.7) ||
			!near(part.Y1, 0.8) {
			t.Errorf("%+v shows %+v", c, part)
		}
	}
	before := p.Part()
	other := falling()
	other.Lines[0].Name = "another model"
	if p.SetFigure(other); p.Part() != before {
		t.Error("another figure over the same axes ends the zoom")
	}
	other.X.Name = "brightness"
	if p.SetFigure(other); p.Zoomed() {
		t.Error("the zoom outlives its axis")
	}
	q, _ := plotOf(t, waterfall())
	q.show(&extent{0.1, 0.5, 0, 1})
	if part := q.Part(); !near(part.X0, 0.1) || part.Y0 != 2.5 || part.Y1 != -0.5 {
		t.Errorf("an axis of names is not whole: %+v", part)
	}
}

func BenchmarkPlotOf2000Points(b *testing.B) {
	f := result.Figure{Groups: []result.Group{{Name: "a"}, {Name: "b", Look: result.LookVariant}}}
	for k := range 2000 {
		f.Points = append(f.Points, result.Point{X: float64(k * 37 % 700), Y: float64(k * 61 % 500), Group: k % 2})
	}
	p := NewPlot()
	p.SetFigure(f)
	show(b, p, fyne.NewSize(700, 500))
	r := test.WidgetRenderer(p).(*plotRenderer)
	for b.Loop() {
		r.laid.Image(700, 500)
	}
}
