package widget

import (
	"errors"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/engine/result"
)

// TestNetworkIsDrawn looks at pixels: nodes have their colour, links lie between them, and dimmed
// ones are fainter.
func TestNetworkIsDrawn(t *testing.T) {
	n, _, w := shownNetwork(t)
	middle := n.middle(1)
	strong := distance(pixel(w.Canvas().Capture(), middle.X, middle.Y), lightTheme.Color("background", 0))
	node := pixel(w.Canvas().Capture(), n.place(0).X, n.place(0).Y)
	n.Select(3) // neither end of the link is 0 or 2 links away
	n.SetHops(1)
	faint := distance(pixel(w.Canvas().Capture(), middle.X, middle.Y), lightTheme.Color("background", 0))
	if strong < 60 || faint > strong/2 || faint == 0 {
		t.Errorf("a link differs from the ground by %d, dimmed by %d", strong, faint)
	}
	if want := solid(colourOf(result.LookInvariant, lightTheme.Color("background", 0))); node.R != want.R || node.G != want.G ||
		node.B != want.B {
		t.Errorf("a node has the colour %v, want %v", node, want)
	}
}

// TestLinksAreDrawnOnce: a pointer that moves over nodes leaves the raster as it is.
func TestLinksAreDrawnOnce(t *testing.T) {
	n, _, _ := shownNetwork(t)
	r := test.WidgetRenderer(n).(*networkRenderer)
	before := r.links
	n.point(1, -1)
	if len(before) == 0 || !slices.EqualFunc(before, r.links, func(a, b linkLayer) bool { return slices.Equal(a.arrows, b.arrows) }) {
		t.Error("a node under the pointer changes the links")
	}
	n.point(-1, 1)
	if top := r.links[len(r.links)-1]; len(top.arrows) != 1 || top.arrows[0].Width <= n.arrow(1).Width {
		t.Error("the link under the pointer is not on top")
	}
}

// BenchmarkNetwork builds and draws what a window shows while a graph of 500 nodes moves.
func BenchmarkNetwork(b *testing.B) {
	n := NewNetwork()
	show(b, container.NewStack(n), fyne.NewSize(1280, 800))
	n.SetData(laidOut(b, largeNetwork(500, 4000)))
	r, ok := test.WidgetRenderer(n).(*networkRenderer)
	if !ok {
		b.Fatal(errors.New("another renderer"))
	}
	for b.Loop() {
		r.build(n.Size())
		drawLinks(r.links, r.scale, 1280, 800)
	}
}
