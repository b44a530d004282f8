package report

// keptLines is how many lines, rows or facts stay together at the beginning and at the end of a
// block, so that neither a heading nor a last line stands alone on a page.
const keptLines = 3

// together is the height that must be left for part k of a block whose parts have these heights:
// that of the part alone and, where the last parts begin, that of them all with what stands below
// the block. Parts that would fill most of a page are torn.
func together(heights []float64, k int, tail float64) float64 {
	if k != max(len(heights)-keptLines, 0) {
		return min(heights[k], mostKept)
	}
	sum := tail
	for _, h := range heights[k:] {
		sum += h
	}
	if sum > mostKept {
		return min(heights[k], mostKept)
	}
	return sum
}

// mostKept is the largest height that is kept together, in millimetres.
const mostKept = (pageBottom - pageMargin) / 3

// height is that of a paragraph, as flow writes it.
func (p *paper) height(runs []Run, style textStyle, right float64) float64 {
	return float64(len(p.flowLines(runs, style, right))) * lineHeight(style.size)
}

// tail is the height of a remark that stands right below a block and belongs to it, 0 for none.
func (p *paper) tail(rest []Block) float64 {
	if len(rest) == 0 {
		return 0
	}
	t, ok := rest[0].(Text)
	if !ok || t.Style != Remark {
		return 0
	}
	runs, style := t.set()
	return gap + p.height(runs, style, 0)
}

// beginning is the height of what must not be torn from a heading above it: the first lines, rows
// or row of figures.
func (p *paper) beginning(list []Block) float64 {
	if len(list) == 0 {
		return 0
	}
	var heights []float64
	above := 0.0
	switch b := list[0].(type) {
	case Text:
		runs, style := b.set()
		if above = p.height(runs, style, 0); b.Style == Heading || b.Style == Remark {
			above += 2 + gap + p.beginning(list[1:])
		}
		return min(above, 2*mostKept)
	case Facts:
		for _, f := range b {
			heights = append(heights, p.factHeight(f))
		}
	case Guideline:
		for _, g := range b {
			heights = append(heights, p.paragraphHeight(g))
		}
	case Table:
		s := p.sheet(b)
		above = s.headHeight()
		for _, row := range s.rows[:min(len(s.rows), keptLines)] {
			heights = append(heights, s.rowHeight(row))
		}
	case Figures:
		row, _ := p.nextRow(b)
		height, below, _ := p.figureHeight(row)
		return height + below + 2
	}
	for _, h := range heights[:min(len(heights), keptLines)] {
		above += min(h, mostKept/keptLines)
	}
	return above
}
