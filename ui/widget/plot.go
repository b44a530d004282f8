package widget

import (
	"math"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
)

var (
	_ desktop.Hoverable      = (*Plot)(nil)
	_ desktop.Mouseable      = (*Plot)(nil)
	_ fyne.Draggable         = (*Plot)(nil)
	_ fyne.Scrollable        = (*Plot)(nil)
	_ fyne.SecondaryTappable = (*Plot)(nil)
	_ fyne.Focusable         = (*Plot)(nil)
)

// Plot shows a result.Figure. The pointer reads off what lies under it, beside itself and for
// OnHover, an X of the lines where there is nothing else; a click chooses a point or box, the arrow keys go on to the next, a double
// click or Return opens it. The wheel zooms around the pointer, a rectangle drawn with the pointer
// zooms into it, dragging with Shift or the middle button moves what is shown, a double click beside
// points shows all again. An axis of names is always shown whole.
type Plot struct {
	keyed
	// OnHover gets what is read out, "" for nothing.
	OnHover func(text string)
	// OnTapped is called with the item (result.Figure.Tell) that was clicked or reached with the arrow
	// keys, OnOpen with the one to open, OnX with the nearest X of the lines after a click.
	OnTapped, OnOpen func(item int)
	OnX              func(x float64)
	// Tell, which may be nil, reads an item out in place of the figure.
	Tell func(item int) string
	// Wheel gets the turns of the wheel over a figure that is as high as its names need.
	Wheel func(*fyne.ScrollEvent)
	// Menu are the entries of the menu besides those for the zoom: copying and saving. Nil leaves the
	// menu to the zoom.
	Menu func() []*fyne.MenuItem

	figure   result.Figure
	all      frame // ends of all there is
	xs       []float64
	area     frame
	hovered  int     // item under the pointer, -1 for none
	x        float64 // of the lines under the pointer, NaN for none
	pointer  fyne.Position
	selected int     // item, -1 for none
	marked   []int   // items with rings
	rule     float64 // X that stays marked, NaN for none
	zoom     *extent // what is shown; nil for all
	drag     *drag
	lastTap  time.Time
	version  int // of what is drawn; grows with figure and zoom
}

// NewPlot makes an empty plot.
func NewPlot() *Plot {
	p := &Plot{hovered: -1, selected: -1, x: math.NaN(), rule: math.NaN()}
	p.ExtendBaseWidget(p)
	return p
}

// SetFigure shows another figure, which must pass its Check and not be changed afterwards, and ends
// selection and rings; what was zoomed into stays while the axes and their ends do.
func (p *Plot) SetFigure(f result.Figure) {
	p.point(-1, math.NaN()) // what was read out is of the figure before
	before, x, y := p.all, p.figure.X.Name, p.figure.Y.Name
	p.figure, p.selected, p.marked, p.xs, p.drag = f, -1, nil, nil, nil
	ends := render.Extent(f)
	p.all = frame{x0: ends.X0, x1: ends.X1, y0: ends.Y0, y1: ends.Y1}
	if !f.Drawable() || f.X.Name != x || f.Y.Name != y || p.all != before {
		p.zoom = nil
	}
	for _, l := range f.Lines {
		for k, x := range l.X {
			if !math.IsNaN(x) && !math.IsNaN(l.Y[k]) {
				p.xs = append(p.xs, x)
			}
		}
	}
	slices.Sort(p.xs)
	p.xs = slices.Compact(p.xs)
	p.version++
	p.Refresh()
}

// Figure is what is shown.
func (p *Plot) Figure() result.Figure { return p.figure }

// Select draws a ring around a point, or an outline around all boxes of a box's ID, and lines from
// a point to both axes; -1 for none. It does not call OnTapped.
func (p *Plot) Select(item int) {
	if item < 0 || item >= p.figure.Items() {
		item = -1
	}
	if item != p.selected {
		p.selected = item
		p.Refresh()
	}
}

// Selected is the selected item, -1 for none.
func (p *Plot) Selected() int { return p.selected }

// SetMarked draws rings around items, such as the neighbours of the selected one.
func (p *Plot) SetMarked(items []int) {
	p.marked = items
	p.Refresh()
}

// SetRule draws a line at an X that stays until another is set; NaN for none.
func (p *Plot) SetRule(x float64) {
	if x == p.rule || math.IsNaN(x) && math.IsNaN(p.rule) {
		return
	}
	p.rule = x
	p.Refresh()
}

// Zoomed tells whether less than everything is shown.
func (p *Plot) Zoomed() bool { return p.zoom != nil }

// ShowAll ends the zoom.
func (p *Plot) ShowAll() { p.show(nil) }

// Part are the ends of the axes as they are drawn.
func (p *Plot) Part() render.Part {
	f := p.visible()
	return render.Part{X0: f.x0, X1: f.x1, Y0: f.y0, Y1: f.y1}
}

