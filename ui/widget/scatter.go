package widget

import (
	"fmt"
	"math"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/variscope/variscope/engine/render"
)

var (
	_ desktop.Hoverable      = (*Scatter)(nil)
	_ desktop.Mouseable      = (*Scatter)(nil)
	_ fyne.Draggable         = (*Scatter)(nil)
	_ fyne.Scrollable        = (*Scatter)(nil)
	_ fyne.SecondaryTappable = (*Scatter)(nil)
	_ fyne.Focusable         = (*Scatter)(nil)
)

// ScatterPoint is a point of a Scatter. One with a value that is not finite is not drawn.
type ScatterPoint struct {
	X, Y  float64
	Group int // index into ScatterData.Groups
	Name  string
	// Low and High are the ends of a bar upright through the point, such as an interval; equal ones
	// draw none.
	Low, High float64
	Crossed   bool // it has a cross over it
}

// ScatterData is what a Scatter shows.
type ScatterData struct {
	// Title and Note are not drawn on the screen; they head and foot the figures that are saved.
	Title, Note  string
	XName, YName string
	Groups       []Group
	Points       []ScatterPoint
	Trends       []render.Trend // lines and bands below the points; X ascending, slices of equal length
	// Crossed is what a cross over a point tells, in the legend and the read-out.
	Crossed string
	// Logit says that Y holds ln(a/(1-a)) of shares a; axis and read-out then tell the shares.
	Logit bool
	// Ends are the ends of both axes; the zero Part takes them from the points.
	Ends render.Part
	// TicksX and TicksY are at most so many places on an axis, and what is written there; nil for
	// round numbers.
	TicksX, TicksY func(low, high float64, most int) (at []float64, texts []string)
	// Tell reads a point out; nil for its names and numbers.
	Tell func(point int) string
	// Empty is the text shown when there is nothing to draw.
	Empty string
}

// Scatter draws points over two numbers, with shapes and colours by group. The pointer and the
// arrow keys read points off; a click chooses one, a double click or Return opens it. The wheel, a
// rectangle and dragging zoom as in a Chart.
type Scatter struct {
	keyed
	// OnHover gets a line about the point under the pointer, "" when there is none.
	OnHover func(text string)
	// OnTapped is called with the point that was clicked or reached with the arrow keys, OnOpen with
	// the one to open.
	OnTapped, OnOpen func(point int)
	// Menu are the entries of the menu besides those for the zoom: copying and saving. Nil leaves the
	// menu to the zoom.
	Menu func() []*fyne.MenuItem

	data     ScatterData
	plot     frame
	hovered  int // point under the pointer, -1 for none
	selected int // -1 for none
	marked   []int
	zoom     *extent
	drag     *drag
	lastTap  time.Time
	version  int // of what the raster shows; grows with data and zoom
}

// NewScatter makes an empty plot.
func NewScatter() *Scatter {
	s := &Scatter{hovered: -1, selected: -1}
	s.ExtendBaseWidget(s)
	return s
}

// SetData shows other points and ends selection and marks; what was zoomed into stays while the
// axes and their ranges do. The slices must not be changed afterwards.
func (s *Scatter) SetData(d ScatterData) {
	before, _ := s.data.ranges()
	after, ok := d.ranges()
	if !ok || d.XName != s.data.XName || d.YName != s.data.YName || before != after {
		s.zoom = nil
	}
	s.point(-1) // what was read out is of the data before
	s.data, s.selected, s.marked = d, -1, nil
	s.version++
	s.Refresh()
}

// Data is what is shown.
func (s *Scatter) Data() ScatterData { return s.data }

// Select draws a ring around a point and lines to both axes, -1 for none. It does not call
// OnTapped.
func (s *Scatter) Select(point int) {
	if point < 0 || point >= len(s.data.Points) {
		point = -1
	}
	if point != s.selected {
		s.selected = point
		s.Refresh()
	}
}

// Selected is the selected point, -1 for none.
func (s *Scatter) Selected() int { return s.selected }

// SetMarked draws rings around points, such as the neighbours of the selected one.
func (s *Scatter) SetMarked(points []int) {
	s.marked = points
	s.Refresh()
}

