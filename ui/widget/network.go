package widget

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/variscope/variscope/engine/render"
)

var (
	_ desktop.Hoverable      = (*Network)(nil)
	_ desktop.Keyable        = (*Network)(nil)
	_ fyne.Tappable          = (*Network)(nil)
	_ fyne.SecondaryTappable = (*Network)(nil)
	_ fyne.Scrollable        = (*Network)(nil)
	_ fyne.Draggable         = (*Network)(nil)
	_ fyne.Focusable         = (*Network)(nil)
)

// NetworkData is what a Network shows. Spots are the places of the nodes, which the network's
// Places finds off the main goroutine; as long as they are missing, a line says that they are
// being found. A graph of the same nodes may be shown in the places of an earlier one, so that a
// link that was edited moves nothing. The network must have passed its Check.
type NetworkData struct {
	render.Network
	Spots []render.Point
	// NodeHint and LinkHint say what is known of a node and of a link; nil for their names alone.
	NodeHint, LinkHint func(k int) string
	Empty              string // the text shown when there are no nodes
}

// Network shows a directed graph, such as an ontology: nodes as large as their counts, links as
// strong as their weights. A selected node shows what lies within some links of it and dims the
// rest. The wheel, + and - zoom, dragging and the arrow keys with Shift move, the arrow keys go
// from node to node, 0 and a double click on the ground show all, Escape ends first the selection
// and then the zoom.
type Network struct {
	keyed
	// OnHint gets the line about the node or link under the pointer or the selected node, "" for none.
	OnHint func(text string)
	// OnSelect gets the node that a click or a key selected, -1 when that ended a selection.
	OnSelect func(node int)
	// OnOpen is called for the selected node on Return and double click; OnLink for a link that is
	// clicked.
	OnOpen func(node int)
	OnLink func(link int)
	// Menu are further entries of the menu, such as copying and saving; nil for none.
	Menu func() []*fyne.MenuItem

	data     NetworkData
	back     []bool // of the links, see render.Network.Returned
	order    []int  // of the nodes, the most important first
	shares   []float64
	view     networkView
	selected int // node, -1 for none
	hops     int
	way      render.Way
	near     []int // hops of each node from the selected one, -1 for beyond
	found    []bool
	least    float64 // weight of a link that is shown
	node     int     // under the pointer, -1 for none
	link     int     // under the pointer, -1 for none
	shift    bool    // held down
	tapped   int     // node of the last tap
	lastTap  time.Time
}

// NewNetwork makes an empty widget that shows one hop around a selected node.
func NewNetwork() *Network {
	n := &Network{selected: -1, node: -1, link: -1, tapped: -1, hops: 1, view: wholeView()}
	n.ExtendBaseWidget(n)
	return n
}

// SetData shows another graph. A node that was selected stays so where there is one of the same
// name; the zoom stays where all nodes are the same. What was searched for is to be searched for
// again. A graph that Check refuses is not drawn; what it says stands in its place.
func (n *Network) SetData(d NetworkData) {
	if err := d.Check(); err != nil {
		d.Network, d.Spots, d.Empty = render.Network{}, nil, err.Error()
	}
	selected := -1
	if n.selected >= 0 {
		name := n.data.Nodes[n.selected].Name
		selected = slices.IndexFunc(d.Nodes, func(node render.NetworkNode) bool { return node.Name == name })
	}
	if !slices.EqualFunc(n.data.Nodes, d.Nodes, func(a, b render.NetworkNode) bool { return a.Name == b.Name }) {
		n.view = wholeView()
	}
	n.data, n.back, n.order, n.found = d, d.Returned(), d.Order(), make([]bool, len(d.Nodes))
	n.shares = d.Shares()
	n.node, n.link, n.tapped = -1, -1, -1
	n.mark(selected)
	n.Refresh()
}

// Data is what is shown.
func (n *Network) Data() NetworkData { return n.data }

// laidOut tells whether there is a place for every node.
func (n *Network) laidOut() bool {
	return len(n.data.Nodes) > 0 && len(n.data.Spots) == len(n.data.Nodes)
}

