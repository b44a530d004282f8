package widget

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/render"
)

// fourNodes has four nodes in the corners: sky <-> sea and sky -> sand -> dune, the last link by hand.
func fourNodes() NetworkData {
	return NetworkData{
		Network: render.Network{
			Nodes: []render.NetworkNode{{Name: "sky", Count: 400}, {Name: "sea", Count: 100}, {Name: "sand", Count: 60}, {Name: "dune", Count: 0}},
			Links: []render.NetworkLink{
				{From: 0, To: 1, Weight: 0.4},
				{From: 0, To: 2, Weight: 0.9},
				{From: 1, To: 0, Weight: 1},
				{From: 2, To: 3, Weight: 0.5, Marked: true},
			},
		},
		Spots: []render.Point{{}, {X: 1}, {Y: 1}, {X: 1, Y: 1}},
		Empty: "no keywords",
	}
}

// heard is what a network told.
type heard struct {
	hints                    []string
	selected, opened, linked []int
}

func shownNetwork(t *testing.T) (*Network, *heard, fyne.Window) {
	t.Helper()
	n, h := NewNetwork(), &heard{}
	n.OnHint = func(text string) { h.hints = append(h.hints, text) }
	n.OnSelect = func(node int) { h.selected = append(h.selected, node) }
	n.OnOpen = func(node int) { h.opened = append(h.opened, node) }
	n.OnLink = func(link int) { h.linked = append(h.linked, link) }
	w := show(t, container.NewStack(n), fyne.NewSize(600, 400))
	n.SetData(fourNodes())
	return n, h, w
}

func (n *Network) tap(pos fyne.Position) { n.Tapped(&fyne.PointEvent{Position: pos}) }

// middle is the place in the middle of a link's line.
func (n *Network) middle(link int) fyne.Position {
	line := n.arrow(link).Line()
	p, q := line[(len(line)-1)/2], line[len(line)/2]
	return fyne.NewPos(float32(p.X+q.X)/2, float32(p.Y+q.Y)/2)
}

func TestNetworkTellsWhatIsUnderThePointer(t *testing.T) {
	n, h, _ := shownNetwork(t)
	move := func(pos fyne.Position) { n.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: pos}}) }
	move(n.place(0))
	move(n.place(0).AddXY(2, 1)) // the same node
	move(n.middle(0))
	move(n.middle(1))
	move(fyne.NewPos(300, 200)) // the ground
	move(n.middle(2))
	n.MouseOut()
	want := []string{"sky", "from sky to sea: 0.4", "from sky to sand: 0.9", "", "from sea to sky: 1", ""}
	if !slices.Equal(h.hints, want) {
		t.Errorf("told %q, want %q", h.hints, want)
	}
	d := fourNodes()
	d.NodeHint = func(k int) string { return "node " + d.Nodes[k].Name }
	d.LinkHint = func(k int) string { return "link to " + d.Nodes[d.Links[k].To].Name }
	n.SetData(d)
	h.hints = nil
	move(n.place(3))
	move(n.middle(3))
	n.Select(1)
	n.MouseOut() // the selected node's line comes back
	if want := []string{"node dune", "link to dune", "node sea"}; !slices.Equal(h.hints, want) {
		t.Errorf("told %q, want %q", h.hints, want)
	}
}

func TestNetworkSelects(t *testing.T) {
	n, h, w := shownNetwork(t)
	n.tap(n.place(2))
	if n.Selected() != 2 || w.Canvas().Focused() != fyne.Focusable(n) || !slices.Equal(n.Near(), []int{2, 0, 3}) {
		t.Fatalf("selected %d, near %v", n.Selected(), n.Near())
	}
	n.tap(n.place(2)) // twice
	n.lastTap = time.Time{}
	n.tap(n.middle(3))
	if !slices.Equal(h.opened, []int{2}) || !slices.Equal(h.linked, []int{3}) || n.Selected() != 2 {
		t.Errorf("opened %v, links %v, selected %d", h.opened, h.linked, n.Selected())
	}
	n.tap(n.middle(0)) // not around the selected node: the ground
	n.lastTap = time.Time{}
	n.tap(fyne.NewPos(300, 200)) // nothing left to end
	if n.Selected() != -1 || n.Near() != nil || !slices.Equal(h.selected, []int{2, -1}) {
		t.Errorf("selected %d, told %v", n.Selected(), h.selected)
	}
	n.Zoom(2)
	n.tap(fyne.NewPos(300, 200))
	if n.Zoomed() {
		t.Error("a double click on the ground does not show all")
	}
	n.Select(0)
	n.SetHops(2)
	if !slices.Equal(n.Near(), []int{0, 1, 2, 3}) || len(h.selected) != 2 {
		t.Errorf("two hops: %v, told %v", n.Near(), h.selected)
	}
	n.SetHops(0)
	n.Select(9)
	if n.hops != 1 || n.Selected() != -1 {
		t.Errorf("%d hops, selected %d", n.hops, n.Selected())
	}
	n.OnLink = nil
	n.Select(2)
	n.tap(n.middle(3)) // where nobody asks for links, they are ground
	if n.Selected() != -1 {
		t.Error("a link that nobody asks for is in the way")
	}
}