// ranges finds the ranges of both axes, a little wider than the points; ok is false when there is
// none.
func (d ScatterData) ranges() (f frame, ok bool) {
	f = frame{x0: math.Inf(1), x1: math.Inf(-1), y0: math.Inf(1), y1: math.Inf(-1)}
	for _, p := range d.Points {
		if drawable(p.X, p.Y) {
			f.x0, f.x1 = math.Min(f.x0, p.X), math.Max(f.x1, p.X)
			f.y0, f.y1 = math.Min(f.y0, p.Y), math.Max(f.y1, p.Y)
			if p.Low != p.High && drawable(p.Low, p.High) {
				f.y0, f.y1 = math.Min(f.y0, p.Low), math.Max(f.y1, p.High)
			}
			ok = true
		}
	}
	f.x0, f.x1 = render.Widen(f.x0, f.x1)
	f.y0, f.y1 = render.Widen(f.y0, f.y1)
	if e := d.Ends; e != (render.Part{}) {
		f.x0, f.x1, f.y0, f.y1 = e.X0, e.X1, e.Y0, e.Y1
	}
	return f, ok
}

// readOut is the line about a point: "m12, invariant: svm 0.0123, robust accuracy 0.81".
func (d ScatterData) readOut(point int) string {
	if point < 0 || point >= len(d.Points) {
		return ""
	}
	if d.Tell != nil {
		return d.Tell(point)
	}
	p := d.Points[point]
	y := short(p.Y)
	if d.Logit {
		y = render.ShareText(p.Y)
	}
	name := p.Name
	if p.Crossed {
		name += ", " + d.Crossed
	}
	if p.Group < 0 || p.Group >= len(d.Groups) || d.Groups[p.Group].Name == "" {
		return fmt.Sprintf("%s: %s %s, %s %s", name, d.XName, short(p.X), d.YName, y)
	}
	return fmt.Sprintf("%s, %s: %s %s, %s %s", name, d.Groups[p.Group].Name, d.XName, short(p.X), d.YName, y)
}

// reach is how far from a point, in device-independent pixels, the pointer still means it.
const reach = 9

// within tells whether a point is drawn: finite and inside of what is shown.
func (f frame) within(p ScatterPoint) bool {
	return drawable(p.X, p.Y) && p.X >= f.x0 && p.X <= f.x1 && p.Y >= f.y0 && p.Y <= f.y1
}

// nearest is the point closest to a position and not farther than reach, -1 for none.
func (s *Scatter) nearest(pos fyne.Position) int {
	best, least := -1, float64(reach)
	for k, p := range s.data.Points {
		if !s.plot.within(p) {
			continue
		}
		if d := math.Hypot(float64(s.plot.x(p.X)-pos.X), float64(s.plot.y(p.Y)-pos.Y)); d <= least {
			best, least = k, d
		}
	}
	return best
}

