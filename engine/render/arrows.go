package render

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// arrow is a link as it is drawn: from the rim of one node to the rim of another, in a bow to its
// left where another link leads back, with a head at its end.
type arrow struct {
	from, to             vg.Point // middles of the nodes
	fromRadius, toRadius vg.Length
	bow                  bool
	width                vg.Length
}

// bend is how far an arrow's bow leaves the straight line, as a share of its length.
const bend = 0.12

// away is the distance between two points.
func away(a, b vg.Point) vg.Length { return vg.Length(math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y))) }

// towards is the point so far from one point in the direction of another.
func towards(from, to vg.Point, by vg.Length) vg.Point {
	if length := away(from, to); length > 0 {
		return from.Add(to.Sub(from).Scale(by / length))
	}
	return from
}

// line is the arrow's line from rim to rim in straight pieces, nil where the nodes touch. A bow is
// a quadratic curve, which comes half as far as its control point.
func (a arrow) line() []vg.Point {
	const piece, least, most = 14, 5, 24 // the length of a piece of a bow, and how many there are
	if !(away(a.from, a.to) > a.fromRadius+a.toRadius+1) {
		return nil
	}
	way := a.to.Sub(a.from)
	control := a.from.Add(a.to).Scale(0.5)
	if a.bow {
		control = control.Add(vg.Point{X: -way.Y, Y: way.X}.Scale(2 * bend))
	}
	from, to := towards(a.from, control, a.fromRadius), towards(a.to, control, a.toRadius)
	if !a.bow {
		return []vg.Point{from, to}
	}
	pieces := int(min(max(away(from, to)/piece, least), most))
	line := make([]vg.Point, 0, pieces+1)
	for k := range pieces + 1 {
		share := vg.Length(k) / vg.Length(pieces)
		rest := 1 - share
		line = append(line, from.Scale(rest*rest).Add(control.Scale(2*rest*share)).Add(to.Scale(share*share)))
	}
	return line
}

// distance is how far a point is from a line, +Inf where there is none.
func distance(line []vg.Point, p vg.Point) vg.Length {
	least := vg.Length(math.Inf(1))
	for k := 1; k < len(line); k++ {
		way, to := line[k].Sub(line[k-1]), p.Sub(line[k-1])
		share := vg.Length(0)
		if square := way.Dot(way); square > 0 {
			share = min(max(to.Dot(way)/square, 0), 1)
		}
		least = min(least, away(to, way.Scale(share)))
	}
	return least
}

// shapes are the arrow's shaft and its head, both in the same turning direction; nil where the
// nodes touch.
func (a arrow) shapes() [][]vg.Point {
	line := a.line()
	if line == nil {
		return nil
	}
	tip := line[len(line)-1]
	length, half := 4+1.8*a.width, 1.6+1.1*a.width
	if a.fromRadius+a.toRadius+2*length > away(a.from, a.to) {
		length, half = length/2, half/2
	}
	end := len(line) - 1
	for end > 1 && away(tip, line[end-1]) < length {
		end--
	}
	foot := towards(tip, line[end-1], length)
	side := across(foot, tip).Scale(half)
	middle := append(slices.Clone(line[:end]), foot)
	var left, right []vg.Point
	for k, p := range middle {
		way := across(middle[max(k-1, 0)], middle[min(k+1, len(middle)-1)]).Scale(a.width / 2)
		left, right = append(left, p.Add(way)), append(right, p.Sub(way))
	}
	slices.Reverse(right)
	return [][]vg.Point{append(left, right...), {foot.Add(side), tip, foot.Sub(side)}}
}

// across is the unit vector across the way from one point to another.
func across(from, to vg.Point) vg.Point {
	way := to.Sub(from)
	length := away(from, to)
	if length == 0 {
		return vg.Point{}
	}
	return vg.Point{X: -way.Y / length, Y: way.X / length}
}
