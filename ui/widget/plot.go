package widget

import (
	"math"
	"reflect"
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
