package widget

import (
	"math"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/variscope/variscope/engine/render"
)

// networkView is what part of a graph is in sight: the place in the middle of the widget, and how many times as large as the whole
// graph would be.
type networkView struct {
	middle render.Point
	zoom   float64
}

// closest is how far one can zoom in, keyStep how far one key zooms, centred how far what is brought to the middle is zoomed into at least,
// panStep how far one moves, as a share of what is in sight.
const closest, keyStep, centred, panStep = 16, 1.3, 2, 0.15

func wholeView() networkView { return networkView{render.Point{X: 0.5, Y: 0.5}, 1} }

// hold keeps the graph in sight.
func (v *networkView) hold() {
	v.zoom = min(max(v.zoom, 1), closest)
	edge := 0.5 / v.zoom
	v.middle.X, v.middle.Y = min(max(v.middle.X, edge), 1-edge), min(max(v.middle.Y, edge), 1-edge)
}

// The room around the graph for the names of the outermost nodes, where the widget is large enough.
const networkSide, networkTop, networkBottom = 46, 20, 34

// room is the part of the widget that the whole graph fills at zoom 1.
func (n *Network) room() (left, top, width, height float64) {
	size := n.Size()
	side, above, below := min(networkSide*Grown(), size.Width/8), min(networkTop*Grown(), size.Height/8), min(networkBottom*Grown(), size.Height/6)
	return float64(side), float64(above), float64(size.Width - 2*side), float64(size.Height - above - below)
}

// place is where a node stands in the widget.
func (n *Network) place(node int) fyne.Position {
	left, top, width, height := n.room()
	p := n.data.Spots[node]
	return fyne.NewPos(
		float32(left+width/2+(p.X-n.view.middle.X)*width*n.view.zoom),
		float32(top+height/2+(p.Y-n.view.middle.Y)*height*n.view.zoom),
	)
}

// spot is what lies at a position of the widget.
func (n *Network) spot(pos fyne.Position) render.Point {
	left, top, width, height := n.room()
	return render.Point{
		X: n.view.middle.X + (float64(pos.X)-left-width/2)/(width*n.view.zoom),
		Y: n.view.middle.Y + (float64(pos.Y)-top-height/2)/(height*n.view.zoom),
	}
}

// each is the side of the room that every node has, before it is zoomed.
func (n *Network) each() float64 {
	_, _, width, height := n.room()
	return math.Sqrt(max(width*height, 1) / float64(max(len(n.data.Nodes), 1)))
}

// largest is the radius of the largest node: less where there are many nodes or little room, more where one is closer.
func (n *Network) largest() float64 {
	return min(max(0.12*n.each(), 4.5), 15) * float64(Grown()) * min(math.Sqrt(n.view.zoom), 2.2)
}

// radius is that of a node.
func (n *Network) radius(node int) float64 {
	return max(render.NodeRadius(n.shares[node], n.largest()), 2.5)
}

// arrow is a link as it is drawn.
func (n *Network) arrow(link int) render.Arrow {
	l := n.data.Links[link]
	from, to := n.place(l.From), n.place(l.To)
	width, _ := render.LinkLook(l.Weight)
	width *= min(max(n.each()*n.view.zoom/100, 0.6), 1) // finer where there is little room
	return render.Arrow{
		From: render.Point{X: float64(from.X), Y: float64(from.Y)}, To: render.Point{X: float64(to.X), Y: float64(to.Y)},
		FromRadius: n.radius(l.From) + 1, ToRadius: n.radius(l.To) + 1, Bow: n.back[link], Width: width,
	}
}

// crowdedLinks is the number of links beyond which they are drawn fainter.
const crowdedLinks = 1000

// Zoom makes the graph so many times as large, around its middle; 0 shows all.
func (n *Network) Zoom(times float64) {
	left, top, width, height := n.room()
	n.zoomAt(times, fyne.NewPos(float32(left+width/2), float32(top+height/2)))
}

// zoomAt zooms so that what lies at a position stays there.
func (n *Network) zoomAt(times float64, pos fyne.Position) {
	_, _, width, height := n.room()
	if !(times > 0) || width <= 0 || height <= 0 {
		n.ShowAll()
		return
	}
	at := n.spot(pos)
	before := n.view.zoom
	n.view.zoom = min(max(before*times, 1), closest)
	n.view.middle.X = at.X - (at.X-n.view.middle.X)*before/n.view.zoom
	n.view.middle.Y = at.Y - (at.Y-n.view.middle.Y)*before/n.view.zoom
	n.show()
}

// show shows the view after a change of it; what the pointer meant has moved on.
func (n *Network) show() {
	n.view.hold()
	n.node, n.link = -1, -1
	n.Refresh()
}

// ShowAll ends the zoom.
func (n *Network) ShowAll() {
	n.view = wholeView()
	n.show()
}

// Zoomed tells whether less than everything is shown.
func (n *Network) Zoomed() bool { return n.view.zoom > 1 }

