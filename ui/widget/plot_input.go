package widget

import (
	"math"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
)

// reach is how far from a point, in device-independent pixels, the pointer still means it.
const reach = 9

// at is the item at a position, -1 for none: the nearest point within reach, else the box there, or
// one in the same column of a histogram or in the same row beside names.
func (p *Plot) at(pos fyne.Position) int {
	if p.area.width <= 0 {
		return -1
	}
	if p.figure.Matrix != nil {
		if pos.X < p.area.left || pos.X >= p.area.left+p.area.width || pos.Y < p.area.top ||
			pos.Y >= p.area.top+p.area.height {
			return -1
		}
		return p.cellAt(p.area.atX(pos.X), p.area.atY(pos.Y))
	}
	best, least := -1, float64(reach)
	for k, d := range p.figure.Points {
		if !p.area.shows(d.X, d.Y) {
			continue
		}
		away := math.Hypot(float64(p.area.x(d.X)-pos.X), float64(p.area.y(d.Y)-pos.Y))
		if p.figure.NoAxes {
			away -= max(float64(p.laid.Radius(k))+2-reach, 0)
		}
		if away <= least {
			best, least = k, away
		}
	}
	if p.figure.NoAxes {
		return p.nodeAt(pos, best)
	}
	inRow := p.figure.Y.Names != nil && p.figure.X.Names == nil && pos.Y >= p.area.top &&
		pos.Y < p.area.top+p.area.height
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
		case across && p.figure.Y.Names == nil, p.figure.X.Names == nil && p.figure.Y.Names != nil &&
			math.Round(y) == math.Round((b.Y0+b.Y1)/2):
			best = len(p.figure.Points) + k
		}
	}
	return best
}

// nodeAt is the item of a network at a position: a point that was found there, else a box or
// the nearest link.
func (p *Plot) nodeAt(pos fyne.Position, point int) int {
	if point >= 0 {
		return point
	}
	n := len(p.figure.Points)
	x, y := p.area.atX(pos.X), p.area.atY(pos.Y)
	for k, b := range p.figure.Boxes {
		if x >= b.X0 && x < b.X1 && y >= b.Y0 && y < b.Y1 && p.area.holds(pos) {
			return n + k
		}
	}
	const near = 5
	if k := p.laid.LinkAt(pos.X, pos.Y-p.head, near); k >= 0 && p.figure.Links[k].Name != "" {
		return n + len(p.figure.Boxes) + k
	}
	return -1
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

// Leave takes the crosshair away, and with it what was read out.
func (p *Plot) Leave() { p.point(-1, math.NaN()) }

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
	moved := item != p.hovered
	p.hovered, p.x = item, x
	p.say(item)
	if moved && p.OnItem != nil {
		p.OnItem(item)
	}
	p.Refresh()
	if p.Link == nil {
		return
	}
	y := math.NaN()
	if item >= 0 {
		x, y = p.middle(item)
	}
	for _, other := range p.Link.plots {
		if other != p {
			other.follow(x, y)
		}
	}
}

// follow shows a place where it is in this figure, too, and reads out what is there, without a
// report; NaN for none.
func (p *Plot) follow(x, y float64) {
	item, at := p.cellAt(x, y), math.NaN()
	if slices.Contains(p.xs, x) {
		at = x
	}
	for k := 0; k < p.figure.Items() && item < 0 && p.figure.Matrix == nil; k++ {
		if here, up := p.middle(k); here == x && up == y {
			item = k
		}
	}
	if item == p.hovered && (at == p.x || math.IsNaN(at) && math.IsNaN(p.x)) {
		return
	}
	p.hovered, p.x = item, at
	if item >= 0 {
		p.pointer, _ = p.spot(item)
	} else {
		p.pointer = fyne.NewPos(p.area.x(x), p.area.top)
	}
	p.Refresh()
}

