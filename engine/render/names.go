package render

import "gonum.org/v1/plot/vg"

// name is a name that is to stand beside a node: the middle and radius of the node, and the size of
// the text. A faint node does not keep the names of others from lying over it, as long as these are
// not faint too.
type name struct {
	at                 vg.Point
	radius, wide, high vg.Length
	faint              bool
}

// placeNames finds room for names inside of a rectangle, in the given order of importance: below a
// node, else above it, beside it or at a corner, wherever no name and no other node is in the way.
// A name without room has the zero rectangle; the first `must` ones are shown in any case, as long
// as their nodes lie inside.
func placeNames(names []name, order []int, must int, room vg.Rectangle) []vg.Rectangle {
	boxes := make([]vg.Rectangle, len(names))
	var placed []int
	for rank, k := range order {
		n := names[k]
		if n.wide == 0 || !holds(room, n.at) {
			continue
		}
		for way, box := range n.around() {
			if way == 0 && rank < must { // where it stands if there is no room at all
				into := vg.Point{
					X: min(max(box.Min.X, room.Min.X), max(room.Max.X-n.wide, room.Min.X)),
					Y: min(max(box.Min.Y, room.Min.Y), max(room.Max.Y-n.high, room.Min.Y)),
				}
				boxes[k] = vg.Rectangle{Min: into, Max: into.Add(box.Size())}
			}
			if holds(room, box.Min) && holds(room, box.Max) && free(names, boxes, placed, k, box) {
				boxes[k] = box
				break
			}
		}
		if boxes[k] != (vg.Rectangle{}) {
			placed = append(placed, k)
		}
	}
	return boxes
}

func holds(r vg.Rectangle, p vg.Point) bool {
	return p.X >= r.Min.X && p.X <= r.Max.X && p.Y >= r.Min.Y && p.Y <= r.Max.Y
}

// around are the places for a name, the best first.
func (n name) around() (boxes []vg.Rectangle) {
	const gap = 1.5
	left, middle, right := n.at.X-n.radius-n.wide-2*gap, n.at.X-n.wide/2, n.at.X+n.radius+2*gap
	above, beside, below := n.at.Y+n.radius+gap, n.at.Y-n.high/2, n.at.Y-n.radius-n.high-gap
	in := 0.3 * n.radius // corners lie closer
	for _, corner := range []vg.Point{
		{X: middle, Y: below},
		{X: middle, Y: above},
		{X: right, Y: beside},
		{X: left, Y: beside},
		{X: right - in, Y: below + in},
		{X: left + in, Y: below + in},
		{X: right - in, Y: above - in},
		{X: left + in, Y: above - in},
	} {
		boxes = append(boxes, vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: n.wide, Y: n.high})})
	}
	return boxes
}

// free tells whether nothing is in the way of name k in a box.
func free(names []name, boxes []vg.Rectangle, placed []int, k int, box vg.Rectangle) bool {
	const gap = 4 // from the end of one name to the beginning of another
	for _, other := range placed {
		b := boxes[other]
		if box.Min.X < b.Max.X+gap && b.Min.X < box.Max.X+gap && box.Min.Y < b.Max.Y && b.Min.Y < box.Max.Y {
			return false
		}
	}
	for other, o := range names {
		if other == k || o.faint && !names[k].faint {
			continue
		}
		near := vg.Point{X: min(max(o.at.X, box.Min.X), box.Max.X), Y: min(max(o.at.Y, box.Min.Y), box.Max.Y)}
		if away(near, o.at) < o.radius {
			return false
		}
	}
	return true
}
