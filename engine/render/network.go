package render

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	xdraw "golang.org/x/image/draw"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/variscope/variscope/engine/result"
)

// network is a network in the area in which it is drawn: points or boxes with links between
// them.
type network struct {
	plotted
	drawing
	zoom float64
	back []bool // of the links, see result.Figure.Returned
}

// The room of a unit of both axes around boxes with text in lines of text, and how much smaller it
// may be for the text to be read.
const (
	unitWide, unitHigh = 10.4, 5.6
	readable           = 0.6
	pictureHigh        = 9.6
)

// unit is the room of a unit of both axes of a network of boxes.
func (g Ground) unit(f result.Figure) vg.Point {
	line := g.text().Height("0")
	if f.Boxes[0].Picture != nil {
		return vg.Point{X: 7 * line, Y: pictureHigh * line}
	}
	return vg.Point{X: unitWide * line, Y: unitHigh * line}
}

// networkArea is the area of a network on a canvas. Names of points have room beside the outermost
// ones; boxes are not drawn larger than their texts need where all are shown.
func (g Ground) networkArea(c draw.Canvas, f result.Figure, part Part) draw.Canvas {
	all, line, size := Extent(f), g.text().Height("0"), c.Size()
	switch {
	case len(f.Boxes) == 0:
		side, above, below := min(3.2*line, size.X/8), min(1.4*line, size.Y/8), min(2.3*line, size.Y/6)
		return draw.Crop(c, side, -side, below, -above)
	case part == all:
		unit := g.unit(f)
		beside := max(size.X-unit.X*vg.Length(all.X1-all.X0), 0) / 2
		return draw.Crop(c, beside, -beside, max(size.Y-unit.Y*vg.Length(all.Y1-all.Y0), 0), 0)
	}
	return c
}

// network places a part of a network in its area.
func (g Ground) network(area draw.Canvas, f result.Figure, part Part) network {
	size, all := area.Size(), Extent(f)
	return network{
		plotted{f, g},
		drawing{
			area, func(x float64) vg.Length { return area.Min.X + size.X*vg.Length((x-part.X0)/(part.X1-part.X0)) },
			func(y float64) vg.Length { return area.Min.Y + size.Y*vg.Length((y-part.Y0)/(part.Y1-part.Y0)) },
		},
		(all.X1 - all.X0) / (part.X1 - part.X0), f.Returned(),
	}
}

// Readable is the part of a network of boxes that a window begins with: so large that the texts
// in its boxes can be read, with the first box in sight.
func Readable(f result.Figure, g Ground, width, height float32) Part {
	all := Extent(f)
	g.screen, g.scale = true, 1
	unit := g.unit(f).Scale(readable)
	wide := math.Min(all.X1-all.X0, float64(vg.Length(width)/unit.X))
	high := math.Min(all.Y1-all.Y0, float64(vg.Length(height)/unit.Y))
	left := math.Min(math.Max((f.Boxes[0].X0+f.Boxes[0].X1-wide)/2, all.X0), all.X1-wide)
	return Part{X0: left, X1: left + wide, Y0: all.Y1 - high, Y1: all.Y1}
}

// at is the middle of a point.
func (n network) at(k int) vg.Point { return vg.Point{X: n.x(n.Points[k].X), Y: n.y(n.Points[k].Y)} }

// each is the side of the room that every point has, before it is zoomed.
func (n network) each() float64 {
	size := n.Canvas.Size()
	return math.Sqrt(max(float64(size.X*size.Y), 1) / float64(max(len(n.Points), 1)))
}

// radius is that of a point: less where there are many or little room, in a window more where one
// is closer.
func (n network) radius(k int) vg.Length {
	largest := min(max(vg.Length(0.12*n.each()), n.on.pick(4, 4.5)), n.on.pick(11, 15))
	if n.on.screen {
		largest *= vg.Length(min(math.Sqrt(n.zoom), 2.2))
	}
	return max(largest*vg.Length(0.25+0.75*n.Points[k].Size), n.on.pick(2, 2.5))
}

// box is where a box lies.
func (n network) box(b result.Box) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: n.x(b.X0), Y: n.y(b.Y0)}, Max: vg.Point{X: n.x(b.X1), Y: n.y(b.Y1)}}
}

// linkLook is how strong a link is drawn: its width in pixels or points, and its opacity.
func linkLook(weight float64) (width, opacity float64) {
	return 0.6 + 2*weight*weight, 0.12 + 0.58*weight*weight
}

// arrow is a link between points.
func (n network) arrow(k int) arrow {
	l := n.Links[k]
	width, _ := linkLook(l.Weight)
	wide := n.on.pick(0.8*width, width)
	if n.on.screen { // finer where there is little room
		wide *= vg.Length(min(max(n.each()*n.zoom/(100*n.on.scale), 0.6), 1))
	}
	rim := n.on.pick(0, 1)
	return arrow{n.at(l.From), n.at(l.To), n.radius(l.From) + rim, n.radius(l.To) + rim, n.back[k], wide}
}

