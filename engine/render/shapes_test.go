package render

import (
	"bytes"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// written writes a figure in every format and hands the PNG and SVG back; equal figures must give equal bytes.
func written(t *testing.T, write func(w *bytes.Buffer, format string) error) (width int, svg string) {
	t.Helper()
	for _, format := range Formats() {
		var a, b bytes.Buffer
		if err := write(&a, format); err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		if err := write(&b, format); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s differs from one time to the next (%v)", format, err)
		}
		switch format {
		case "png":
			img, err := png.Decode(bytes.NewReader(a.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			width = img.Bounds().Dx()
		case "svg":
			svg = a.String()
		}
	}
	return width, svg
}

func TestShapesRefuse(t *testing.T) {
	leaf := DiagramNode{Left: -1, Right: -1}
	for _, c := range []struct {
		name, want string
		err        error
	}{
		{"no nodes", "no nodes", Diagram{}.Write(&bytes.Buffer{}, "png")},
		{"one child", "children 1 and -1", Diagram{Nodes: []DiagramNode{{Left: 1, Right: -1}, leaf}}.Check()},
		{"the same child twice", "children 1 and 1", Diagram{Nodes: []DiagramNode{{Left: 1, Right: 1}, leaf}}.Check()},
		{"a circle", "child 0", Diagram{Nodes: []DiagramNode{{Left: 0, Right: 1}, leaf}}.Check()},
		{"a child outside", "child 7 of 2", Diagram{Nodes: []DiagramNode{{Left: 1, Right: 7}, leaf}}.Check()},
		{"a node alone", "node 3 has 0 parents", Diagram{Nodes: []DiagramNode{{Left: 1, Right: 2}, leaf, leaf, leaf}}.Check()},
		{"two parents", "parents", Diagram{Nodes: []DiagramNode{{Left: 1, Right: 2}, {Left: 2, Right: 3}, leaf, leaf}}.Check()},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, c.err, c.want)
		}
	}
}

func TestLevelColours(t *testing.T) {
	if LevelColour(0) == LevelColour(1) || LevelColour(math.NaN()) != LevelColour(0.5) || LevelColour(-3) != LevelColour(0) || LevelColour(7) != LevelColour(1) {
		t.Error("the colours do not run from low to high")
	}
	if ClassColour(1, 2) != ClassColour(2, 3) || ClassColour(0, 2) != ClassColour(0, 3) || ClassColour(1, 3) == ClassColour(1, 2) {
		t.Error("a class changes its colour with their number")
	}
}

// randomDiagram grows a tree by splitting leaves.
func randomDiagram(t *rapid.T) Diagram {
	d := Diagram{Title: "tree", Classes: []string{"invariant", "variant"}, Yes: "yes", No: "no", Nodes: []DiagramNode{{Left: -1, Right: -1}}}
	for range rapid.IntRange(0, 25).Draw(t, "splits") {
		k := rapid.IntRange(0, len(d.Nodes)-1).Draw(t, "node")
		if d.Nodes[k].Left < 0 {
			d.Nodes[k].Left, d.Nodes[k].Right = len(d.Nodes), len(d.Nodes)+1
			d.Nodes = append(d.Nodes, DiagramNode{Left: -1, Right: -1}, DiagramNode{Left: -1, Right: -1})
		}
	}
	return d
}

// No two nodes of a row come closer than a node's width, children stand below and to both sides of their parent.
func TestDiagramPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := randomDiagram(t)
		if err := d.Check(); err != nil {
			t.Fatal(err)
		}
		spots, width, rows := d.Places()
		byRow := make([][]float64, rows)
		for k, n := range d.Nodes {
			s := spots[k]
			byRow[s.Row] = append(byRow[s.Row], s.X)
			if s.X < 0.5 || s.X > width-0.5 {
				t.Fatalf("node %d at %g of %g", k, s.X, width)
			}
			if n.Left >= 0 && (spots[n.Left].X >= s.X || spots[n.Right].X <= s.X || spots[n.Left].Row != s.Row+1) {
				t.Fatalf("node %d at %v has children at %v and %v", k, s, spots[n.Left], spots[n.Right])
			}
		}
		for row, xs := range byRow {
			slices.Sort(xs)
			for k := 1; k < len(xs); k++ {
				if xs[k]-xs[k-1] < 1-1e-9 {
					t.Fatalf("row %d: nodes at %g and %g", row, xs[k-1], xs[k])
				}
			}
		}
	})
}

func TestDiagramIsWritten(t *testing.T) {
	d := Diagram{
		Title: "decision tree", Note: "12 models", Classes: []string{"invariant", "variant"}, Yes: "yes", No: "no",
		Nodes: []DiagramNode{
			{Lines: []string{"max@CONF.svm <= 0.02", "12 models"}, Shares: []float64{0.5, 0.5}, Left: 1, Right: 2, Marked: true},
			{Lines: []string{"invariant", "6 models"}, Shares: []float64{1, 0}, Left: -1, Right: -1},
			{Lines: []string{"a name that is much too long for the box of a node", "6 models"}, Shares: []float64{0, 1}, Left: -1, Right: -1, Marked: true},
		},
	}
	_, svg := written(t, func(w *bytes.Buffer, format string) error { return d.Write(w, format) })
	for _, want := range []string{"decision tree", "invariant", "6 models", "..."} {
		if !strings.Contains(svg, want) {
			t.Errorf("the figure does not say %q", want)
		}
	}
}

// comb is a tree that goes down to one side only.
func comb(splits int) Diagram {
	d := Diagram{Title: "comb"}
	for k := range splits {
		d.Nodes = append(d.Nodes, DiagramNode{Left: 2*k + 1, Right: 2*k + 2}, DiagramNode{Left: -1, Right: -1})
	}
	d.Nodes = append(d.Nodes, DiagramNode{Left: -1, Right: -1})
	return d
}

func TestDiagramsHaveASize(t *testing.T) {
	if err := comb(60).Write(&bytes.Buffer{}, "png"); err == nil || !strings.Contains(err.Error(), "take SVG") {
		t.Errorf("a large tree as PNG: %v", err)
	}
	if err := comb(60).Write(&bytes.Buffer{}, "svg"); err != nil {
		t.Errorf("a large tree as SVG: %v", err)
	}
	if err := comb(largestTree).Write(&bytes.Buffer{}, "svg"); err == nil || !strings.Contains(err.Error(), "too many") {
		t.Errorf("a tree that nothing shows: %v", err)
	}
	if _, width, rows := comb(3).Places(); width != 3 || rows != 4 {
		t.Errorf("a comb of 3 is %g wide and %d high", width, rows)
	}
}