// Pan moves what is in sight, in shares of it.
func (n *Network) Pan(x, y float64) {
	n.view.middle.X += x / n.view.zoom
	n.view.middle.Y += y / n.view.zoom
	n.show()
}

// Scrolled implements fyne.Scrollable: the wheel zooms around the pointer.
func (n *Network) Scrolled(ev *fyne.ScrollEvent) {
	if n.laidOut() && ev.Scrolled.DY != 0 {
		n.zoomAt(math.Pow(1/wheelStep, min(max(float64(ev.Scrolled.DY)/wheelUnit, -4), 4)), ev.Position)
	}
}

// Dragged implements fyne.Draggable: the graph follows the pointer.
func (n *Network) Dragged(ev *fyne.DragEvent) {
	_, _, width, height := n.room()
	if n.laidOut() && width > 0 && height > 0 {
		n.Pan(-float64(ev.Dragged.DX)/width, -float64(ev.Dragged.DY)/height)
	}
}

// DragEnd implements fyne.Draggable.
func (*Network) DragEnd() {}

// nodeAt is the node under a position or right beside it, -1 for none; the nearest one where there are several.
func (n *Network) nodeAt(pos fyne.Position) int {
	best, least := -1, math.Inf(1)
	for k := range n.data.Spots {
		p := n.place(k)
		d := math.Hypot(float64(pos.X-p.X), float64(pos.Y-p.Y))
		if d <= max(n.radius(k)+2, 7) && d < least {
			best, least = k, d
		}
	}
	return best
}

// linkAt is the nearest of the links that are drawn and not dimmed, at most 5 pixels from a position; -1 for none.
func (n *Network) linkAt(pos fyne.Position) int {
	best, least := -1, 5.0
	at := render.Point{X: float64(pos.X), Y: float64(pos.Y)}
	for k, l := range n.data.Links {
		if l.Weight < n.least || n.dimmed(k) {
			continue
		}
		if d := n.arrow(k).Distance(at); d < least {
			best, least = k, d
		}
	}
	return best
}

// dimmed tells whether a link is none of those around the selected node: those that lead to its neighbours, and on from them as many
// links as are shown; where only one way is looked along, those of that way.
func (n *Network) dimmed(link int) bool {
	if n.near == nil {
		return false
	}
	from, to := n.near[n.data.Links[link].From], n.near[n.data.Links[link].To]
	if from < 0 || to < 0 {
		return true
	}
	switch n.way {
	case render.Onward:
		return from >= n.hops
	case render.Back:
		return to >= n.hops
	}
	return min(from, to) >= n.hops
}

// MouseIn implements desktop.Hoverable.
func (n *Network) MouseIn(ev *desktop.MouseEvent) { n.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (n *Network) MouseMoved(ev *desktop.MouseEvent) {
	if !n.laidOut() {
		return
	}
	node, link := n.nodeAt(ev.Position), -1
	if node < 0 {
		link = n.linkAt(ev.Position)
	}
	n.point(node, link)
}

// MouseOut implements desktop.Hoverable.
func (n *Network) MouseOut() { n.point(-1, -1) }

func (n *Network) point(node, link int) {
	if node == n.node && link == n.link {
		return
	}
	n.node, n.link = node, link
	n.say()
	n.Refresh()
}

// Tapped implements fyne.Tappable: a click selects a node, a second one within Fyne's double tap time opens it; a click on the ground
// ends the selection, two show all. DoubleTapped is not implemented, because Fyne would then hold back every single click.
func (n *Network) Tapped(ev *fyne.PointEvent) {
	if n.Menu != nil && onSign(ev.Position, n.Size()) {
		n.showMenu(ev.Position)
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(n); c != nil {
		c.Focus(n)
	}
	if !n.laidOut() {
		return
	}
	now, node := time.Now(), n.nodeAt(ev.Position)
	again := node == n.tapped && now.Sub(n.lastTap) < fyne.CurrentApp().Driver().DoubleTapDelay()
	n.tapped, n.lastTap = node, now
	switch link := n.linkAt(ev.Position); {
	case node >= 0 && again && node == n.selected:
		n.lastTap = time.Time{}
		n.open()
	case node >= 0:
		n.choose(node)
	case link >= 0 && n.OnLink != nil:
		n.OnLink(link)
	case again:
		n.lastTap = time.Time{}
		n.ShowAll()
	default:
		n.choose(-1)
	}
}

func (n *Network) open() {
	if n.OnOpen != nil && n.selected >= 0 {
		n.OnOpen(n.selected)
	}
}

// TappedSecondary implements fyne.SecondaryTappable.
func (n *Network) TappedSecondary(ev *fyne.PointEvent) { n.showMenu(ev.Position) }

func (n *Network) showMenu(at fyne.Position) {
	popUp(n, at, func() []*fyne.MenuItem { return zoomItems(n.ShowAll, n.Zoomed(), n.laidOut(), n.Menu) })
}