// line is a link as a line in straight pieces.
func (n network) line(k int) []vg.Point {
	l := n.Links[k]
	if l.From < len(n.Points) {
		return n.arrow(k).line()
	}
	from, to := n.box(n.Boxes[l.From-len(n.Points)]), n.box(n.Boxes[l.To-len(n.Points)])
	return []vg.Point{{X: (from.Min.X + from.Max.X) / 2, Y: from.Min.Y}, {X: (to.Min.X + to.Max.X) / 2, Y: to.Max.Y}}
}

// draw draws links, boxes, points and names, each over those before.
func (n network) draw() {
	n.branches()
	n.arrows()
	n.pictures()
	for _, b := range n.Boxes {
		if b.Picture == nil {
			n.node(b)
		}
	}
	n.discs()
	if !n.on.screen || n.on.texts != nil {
		n.names()
	}
}

// branches draws links between boxes as lines with their texts.
func (n network) branches() {
	style := n.on.text()
	style.YAlign, style.Color = draw.YCenter, n.on.Faint
	for k, l := range n.Links {
		if l.From < len(n.Points) {
			continue
		}
		line, look := n.line(k), draw.LineStyle{Color: n.on.Faint, Width: n.on.pick(0.8, 1)}
		if l.Emphasis == result.Chosen {
			look = draw.LineStyle{Color: n.on.Ink, Width: n.on.pick(2, 3)}
		}
		n.StrokeLines(look, n.ClipLinesXY(line)...)
		beside := vg.Point{X: n.on.pick(5, 6), Y: n.on.pick(3, 4)} // on the outer side, above the line
		if style.XAlign = draw.XLeft; line[1].X < line[0].X {
			style.XAlign, beside.X = draw.XRight, -beside.X
		}
		middle := line[0].Add(line[1]).Scale(0.5).Add(beside)
		if text := n.on.say(l.Text); n.textScale() > 0 && n.Contains(middle) {
			n.FillText(style, middle, text)
		}
	}
}

// textScale is how large texts of boxes are drawn, 0 where they could not be read.
func (n network) textScale() vg.Length {
	if len(n.Boxes) == 0 {
		return 0
	}
	box := n.box(n.Boxes[0]).Size()
	line := n.on.text().Height("0")
	scale := min(box.X/(0.9*unitWide*line), box.Y/(0.64*unitHigh*line))
	if scale < 0.98*readable {
		return 0
	}
	return min(scale, 1.4)
}

// node draws a box: one with lines of text has a frame, others fill a part of it.
func (n network) node(b result.Box) {
	r := n.box(b)
	if r.Max.X < n.Min.X || r.Min.X > n.Max.X || r.Max.Y < n.Min.Y || r.Min.Y > n.Max.Y {
		return
	}
	if b.Lines == nil {
		n.fill(r, n.on.groupColour(n.Groups[b.Group]))
		return
	}
	ground := color.Color(color.RGBA{0xf4, 0xf6, 0xf8, 0xff})
	if n.on.screen {
		ground = n.on.Back
	}
	n.fill(r, ground)
	look := draw.LineStyle{Color: n.on.Faint, Width: n.on.pick(0.8, 1)}
	if b.Emphasis == result.Chosen {
		look = draw.LineStyle{Color: n.on.Ink, Width: n.on.pick(2, 2.5)}
	}
	n.StrokeLines(look, n.ClipLinesXY(append(corners(r), r.Min))...)
	style, scale := n.on.text(), n.textScale()
	style.Font.Size *= scale
	style.XAlign, style.YAlign = draw.XCenter, draw.YTop
	at := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: r.Max.Y - n.on.pick(3, 3)*scale}
	for _, line := range b.Lines {
		if low := at.Sub(vg.Point{Y: style.Height("0")}); scale > 0 && n.Contains(at) && n.Contains(low) {
			n.FillText(style, at, shortened(style, n.on.say(line), r.Size().X-n.on.pick(4, 6)))
		}
		at.Y -= 1.05 * style.Height("0")
		style.Color = n.on.Faint
	}
}

// The cell of a picture: the side of the picture as a share of the width, and the pixels of its
// longer side.
const pictureShare, picturePixels = 0.9, 256