// Select selects a node, -1 for none. It does not call OnSelect.
func (n *Network) Select(node int) {
	if node != n.selected {
		n.mark(node)
		n.Refresh()
	}
}

func (n *Network) mark(node int) {
	n.selected, n.near = -1, nil
	if node >= 0 && node < len(n.data.Nodes) {
		n.selected, n.near = node, n.data.Hops(node, n.hops, n.way)
	}
}

// Selected is the selected node, -1 for none.
func (n *Network) Selected() int { return n.selected }

// SetHops sets how many links around the selected node are shown, at least 1.
func (n *Network) SetHops(hops int) {
	n.hops = max(hops, 1)
	n.mark(n.selected)
	n.Refresh()
}

// SetWay sets along which links around the selected node is looked: those that leave it, those
// that reach it, or both.
func (n *Network) SetWay(way render.Way) {
	n.way = way
	n.mark(n.selected)
	n.Refresh()
}

// Near are the nodes that are shown around the selected one, itself first, then by their distance
// and their order; nil without a selection.
func (n *Network) Near() []int {
	var list []int
	for hop := range n.hops + 1 {
		for k, at := range n.near {
			if at == hop {
				list = append(list, k)
			}
		}
	}
	return list
}

// SetLeast hides links of a smaller weight. They still count for what is near.
func (n *Network) SetLeast(weight float64) {
	n.least, n.link = weight, -1
	n.Refresh()
}

// Search highlights the nodes whose names hold a text, in capitals or not, and returns them, the
// most frequent first; no text ends it.
func (n *Network) Search(text string) []int {
	text = strings.ToLower(strings.TrimSpace(text))
	var list []int
	for _, k := range n.order {
		n.found[k] = text != "" && strings.Contains(strings.ToLower(n.data.Nodes[k].Name), text)
		if n.found[k] {
			list = append(list, k)
		}
	}
	n.Refresh()
	return list
}

// Reveal moves a node into sight where it is not.
func (n *Network) Reveal(node int) {
	if !n.laidOut() || node < 0 || node >= len(n.data.Nodes) {
		return
	}
	if p, size := n.place(node), n.Size(); p.X < 0 || p.Y < 0 || p.X > size.Width || p.Y > size.Height {
		n.view.middle = n.data.Spots[node]
		n.view.hold()
		n.Refresh()
	}
}

// Centre moves a node into the middle, closer than the whole graph is seen; one at the edge as
// near to the middle as there is graph.
func (n *Network) Centre(node int) {
	if !n.laidOut() || node < 0 || node >= len(n.data.Nodes) {
		return
	}
	n.view = networkView{n.data.Spots[node], max(n.view.zoom, centred)}
	n.show()
}

// hint is the line about what the pointer means, else about the selected node.
func (n *Network) hint() string {
	switch {
	case n.node >= 0:
		return n.nodeHint(n.node)
	case n.link >= 0:
		if n.data.LinkHint != nil {
			return n.data.LinkHint(n.link)
		}
		l := n.data.Links[n.link]
		return fmt.Sprintf("from %s to %s: %s", n.data.Nodes[l.From].Name, n.data.Nodes[l.To].Name, short(l.Weight))
	case n.selected >= 0:
		return n.nodeHint(n.selected)
	}
	return ""
}

func (n *Network) nodeHint(k int) string {
	if n.data.NodeHint != nil {
		return n.data.NodeHint(k)
	}
	return n.data.Nodes[k].Name
}

func (n *Network) say() {
	if n.OnHint != nil {
		n.OnHint(n.hint())
	}
}

// choose selects a node on behalf of the person.
func (n *Network) choose(node int) {
	before := n.selected
	n.Select(node)
	n.Reveal(node)
	n.say()
	if n.OnSelect != nil && (node >= 0 || before >= 0) {
		n.OnSelect(n.selected)
	}
}

// CreateRenderer implements fyne.Widget.
func (n *Network) CreateRenderer() fyne.WidgetRenderer {
	n.ExtendBaseWidget(n)
	return newNetworkRenderer(n)
}
