package widget

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// gridSizes are the measures of a grid: the width of the heading column, of every other column, and the height of a line.
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
	g       *Grid
	objects []fyne.CanvasObject
}

// Destroy implements fyne.WidgetRenderer.
func (r *gridRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *gridRenderer) Objects() []fyne.CanvasObject { return r.objects }

// Layout implements fyne.WidgetRenderer.
func (r *gridRenderer) Layout(fyne.Size) { r.build() }

// MinSize implements fyne.WidgetRenderer.
func (r *gridRenderer) MinSize() fyne.Size { return r.measure(styleOf(r.g)).total() }

// Refresh implements fyne.WidgetRenderer.
func (r *gridRenderer) Refresh() {
	r.build()
	canvas.Refresh(r.g)
}

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

func (r *gridRenderer) build() {
	st := styleOf(r.g)
	s := r.measure(st)
	r.g.sizes = s
	r.objects = r.objects[:0]
	r.words(shorten(r.g.corner, st.caption, s.head-2*cellPadding, false), st.faint, st.caption, false, cellPadding, 0, s.line)
	for c, name := range r.g.columns {
		r.centred(name, st, true, s.head+float32(c)*s.cell, 0, s)
	}
	for i, name := range r.g.rows {
		r.words(shorten(name, st.text, s.head-2*cellPadding, true), st.foreground, st.text, true, cellPadding, s.line*float32(i+1), s.line)
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
		box.FillColor = faded(st.primary, 0.06+0.42*min(cell.Shade, 1))
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
	r.centred(cell.Text, st, false, x, y, s)
}

// centred writes text in the middle of a column.
func (r *gridRenderer) centred(text string, st style, bold bool, x, y float32, s gridSizes) {
	text = shorten(text, st.text, s.cell-cellPadding, bold)
	width := measure(text, st.text, bold).Width
	r.words(text, st.foreground, st.text, bold, x+(s.cell-width)/2, y, s.line)
}

// words writes text at x, in the middle of a line that begins at y.
func (r *gridRenderer) words(text string, c color.Color, size float32, bold bool, x, y, line float32) {
	t := newText(text, c, size)
	t.TextStyle.Bold = bold
	placeText(t, x, y+(line-t.MinSize().Height)/2)
	r.objects = append(r.objects, t)
}