// pictures draws all pictures as one image, each in the middle of a square in its own proportions,
// with room for texts between the rows: a PDF that has many images of one size would widen them.
// Frames and texts follow.
func (n network) pictures() {
	shown := slices.DeleteFunc(slices.Clone(n.Boxes), func(b result.Box) bool { return b.Picture == nil })
	if len(shown) == 0 {
		return
	}
	side := n.box(shown[0]).Size().X * pictureShare
	square := func(b result.Box) vg.Rectangle {
		r := n.box(b)
		low := vg.Point{X: (r.Min.X + r.Max.X - side) / 2, Y: r.Max.Y - side - n.on.pick(2, 2)}
		return vg.Rectangle{Min: low, Max: low.Add(vg.Point{X: side, Y: side})}
	}
	dots := func(v vg.Length) int { return int(math.Round(float64(v / side * picturePixels))) }
	grid := image.NewRGBA(image.Rect(0, 0, dots(n.Max.X-n.Min.X), dots(n.Max.Y-n.Min.Y)))
	xdraw.Draw(grid, grid.Rect, image.NewUniform(n.on.ground()), image.Point{}, xdraw.Src)
	for _, b := range shown {
		at, size := square(b), b.Picture.Bounds().Size()
		longest := max(size.X, size.Y, 1)
		wide, high := max(1, size.X*picturePixels/longest), max(1, size.Y*picturePixels/longest)
		corner := image.Pt(dots(at.Min.X-n.Min.X)+(picturePixels-wide)/2, dots(n.Max.Y-at.Max.Y)+(picturePixels-high)/2)
		how := xdraw.Scaler(xdraw.NearestNeighbor)
		if longest > picturePixels {
			how = xdraw.CatmullRom
		}
		to := image.Rectangle{Min: corner, Max: corner.Add(image.Pt(wide, high))}
		how.Scale(grid, to, b.Picture, b.Picture.Bounds(), xdraw.Src, nil)
	}
	n.DrawImage(n.Canvas.Rectangle, grid)
	style := n.on.text()
	style.Font.Size *= 0.83
	style.XAlign, style.YAlign = draw.XCenter, draw.YTop
	for _, b := range shown {
		at, look := square(b), draw.LineStyle{Color: n.on.groupColour(n.Groups[b.Group]), Width: n.on.pick(1.6, 2)}
		if b.Emphasis == result.Chosen {
			look = draw.LineStyle{Color: n.on.Ink, Width: n.on.pick(2.4, 3)}
		}
		if n.Groups[b.Group].Name != "" || b.Emphasis == result.Chosen {
			out := vg.Point{X: look.Width / 2, Y: look.Width / 2}
			n.SetLineStyle(look)
			n.Stroke(vg.Rectangle{Min: at.Min.Sub(out), Max: at.Max.Add(out)}.Path())
		}
		middle := vg.Point{X: (at.Min.X + at.Max.X) / 2, Y: at.Min.Y - n.on.pick(3, 3)}
		for _, line := range b.Lines {
			n.FillText(style, middle, shortened(style, n.on.say(line), n.box(b).Size().X))
			middle.Y -= style.Height("0") + n.on.pick(0.5, 0)
		}
	}
}

// ground is the colour of what is drawn on.
func (g Ground) ground() color.Color {
	if g.Back != nil {
		return g.Back
	}
	return white
}

func corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}

// Links are drawn in so many shades: those of one shade at once, so that they get no darker where
// they cross. Where there are more than crowded, they are fainter.
const shades, crowded = 8, 1000

// arrows draws the links between points: faint ones below, then by rising weight, chosen ones above
// others, those by hand on top.
func (n network) arrows() {
	type layer struct{ kind, shade int }
	layers := map[layer][][]vg.Point{}
	for k, l := range n.Links {
		if l.From >= len(n.Points) {
			continue
		}
		at := layer{kind: 1, shade: min(int(l.Weight*shades), shades-1)}
		switch {
		case l.Emphasis == result.Faint:
			at = layer{}
		case l.Marked:
			at.kind = 3
		case l.Emphasis == result.Chosen:
			at.kind = 2
		}
		layers[at] = append(layers[at], n.arrow(k).shapes()...)
	}
	for kind := range 4 {
		for shade := range shades {
			_, opacity := linkLook((float64(shade) + 0.75) / shades)
			colour := n.on.Ink
			switch kind {
			case 0:
				opacity = 0.05
			case 2:
				opacity += 0.25
			case 3:
				colour, opacity = n.on.colour(result.LookVariant), opacity+0.3
			}
			if kind < 2 && len(n.Links) > crowded {
				opacity *= 0.4
			}
			n.fillShapes(layers[layer{kind, shade}], n.on.mixed(colour, min(opacity, 1)))
		}
	}
}

// mixed is a colour at a share: see-through in a window, over white on paper.
func (g Ground) mixed(c color.Color, share float64) color.Color {
	if g.screen {
		return faded(c, share)
	}
	return over(c, white, share)
}

