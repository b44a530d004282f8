package render

import (
	"image"
	"image/color"
	"math"
	"slices"

	"golang.org/x/image/vector"
)

// Arrow is a link as it is drawn: from the rim of one node to the rim of another, in a bow to its right where another link leads
// back, with a head at its end. Lengths are in pixels or points, y grows downwards.
type Arrow struct {
	From, To             Point // middles of the nodes
	FromRadius, ToRadius float64
	Bow                  bool
	Width                float64
}

// bend is how far an arrow's bow leaves the straight line, as a share of its length.
const bend = 0.12

// curve is the arrow's line as a quadratic curve from rim to rim; ok is false where the nodes touch.
func (a Arrow) curve() (from, control, to Point, ok bool) {
	dx, dy := a.To.X-a.From.X, a.To.Y-a.From.Y
	length := math.Hypot(dx, dy)
	if !(length > a.FromRadius+a.ToRadius+1) {
		return from, control, to, false
	}
	control = Point{(a.From.X + a.To.X) / 2, (a.From.Y + a.To.Y) / 2}
	if a.Bow { // a quadratic curve comes half as far as its control point
		control.X -= 2 * bend * dy
		control.Y += 2 * bend * dx
	}
	from = towards(a.From, control, a.FromRadius)
	to = towards(a.To, control, a.ToRadius)
	return from, control, to, true
}

// towards is the point so far from one point in the direction of another.
func towards(from, to Point, by float64) Point {
	length := math.Hypot(to.X-from.X, to.Y-from.Y)
	if length == 0 {
		return from
	}
	return Point{from.X + (to.X-from.X)*by/length, from.Y + (to.Y-from.Y)*by/length}
}

// along is the point at a share of a quadratic curve.
func along(from, control, to Point, share float64) Point {
	rest := 1 - share
	return Point{
		rest*rest*from.X + 2*rest*share*control.X + share*share*to.X,
		rest*rest*from.Y + 2*rest*share*control.Y + share*share*to.Y,
	}
}

// A bow is drawn in straight pieces of about this length, and in so many at least and at most.
const bowPiece, leastPieces, mostPieces = 14, 5, 24

// Line is the arrow's line in straight pieces, nil where the nodes touch.
func (a Arrow) Line() []Point {
	from, control, to, ok := a.curve()
	if !ok {
		return nil
	}
	if !a.Bow {
		return []Point{from, to}
	}
	pieces := int(min(max(math.Hypot(to.X-from.X, to.Y-from.Y)/bowPiece, leastPieces), mostPieces))
	line := make([]Point, 0, pieces+1)
	for k := range pieces + 1 {
		line = append(line, along(from, control, to, float64(k)/float64(pieces)))
	}
	return line
}

// Distance is how far a point is from the arrow's line, +Inf where there is none.
func (a Arrow) Distance(p Point) float64 {
	line, least := a.Line(), math.Inf(1)
	for k := 1; k < len(line); k++ {
		from, to := line[k-1], line[k]
		dx, dy := to.X-from.X, to.Y-from.Y
		share := 0.0
		if square := dx*dx + dy*dy; square > 0 {
			share = min(max(((p.X-from.X)*dx+(p.Y-from.Y)*dy)/square, 0), 1)
		}
		least = min(least, math.Hypot(p.X-from.X-share*dx, p.Y-from.Y-share*dy))
	}
	return least
}

// outline are the corners of the arrow's shaft and of its head, both in the same turning direction.
func (a Arrow) outline() (shaft, head []Point) {
	line := a.Line()
	if line == nil {
		return nil, nil
	}
	tip := line[len(line)-1]
	length, half := 4+1.8*a.Width, 1.6+1.1*a.Width
	if a.FromRadius+a.ToRadius+2*length > math.Hypot(a.To.X-a.From.X, a.To.Y-a.From.Y) {
		length, half = length/2, half/2
	}
	end := len(line) - 1
	for end > 1 && math.Hypot(tip.X-line[end-1].X, tip.Y-line[end-1].Y) < length {
		end--
	}
	foot := towards(tip, line[end-1], length)
	side := normal(foot, tip)
	head = []Point{
		{foot.X + half*side.X, foot.Y + half*side.Y}, tip, {foot.X - half*side.X, foot.Y - half*side.Y},
	}
	middle := append(slices.Clone(line[:end]), foot)
	var left, right []Point
	for k, p := range middle {
		way := normal(middle[max(k-1, 0)], middle[min(k+1, len(middle)-1)])
		left = append(left, Point{p.X + a.Width/2*way.X, p.Y + a.Width/2*way.Y})
		right = append(right, Point{p.X - a.Width/2*way.X, p.Y - a.Width/2*way.Y})
	}
	slices.Reverse(right)
	return append(left, right...), head
}

// normal is the unit vector across the way from one point to another.
func normal(from, to Point) Point {
	dx, dy := to.X-from.X, to.Y-from.Y
	length := math.Hypot(dx, dy)
	if length == 0 {
		return Point{}
	}
	return Point{-dy / length, dx / length}
}

// Arrows draws arrows of one colour over a picture. Where they cross, they get no darker.
func Arrows(img *image.RGBA, list []Arrow, c color.NRGBA) {
	width, height := img.Bounds().Dx(), img.Bounds().Dy()
	if width == 0 || height == 0 || len(list) == 0 {
		return
	}
	z := vector.NewRasterizer(width, height)
	for _, a := range list {
		shaft, head := a.outline()
		for _, corners := range [][]Point{shaft, head} {
			if !seen(corners, width, height) {
				continue
			}
			z.MoveTo(float32(corners[0].X), float32(corners[0].Y))
			for _, p := range corners[1:] {
				z.LineTo(float32(p.X), float32(p.Y))
			}
			z.ClosePath()
		}
	}
	z.Draw(img, img.Bounds(), image.NewUniform(c), image.Point{})
}

// seen tells whether any of a shape can lie in a picture of a size.
func seen(corners []Point, width, height int) bool {
	if len(corners) == 0 {
		return false
	}
	low, high := corners[0], corners[0]
	for _, p := range corners[1:] {
		low = Point{min(low.X, p.X), min(low.Y, p.Y)}
		high = Point{max(high.X, p.X), max(high.Y, p.Y)}
	}
	return high.X >= 0 && high.Y >= 0 && low.X <= float64(width) && low.Y <= float64(height)
}