func TestNetworkZoomsAroundThePointer(t *testing.T) {
	n, _, _ := shownNetwork(t)
	at := n.place(0).AddXY(40, 30)
	before := n.spot(at)
	n.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: at}, Scrolled: fyne.NewDelta(0, wheelUnit)})
	if after := n.spot(at); !n.Zoomed() || math.Hypot(after.X-before.X, after.Y-before.Y) > 1e-6 {
		t.Errorf("%v became %v", before, after)
	}
	n.Zoom(4)
	from := n.place(0)
	n.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(12, 7)})
	if to := n.place(0); math.Abs(float64(to.X-from.X-12)) > 0.01 || math.Abs(float64(to.Y-from.Y-7)) > 0.01 {
		t.Errorf("dragged from %v to %v", from, to)
	}
	n.DragEnd()
	n.Zoom(0)
	if n.Zoomed() {
		t.Error("Zoom(0) does not show all")
	}
}

// TestNetworkStaysInSight: whatever is scrolled, dragged and typed, the middle of the widget shows a place of the graph, and texts keep
// apart.
func TestNetworkStaysInSight(t *testing.T) {
	n, _, _ := shownNetwork(t)
	rapid.Check(t, func(t *rapid.T) {
		n.ShowAll()
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			x, y := rapid.Float32Range(-900, 900).Draw(t, "x"), rapid.Float32Range(-900, 900).Draw(t, "y")
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				n.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(x, y)})
			case 1:
				n.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}, Scrolled: fyne.NewDelta(0, x)})
			case 2:
				n.choose(rapid.IntRange(-1, 3).Draw(t, "node"))
			}
		}
		edge := 0.5/n.view.zoom - 1e-9
		if m := n.view.middle; !(n.view.zoom >= 1 && n.view.zoom <= closest && m.X >= edge && m.X <= 1-edge && m.Y >= edge && m.Y <= 1-edge) {
			t.Fatalf("shows %+v", n.view)
		}
		if err := checkTexts(test.WidgetRenderer(n).Objects(), n.Size()); err != nil {
			t.Fatal(err)
		}
	})
}

func TestNetworkSearch(t *testing.T) {
	n, _, _ := shownNetwork(t)
	for _, c := range []struct {
		text string
		want []int
	}{
		{"s", []int{0, 1, 2}},
		{" SA ", []int{2}},
		{"n", []int{2, 3}},
		{"x", nil},
		{"", nil},
	} {
		before := len(objectsOf(t, n))
		if got := n.Search(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q finds %v, want %v", c.text, got, c.want)
		}
		halos := len(objectsOf(t, n))
		n.Search("")
		if halos-len(objectsOf(t, n)) != len(c.want) {
			t.Errorf("%q: %d objects, %d before", c.text, halos, before)
		}
	}
	n.Zoom(8)
	n.Reveal(3)
	n.Reveal(9)
	if p := n.place(3); p.X < 0 || p.X > 600 || p.Y < 0 || p.Y > 400 {
		t.Errorf("node 3 is out of sight at %v", p)
	}
	before := n.view
	if n.Reveal(3); n.view != before {
		t.Error("a node in sight is moved")
	}
}

// TestNetworkLooksOneWay: what leaves the selected node, what reaches it, or both, one and two links far.
func TestNetworkLooksOneWay(t *testing.T) {
	n, _, _ := shownNetwork(t)
	n.Select(0)
	for _, c := range []struct {
		way  render.Way
		hops int
		near []int
		lit  []int // links
	}{
		{render.Either, 1, []int{0, 1, 2}, []int{0, 1, 2}},
		{render.Onward, 1, []int{0, 1, 2}, []int{0, 1}},
		{render.Onward, 2, []int{0, 1, 2, 3}, []int{0, 1, 2, 3}},
		{render.Back, 1, []int{0, 1}, []int{2}},
		{render.Back, 2, []int{0, 1}, []int{0, 2}},
	} {
		n.SetWay(c.way)
		n.SetHops(c.hops)
		var lit []int
		for k := range n.data.Links {
			if !n.dimmed(k) {
				lit = append(lit, k)
			}
		}
		if !slices.Equal(n.Near(), c.near) || !slices.Equal(lit, c.lit) {
			t.Errorf("way %d, %d hops: nodes %v, links %v; want %v and %v", c.way, c.hops, n.Near(), lit, c.near, c.lit)
		}
	}
}

