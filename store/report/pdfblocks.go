package report

import (
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"
)

// block is a block as boxes.
func (p *paper) block(b Block) (boxes []box) {
	switch b := b.(type) {
	case Text:
		return p.text(b)
	case Facts:
		for _, f := range b {
			boxes = append(boxes, p.fact(f)...)
		}
		return keep(boxes)
	case Table:
		return p.table(b)
	case Figures:
		return p.figures(b)
	}
	return nil
}

func (p *paper) text(t Text) []box {
	body := cell{width: textWidth, runs: slices.Clone(t.Runs), size: 9.5, colour: ink}
	var mark []cell
	switch t.Style {
	case Remark:
		body.size, body.colour = 8, soft
	case Heading, Warning, QuoteHeading:
		for k := range body.runs {
			body.runs[k].Bold = true
		}
	}
	if t.Style == Quote || t.Style == QuoteHeading {
		body.x = 4
	}
	if t.Mark != "" {
		mark = []cell{{x: body.x, width: 6, runs: []Run{{Text: t.Mark}}, size: body.size, colour: ink}}
		body.x += 6
	}
	body.width -= body.x
	boxes := p.row(row{cells: append(mark, body), torn: true})
	if t.Style == Heading || t.Style == QuoteHeading {
		boxes[0].above = 2
		tie(boxes)
	}
	return boxes
}

// factNames is the width of the names of facts, in millimetres.
const factNames = 46.0

// fact is a name at the left and its value beside it.
func (p *paper) fact(f Fact) []box {
	name := cell{width: factNames, runs: []Run{{Text: f.Name}}, size: 9, colour: soft}
	value := cell{
		x: factNames + 3, width: textWidth - factNames - 3, runs: []Run{{Text: f.Value}}, size: 9, colour: ink,
	}
	if f.Code {
		value.family, value.size = mono, 8
	}
	if f.Remark != "" {
		value.runs = append(value.runs, Run{Text: " (" + f.Remark + ")", Italic: true})
	}
	return p.row(row{cells: []cell{name, value}})
}

// The measures of figures: their size beside that in files, so that three matrices or two charts
// stand in a row, and the gap between them, in millimetres.
const (
	paperScale  = 0.56
	figureGap   = 3.0
	figureHigh  = pageBottom - pageMargin - 15 // below a heading, above a caption
	captionSize = 7.5                          // points
)

// figures are drawings side by side with their captions, a box for each row of them.
func (p *paper) figures(list Figures) (boxes []box) {
	for len(list) > 0 {
		row, rest := nextRow(list)
		captions, x, height := make([]cell, len(row)), 0.0, 0.0
		lines := make([][]line, len(row))
		for k, f := range row {
			wide, high := f.paperSize()
			captions[k] = cell{x: x, width: wide, runs: []Run{{Text: f.Caption}}, size: captionSize, colour: soft}
			if f.Caption != "" {
				lines[k] = p.lines(captions[k])
			}
			x, height = x+wide+figureGap, max(height, high+float64(len(lines[k]))*lineHeight(captionSize))
		}
		boxes = append(boxes, box{height: height + 2.5, draw: func(y float64) {
			for k, f := range row {
				wide, high := f.paperSize()
				f.Place(p.Fpdf, sans, pageMargin+captions[k].x, y, wide)
				p.write(captions[k], lines[k], y+high)
			}
		}})
		list = rest
	}
	return keep(boxes)
}

// paperSize is that of a figure on paper, in millimetres; one that is wider or higher than the room
// for it is made smaller.
func (f Figure) paperSize() (width, height float64) {
	width, height = f.Size()
	scale := min(paperScale, textWidth/width, figureHigh/height)
	return width * scale, height * scale
}

// nextRow are the figures that stand in the next row, and those after it.
func nextRow(list Figures) (row, rest Figures) {
	wide := -figureGap
	for n, f := range list {
		width, _ := f.paperSize()
		if wide += figureGap + width; n > 0 && wide > textWidth+0.01 {
			return list[:n], list[n:]
		}
	}
	return list, nil
}

// The measures of tables: the gap between columns, the room above and below a row's text, and what
// a column of texts is narrowed to at least and takes at most without being narrowed, in
// millimetres.
const (
	cellGap        = 3.2
	cellPad        = 0.9
	narrow, longer = 22.0, 30.0
)

// tableSizes are the sizes of letters of tables, in points: the first with which one fits counts.
var tableSizes = []float64{8.5, 7.5, 6.5}

// column is a column of a table on paper. least is the width that it cannot do without, natural the
// one with which no cell is broken, title that of its title in one line.
type column struct {
	*result.Field
	cells                        []string
	least, natural, title, width float64
}