// middle is the middle of an item along both axes.
func (p *Plot) middle(k int) (x, y float64) {
	if k < len(p.figure.Points) {
		return p.figure.Points[k].X, p.figure.Points[k].Y
	}
	if l := p.figure.Link(k); l != nil {
		x, y := p.middle(l.From)
		x2, y2 := p.middle(l.To)
		return (x + x2) / 2, (y + y2) / 2
	}
	b := p.figure.Box(k)
	return (b.X0 + b.X1) / 2, (b.Y0 + b.Y1) / 2
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

// Scrolled implements fyne.Scrollable: the wheel zooms around the pointer, beside an axis along
// that axis only.
func (p *Plot) Scrolled(ev *fyne.ScrollEvent) {
	if p.Wheel != nil && p.Wheel(ev) {
		return
	}
	if part, ok := p.area.wheel(ev); ok {
		p.show(&part)
	}
}

// Scrolling is the Wheel of a plot in a container that scrolls: it takes the wheel while the
// container's content is higher than the container.
func Scrolling(in *container.Scroll) func(*fyne.ScrollEvent) bool {
	return func(ev *fyne.ScrollEvent) bool {
		if in.Content.MinSize().Height <= in.Size().Height {
			return false
		}
		in.Scrolled(ev)
		return true
	}
}

// MouseDown implements desktop.Mouseable: it tells where a drag begins and what it means.
func (p *Plot) MouseDown(ev *desktop.MouseEvent) {
	if p.drag = p.area.begin(ev); p.drag != nil && p.figure.NoAxes {
		p.drag.pan = true
	}
}

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
// double tap time opens the item, or shows all where there is none. DoubleTapped is not
// implemented, because Fyne would then hold back every single click.
func (p *Plot) Tapped(ev *fyne.PointEvent) {
	p.drag = nil
	if p.signed() && onSign(ev.Position, p.Size()) {
		p.showMenu(ev.Position)
		return
	}
	cells := p.figure.Matrix != nil
	c := fyne.CurrentApp().Driver().CanvasForObject(p.self)
	if c != nil && p.figure.Items() > 0 && !p.Disabled() && !cells { // a screen's keys stay where they are
		c.Focus(p.self)
	}
	now, k := time.Now(), p.at(ev.Position)
	if now.Sub(p.lastTap) < fyne.CurrentApp().Driver().DoubleTapDelay() {
		p.lastTap = time.Time{}
		if k < 0 || cells && p.Zoomed() {
			p.ShowAll()
		} else if cells {
			p.choose(k)
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
	} else {
		p.none()
	}
}

// none ends the selection where somebody is told; false where there is none to end.
func (p *Plot) none() bool {
	if p.OnNone == nil || p.selected < 0 {
		return false
	}
	p.Select(-1)
	p.OnNone()
	return true
}

// TappedSecondary implements fyne.SecondaryTappable.
func (p *Plot) TappedSecondary(ev *fyne.PointEvent) { p.showMenu(ev.Position) }

// signed tells whether the sign of the menu stands in the plot's corner.
func (p *Plot) signed() bool { return p.Menu != nil && !p.Signless }

func (p *Plot) showMenu(at fyne.Position) { popUp(p.self.(fyne.Widget), at, p.Items) }

// Items are the entries of the menu.
func (p *Plot) Items() []*fyne.MenuItem {
	return zoomItems(p.ShowAll, p.Zoomed(), p.figure.Drawable(), p.Menu)
}

// choose selects an item on behalf of the person.
func (p *Plot) choose(k int) {
	if p.figure.Matrix != nil {
		p.point(k, math.NaN())
	} else {
		if p.figure.Link(k) == nil {
			p.Select(k)
			if _, shown := p.spot(k); k >= 0 && !shown && p.figure.NoAxes {
				p.Centre(k)
			}
		}
		p.say(k)
	}
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
// in their direction, Home and End to the first and last cell, Return opens, Escape shows all.
func (p *Plot) TypedKey(ev *fyne.KeyEvent) {
	if p.passKey(ev) {
		return
	}
	cells := p.figure.Matrix != nil
	switch x, y := arrowOf(ev.Name); {
	case (ev.Name == fyne.KeyReturn || ev.Name == fyne.KeyEnter) && cells:
		if p.hovered >= 0 && p.OnTapped != nil {
			p.OnTapped(p.hovered)
		}
	case ev.Name == fyne.KeyReturn || ev.Name == fyne.KeyEnter:
		p.open()
	case ev.Name == fyne.KeyEscape && cells && p.hovered >= 0:
		p.move(-1)
	case ev.Name == fyne.KeyEscape && !p.none():
		p.ShowAll()
	case ev.Name == fyne.KeyHome && p.figure.Matrix.Size() > 0:
		p.move(0)
	case ev.Name == fyne.KeyEnd && p.figure.Matrix.Size() > 0:
		p.move(p.figure.Matrix.Size() - 1)
	case (x != 0 || y != 0) && cells:
		p.stepCell(int(x), int(y))
	case x != 0 || y != 0:
		p.step(x, y)
	}
}

// TypedRune implements fyne.Focusable.
func (p *Plot) TypedRune(r rune) {
	const step = 1.3
	switch {
	case p.figure.Matrix != nil || !p.figure.Drawable():
		p.passRune(r)
	case r == '+' || r == '=':
		p.Zoom(step)
	case r == '-':
		p.Zoom(1 / step)
	case r == '0':
		p.ShowAll()
	default:
		p.passRune(r)
	}
}

// FocusLost implements fyne.Focusable: what the keys have chosen of a matrix is chosen no longer.
func (p *Plot) FocusLost() {
	p.keyed.FocusLost()
	if p.figure.Matrix != nil {
		p.point(-1, math.NaN())
	}
}

// move moves the crosshair by the keys, to -1 for none.
func (p *Plot) move(cell int) {
	if cell >= 0 {
		p.pointer, _ = p.spot(cell)
	}
	p.point(cell, math.NaN())
	if p.OnMoved != nil {
		p.OnMoved(cell)
	}
}

// stepCell moves the crosshair to the next cell: from where it is, else from the one that is
// marked, else from the middle.
func (p *Plot) stepCell(dx, dy int) {
	m := p.figure.Matrix
	if m.Rows == 0 {
		return
	}
	at := m.Rows/2*m.Columns + m.Columns/2
	switch {
	case p.hovered >= 0:
		at = p.hovered
	case len(p.marked) == 1:
		at = p.marked[0]
	}
	if !p.down() {
		dy = -dy
	}
	row, column := min(max(at/m.Columns+dy, 0), m.Rows-1), min(max(at%m.Columns+dx, 0), m.Columns-1)
	p.move(row*m.Columns + column)
}

// down tells whether the Y axis runs from the top down.
func (p *Plot) down() bool { return p.all.y0 > p.all.y1 }

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
		next = onward(p.figure.Items()-len(p.figure.Links), from, dx, dy, func(k int) (fyne.Position, bool) {
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
	x, y := p.middle(k)
	return fyne.NewPos(p.area.x(x), p.area.y(y)), p.area.width > 0 && p.area.shows(x, y)
}
