package render

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// DiagramNode is a node of a Diagram: lines of text, the shares of the classes as a bar (in the order of Diagram.Classes,
// summing to 1), and its children, -1 for none. A node has both children or none.
type DiagramNode struct {
	Lines       []string
	Shares      []float64
	Left, Right int
	Marked      bool // on the path that is to be seen
}

// Diagram is a binary tree as a picture: node 0 at the top, what answers yes below it to the left.
type Diagram struct {
	Title, Note string
	Classes     []string
	// Yes and No name the branches to the left and to the right.
	Yes, No string
	Nodes   []DiagramNode
}

// Spot is where a node stands: X is the middle of it in widths of a node from the left edge, Row its line from the top.
type Spot struct {
	X   float64
	Row int
}

// Check refuses a diagram whose nodes are no tree with parents before their children.
func (d Diagram) Check() error {
	parents := make([]int, len(d.Nodes))
	for k, n := range d.Nodes {
		if (n.Left < 0) != (n.Right < 0) || n.Left >= 0 && n.Left == n.Right {
			return fmt.Errorf("draw tree %q: node %d has children %d and %d", d.Title, k, n.Left, n.Right)
		}
		for _, child := range []int{n.Left, n.Right} {
			if child >= len(d.Nodes) || child >= 0 && child <= k {
				return fmt.Errorf("draw tree %q: node %d has child %d of %d nodes", d.Title, k, child, len(d.Nodes))
			}
			if child >= 0 {
				parents[child]++
			}
		}
	}
	for k, n := range parents {
		if k > 0 && n != 1 {
			return fmt.Errorf("draw tree %q: node %d has %d parents", d.Title, k, n)
		}
	}
	if len(d.Nodes) == 0 {
		return fmt.Errorf("draw tree %q: no nodes to draw", d.Title)
	}
	return nil
}

// Places lays the tree out: each parent in the middle above its children, subtrees as close to each other as their nodes
// allow, row by row (Reingold and Tilford, "Tidier Drawings of Trees", 1981). width is in widths of a node, rows the
// number of lines. The diagram must have passed Check.
func (d Diagram) Places() (spots []Spot, width float64, rows int) {
	spots = make([]Spot, len(d.Nodes))
	apart := make([]float64, len(d.Nodes)) // of each node's children
	outlines := make([]outline, len(d.Nodes))
	for k := len(d.Nodes) - 1; k >= 0; k-- { // children come after their parents
		if n := d.Nodes[k]; n.Left >= 0 {
			apart[k] = outlines[n.Left].clear(outlines[n.Right])
			outlines[k] = outlines[n.Left].join(outlines[n.Right], apart[k])
			outlines[n.Left], outlines[n.Right] = nil, nil
		} else {
			outlines[k] = outline{{0, 0}}
		}
	}
	if len(d.Nodes) == 0 {
		return spots, 0, 0
	}
	low, high := 0.0, 0.0
	for _, row := range outlines[0] {
		low, high = min(low, row[0]), max(high, row[1])
	}
	spots[0].X = 0.5 - low
	for k, n := range d.Nodes {
		if n.Left >= 0 {
			spots[n.Left] = Spot{spots[k].X - apart[k]/2, spots[k].Row + 1}
			spots[n.Right] = Spot{spots[k].X + apart[k]/2, spots[k].Row + 1}
		}
	}
	return spots, high - low + 1, len(outlines[0])
}

// outline is how far a subtree reaches to the left and to the right of its root, row by row.
type outline [][2]float64

// clear is how far apart the roots of two subtrees have to stand beside each other.
func (o outline) clear(right outline) float64 {
	apart := 1.0
	for row := range min(len(o), len(right)) {
		apart = max(apart, o[row][1]-right[row][0]+1)
	}
	return apart
}

// join is the outline of the parent of two subtrees whose roots stand so far apart.
func (o outline) join(right outline, apart float64) outline {
	joined := make(outline, 1, max(len(o), len(right))+1)
	for row := range max(len(o), len(right)) {
		reach := [2]float64{math.Inf(1), math.Inf(-1)}
		if row < len(o) {
			reach = [2]float64{o[row][0] - apart/2, o[row][1] - apart/2}
		}
		if row < len(right) {
			reach[0], reach[1] = min(reach[0], right[row][0]+apart/2), max(reach[1], right[row][1]+apart/2)
		}
		joined = append(joined, reach)
	}
	return joined
}

// ClassColour is the colour of class k of n in diagrams: blue, purple and orange from the first to the last, the middle one
// left out for two; they are told apart also with colour vision deficiency.
func ClassColour(k, n int) color.NRGBA {
	colours := []color.NRGBA{{0x00, 0x72, 0xb2, 0xff}, {0xb8, 0x5c, 0x93, 0xff}, {0xd5, 0x5e, 0x00, 0xff}}
	if n == 2 && k == 1 {
		k = 2
	}
	return colours[min(max(k, 0), len(colours)-1)]
}

// The size of a node on paper, and of what it stands in.
const (
	nodeWidth, nodeHeight = 3.4 * vg.Centimeter, 1.5 * vg.Centimeter
	nodeCell              = 3.7 * vg.Centimeter
	nodeRow               = 2.2 * vg.Centimeter
	largestTree           = 400  // nodes beside or below each other; larger pictures no program shows
	largestPNG            = 1000 // the same, multiplied: 200 MB of pixels while it is drawn
)