func (p *Plot) visible() frame {
	if p.zoom != nil {
		return p.all.over(*p.zoom)
	}
	return p.all
}

// show shows a part, nil for all. A part is held inside of what there is.
func (p *Plot) show(part *extent) {
	if part != nil {
		if !p.figure.Drawable() {
			return
		}
		if p.figure.X.Names != nil {
			part.x0, part.x1 = p.all.x0, p.all.x1
		}
	}
	next := p.all.held(part, p.figure.Y.Names == nil)
	if next != p.zoom && (next == nil || p.zoom == nil || *next != *p.zoom) {
		p.zoom = next
		p.version++
	}
	p.hovered, p.x = -1, math.NaN()
	p.Refresh()
}

// reach is how far from a point, in device-independent pixels, the pointer still means it.
const reach = 9

// at is the item at a position, -1 for none: the nearest point within reach, else the box there, or
// one in the same column of a histogram or in the same row beside names.
func (p *Plot) at(pos fyne.Position) int {
	if p.area.width <= 0 {
		return -1
	}
	best, least := -1, float64(reach)
	for k, d := range p.figure.Points {
		if p.area.shows(d.X, d.Y) {
			if away := math.Hypot(float64(p.area.x(d.X)-pos.X), float64(p.area.y(d.Y)-pos.Y)); away <= least {
				best, least = k, away
			}
		}
	}
	inRow := p.figure.Y.Names != nil && p.figure.X.Names == nil && pos.Y >= p.area.top && pos.Y < p.area.top+p.area.height
	if best >= 0 || len(p.figure.Boxes) == 0 || !inRow && !p.area.holds(pos) {
		return best
	}
	x, y := p.area.atX(pos.X), p.area.atY(pos.Y)
	for k, b := range p.figure.Boxes {
		across := x >= min(b.X0, b.X1) && x < max(b.X0, b.X1)
		up := y >= b.Y0 && y < b.Y1
		switch {
		case across && up:
			return len(p.figure.Points) + k
		case across && p.figure.Y.Names == nil, p.figure.X.Names == nil && p.figure.Y.Names != nil && math.Round(y) == math.Round((b.Y0+b.Y1)/2):
			best = len(p.figure.Points) + k
		}
	}
	return best
}

// nearestX is the X of the lines closest to a position, NaN for none.
func (p *Plot) nearestX(pos fyne.Position) float64 {
	best, least := math.NaN(), math.Inf(1)
	if p.figure.Items() > 0 || !p.area.holds(pos) {
		return best
	}
	for _, x := range p.xs {
		if away := math.Abs(float64(p.area.x(x) - pos.X)); x >= p.area.x0 && x <= p.area.x1 && away < least {
			best, least = x, away
		}
	}
	return best
}

