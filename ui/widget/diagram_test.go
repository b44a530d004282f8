package widget

import (
	"image"
	"image/png"
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/render"
)

// keep writes a picture to a file.
func keep(t *testing.T, img image.Image, path string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, img); err != nil {
		t.Fatal(err)
	}
}

func someTree() DiagramData {
	leaf := func(n string, share float64) render.DiagramNode {
		return render.DiagramNode{Lines: []string{n, "6 models"}, Shares: []float64{1 - share, share}, Left: -1, Right: -1}
	}
	return DiagramData{
		Diagram: render.Diagram{Classes: []string{"invariant", "variant"}, Yes: "yes", No: "no", Nodes: []render.DiagramNode{
			{Lines: []string{"max@CONF.svm ≤ 0.02", "12 models"}, Shares: []float64{0.5, 0.5}, Left: 1, Right: 2, Marked: true},
			leaf("invariant", 0),
			{Lines: []string{"mean@CONV-1.dctny ≤ 0.5", "8 models"}, Shares: []float64{0.2, 0.8}, Left: 3, Right: 4, Marked: true},
			leaf("invariant", 0.2), leaf("variant", 1),
		}},
		Hints: []string{"root", "left", "right", "third", "last"}, Empty: "no tree",
	}
}

func TestDiagramZoomsAndKnowsItsNodes(t *testing.T) {
	d := NewDiagram()
	d.SetData(DiagramData{Empty: "no tree"})
	show(t, d.View(), fyne.NewSize(600, 300))
	if got := texts(allObjects(d)); len(got) != 1 || got[0].Text != "no tree" {
		t.Errorf("an empty tree says %d texts", len(got))
	}
	d.SetData(someTree())
	said := ""
	d.OnHover = func(text string) { said = text }
	for k := range d.data.Nodes {
		p := d.top(k)
		d.MouseMoved(at(p.X, p.Y+5))
		if said != d.data.Hints[k] {
			t.Errorf("node %d says %q", k, said)
		}
	}
	d.MouseOut()
	if said != "" {
		t.Errorf("beside the nodes it says %q", said)
	}
	before := d.MinSize()
	d.Zoom(2)
	if now := d.MinSize(); now.Width < 1.9*before.Width {
		t.Errorf("zoomed from %v to %v", before, now)
	}
	d.Zoom(0)
	if now := d.MinSize(); now.Width > 600 || now.Height > 300 {
		t.Errorf("the tree that fits is %v", now)
	}
	d.Zoom(100)
	d.Zoom(100)
	if d.zoom != mostZoom {
		t.Errorf("zoom %g", d.zoom)
	}
	d.Dragged(&fyne.DragEvent{Dragged: fyne.Delta{DX: -30, DY: -20}})
	if d.scroll.Offset.X <= 0 || d.scroll.Offset.Y != 20 {
		t.Errorf("dragging moves to %v", d.scroll.Offset)
	}
	d.SetData(DiagramData{Diagram: render.Diagram{Nodes: []render.DiagramNode{{Left: 0, Right: 0}}}})
	if got := texts(allObjects(d)); len(got) != 1 || !strings.Contains(got[0].Text, "children") {
		t.Errorf("a tree that is none is drawn: %v", got)
	}
}
