package widget

import (
	"math"
	"reflect"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
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
// OnHover, an X of the lines where there is nothing else; a click chooses a point or box, the arrow
// keys go on to the next, a double click or Return opens it. The wheel zooms around the pointer, a
// rectangle drawn with the pointer zooms into it, dragging with Shift or the middle button moves
// what is shown, a double click beside points shows all again. An axis of names is always shown
// whole. In a matrix pointer and arrow keys move a crosshair from cell to cell, which the plots of
// one Link share. A network moves when it is dragged. + and - zoom, 0 shows all.
type Plot struct {
	keyed
	// Link, which may be nil, is shared with the plots that show the same places.
	Link *Link
	// OnItem is called with the item under the pointer or the crosshair, -1 when there is none any
	// more.
	OnItem func(item int)
	// OnMoved is called with the cell that the arrow keys have moved to, -1 after Escape.
	OnMoved func(item int)
	// OnHover gets what is read out, "" for nothing.
	OnHover func(text string)
	// OnTapped is called with the item (result.Figure.Tell) that was clicked or reached with the
	// arrow keys, OnOpen with the one to open, OnX with the nearest X of the lines after a click.
	OnTapped, OnOpen func(item int)
	OnX              func(x float64)
	// OnNone, which may be nil, is called when a click beside all items or Escape ends a selection.
	OnNone func()
	// Tell, which may be nil, reads an item out in place of the figure.
	Tell func(item int) string
	// Wheel, which may be nil, is offered the turns of the wheel, such as by Scrolling; what it
	// does not take (false) zooms.
	Wheel func(*fyne.ScrollEvent) bool
	// Menu are the entries of the menu besides those for the zoom: copying and saving. Nil leaves
	// the menu to the zoom.
	Menu func() []*fyne.MenuItem
	// Signless leaves the sign that opens the menu to what the plot stands in.
	Signless bool

	self     focusable // the plot, or the widget that it is part of
	title    string    // above the figure, "" for none
	figure   result.Figure
	all      frame // ends of all there is
	xs       []float64
	area     frame
	laid     render.Laid
	head     float32 // height of the title
	hovered  int     // item under the pointer, -1 for none
	x        float64 // of the lines under the pointer, NaN for none
	pointer  fyne.Position
	selected int     // item, -1 for none
	marked   []int   // items with rings
	rule     float64 // X that stays marked, NaN for none
	zoom     *extent // what is shown; nil for all
	fresh    bool    // a network of boxes that nobody has zoomed begins so that it can be read
	drag     *drag
	lastTap  time.Time
	version  int // of what is drawn; grows with figure and zoom
	values   int // of the cells of a matrix; grows with their values alone
}

// Link is what plots beside each other share: where the pointer is in one, the others show the same
// place.
type Link struct{ plots []*Plot }

// Add has a plot follow the others and lead them.
func (l *Link) Add(p *Plot) { l.plots, p.Link = append(l.plots, p), l }

// NewPlot makes an empty plot.
func NewPlot() *Plot {
	p := &Plot{}
	p.begin(p)
	return p
}

// begin makes the plot empty, as a part of a widget or itself.
func (p *Plot) begin(self focusable) {
	p.self, p.hovered, p.selected, p.x, p.rule = self, -1, -1, math.NaN(), math.NaN()
	p.ExtendBaseWidget(self.(fyne.Widget))
}

// SetFigure shows another figure, which must pass its Check and not be changed afterwards, and ends
// selection and rings; what was zoomed into stays while the axes and their ends do.
func (p *Plot) SetFigure(f result.Figure) {
	if sameFrame(f, p.figure) {
		if !sameNumbers(f.Matrix.Values, p.figure.Matrix.Values) {
			p.point(-1, math.NaN())
			p.figure = f
			p.values++
			p.Refresh()
		}
		return
	}
	p.point(-1, math.NaN()) // what was read out is of the figure before
	before, x, y := p.all, p.figure.X.Name, p.figure.Y.Name
	p.figure, p.selected, p.marked, p.xs, p.drag = f, -1, nil, nil, nil
	ends := render.Extent(f)
	p.all = frame{x0: ends.X0, x1: ends.X1, y0: ends.Y0, y1: ends.Y1}
	if !f.Drawable() || f.X.Name != x || f.Y.Name != y || p.all != before {
		p.zoom, p.fresh = nil, f.NoAxes && len(f.Boxes) > 0
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

// sameFrame tells whether two figures are matrices that differ in nothing but the values of their
// cells.
func sameFrame(a, b result.Figure) bool {
	m, n := a.Matrix, b.Matrix
	if m.Size() == 0 || n.Size() == 0 || m.Text != nil || n.Text != nil || m.Under != n.Under {
		return false
	}
	under, over := m.Outside()
	before, beyond := n.Outside()
	return (under > 0) == (before > 0) && (over > 0) == (beyond > 0) && m.Rows == n.Rows && m.Columns == n.Columns &&
		m.Colours == n.Colours && m.Barless == n.Barless &&
		reflect.DeepEqual([]result.Axis{a.X, a.Y, m.Value}, []result.Axis{b.X, b.Y, n.Value})
}

// sameNumbers tells whether two lists hold the same numbers, with NaN in the same places.
func sameNumbers(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) })
}