// MouseIn implements desktop.Hoverable.
func (p *Plot) MouseIn(ev *desktop.MouseEvent) { p.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (p *Plot) MouseMoved(ev *desktop.MouseEvent) {
	p.pointer = ev.Position
	p.point(p.at(ev.Position), p.nearestX(ev.Position))
}

// MouseOut implements desktop.Hoverable.
func (p *Plot) MouseOut() { p.point(-1, math.NaN()) }

func (p *Plot) point(item int, x float64) {
	if item == p.hovered && (x == p.x || math.IsNaN(x) && math.IsNaN(p.x)) {
		return
	}
	p.hovered, p.x = item, x
	p.say(item)
	p.Refresh()
}

func (p *Plot) say(item int) {
	if p.OnHover != nil {
		p.OnHover(p.told(item))
	}
}

// told reads an item out, or the X under the pointer, "" for neither.
func (p *Plot) told(item int) string {
	switch {
	case item >= 0 && p.Tell != nil:
		return p.Tell(item)
	case item >= 0:
		return p.figure.Tell(item)
	case !math.IsNaN(p.x):
		return p.figure.TellAt(p.x)
	}
	return ""
}

// Scrolled implements fyne.Scrollable: the wheel zooms around the pointer, beside an axis along that
// axis only.
func (p *Plot) Scrolled(ev *fyne.ScrollEvent) {
	if p.figure.Y.Each && p.Wheel != nil {
		p.Wheel(ev)
	} else if part, ok := p.area.wheel(ev); ok {
		p.show(&part)
	}
}

// MouseDown implements desktop.Mouseable: it tells where a drag begins and what it means.
func (p *Plot) MouseDown(ev *desktop.MouseEvent) { p.drag = p.area.begin(ev) }

// MouseUp implements desktop.Mouseable: a press that did not move drags nothing.
func (p *Plot) MouseUp(*desktop.MouseEvent) {
	if p.drag != nil && p.drag.from == p.drag.to {
		p.drag = nil
	}
}

// Dragged implements fyne.Draggable.
func (p *Plot) Dragged(ev *fyne.DragEvent) {
	if p.drag == nil || p.area.width <= 0 {
		return
	}
	p.drag.to = ev.Position
	p.point(-1, math.NaN())
	if !p.drag.pan {
		p.Refresh()
		return
	}
	part := p.drag.moved(p.area)
	p.show(&part)
}

// DragEnd implements fyne.Draggable: the rectangle becomes what is shown.
func (p *Plot) DragEnd() {
	d := p.drag
	p.drag = nil
	if d == nil || d.pan || p.area.width <= 0 {
		return
	}
	if part, ok := d.enclosed(p.area); ok {
		p.show(&part)
		return
	}
	p.Refresh()
}

// Tapped implements fyne.Tappable: a click chooses an item or an X, a second one within Fyne's
// double tap time opens the item, or shows all where there is none. DoubleTapped is not implemented,
// because Fyne would then hold back every single click.
func (p *Plot) Tapped(ev *fyne.PointEvent) {
	p.drag = nil
	if p.Menu != nil && onSign(ev.Position, p.Size()) {
		p.showMenu(ev.Position)
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(p); c != nil && p.figure.Items() > 0 && !p.Disabled() {
		c.Focus(p)
	}
	now, k := time.Now(), p.at(ev.Position)
	if now.Sub(p.lastTap) < fyne.CurrentApp().Driver().DoubleTapDelay() {
		p.lastTap = time.Time{}
		if k < 0 {
			p.ShowAll()
		} else if id := p.figure.ItemID(k); k == p.selected || id != "" && id == p.figure.ItemID(p.selected) {
			p.open()
		}
		return
	}
	p.lastTap = now
	if k >= 0 {
		p.choose(k)
	} else if x := p.nearestX(ev.Position); p.OnX != nil && !math.IsNaN(x) {
		p.OnX(x)
	}
}

// TappedSecondary implements fyne.SecondaryTappable.
func (p *Plot) TappedSecondary(ev *fyne.PointEvent) { p.showMenu(ev.Position) }

func (p *Plot) showMenu(at fyne.Position) { popUp(p, at, p.Items) }

// Items are the entries of the menu.
func (p *Plot) Items() []*fyne.MenuItem {
	return zoomItems(p.ShowAll, p.Zoomed(), p.figure.Drawable(), p.Menu)
}

// choose selects an item on behalf of the person.
func (p *Plot) choose(k int) {
	p.Select(k)
	p.say(k)
	if p.OnTapped != nil {
		p.OnTapped(k)
	}
}

func (p *Plot) open() {
	if p.OnOpen != nil && p.selected >= 0 {
		p.OnOpen(p.selected)
	}
}

// TypedKey implements fyne.Focusable: OnKey is asked first, then the arrow keys go to the next item
// in their direction, Return opens, Escape shows all.
func (p *Plot) TypedKey(ev *fyne.KeyEvent) {
	if p.passKey(ev) {
		return
	}
	switch ev.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		p.open()
	case fyne.KeyEscape:
		p.ShowAll()
	default:
		if x, y := arrowOf(ev.Name); x != 0 || y != 0 {
			p.step(x, y)
		}
	}
}

// step chooses the next item in a direction on the screen, without a selection the first that is
// shown.
func (p *Plot) step(dx, dy float32) {
	next := -1
	if p.selected < 0 {
		for k := 0; k < p.figure.Items() && next < 0; k++ {
			if _, shown := p.spot(k); shown {
				next = k
			}
		}
	} else {
		from, _ := p.spot(p.selected)
		next = onward(p.figure.Items(), from, dx, dy, func(k int) (fyne.Position, bool) {
			at, shown := p.spot(k)
			return at, shown && k != p.selected
		})
	}
	if next >= 0 {
		p.choose(next)
	}
}

// spot is where the middle of an item is drawn.
func (p *Plot) spot(k int) (at fyne.Position, shown bool) {
	var x, y float64
	if n := len(p.figure.Points); k < n {
		x, y = p.figure.Points[k].X, p.figure.Points[k].Y
	} else {
		b := p.figure.Boxes[k-n]
		x, y = (b.X0+b.X1)/2, (b.Y0+b.Y1)/2
	}
	return fyne.NewPos(p.area.x(x), p.area.y(y)), p.area.width > 0 && p.area.shows(x, y)
}

// Disabled implements fyne.Disableable: the keyboard has no use for a plot in which nothing is
// chosen.
func (p *Plot) Disabled() bool { return p.OnTapped == nil && p.OnOpen == nil }

// Enable implements fyne.Disableable.
func (p *Plot) Enable() {}

// Disable implements fyne.Disableable.
func (p *Plot) Disable() {}

// CreateRenderer implements fyne.Widget.
func (p *Plot) CreateRenderer() fyne.WidgetRenderer {
	p.ExtendBaseWidget(p)
	return newPlotRenderer(p)
}
