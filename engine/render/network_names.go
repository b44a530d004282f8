package render

// Name is a name that is to stand beside a node: the middle and radius of the node, and the size of the text. A faint node does not
// keep the names of others from lying over it, as long as these are not faint too.
type Name struct {
	At                    Point
	Radius, Width, Height float64
	Faint                 bool
}

// NameBox is where a name stands, from its top-left corner; Shown is false where there is no room for it.
type NameBox struct {
	X, Y  float64
	Shown bool
}

// PlaceNames finds room for names in a picture of a size, in the given order of importance: below a node, else above it, beside it or
// at a corner, wherever no name and no other node is in the way. A name without room is not shown; the first `must` ones are shown in
// any case, as long as their nodes lie inside of the picture.
func PlaceNames(names []Name, order []int, must int, width, height float64) []NameBox {
	boxes := make([]NameBox, len(names))
	var placed []int
	for rank, k := range order {
		n := names[k]
		if n.At.X < 0 || n.At.Y < 0 || n.At.X > width || n.At.Y > height {
			continue
		}
		for way, box := range n.around() {
			if way == 0 && rank < must { // where it stands if there is no room at all
				boxes[k] = NameBox{min(max(box.X, 0), max(width-n.Width, 0)), min(max(box.Y, 0), max(height-n.Height, 0)), true}
			}
			if box.X >= 0 && box.Y >= 0 && box.X+n.Width <= width && box.Y+n.Height <= height && free(names, boxes, placed, k, box) {
				boxes[k] = box
				break
			}
		}
		if boxes[k].Shown {
			placed = append(placed, k)
		}
	}
	return boxes
}

// around are the places for a name, the best first.
func (n Name) around() []NameBox {
	const gap = 1.5
	left, middle, right := n.At.X-n.Radius-n.Width-2*gap, n.At.X-n.Width/2, n.At.X+n.Radius+2*gap
	above, beside, below := n.At.Y-n.Radius-n.Height-gap, n.At.Y-n.Height/2, n.At.Y+n.Radius+gap
	in := 0.3 * n.Radius // corners lie closer
	return []NameBox{
		{middle, below, true},
		{middle, above, true},
		{right, beside, true},
		{left, beside, true},
		{right - in, below - in, true},
		{left + in, below - in, true},
		{right - in, above + in, true},
		{left + in, above + in, true},
	}
}

// free tells whether nothing is in the way of name k in a box.
func free(names []Name, boxes []NameBox, placed []int, k int, box NameBox) bool {
	const gap = 4 // from the end of one name to the beginning of another
	n := names[k]
	for _, other := range placed {
		b, o := boxes[other], names[other]
		if box.X < b.X+o.Width+gap && b.X < box.X+n.Width+gap && box.Y < b.Y+o.Height && b.Y < box.Y+n.Height {
			return false
		}
	}
	for other, o := range names {
		if other == k || o.Faint && !n.Faint {
			continue
		}
		dx := max(box.X-o.At.X, o.At.X-box.X-n.Width, 0)
		dy := max(box.Y-o.At.Y, o.At.Y-box.Y-n.Height, 0)
		if dx*dx+dy*dy < o.Radius*o.Radius {
			return false
		}
	}
	return true
}
