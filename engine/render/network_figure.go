package render

import (
	"cmp"
	"context"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The size of a network on paper.
const (
	networkWidth, networkHeight = 24 * vg.Centimeter, 17 * vg.Centimeter
	largestNode                 = 11 // points, the radius
	largestFigure               = 1500
)

// LinkLook is how strong a link is drawn: its width in pixels or points, and its opacity.
func LinkLook(weight float64) (width, opacity float64) {
	return 0.6 + 2*weight*weight, 0.12 + 0.58*weight*weight
}

// NodeRadius is the radius of a node of one of the Shares, for a largest one of `most`.
func NodeRadius(share, most float64) float64 { return float64(most * (0.25 + float64(0.75*share))) }

// Colours of networks on paper: nodes, links, and links that were made by hand.
var (
	nodeColour   = color.NRGBA{0x00, 0x72, 0xb2, 0xff}
	linkColour   = color.NRGBA{0x30, 0x36, 0x40, 0xff}
	markedColour = color.NRGBA{0xd5, 0x5e, 0x00, 0xff}
)

// Write draws the network as png, svg or pdf, 24 x 17 cm, laid out by Places. What Check refuses, a network without nodes or
// with more than 1500, and the end of ctx are errors.
func (n Network) Write(ctx context.Context, w io.Writer, format string) error {
	if err := n.Check(); err != nil {
		return err
	}
	switch {
	case len(n.Nodes) == 0:
		return fmt.Errorf("draw network %q: no nodes to draw", n.Title)
	case len(n.Nodes) > largestFigure:
		return fmt.Errorf("draw network %q: %d nodes are too many for a picture; %d are possible", n.Title, len(n.Nodes), largestFigure)
	}
	places, err := n.Places(ctx)
	if err != nil {
		return fmt.Errorf("draw network %q: %w", n.Title, err)
	}
	return write(w, format, networkWidth, networkHeight, func(c draw.Canvas) { n.draw(c, places) })
}

// draw draws links, nodes and names, each layer over the one before.
func (n Network) draw(c draw.Canvas, places []Point) {
	writeLine(c, n.Title, vg.Points(13), c.Max.Y-margin, draw.YTop)
	writeLine(c, n.Note, vg.Points(8), c.Min.Y+margin, draw.YBottom)
	const side, above, below = 1.3 * vg.Centimeter, 0.7 * vg.Centimeter, 1 * vg.Centimeter // room for names at the edges
	body := draw.Crop(c, side, -side, noteHeight+below, -titleHeight-above)
	at := make([]Point, len(places)) // in points from the top-left corner of c
	for k, p := range places {
		at[k] = Point{
			float64(body.Min.X-c.Min.X) + p.X*float64(body.Max.X-body.Min.X),
			float64(c.Max.Y-body.Max.Y) + p.Y*float64(body.Max.Y-body.Min.Y),
		}
	}
	radii := n.radii(largestNode)
	n.drawLinks(c, at, radii)
	names := make([]Name, len(n.Nodes))
	style := sans(vg.Points(9))
	for k, node := range n.Nodes {
		c.SetColor(nodeColour)
		c.Fill(disc(onPaper(c, at[k]), vg.Length(radii[k])))
		names[k] = Name{At: at[k], Radius: radii[k], Width: float64(style.Width(printable(node.Name))), Height: 11}
	}
	style.XAlign, style.YAlign = draw.XLeft, draw.YTop
	for k, box := range PlaceNames(names, n.Order(), 0, float64(c.Max.X-c.Min.X), float64(c.Max.Y-c.Min.Y)) {
		if box.Shown {
			n.drawName(c, style, k, box, names[k].Width)
		}
	}
}

// Order are the nodes from the largest count to the smallest, ties by index: that of the importance of their names.
func (n Network) Order() []int {
	order := make([]int, len(n.Nodes))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(n.Nodes[b].Count, n.Nodes[a].Count) })
	return order
}

// drawName writes a name on a ground that lets little of the links through.
func (n Network) drawName(c draw.Canvas, style draw.TextStyle, k int, box NameBox, width float64) {
	corner := onPaper(c, Point{box.X, box.Y})
	c.SetColor(color.NRGBA{0xff, 0xff, 0xff, 0xd0})
	c.Fill(vg.Rectangle{Min: vg.Point{X: corner.X - 1, Y: corner.Y - 10.5}, Max: vg.Point{X: corner.X + vg.Length(width) + 1, Y: corner.Y}}.Path())
	c.FillText(style, corner, printable(n.Nodes[k].Name))
}

// drawLinks draws the weakest first.
func (n Network) drawLinks(c draw.Canvas, at []Point, radii []float64) {
	order := make([]int, len(n.Links))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(n.Links[a].Weight, n.Links[b].Weight) })
	back := n.Returned()
	for _, k := range order {
		l := n.Links[k]
		width, opacity := LinkLook(l.Weight)
		a := Arrow{
			From: at[l.From], To: at[l.To], FromRadius: radii[l.From], ToRadius: radii[l.To],
			Bow: back[k], Width: 0.8 * width,
		}
		colour := linkColour
		if l.Marked {
			colour = markedColour
		}
		c.SetColor(onWhite(colour, opacity))
		shaft, head := a.outline()
		for _, corners := range [][]Point{shaft, head} {
			var path vg.Path
			for i, p := range corners {
				if i == 0 {
					path.Move(onPaper(c, p))
				} else {
					path.Line(onPaper(c, p))
				}
			}
			if len(path) > 0 {
				path.Close()
				c.Fill(path)
			}
		}
	}
}

// onWhite is a colour of an opacity over white.
func onWhite(c color.NRGBA, opacity float64) color.NRGBA {
	mix := func(v uint8) uint8 { return uint8(255 - (255-float64(v))*opacity + 0.5) }
	return color.NRGBA{mix(c.R), mix(c.G), mix(c.B), 0xff}
}

// onPaper turns a point that is counted from the top-left corner into one of the canvas.
func onPaper(c draw.Canvas, p Point) vg.Point {
	return vg.Point{X: c.Min.X + vg.Length(p.X), Y: c.Max.Y - vg.Length(p.Y)}
}

func disc(at vg.Point, radius vg.Length) vg.Path {
	var path vg.Path
	path.Move(vg.Point{X: at.X + radius, Y: at.Y})
	path.Arc(at, radius, 0, 2*math.Pi)
	path.Close()
	return path
}
