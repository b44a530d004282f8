package widget

import (
	"image/color"
	"math"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

type mosaicRenderer struct {
	drawn
	m       *Mosaic
	cells   *canvas.Image
	version int
	ground  color.Color // of the theme that the cells were drawn on
}

func newMosaicRenderer(m *Mosaic) *mosaicRenderer {
	r := &mosaicRenderer{m: m, cells: &canvas.Image{FillMode: canvas.ImageFillStretch, ScaleMode: canvas.ImageScalePixels}, version: -1}
	r.drawn = drawn{of: m, draw: r.build}
	r.build(m.Size())
	return r
}

// MinSize implements fyne.WidgetRenderer.
func (r *mosaicRenderer) MinSize() fyne.Size { return fyne.NewSize(160, 120) }

func (r *mosaicRenderer) build(size fyne.Size) {
	st, d := styleOf(r.m), r.m.data
	r.objects = nil
	r.m.area = mosaicArea{}
	if len(d.Rows) == 0 || len(d.Columns) == 0 {
		r.objects = append(r.objects, emptyText(d.Empty, size, st))
		return
	}
	legend, top := groupLegend(d.Kinds, size.Width-menuSide, st, func(g Group) fyne.CanvasObject {
		return canvas.NewRectangle(colourOf(g.Look, st.background))
	})
	a, ok := r.place(top, size, st)
	if !ok {
		r.objects = append(r.objects, emptyText(tooSmall, size, st))
		return
	}
	r.m.area = a
	r.objects = append(r.objects, legend...)
	r.names(a, size, st)
	r.draw(a, st)
	r.marks(a, st)
	if r.m.Menu != nil {
		r.objects = append(r.objects, menuSign(size))
	}
}

// place finds the room of the cells below a top; ok is false where it is too small.
func (r *mosaicRenderer) place(top float32, size fyne.Size, st style) (a mosaicArea, ok bool) {
	line := measure("0", st.caption, false).Height
	widest := float32(0)
	for _, name := range r.m.data.Rows {
		widest = max(widest, min(measure(name, st.caption, false).Width, widestHeading))
	}
	a = mosaicArea{left: whole(widest + 7), top: whole(max(top, menuSide) + line), rows: len(r.m.data.Rows), columns: len(r.m.data.Columns)}
	a.width, a.height = whole(size.Width-a.left-4), whole(size.Height-a.top-2*line-tickLength-2)
	return a, a.width >= 40 && a.height >= 2*line
}

// draw puts the picture of the cells in place and has it drawn anew where they or the theme have
// changed.
func (r *mosaicRenderer) draw(a mosaicArea, st style) {
	if r.version != r.m.version || r.ground != st.background {
		r.version, r.ground = r.m.version, st.background
		r.cells.Image = r.m.picture(st)
		r.cells.Refresh()
	}
	r.cells.Resize(fyne.NewSize(a.width, a.height))
	r.cells.Move(fyne.NewPos(a.left, a.top))
	r.objects = append(r.objects, r.cells)
}

// names writes the axes' names, those of as many rows as have room, and the numbers of columns.
func (r *mosaicRenderer) names(a mosaicArea, size fyne.Size, st style) {
	d, line := r.m.data, measure("0", st.caption, false).Height
	above := newText(shorten(d.YName, st.caption, size.Width-menuSide, false), st.faint, st.caption)
	placeText(above, 0, a.top-line-2)
	below := newText(shorten(d.XName, st.caption, size.Width, false), st.faint, st.caption)
	placeText(below, max(0, a.left+(a.width-below.MinSize().Width)/2), size.Height-line-1)
	r.objects = append(r.objects, above, below)
	r.rowNames(a, line, st)
	r.columnNames(a, line, st)
}

func (r *mosaicRenderer) rowNames(a mosaicArea, line float32, st style) {
	high := a.height / float32(a.rows)
	every := 1 + int(line/high)
	last := float32(math.Inf(-1))
	for row := 0; row < a.rows; row += every {
		name := newText(shorten(r.m.data.Rows[row], st.caption, a.left-5, false), st.foreground, st.caption)
		y := max(a.top-2, min(a.top+(float32(row)+0.5)*high-line/2, a.top+a.height-line))
		if y < last+line {
			continue
		}
		last = y
		placeText(name, a.left-4-name.MinSize().Width, y)
		r.objects = append(r.objects, name)
	}
}

// columnNames are the columns' names where all have room, else numbers from 1 at even steps.
func (r *mosaicRenderer) columnNames(a mosaicArea, line float32, st style) {
	wide := a.width / float32(a.columns)
	names, step := r.m.data.Columns, 1
	for _, name := range names {
		if measure(name, st.caption, false).Width+6 > wide {
			names = nil
			break
		}
	}
	if names == nil {
		step = 1 + int((measure(strconv.Itoa(a.columns), st.caption, false).Width+8)/wide)
	}
	last := float32(math.Inf(-1))
	for col := 0; col < a.columns; col += step {
		text := strconv.Itoa(col + 1)
		if names != nil {
			text = names[col]
		}
		t := newText(text, st.foreground, st.caption)
		width := t.MinSize().Width
		x := min(a.left+(float32(col)+0.5)*wide-width/2, a.left+a.width-width)
		if x < last+4 {
			continue
		}
		last = x + width
		placeText(t, x, a.top+a.height+tickLength)
		r.objects = append(r.objects, t)
	}
}

// marks outlines the selected row and the cell under the pointer.
func (r *mosaicRenderer) marks(a mosaicArea, st style) {
	high, wide := a.height/float32(a.rows), a.width/float32(a.columns)
	outline := func(c color.Color, width float32, at fyne.Position, size fyne.Size) {
		box := canvas.NewRectangle(color.Transparent)
		box.StrokeColor, box.StrokeWidth = c, width
		box.Move(at)
		box.Resize(size)
		r.objects = append(r.objects, box)
	}
	if row := r.m.selected; row >= 0 {
		colour := st.primary
		if r.m.focused {
			colour = st.foreground
		}
		outline(colour, 2, fyne.NewPos(a.left-1, a.top+float32(row)*high-1), fyne.NewSize(a.width+2, high+2))
	}
	if r.m.row >= 0 {
		outline(st.foreground, 1, fyne.NewPos(a.left+float32(r.m.col)*wide, a.top+float32(r.m.row)*high), fyne.NewSize(wide, high))
	}
}