// SetTitle writes a line above the figure, "" for none.
func (p *Plot) SetTitle(title string) {
	if title != p.title {
		p.title = title
		p.version++
		p.Refresh()
	}
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

// Zoom makes what is shown so many times as large, around its middle; 0 shows all.
func (p *Plot) Zoom(times float64) {
	part := p.visible().extent()
	if times == 0 {
		p.ShowAll()
		return
	}
	part.x0, part.x1 = around(part.x0, part.x1, (part.x0+part.x1)/2, 1/times)
	part.y0, part.y1 = around(part.y0, part.y1, (part.y0+part.y1)/2, 1/times)
	p.show(&part)
}

// Centre moves an item into the middle, closer than all is seen.
func (p *Plot) Centre(item int) {
	if item < 0 || item >= p.figure.Items() {
		return
	}
	const closer = 2
	x, y := p.middle(item)
	part, all := p.visible().extent(), p.all
	share := min(1, (all.x1-all.x0)/closer/(part.x1-part.x0))
	dx, dy := (part.x1-part.x0)*share/2, (part.y1-part.y0)*share/2
	p.show(&extent{x - dx, x + dx, y - dy, y + dy})
}

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
	if p.figure.Matrix != nil && part != nil {
		part = p.wholeCells(*part)
	}
	p.fresh = false
	next := p.all.held(part, p.figure.Y.Names == nil)
	if next != p.zoom && (next == nil || p.zoom == nil || *next != *p.zoom) {
		p.zoom = next
		p.version++
	}
	p.hovered, p.x = -1, math.NaN()
	p.Refresh()
}

// wholeCells is a part of a matrix up to the edges of cells, nil for all of one whose Y axis runs
// down.
func (p *Plot) wholeCells(part extent) *extent {
	f, m := p.figure, p.figure.Matrix
	if f.Y.Down {
		return nil
	}
	edges := func(a result.Axis, cells int, from, to float64) (float64, float64) {
		low, high := a.Ends(cells)
		step := (high - low) / float64(cells)
		first, end := render.CellSpan(a, cells, from, to)
		return low + step*float64(first), low + step*float64(end)
	}
	part.x0, part.x1 = edges(f.X, m.Columns, part.x0, part.x1)
	if f.Y.Names == nil {
		part.y0, part.y1 = edges(f.Y, m.Rows, part.y0, part.y1)
	}
	return &part
}

// cellAt is the cell of the matrix that shows a place of both axes, -1 for none.
func (p *Plot) cellAt(x, y float64) int {
	f, m := p.figure, p.figure.Matrix
	if m == nil || !f.Drawable() {
		return -1
	}
	along := func(a result.Axis, cells int, v float64) int {
		low, high := a.Ends(cells)
		if !(v >= low && v <= high) {
			return -1
		}
		return min(int((v-low)/(high-low)*float64(cells)), cells-1)
	}
	row, column := along(f.Y, m.Rows, y), along(f.X, m.Columns, x)
	if row < 0 || column < 0 {
		return -1
	}
	return len(f.Points) + len(f.Boxes) + row*m.Columns + column
}

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

// Disabled implements fyne.Disableable: the keyboard has no use for a plot in which nothing is
// chosen.
func (p *Plot) Disabled() bool { return p.OnTapped == nil && p.OnOpen == nil }

// Enable implements fyne.Disableable.
func (p *Plot) Enable() {}

// Disable implements fyne.Disableable.
func (p *Plot) Disable() {}

// CreateRenderer implements fyne.Widget.
func (p *Plot) CreateRenderer() fyne.WidgetRenderer {
	return newPlotRenderer(p)
}
