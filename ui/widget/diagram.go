package widget

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
)

var (
	_ desktop.Hoverable      = (*Diagram)(nil)
	_ fyne.SecondaryTappable = (*Diagram)(nil)
	_ fyne.Scrollable        = (*Diagram)(nil)
	_ fyne.Draggable         = (*Diagram)(nil)
)

// DiagramData is what a Diagram shows. Hints has a line per node for OnHover. The tree must have
// passed its Check.
type DiagramData struct {
	render.Diagram
	Hints []string
	Empty string // the text shown when there are no nodes
}

// Diagram draws a binary tree in a view of its own that scrolls both ways. Dragging moves the
// tree; the wheel with Ctrl, and Zoom, make it larger and smaller.
type Diagram struct {
	widget.BaseWidget
	// OnHover gets the hint of the node under the pointer, "" when it has left.
	OnHover func(text string)
	// Menu are the entries of the menu that a click with the other button opens; nil for none.
	Menu func() []*fyne.MenuItem

	data   DiagramData
	zoom   float32
	zoomed bool // by hand: another tree keeps the zoom
	spots  []render.Spot
	width  float64
	rows   int
	node   int // under the pointer, -1 for none
	scroll *container.Scroll
	key    *classKey
}

// The size of a node at zoom 1 with letters of the usual size, and of what it stands in.
const (
	diagramNodeWidth, diagramNodeHeight = 148, 52
	diagramCell, diagramRow             = 160, 78
	diagramEdge                         = 6 // above the root
	leastZoom, mostZoom                 = 0.2, 2
	readable                            = 0.6 // the smallest zoom that a tree begins with
)

// NewDiagram makes an empty diagram; View is what a screen shows of it.
func NewDiagram() *Diagram {
	d := &Diagram{zoom: 1, node: -1}
	d.ExtendBaseWidget(d)
	d.scroll, d.key = container.NewScroll(d), &classKey{}
	d.key.ExtendBaseWidget(d.key)
	return d
}

// View is the diagram in its scroll, below a line that names the colours of the classes.
func (d *Diagram) View() fyne.CanvasObject {
	return container.NewBorder(d.key, nil, nil, nil, d.scroll)
}

// SetData shows another tree from its root, as large as it was zoomed to, else so that as much as
// can be read is in sight. A tree that Check refuses is not drawn; what it says stands in its
// place.
func (d *Diagram) SetData(data DiagramData) {
	if err := data.Check(); len(data.Nodes) > 0 && err != nil {
		data.Nodes, data.Empty = nil, err.Error()
	}
	d.point(-1) // what was read out is of the data before
	d.data = data
	d.key.classes = data.Classes
	d.key.Refresh()
	d.spots, d.width, d.rows = data.Places()
	if !d.zoomed && d.scroll.Size().Width > 0 {
		d.zoom = max(d.fitting(), readable)
	}
	d.scroll.Offset = fyne.Position{}
	if size := d.scroll.Size(); len(d.spots) > 0 && size.Width > 0 { // the root is in sight
		d.scroll.Offset.X = max(min(float32(d.spots[0].X)*diagramCell*d.drawn()-size.Width/2, d.MinSize().Width-size.Width), 0)
	}
	d.Refresh()
	d.scroll.Refresh()
}

// drawn is how many times the size of a node it is drawn in: the letters in it may be larger than
// usual.
func (d *Diagram) drawn() float32 { return d.zoom * Grown() }

// fitting is the zoom with which the whole tree can be seen, 1 at most.
func (d *Diagram) fitting() float32 {
	size := d.scroll.Size()
	if d.width == 0 {
		return 1
	}
	return min(size.Width/(float32(d.width)*diagramCell), (size.Height-diagramEdge)/(float32(d.rows)*diagramRow), Grown()) / Grown()
}

// Data is what is shown.
func (d *Diagram) Data() DiagramData { return d.data }

