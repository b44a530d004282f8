package report

import (
	"image/color"
	"slices"
)

// box is what is never torn: a line of a paragraph, a row of a table, a row of figures. Everything
// on paper is a list of boxes, which place alone puts on pages.
type box struct {
	above, height float64         // millimetres; nothing is above the first box of a page
	stays         bond            // with the next box
	part          bool            // begins a page
	head          *box            // written again on a page that begins with this box: the titles of its table
	draw          func(y float64) // nil for room alone
}

// before draws something besides, first.
func (b *box) before(more func(y float64)) {
	draw := b.draw
	b.draw = func(y float64) {
		more(y)
		draw(y)
	}
}

// bond says whether a box stands on the page of the next one: tied ones always, as headings do,
// kept ones as far as they all take little of a page.
type bond int

const (
	loose bond = iota
	kept
	tied
)

// keptBoxes is how many boxes stay together at the beginning and at the end of a block, so that
// neither a heading nor a last line stands alone on a page; mostKept is how high they are at most,
// and how high a row is at most that is not torn, in millimetres.
const (
	keptBoxes = 3
	mostKept  = (pageBottom - pageMargin) / 3
)

// keep holds the first and the last boxes of a block together.
func keep(boxes []box) []box {
	for k := range len(boxes) - 1 {
		if k < keptBoxes-1 || k >= len(boxes)-keptBoxes {
			boxes[k].stays = max(boxes[k].stays, kept)
		}
	}
	return boxes
}

// tie holds boxes together with what follows them.
func tie(boxes []box) []box {
	for k := range boxes {
		boxes[k].stays = tied
	}
	return boxes
}

// place writes boxes one below the other, over pages.
func (p *paper) place(boxes []box) {
	fits := 0 // so many boxes are on this page, or fit on it
	for k, b := range boxes {
		height := b.above + b.height
		if k >= fits {
			var n int
			n, height = together(boxes[k:])
			fits = k + n
		}
		if p.y > pageMargin && (b.part || p.y+height > pageBottom) {
			p.newPage()
			if b.head != nil {
				b.head.draw(p.y)
				p.y += b.head.height
			}
		} else if p.y > pageMargin {
			p.y += b.above
		}
		if b.draw != nil {
			b.draw(p.y)
		}
		p.y += b.height
	}
}

// together is how many of the first boxes stand on one page, and how high they are.
func together(boxes []box) (n int, height float64) {
	for n < len(boxes) {
		b := boxes[n]
		n++
		if height += b.above + b.height; b.stays == loose || b.stays == kept && height > mostKept {
			break
		}
	}
	return n, height
}

// newPage begins a new page.
func (p *paper) newPage() {
	p.AddPage()
	p.y = pageMargin
}

// row are cells beside each other. One that is torn, or higher than mostKept, is a box for each
// line, else one box.
type row struct {
	cells []cell
	pad   float64 // room above and below the text
	torn  bool
	rule  color.RGBA // of the line below it, as wide as width; 0 for none
	width float64
}

func (p *paper) row(r row) []box {
	lines := make([][]line, len(r.cells))
	n, high := 0, 0.0
	for k, c := range r.cells {
		lines[k] = p.lines(c)
		n, high = max(n, len(lines[k])), max(high, lineHeight(c.size))
	}
	step := n
	if r.torn || float64(n)*high > mostKept {
		step = 1
	}
	var boxes []box
	for from := 0; from < n; from += max(step, 1) {
		top, low, to := 0.0, 0.0, from+step
		if from == 0 {
			top = r.pad
		}
		if to == n {
			low = r.pad
		}
		height := top + high*float64(step) + low
		boxes = append(boxes, box{height: height, draw: func(y float64) {
			for k, c := range r.cells {
				p.write(c, lines[k][min(from, len(lines[k])):min(to, len(lines[k]))], y+top)
			}
			if to == n && r.width > 0 {
				p.rule(y+height, r.width, 0.15, r.rule)
			}
		}})
	}
	return keep(boxes)
}

// rule draws a line from the left margin on.
func (p *paper) rule(y, width, thickness float64, c color.RGBA) {
	p.SetDrawColor(int(c.R), int(c.G), int(c.B))
	p.SetLineWidth(thickness)
	p.Line(pageMargin, y, pageMargin+width, y)
}

// commonLimit is what the largest of some widths are narrowed to so that all together take room.
func commonLimit(widths []float64, room float64) float64 {
	left := room
	for k, w := range slices.Sorted(slices.Values(widths)) {
		if share := left / float64(len(widths)-k); w > share {
			return share
		}
		left -= w
	}
	return room
}