func TestNetworkCentres(t *testing.T) {
	n, _, _ := shownNetwork(t)
	d := fourNodes()
	d.Spots = []render.Point{{X: 0.4, Y: 0.6}, {X: 1}, {Y: 1}, {X: 1, Y: 1}}
	n.SetData(d)
	n.Centre(7)
	if n.Zoomed() {
		t.Error("a node that is none is brought to the middle")
	}
	n.Centre(0)
	if p, at := n.place(0), n.middleOfRoom(); !n.Zoomed() || math.Hypot(float64(p.X-at.X), float64(p.Y-at.Y)) > 0.5 {
		t.Errorf("the node is at %v, the middle at %v", p, at)
	}
	n.Zoom(3)
	zoom := n.view.zoom
	n.Centre(3)
	if p := n.place(3); n.view.zoom != zoom || p.X < 0 || p.X > 600 || p.Y < 0 || p.Y > 400 {
		t.Errorf("the outermost node is at %v, zoom %g", p, n.view.zoom)
	}
}

func (n *Network) middleOfRoom() fyne.Position {
	left, top, width, height := n.room()
	return fyne.NewPos(float32(left+width/2), float32(top+height/2))
}

func TestNetworkHidesWeakLinks(t *testing.T) {
	n, h, _ := shownNetwork(t)
	n.SetLeast(0.8)
	if n.linkAt(n.middle(0)) != -1 || n.linkAt(n.middle(1)) != 1 || len(h.hints) != 0 {
		t.Error("a weak link can be pointed at")
	}
	count := 0
	for _, layer := range (&networkRenderer{n: n}).layers(styleOf(n)) {
		count += len(layer.arrows)
	}
	if count != 2 {
		t.Errorf("%d links are drawn", count)
	}
}

// TestNetworkKeepsWhatIsTheSame: another graph keeps a selected node by its name, and the zoom where all nodes are the same.
func TestNetworkKeepsWhatIsTheSame(t *testing.T) {
	n, _, _ := shownNetwork(t)
	n.Select(2)
	n.Zoom(2)
	d := fourNodes()
	d.Links = d.Links[:2]
	n.SetData(d)
	if n.Selected() != 2 || !n.Zoomed() || !slices.Equal(n.Near(), []int{2, 0}) {
		t.Errorf("selected %d, zoomed %v, near %v", n.Selected(), n.Zoomed(), n.Near())
	}
	d.Nodes, d.Spots, d.Links = d.Nodes[1:3], d.Spots[1:3], nil
	n.SetData(d)
	if n.Selected() != 1 || n.Zoomed() {
		t.Errorf("selected %d, zoomed %v", n.Selected(), n.Zoomed())
	}
	d.Nodes, d.Spots = d.Nodes[:1], d.Spots[:1]
	if n.SetData(d); n.Selected() != -1 || len(n.Data().Nodes) != 1 {
		t.Errorf("selected %d", n.Selected())
	}
}

func TestNetworkWithoutAPicture(t *testing.T) {
	n, h, _ := shownNetwork(t)
	n.Select(1)
	bad := fourNodes()
	bad.Links = append(slices.Clone(bad.Links), render.NetworkLink{From: 0, To: 7, Weight: 1})
	waiting := fourNodes()
	waiting.Spots = nil
	for _, c := range []struct {
		name, want string
		data       NetworkData
	}{
		{"nothing", "no keywords", NetworkData{Empty: "no keywords"}},
		{"a graph that is none", "node 7 of 4", bad},
		{"places not found yet", "Finding places", waiting},
	} {
		n.SetData(c.data)
		if list := texts(objectsOf(t, n)); len(list) != 1 || !strings.Contains(list[0].Text, c.want) {
			t.Errorf("%s: %d texts", c.name, len(list))
		}
		n.MouseMoved(at(300, 200))
		n.tap(fyne.NewPos(300, 200))
		n.TypedKey(key(fyne.KeyDown))
		n.TypedRune('+')
		n.ShowAll()
		n.Reveal(0)
	}
	if len(h.selected)+len(h.linked)+len(h.opened) != 0 {
		t.Errorf("told %+v", h)
	}
	n.SetData(fourNodes())
	n.Resize(fyne.NewSize(50, 50))
	if list := texts(objectsOf(t, n)); len(list) > 1 {
		t.Errorf("%d texts in no room", len(list))
	}
}

func TestNetworkMenu(t *testing.T) {
	n, _, w := shownNetwork(t)
	saved := false
	n.Menu = func() []*fyne.MenuItem { return []*fyne.MenuItem{fyne.NewMenuItem("Save", func() { saved = true })} }
	n.Refresh()
	n.tap(fyne.NewPos(n.Size().Width-5, 5))
	overlay := w.Canvas().Overlays().Top()
	if overlay == nil {
		t.Fatal("the sign does not open the menu")
	}
	w.Canvas().Overlays().Remove(overlay)
	n.TappedSecondary(&fyne.PointEvent{Position: fyne.NewPos(300, 200)})
	if w.Canvas().Overlays().Top() == nil || saved {
		t.Error("the other button does not open the menu")
	}
}
