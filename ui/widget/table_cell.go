package widget

import (
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

func (t *Table) updateCell(id widget.TableCellID, object fyne.CanvasObject) {
	if id.Row >= t.rowCount() || id.Col >= len(t.columns) {
		return
	}
	c := object.(*tableCell)
	c.ticked = t.Marked != nil && t.Marked(id.Row)
	c.ticks, c.colour = t.OnTick != nil, ""
	c.share = math.NaN()
	if t.Bar != nil {
		c.share = t.Bar(id.Row, id.Col)
	}
	if t.Colour != nil {
		c.colour = t.Colour(id.Row, id.Col)
	}
	c.setPicture(nil)
	if t.Picture != nil {
		c.setPicture(t.Picture(id.Row, id.Col))
	}
	text := ""
	if c.picture == nil {
		text = t.text(id.Row, id.Col)
	}
	c.show(text, t.columns[id.Col].Right, id.Row == t.selected, id.Col)
}

// tableCell is a cell: text or a picture, on a ground that is coloured in selected and marked
// rows.
type tableCell struct {
	widget.BaseWidget
	ground  *canvas.Rectangle
	words   *canvas.Text
	full    string
	tail    string // stays when the text is shortened
	right   bool
	marked  bool // the row is selected
	ticked  bool // the row is marked
	ticks   bool // a check mark says so in the first column
	all     bool // the check mark of a heading is set
	check   *widget.Icon
	colour  fyne.ThemeColorName // "" for the usual one
	share   float64             // of the bar, NaN for none
	bar     *canvas.Rectangle
	col     int
	least   float32           // height
	edge    *canvas.Rectangle // at the left of the first cell of a marked row
	picture *canvas.Image     // nil for text
}

func newTableCell(least float32) *tableCell {
	c := &tableCell{
		ground: canvas.NewRectangle(nil), bar: canvas.NewRectangle(nil), words: canvas.NewText("", nil),
		least: least, share: math.NaN(),
	}
	c.ExtendBaseWidget(c)
	return c
}

func (c *tableCell) setPicture(picture image.Image) {
	switch {
	case picture == nil:
		c.picture = nil
	case c.picture == nil || c.picture.Image != picture:
		c.picture = canvas.NewImageFromImage(picture)
		c.picture.FillMode, c.picture.ScaleMode = canvas.ImageFillContain, canvas.ImageScalePixels
	}
}

func (c *tableCell) show(text string, right, marked bool, col int) {
	c.full, c.right, c.marked, c.col = text, right, marked, col
	c.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (c *tableCell) CreateRenderer() fyne.WidgetRenderer {
	r := &tableCellRenderer{c}
	r.Layout(c.Size())
	return r
}

type tableCellRenderer struct{ c *tableCell }

// Destroy implements fyne.WidgetRenderer.
func (r *tableCellRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *tableCellRenderer) Objects() []fyne.CanvasObject {
	list := []fyne.CanvasObject{r.c.ground, r.c.bar, r.c.words}
	if r.c.edge != nil && r.c.ticked && r.c.col == 0 {
		list = append(list, r.c.edge)
	}
	if r.c.ticks && r.c.col == 0 && r.c.check != nil {
		list = append(list, r.c.check)
	}
	if r.c.picture != nil {
		list = append(list, r.c.picture)
	}
	return list
}

// MinSize implements fyne.WidgetRenderer.
func (r *tableCellRenderer) MinSize() fyne.Size {
	st := styleOf(r.c)
	return fyne.NewSize(24, max(measure("X", st.text, false).Height+3*st.pad, r.c.least))
}

// Refresh implements fyne.WidgetRenderer.
func (r *tableCellRenderer) Refresh() {
	r.Layout(r.c.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

// The width of a marked row's edge, and how strongly its ground and the bars in cells are coloured.
const markedEdge, markedGround, barGround = 3, 0.14, 0.45

// Layout implements fyne.WidgetRenderer.
func (r *tableCellRenderer) Layout(size fyne.Size) {
	c, st := r.c, styleOf(r.c)
	c.ground.FillColor, c.ground.Hidden = st.selection, !c.marked && !c.ticked
	if c.ticked && !c.marked {
		c.ground.FillColor = faded(st.primary, markedGround)
	}
	c.ground.Resize(size)
	if c.bar.Hidden = math.IsNaN(c.share); !c.bar.Hidden {
		c.bar.FillColor = faded(st.primary, barGround)
		c.bar.Move(fyne.NewPos(0, st.pad/2))
		c.bar.Resize(fyne.NewSize(whole(size.Width*float32(c.share)), size.Height-st.pad))
	}
	if c.ticked && c.col == 0 {
		if c.edge == nil {
			c.edge = canvas.NewRectangle(nil)
		}
		c.edge.FillColor = st.primary
		c.edge.Resize(fyne.NewSize(markedEdge, size.Height))
	}
	if c.picture != nil {
		c.picture.Move(fyne.NewPos(cellPadding, 1))
		c.picture.Resize(fyne.NewSize(size.Width-2*cellPadding, size.Height-2))
	}
	c.words.Color, c.words.TextSize = st.foreground, st.text
	if c.colour != "" {
		c.words.Color = theme.ColorForWidget(c.colour, c)
	}
	x := float32(cellPadding)
	if c.ticks && c.col == 0 {
		x = tickRoom()
		r.layCheck(size)
	}
	bold := c.words.TextStyle.Bold
	c.words.Text = shorten(c.full, st.text, size.Width-x-cellPadding-measure(c.tail, st.text, bold).Width, bold) +
		c.tail
	box := c.words.MinSize()
	if c.right {
		x = size.Width - cellPadding - box.Width
	}
	placeText(c.words, x, (size.Height-box.Height)/2)
}

// tickRoom is the width that the check mark before a row's first text takes.
func tickRoom() float32 { return theme.IconInlineSize() + 2*theme.Padding() + markedEdge }

func (r *tableCellRenderer) layCheck(size fyne.Size) {
	c, side := r.c, theme.IconInlineSize()
	if c.check == nil {
		c.check = widget.NewIcon(nil)
	}
	look := theme.CheckButtonIcon()
	if c.ticked || c.all {
		look = theme.NewPrimaryThemedResource(theme.CheckButtonCheckedIcon())
	}
	c.check.SetResource(look)
	c.check.Resize(fyne.NewSquareSize(side))
	c.check.Move(fyne.NewPos(markedEdge+theme.Padding(), (size.Height-side)/2))
}
