package widget

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
)

// gridSizes are the measures of a grid: the width of the heading column, of every other column, and
// the height of a line.
type gridSizes struct {
	head, cell, line float32
	rows, columns    int
}

// at is the cell under a position, -1, -1 on headings and outside.
func (s gridSizes) at(pos fyne.Position) (row, col int) {
	if s.cell <= 0 || pos.X < s.head || pos.Y < s.line {
		return -1, -1
	}
	row, col = int((pos.Y-s.line)/s.line), int((pos.X-s.head)/s.cell)
	if row >= s.rows || col >= s.columns {
		return -1, -1
	}
	return row, col
}

func (s gridSizes) total() fyne.Size {
	return fyne.NewSize(s.head+s.cell*float32(s.columns), s.line*float32(s.rows+1))
}

const (
	widestHeading = 140 // longer names are shortened
	cellPadding   = 8
)

type gridRenderer struct {
	drawn
	g *Grid
}

// MinSize implements fyne.WidgetRenderer.
func (r *gridRenderer) MinSize() fyne.Size { return r.measure(styleOf(r.g)).total() }

func (r *gridRenderer) measure(st style) gridSizes {
	s := gridSizes{rows: len(r.g.rows), columns: len(r.g.columns), line: measure("X", st.text, false).Height + 2*st.pad}
	s.head = min(measure(r.g.corner, st.caption, false).Width, widestHeading)
	for _, name := range r.g.rows {
		s.head = max(s.head, min(measure(name, st.text, true).Width, widestHeading))
	}
	for _, name := range r.g.columns {
		s.cell = max(s.cell, min(measure(name, st.text, true).Width, widestHeading))
	}
	for _, row := range r.g.cells {
		for _, c := range row {
			s.cell = max(s.cell, measure(c.Text, st.text, false).Width)
		}
	}
	s.head, s.cell = s.head+2*cellPadding, s.cell+2*cellPadding
	return s
}

func (r *gridRenderer) build(fyne.Size) {
	st := styleOf(r.g)
	s := r.measure(st)
	r.g.sizes = s
	r.objects = r.objects[:0]
	r.head(lettering{text: r.g.corner, colour: st.faint, size: st.caption}, 0, s)
	for c, name := range r.g.columns {
		r.centred(lettering{name, st.foreground, st.text, true}, s.head+float32(c)*s.cell, 0, s)
	}
	for i, name := range r.g.rows {
		r.head(lettering{name, st.foreground, st.text, true}, s.line*float32(i+1), s)
		for c := range r.g.columns {
			if cell, ok := r.g.cell(i, c); ok {
				r.cell(cell, i, c, s, st)
			}
		}
	}
	for i := range len(r.g.rows) + 1 {
		y := s.line * float32(i+1)
		r.objects = append(r.objects, newLine(st.line, 0, y, s.total().Width, y))
	}
}

func (r *gridRenderer) cell(cell GridCell, row, col int, s gridSizes, st style) {
	x, y := s.head+float32(col)*s.cell, s.line*float32(row+1)
	box := canvas.NewRectangle(color.Transparent)
	if cell.Shade >= 0 {
		box.FillColor = faded(r.ground(cell, st), 0.06+0.38*min(cell.Shade, 1))
	}
	box.Resize(fyne.NewSize(s.cell-2, s.line-2))
	box.Move(fyne.NewPos(x+1, y+1))
	box.CornerRadius = 2
	if row == r.g.row && col == r.g.col {
		box.StrokeColor, box.StrokeWidth = st.primary, 2
		if r.g.focused {
			box.StrokeColor = st.foreground
		}
	} else if row == r.g.hoverRow && col == r.g.hoverCol {
		box.StrokeColor, box.StrokeWidth = st.faint, 1
	}
	r.objects = append(r.objects, box)
	r.centred(lettering{text: cell.Text, colour: st.foreground, size: st.text}, x, y, s)
}

// ground is the colour of a cell's shade.
func (r *gridRenderer) ground(cell GridCell, st style) color.Color {
	if cell.Warm {
		return theme.ColorForWidget(theme.ColorNameWarning, r.g)
	}
	return st.primary
}

// lettering is a text and how it is written.
type lettering struct {
	text   string
	colour color.Color
	size   float32
	bold   bool
}

// fit shortens the text to a width.
func (l lettering) fit(width float32) lettering {
	l.text = shorten(l.text, l.size, width, l.bold)
	return l
}

// head writes a text at the start of the line that begins at y.
func (r *gridRenderer) head(l lettering, y float32, s gridSizes) {
	r.write(l.fit(s.head-2*cellPadding), cellPadding, y, s.line)
}

// centred writes a text in the middle of the column that begins at x.
func (r *gridRenderer) centred(l lettering, x, y float32, s gridSizes) {
	l = l.fit(s.cell - cellPadding)
	r.write(l, x+(s.cell-measure(l.text, l.size, l.bold).Width)/2, y, s.line)
}

// write writes a text at x, in the middle of a line that begins at y.
func (r *gridRenderer) write(l lettering, x, y, line float32) {
	t := newText(l.text, l.colour, l.size)
	t.TextStyle.Bold = l.bold
	placeText(t, x, y+(line-t.MinSize().Height)/2)
	r.objects = append(r.objects, t)
}