// over is a share of one colour over another one.
func over(c, ground color.Color, share float64) color.NRGBA {
	a, b := color.NRGBAModel.Convert(c).(color.NRGBA), color.NRGBAModel.Convert(ground).(color.NRGBA)
	mix := func(a, b uint8) uint8 { return uint8(float64(a)*share + float64(b)*(1-share) + 0.5) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// fillShapes fills shapes of one colour at once.
func (d drawing) fillShapes(shapes [][]vg.Point, colour color.Color) {
	if len(shapes) == 0 {
		return
	}
	if fast, ok := d.Canvas.Canvas.(pixels); ok {
		fast.fillShapes(shapes, colour)
		return
	}
	d.SetColor(colour)
	for _, shape := range shapes {
		var path vg.Path
		path.Move(shape[0])
		for _, p := range shape[1:] {
			path.Line(p)
		}
		path.Close()
		d.Fill(path)
	}
}

// order are the points from the least to the most important: faint ones, the others, those that
// were found, the chosen one; within these by size, later ones of the same size first.
func (n network) order() []int {
	order := make([]int, len(n.Points))
	for k := range order {
		order[k] = len(order) - 1 - k
	}
	rank := func(p result.Point) int {
		if p.Emphasis == result.Faint {
			return -1
		}
		return int(p.Emphasis)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		p, q := n.Points[a], n.Points[b]
		return cmp.Or(cmp.Compare(rank(p), rank(q)), cmp.Compare(p.Size, q.Size))
	})
	return order
}

// discs draws the points, small ones over large ones, on rims in the colour of the ground, with a
// halo where they were found.
func (n network) discs() {
	ground := n.on.ground()
	disc := func(at vg.Point, radius vg.Length, colour color.Color) {
		n.SetColor(colour)
		var path vg.Path
		path.Move(vg.Point{X: at.X + radius, Y: at.Y})
		path.Arc(at, radius, 0, 2*math.Pi)
		path.Close()
		n.Fill(path)
	}
	order := n.order()
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(n.Points[b].Size, n.Points[a].Size) })
	for _, k := range order {
		p, at, radius := n.Points[k], n.at(k), n.radius(k)
		if margin := radius + n.on.pick(40, 40); !holds(n.around(margin), at) {
			continue
		}
		colour := n.on.groupColour(n.Groups[p.Group])
		switch p.Emphasis {
		case result.Found:
			disc(at, radius+n.on.pick(4, 6), n.on.mixed(n.on.colour(result.LookVariant), 0.45))
		case result.Faint:
			colour = over(colour, ground, 0.25)
		}
		if n.on.screen {
			disc(at, radius+n.on.pick(0, 1), ground)
		}
		disc(at, radius, colour)
	}
}

// around is the area with a margin around it.
func (n network) around(margin vg.Length) vg.Rectangle {
	by := vg.Point{X: margin, Y: margin}
	return vg.Rectangle{Min: n.Min.Sub(by), Max: n.Max.Add(by)}
}

// names writes the names for which there is room, the most important ones first, on a ground that
// lets little of the links through.
func (n network) names() {
	style := n.on.text()
	names, texts := make([]name, len(n.Points)), make([]string, len(n.Points))
	for k, p := range n.Points {
		names[k] = name{at: n.at(k), radius: n.radius(k), faint: p.Emphasis == result.Faint}
		if p.Emphasis == result.Chosen {
			names[k].radius += n.on.pick(0, 4) // its ring
		}
		if texts[k] = shortened(style, n.on.say(p.Label), 10*style.Height("0")); texts[k] != "" {
			names[k].wide, names[k].high = style.Width(texts[k]), style.Height("0")
		}
	}
	order, must := n.order(), 0
	slices.Reverse(order)
	for must < len(order) && n.Points[order[must]].Emphasis == result.Chosen {
		must++
	}
	line := n.on.text().Height("0")
	room := n.around(0)
	room.Min = room.Min.Sub(vg.Point{X: 3.2 * line, Y: 2.3 * line})
	room.Max = room.Max.Add(vg.Point{X: 3.2 * line, Y: 1.4 * line})
	style.XAlign, style.YAlign = draw.XLeft, draw.YBottom
	behind := faded(n.on.ground(), 0.78)
	for k, box := range placeNames(names, order, must, room) {
		if box == (vg.Rectangle{}) {
			continue
		}
		on := n.on
		on.behind = behind
		if style.Handler = sans(1).Handler; on.screen {
			style.Handler = windowTexts{sans(1).Handler, on}
		} else {
			fill(n.Canvas, box, behind)
		}
		if style.Color = n.on.Ink; names[k].faint {
			style.Color = over(n.on.Ink, n.on.ground(), 0.4)
		}
		n.FillText(style, box.Min, texts[k])
	}
}