// Write draws the tree as png, svg or pdf, as wide as its widest row. What Check refuses, and a tree too large for a
// picture, are errors.
func (d Diagram) Write(w io.Writer, format string) error {
	if err := d.Check(); err != nil {
		return err
	}
	_, width, rows := d.Places()
	switch {
	case width > largestTree || rows > largestTree:
		return fmt.Errorf("draw tree %q: %v nodes beside and %d below each other are too many for a picture; %d are possible", d.Title, width, rows, largestTree)
	case format == "png" && width*float64(rows) > largestPNG:
		return fmt.Errorf("draw tree %q: with %v nodes beside and %d below each other it is too large for PNG; take SVG or PDF", d.Title, width, rows)
	}
	across := max(nodeCell*vg.Length(width)+2*margin, 12*vg.Centimeter)
	down := nodeRow*vg.Length(rows) + titleHeight + noteHeight + 0.6*vg.Centimeter
	return write(w, format, across, down, d.draw)
}

func (d Diagram) draw(c draw.Canvas) {
	writeLine(c, d.Title, vg.Points(13), c.Max.Y-margin, draw.YTop)
	writeLine(c, d.Note, vg.Points(8), c.Min.Y+margin, draw.YBottom)
	d.key(c)
	spots, width, _ := d.Places()
	left := c.Min.X + (c.Max.X-c.Min.X-nodeCell*vg.Length(width))/2
	top := c.Max.Y - titleHeight - 0.6*vg.Centimeter
	at := func(k int) vg.Point {
		return vg.Point{X: left + nodeCell*vg.Length(spots[k].X), Y: top - nodeRow*vg.Length(spots[k].Row)}
	}
	for k, n := range d.Nodes {
		if n.Left >= 0 {
			d.branch(c, at(k), at(n.Left), d.Yes, n.Marked && d.Nodes[n.Left].Marked)
			d.branch(c, at(k), at(n.Right), d.No, n.Marked && d.Nodes[n.Right].Marked)
		}
	}
	for k := range d.Nodes {
		d.node(c, k, at(k))
	}
}

func branchStyle(marked bool) draw.LineStyle {
	if marked {
		return draw.LineStyle{Color: ink, Width: vg.Points(2)}
	}
	return draw.LineStyle{Color: color.RGBA{0x90, 0x98, 0xa2, 0xff}, Width: vg.Points(0.8)}
}

func (d Diagram) branch(c draw.Canvas, from, to vg.Point, name string, marked bool) {
	from.Y -= nodeHeight
	c.StrokeLine2(branchStyle(marked), from.X, from.Y, to.X, to.Y)
	style := sans(vg.Points(7))
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	c.FillText(style, vg.Point{X: (from.X+to.X)/2 + vg.Points(8), Y: (from.Y + to.Y) / 2}, printable(name))
}

func (d Diagram) node(c draw.Canvas, k int, top vg.Point) {
	n := d.Nodes[k]
	box := vg.Rectangle{Min: vg.Point{X: top.X - nodeWidth/2, Y: top.Y - nodeHeight}, Max: vg.Point{X: top.X + nodeWidth/2, Y: top.Y}}
	c.SetColor(color.RGBA{0xf4, 0xf6, 0xf8, 0xff})
	c.Fill(box.Path())
	c.SetLineStyle(branchStyle(n.Marked))
	path := box.Path()
	path.Close()
	c.Stroke(path)
	style := sans(vg.Points(8))
	style.XAlign, style.YAlign = draw.XCenter, draw.YTop
	y := top.Y - vg.Points(4)
	for _, line := range n.Lines {
		c.FillText(style, vg.Point{X: top.X, Y: y}, fitted(printable(line), style, nodeWidth-vg.Points(4)))
		y -= vg.Points(10.5)
	}
	x := box.Min.X
	for class, share := range n.Shares {
		next := x + nodeWidth*vg.Length(share)
		c.SetColor(ClassColour(class, len(d.Classes)))
		c.Fill(vg.Rectangle{Min: vg.Point{X: x, Y: box.Min.Y}, Max: vg.Point{X: next, Y: box.Min.Y + vg.Points(4)}}.Path())
		x = next
	}
}

// key names the colours of the classes below the title.
func (d Diagram) key(c draw.Canvas) {
	style := sans(vg.Points(8))
	style.YAlign = draw.YCenter
	x, y := c.Min.X+margin, c.Max.Y-titleHeight-0.2*vg.Centimeter
	for k, name := range d.Classes {
		c.SetColor(ClassColour(k, len(d.Classes)))
		c.Fill(vg.Rectangle{Min: vg.Point{X: x, Y: y - vg.Points(3)}, Max: vg.Point{X: x + vg.Points(12), Y: y + vg.Points(3)}}.Path())
		c.FillText(style, vg.Point{X: x + vg.Points(16), Y: y}, printable(name))
		x += vg.Points(28) + style.Width(printable(name))
	}
}

// fitted cuts a line at its end until it is at most width wide.
func fitted(line string, style draw.TextStyle, width vg.Length) string {
	if style.Width(line) <= width {
		return line
	}
	letters := []rune(line)
	for len(letters) > 1 && style.Width(string(letters)+"...") > width {
		letters = letters[:len(letters)-1]
	}
	return strings.TrimSpace(string(letters)) + "..."
}