// MouseIn implements desktop.Hoverable.
func (s *Scatter) MouseIn(ev *desktop.MouseEvent) { s.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (s *Scatter) MouseMoved(ev *desktop.MouseEvent) {
	if s.plot.width > 0 {
		s.point(s.nearest(ev.Position))
	}
}

// MouseOut implements desktop.Hoverable.
func (s *Scatter) MouseOut() { s.point(-1) }

func (s *Scatter) point(k int) {
	if k == s.hovered {
		return
	}
	s.hovered = k
	s.say(k)
	s.Refresh()
}

func (s *Scatter) say(k int) {
	if s.OnHover != nil {
		s.OnHover(s.data.readOut(k))
	}
}

// Zoomed tells whether less than everything is shown.
func (s *Scatter) Zoomed() bool { return s.zoom != nil }

// ShowAll ends the zoom.
func (s *Scatter) ShowAll() { s.show(nil) }

// Ends are the ends of the axes as they are drawn.
func (s *Scatter) Ends() (x0, x1, y0, y1 float64) {
	f, _ := s.visible()
	return f.x0, f.x1, f.y0, f.y1
}

func (s *Scatter) visible() (f frame, ok bool) {
	f, ok = s.data.ranges()
	if ok && s.zoom != nil {
		f = f.over(*s.zoom)
	}
	return f, ok
}

func (s *Scatter) show(part *extent) {
	all, ok := s.data.ranges()
	if part != nil && !ok {
		return
	}
	s.zoom, s.hovered = all.held(part), -1
	s.version++
	s.Refresh()
}

// Scrolled implements fyne.Scrollable.
func (s *Scatter) Scrolled(ev *fyne.ScrollEvent) {
	if part, ok := s.plot.wheel(ev); ok {
		s.show(&part)
	}
}

// MouseDown implements desktop.Mouseable: it tells where a drag begins and what it means.
func (s *Scatter) MouseDown(ev *desktop.MouseEvent) { s.drag = s.plot.begin(ev) }

// MouseUp implements desktop.Mouseable.
func (s *Scatter) MouseUp(*desktop.MouseEvent) {}

// Dragged implements fyne.Draggable.
func (s *Scatter) Dragged(ev *fyne.DragEvent) {
	if s.drag == nil {
		return
	}
	s.drag.to = ev.Position
	if !s.drag.pan {
		s.Refresh()
		return
	}
	part := s.drag.moved(s.plot)
	s.show(&part)
}

// DragEnd implements fyne.Draggable: the rectangle becomes what is shown.
func (s *Scatter) DragEnd() {
	d := s.drag
	s.drag = nil
	if d == nil || d.pan {
		return
	}
	if part, ok := d.enclosed(s.plot); ok {
		s.show(&part)
		return
	}
	s.Refresh()
}

// Tapped implements fyne.Tappable: a click chooses a point, a second one within Fyne's double tap
// time opens it, or shows all where there is no point. DoubleTapped is not implemented, because
// Fyne would then hold back every single click.
func (s *Scatter) Tapped(ev *fyne.PointEvent) {
	s.drag = nil
	if s.Menu != nil && onSign(ev.Position, s.Size()) {
		s.showMenu(ev.Position)
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		c.Focus(s)
	}
	now, k := time.Now(), s.nearest(ev.Position)
	if now.Sub(s.lastTap) < fyne.CurrentApp().Driver().DoubleTapDelay() {
		s.lastTap = time.Time{}
		if k < 0 {
			s.ShowAll()
		} else if k == s.selected {
			s.open()
		}
		return
	}
	s.lastTap = now
	if k < 0 {
		return
	}
	s.choose(k)
}

// TappedSecondary implements fyne.SecondaryTappable.
func (s *Scatter) TappedSecondary(ev *fyne.PointEvent) { s.showMenu(ev.Position) }

func (s *Scatter) showMenu(at fyne.Position) {
	popUp(s, at, func() []*fyne.MenuItem {
		_, any := s.data.ranges()
		return zoomItems(s.ShowAll, s.Zoomed(), any, s.Menu)
	})
}

// choose selects a point on behalf of the person.
func (s *Scatter) choose(k int) {
	s.Select(k)
	s.say(k)
	if s.OnTapped != nil {
		s.OnTapped(k)
	}
}

func (s *Scatter) open() {
	if s.OnOpen != nil && s.selected >= 0 {
		s.OnOpen(s.selected)
	}
}

// TypedKey implements fyne.Focusable: OnKey is asked first, then the arrow keys go to the next
// point in their direction, Return opens, Escape shows all.
func (s *Scatter) TypedKey(ev *fyne.KeyEvent) {
	if s.passKey(ev) {
		return
	}
	switch ev.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		s.open()
	case fyne.KeyEscape:
		s.ShowAll()
	default:
		if x, y := arrowOf(ev.Name); x != 0 || y != 0 {
			s.step(x, y)
		}
	}
}

// step chooses the next point in a direction on the screen, without a selection the first that is
// shown.
func (s *Scatter) step(dx, dy float32) {
	next := -1
	if s.selected < 0 {
		next = slices.IndexFunc(s.data.Points, s.plot.within)
	} else {
		next = onward(len(s.data.Points), s.spot(s.selected), dx, dy, func(k int) (fyne.Position, bool) {
			return s.spot(k), k != s.selected && s.plot.within(s.data.Points[k])
		})
	}
	if next >= 0 {
		s.choose(next)
	}
}

// spot is where a point is drawn.
func (s *Scatter) spot(k int) fyne.Position {
	p := s.data.Points[k]
	return fyne.NewPos(s.plot.x(p.X), s.plot.y(p.Y))
}

// CreateRenderer implements fyne.Widget.
func (s *Scatter) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	return newScatterRenderer(s)
}
