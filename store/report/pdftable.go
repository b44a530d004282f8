package report

import (
	"image/color"
	"slices"

	"github.com/variscope/variscope/engine/result"
)

// The measures of tables, in millimetres.
const (
	cellGap   = 3.2 // between columns
	cellAbove = 0.9 // above and below a row's text
)

// tableSheet is a table laid out for paper.
type tableSheet struct {
	*paper
	caption string
	fields  []*result.Field
	rows    [][]string
	size    float64
	widths  []float64
}

// table writes a table; its head is repeated on every page, and a row that is higher than a page
// goes on on the next. Below it stands what is tail millimetres high.
func (p *paper) table(t Table, tail float64) {
	s := p.sheet(t)
	p.room(p.beginning([]Block{t}))
	if t.Caption != "" {
		p.flow([]Run{{Text: t.Caption, Bold: true}}, textStyle{size: 9, colour: inkColour}, 0)
		p.y += 0.5
	}
	s.head()
	heights := make([]float64, len(s.rows))
	for k, row := range s.rows {
		heights[k] = s.rowHeight(row)
	}
	for k, row := range s.rows {
		if left := max(len(s.rows)-keptLines, 0); k == left && k > 0 && s.y+together(heights, k, tail) > pageBottom {
			s.page()
			s.head()
		}
		s.row(row)
	}
}

// sheet lays a table out, the parts of a sheet beside each other.
func (p *paper) sheet(t Table) *tableSheet {
	s := &tableSheet{paper: p, caption: t.Caption, size: 8.5}
	for _, part := range t.Sheets() {
		fields, rows := part.Cells()
		before := len(s.fields)
		s.fields = append(s.fields, fields...)
		if s.rows == nil {
			s.rows = make([][]string, len(rows))
		}
		for k := range s.rows {
			s.rows[k] = append(s.rows[k], make([]string, len(fields))...)
			if k < len(rows) {
				copy(s.rows[k][before:], rows[k])
			}
		}
	}
	if len(s.fields) > 8 {
		s.size = 7.5
	}
	s.measure()
	return s
}

// headHeight is the height of caption and titles.
func (s *tableSheet) headHeight() float64 {
	height := 0.0
	if s.caption != "" {
		height = s.height([]Run{{Text: s.caption, Bold: true}}, textStyle{size: 9}, 0) + 0.5
	}
	return height + float64(longest(s.titles()))*lineHeight(s.size) + 2*cellAbove
}

// rowHeight is the height of a row.
func (s *tableSheet) rowHeight(cells []string) float64 {
	return float64(longest(s.cells(cells)))*lineHeight(s.size) + 2*cellAbove
}

// measure gives every column the width of its widest cell; where that is too much, the widest
// columns are narrowed to one common width.
func (s *tableSheet) measure() {
	s.widths = make([]float64, len(s.fields))
	for k, c := range s.fields {
		s.font(sans, "B", s.size)
		s.widths[k] = s.GetStringWidth(s.clean(c.Title, sans))
		for _, row := range s.rows {
			s.cellFont(k)
			for _, line := range s.wrap(s.clean(row[k], s.family(k)), 1e6) {
				s.widths[k] = max(s.widths[k], s.GetStringWidth(line))
			}
		}
		s.widths[k] += 0.2 // rounding
	}
	room := textWidth - cellGap*float64(len(s.fields)-1)
	limit := commonLimit(s.widths, room)
	for k := range s.widths {
		s.widths[k] = min(s.widths[k], limit)
	}
}

// commonLimit is the width to which the widest columns are narrowed so that all together take room.
func commonLimit(widths []float64, room float64) float64 {
	sorted := slices.Sorted(slices.Values(widths))
	left := room
	for k, w := range sorted {
		if share := left / float64(len(sorted)-k); w > share {
			return share
		}
		left -= w
	}
	return room
}

func (s *tableSheet) family(column int) string {
	if s.fields[column].Format == result.ID {
		return mono
	}
	return sans
}

func (s *tableSheet) cellFont(column int) {
	size := s.size
	if s.fields[column].Format == result.ID {
		size -= 0.8
	}
	s.font(s.family(column), "", size)
}

// head writes the titles of the columns.
func (s *tableSheet) head() {
	lines := s.titles()
	s.lines(lines, longest(lines), true)
	s.rule(ruleColour)
}

// titles are the lines of the titles of the columns.
func (s *tableSheet) titles() [][]string {
	lines := make([][]string, len(s.fields))
	for k, c := range s.fields {
		s.font(sans, "B", s.size)
		lines[k] = s.wrap(s.clean(c.Title, sans), s.widths[k])
	}
	return lines
}

// cells are the lines of the cells of a row.
func (s *tableSheet) cells(row []string) [][]string {
	lines := make([][]string, len(s.fields))
	for k := range s.fields {
		s.cellFont(k)
		lines[k] = s.wrap(s.clean(row[k], s.family(k)), s.widths[k])
	}
	return lines
}

// row writes one row, as much of it as there is room for, and the rest on the next page.
func (s *tableSheet) row(cells []string) {
	lines := s.cells(cells)
	for rest := longest(lines); rest > 0; rest = longest(lines) {
		height := lineHeight(s.size)
		fits := int((pageBottom - s.y - 2*cellAbove) / height)
		if whole := int((pageBottom - pageMargin - 20) / height); fits < rest && (rest <= whole || fits < 3) {
			s.page()
			s.head()
			fits = int((pageBottom - s.y - 2*cellAbove) / height)
		}
		n := min(rest, max(fits, 1))
		s.lines(lines, n, false)
		for k := range lines {
			lines[k] = lines[k][min(n, len(lines[k])):]
		}
	}
	s.rule(gridColour)
}

func longest(lines [][]string) int {
	n := 0
	for _, cell := range lines {
		n = max(n, len(cell))
	}
	return n
}

// lines writes the first n lines of every cell.
func (s *tableSheet) lines(cells [][]string, n int, head bool) {
	height, x := lineHeight(s.size), pageMargin
	s.y += cellAbove
	for k, cell := range cells {
		if head {
			s.font(sans, "B", s.size)
			s.pen(softColour)
		} else {
			s.cellFont(k)
			s.pen(inkColour)
		}
		for i, line := range cell[:min(n, len(cell))] {
			at := x
			if s.fields[k].Format.Right() {
				at += s.widths[k] - s.GetStringWidth(line)
			}
			s.Text(at, s.y+(float64(i)+0.76)*height, line)
		}
		x += s.widths[k] + cellGap
	}
	s.y += float64(n)*height + cellAbove
}

// rule draws a line below what was written, as wide as the table.
func (s *tableSheet) rule(c color.RGBA) {
	width := cellGap * float64(len(s.widths)-1)
	for _, w := range s.widths {
		width += w
	}
	s.ink(c)
	s.SetLineWidth(0.15)
	s.Line(pageMargin, s.y, pageMargin+width, s.y)
}