// Zoom makes the tree so many times as large; 0 makes it fit the view.
func (d *Diagram) Zoom(times float32) {
	zoom := d.zoom * times
	if times == 0 {
		zoom = d.fitting()
	}
	d.zoom, d.zoomed = min(max(zoom, leastZoom), mostZoom), true
	d.Refresh()
	d.scroll.Refresh()
}

// top is the upper edge of node k, in the middle of it.
func (d *Diagram) top(k int) fyne.Position {
	left := max(d.Size().Width-float32(d.width)*diagramCell*d.drawn(), 0) / 2
	return fyne.NewPos(left+float32(d.spots[k].X)*diagramCell*d.drawn(), diagramEdge+float32(d.spots[k].Row)*diagramRow*d.drawn())
}

// at is the node under a position, -1 for none.
func (d *Diagram) at(pos fyne.Position) int {
	for k := range d.spots {
		top := d.top(k)
		if math.Abs(float64(pos.X-top.X)) <= float64(diagramNodeWidth*d.drawn()/2) && pos.Y >= top.Y && pos.Y <= top.Y+diagramNodeHeight*d.drawn() {
			return k
		}
	}
	return -1
}

// MouseIn implements desktop.Hoverable.
func (d *Diagram) MouseIn(ev *desktop.MouseEvent) { d.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (d *Diagram) MouseMoved(ev *desktop.MouseEvent) { d.point(d.at(ev.Position)) }

// MouseOut implements desktop.Hoverable.
func (d *Diagram) MouseOut() { d.point(-1) }

func (d *Diagram) point(node int) {
	if node == d.node {
		return
	}
	d.node = node
	if d.OnHover != nil {
		text := ""
		if node >= 0 && node < len(d.data.Hints) {
			text = d.data.Hints[node]
		}
		d.OnHover(text)
	}
}

// TappedSecondary implements fyne.SecondaryTappable.
func (d *Diagram) TappedSecondary(ev *fyne.PointEvent) { popUp(d, ev.Position, d.Menu) }

// CreateRenderer implements fyne.Widget.
func (d *Diagram) CreateRenderer() fyne.WidgetRenderer {
	d.ExtendBaseWidget(d)
	r := &diagramRenderer{d: d}
	r.drawn = drawn{of: d, draw: r.build}
	r.build(fyne.Size{})
	return r
}

// Scrolled implements fyne.Scrollable: the wheel scrolls, with Ctrl it zooms.
func (d *Diagram) Scrolled(ev *fyne.ScrollEvent) {
	driver, ok := fyne.CurrentApp().Driver().(desktop.Driver)
	if !ok || driver.CurrentKeyModifiers()&fyne.KeyModifierShortcutDefault == 0 {
		d.scroll.Scrolled(ev)
		return
	}
	step := float32(1.15)
	if ev.Scrolled.DY < 0 {
		step = 1 / step
	}
	d.Zoom(step)
}

// Dragged implements fyne.Draggable.
func (d *Diagram) Dragged(ev *fyne.DragEvent) {
	d.scroll.Scrolled(&fyne.ScrollEvent{Scrolled: ev.Dragged})
}

// DragEnd implements fyne.Draggable.
func (*Diagram) DragEnd() {}

type diagramRenderer struct {
	drawn
	d *Diagram
}

// MinSize implements fyne.WidgetRenderer.
func (r *diagramRenderer) MinSize() fyne.Size {
	return fyne.NewSize(float32(r.d.width)*diagramCell*r.d.drawn(), diagramEdge+float32(r.d.rows)*diagramRow*r.d.drawn())
}

func (r *diagramRenderer) build(fyne.Size) {
	st := styleOf(r.d)
	r.objects = r.objects[:0]
	nodes := r.d.data.Nodes
	if len(nodes) == 0 {
		text := newText(r.d.data.Empty, st.faint, st.text)
		placeText(text, 8, 8)
		r.objects = append(r.objects, text)
		return
	}
	for k, n := range nodes {
		if n.Left >= 0 {
			r.branch(k, n.Left, r.d.data.Yes, st)
			r.branch(k, n.Right, r.d.data.No, st)
		}
	}
	for k := range nodes {
		r.node(k, st)
	}
}

func (r *diagramRenderer) branch(from, to int, name string, st style) {
	a, b := r.d.top(from).AddXY(0, diagramNodeHeight*r.d.drawn()), r.d.top(to)
	line := newLine(st.faint, a.X, a.Y, b.X, b.Y)
	if r.d.data.Nodes[from].Marked && r.d.data.Nodes[to].Marked {
		line.StrokeColor, line.StrokeWidth = st.foreground, 3
	}
	text := newText(name, st.faint, st.caption*r.d.zoom)
	placeText(text, (a.X+b.X)/2+4, (a.Y+b.Y)/2-text.MinSize().Height/2)
	r.objects = append(r.objects, line, text)
}

func (r *diagramRenderer) node(k int, st style) {
	n, zoom := r.d.data.Nodes[k], r.d.zoom
	size := fyne.NewSize(diagramNodeWidth*r.d.drawn(), diagramNodeHeight*r.d.drawn())
	corner := r.d.top(k).SubtractXY(size.Width/2, 0)
	box := canvas.NewRectangle(st.background)
	box.StrokeColor, box.StrokeWidth, box.CornerRadius = st.faint, 1, 3
	if n.Marked {
		box.StrokeColor, box.StrokeWidth = st.foreground, 2.5
	}
	box.Resize(size)
	box.Move(corner)
	r.objects = append(r.objects, box)
	y := corner.Y + 4*zoom
	for i, line := range n.Lines {
		colour := st.foreground
		if i > 0 {
			colour = st.faint
		}
		text := newText(shorten(line, st.caption*zoom, size.Width-8*zoom, false), colour, st.caption*zoom)
		least := text.MinSize()
		placeText(text, corner.X+(size.Width-least.Width)/2, y)
		y += least.Height
		r.objects = append(r.objects, text)
	}
	x, high := corner.X+2, 7*zoom
	for class, share := range n.Shares {
		part := canvas.NewRectangle(classColour(class, len(r.d.data.Classes), st))
		part.Resize(fyne.NewSize((size.Width-4)*float32(share), high))
		part.Move(fyne.NewPos(x, corner.Y+size.Height-high-2))
		x += (size.Width - 4) * float32(share)
		r.objects = append(r.objects, part)
	}
}

// classColour is the colour of class k of n, that of the label's look in all charts.
func classColour(k, n int, st style) color.Color {
	list := []result.Look{result.LookInvariant, result.LookBorderline, result.LookVariant}
	if n == 2 && k == 1 {
		k = 2
	}
	return colourOf(list[min(max(k, 0), len(list)-1)], st.background)
}

// classKey is a line that names the colours of classes.
type classKey struct {
	widget.BaseWidget
	classes []string
}

// CreateRenderer implements fyne.Widget.
func (k *classKey) CreateRenderer() fyne.WidgetRenderer {
	k.ExtendBaseWidget(k)
	r := &classKeyRenderer{k: k}
	r.drawn = drawn{of: k, draw: r.build}
	r.build(fyne.Size{})
	return r
}

type classKeyRenderer struct {
	drawn
	k *classKey
}

// MinSize implements fyne.WidgetRenderer.
func (r *classKeyRenderer) MinSize() fyne.Size {
	return fyne.NewSize(40, measure("X", styleOf(r.k).caption, false).Height+2)
}

func (r *classKeyRenderer) build(fyne.Size) {
	st := styleOf(r.k)
	r.objects = r.objects[:0]
	x := float32(8)
	for k, name := range r.k.classes {
		text := newText(name, st.foreground, st.caption)
		box := canvas.NewRectangle(classColour(k, len(r.k.classes), st))
		box.Resize(fyne.NewSize(14, 8))
		box.Move(fyne.NewPos(x, 1+text.MinSize().Height/2-4))
		placeText(text, x+18, 1)
		x += 32 + text.MinSize().Width
		r.objects = append(r.objects, box, text)
	}
}