// table is a sheet with its caption: the titles stand above it on every page. One that is wider
// than a page, even in small letters, goes on below itself with its further columns.
func (p *paper) table(t Table) (boxes []box) {
	groups, size := p.fit(t.columns())
	if len(groups) == 0 {
		return nil
	}
	if t.Caption != "" {
		boxes = tie(p.row(row{cells: []cell{{width: textWidth, runs: bold(t.Caption), size: 9, colour: ink}}}))
		boxes[0].above = gap
	}
	for n, columns := range groups {
		titles := row{pad: cellPad, rule: strong}
		for _, c := range columns {
			titles.cells = append(titles.cells, cell{
				x: titles.width, width: c.width, runs: bold(c.Title), size: size, colour: soft, right: c.Format.Right(),
			})
			titles.width += c.width + cellGap
		}
		titles.width -= cellGap
		head := tie(p.row(titles))
		if boxes = append(boxes, head...); n > 0 {
			boxes[len(boxes)-len(head)].above = gap
		}
		var body []box
		for k := range columns[0].cells {
			one := row{pad: cellPad, rule: faint, width: titles.width}
			for i, c := range columns {
				value := titles.cells[i]
				value.runs, value.colour = []Run{{Text: c.cells[k]}}, ink
				value.family, value.size = c.letters(size)
				one.cells = append(one.cells, value)
			}
			body = append(body, p.row(one)...)
		}
		for k := range body {
			if len(head) == 1 {
				body[k].head = &head[0]
			}
		}
		boxes = append(boxes, keep(body)...)
	}
	return boxes
}

// columns are the columns of a table; its parts stand beside each other.
func (t Table) columns() (list []*column) {
	height := 0
	for _, part := range t.Sheets() {
		fields, rows := part.Cells()
		height = max(height, len(rows))
		for k, f := range fields {
			c := &column{Field: f, cells: make([]string, height)}
			for i, row := range rows {
				c.cells[i] = row[k]
			}
			list = append(list, c)
		}
	}
	return list
}

// letters are family and size of a column's cells where others have a size.
func (c *column) letters(size float64) (string, float64) {
	if c.Format == result.ID {
		return mono, size - 0.8
	}
	return sans, size
}

// fit finds the largest letters with which the columns fit beside each other and sets their widths.
// Where there are none, it puts them into groups that fit, each with the columns in front that say
// what a row is about: the first, and a second one of texts.
func (p *paper) fit(columns []*column) (groups [][]*column, size float64) {
	if len(columns) == 0 {
		return nil, 0
	}
	for _, size = range tableSizes {
		p.measure(columns, size)
		if widen(columns) {
			return [][]*column{columns}, size
		}
	}
	size = tableSizes[1]
	p.measure(columns, size)
	front := 1
	if columns[1].Format.Textual() && columns[0].least+columns[1].least < textWidth/2-2*cellGap { // any third one fits
		front = 2
	}
	for rest := columns[front:]; len(rest) > 0; {
		var group []*column
		for _, c := range columns[:front] {
			copied := *c
			group = append(group, &copied)
		}
		n := 1
		for n < len(rest) && widen(slices.Concat(group, rest[:n+1])) {
			n++
		}
		group = append(group, rest[:n]...)
		widen(group)
		groups, rest = append(groups, group), rest[n:]
	}
	return groups, size
}

// measure sets what the columns need with letters of a size.
func (p *paper) measure(columns []*column, size float64) {
	for _, c := range columns {
		c.least, c.natural = 0, 0
		p.SetFont(sans, "B", size)
		title := words(p.clean(c.Title, sans))
		c.title = p.GetStringWidth(strings.Join(title, " ")) + 0.2 // rounding
		for _, w := range title {
			c.least = max(c.least, p.GetStringWidth(w))
		}
		family, size := c.letters(size)
		p.SetFont(family, "", size)
		for _, text := range c.cells {
			for line := range strings.Lines(p.clean(text, family)) {
				list := words(line)
				c.natural = max(c.natural, p.GetStringWidth(strings.Join(list, " ")))
				for _, w := range list {
					c.least = max(c.least, p.GetStringWidth(w))
				}
			}
		}
		c.natural = max(c.natural, c.least) + 0.2
		if c.least += 0.2; !c.Format.Right() {
			c.least = min(max(c.least, min(c.natural, narrow)), longer)
		}
		if c.Format == result.ID { // two lines are enough
			c.least = max(c.least, c.natural/2+0.2)
		}
		c.least = min(c.least, (textWidth-cellGap)/2)
	}
}

// widen sets the widths of columns that stand beside each other: what each needs at least, and of
// what is left as much as it can use, first for cells, then for titles, all that are still narrowed
// the same. It tells whether there is room for what they need.
func widen(columns []*column) bool {
	room, wants := textWidth-cellGap*float64(len(columns)-1), make([]float64, len(columns))
	for _, c := range columns {
		c.width = c.least
		room -= c.least
	}
	fits := room >= 0
	for _, wide := range []func(*column) float64{
		func(c *column) float64 { return c.natural }, func(c *column) float64 { return c.title },
	} {
		for k, c := range columns {
			wants[k] = max(0, wide(c)-c.width)
		}
		limit := max(0, commonLimit(wants, room))
		for k, c := range columns {
			more := min(wants[k], limit)
			c.width += more
			room -= more
		}
	}
	return fits
}
