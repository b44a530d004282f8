package render

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Mosaic is a rectangle of coloured cells: which models are right about which images.
type Mosaic struct {
	Title        string
	XName, YName string
	Rows         []string // names, from the top
	Columns      []string // names, from the left
	Kinds        []Group
	Cells        [][]int // row x column: an index into Kinds, -1 for a cell that stays empty
	Note         string  // a small line below
}

// The sizes of a mosaic's cells on paper, and the most that all of them take.
const (
	mosaicCell    = 0.42 * vg.Centimeter
	mosaicWidest  = 24 * vg.Centimeter
	mosaicHighest = 30 * vg.Centimeter
)

// Write draws the figure as png, svg or pdf, as large as its cells need and at most about 30 x 36 cm. No cells, rows of cells
// that differ in length from the columns, and a cell of a kind that does not exist are errors.
func (m Mosaic) Write(w io.Writer, format string) error {
	if err := m.check(); err != nil {
		return err
	}
	names := widest(m.Rows) + vg.Points(8)
	across, down := m.cell()
	width := max(names+across*vg.Length(len(m.Columns))+2*margin, 10*vg.Centimeter)
	height := titleHeight + noteHeight + legendLine + 2*vg.Centimeter + m.below() + down*vg.Length(len(m.Rows))
	return write(w, format, width, height, m.draw)
}

func (m Mosaic) check() error {
	if len(m.Rows) == 0 || len(m.Columns) == 0 {
		return fmt.Errorf("draw mosaic %q: no cells to draw", m.Title)
	}
	if len(m.Cells) != len(m.Rows) {
		return fmt.Errorf("draw mosaic %q: %d rows of cells for %d names", m.Title, len(m.Cells), len(m.Rows))
	}
	for r, row := range m.Cells {
		if len(row) != len(m.Columns) {
			return fmt.Errorf("draw mosaic %q: row %s has %d cells for %d columns", m.Title, m.Rows[r], len(row), len(m.Columns))
		}
		for _, kind := range row {
			if kind < -1 || kind >= len(m.Kinds) {
				return fmt.Errorf("draw mosaic %q: row %s has a cell of kind %d of %d", m.Title, m.Rows[r], kind, len(m.Kinds))
			}
		}
	}
	return nil
}

// cell is the size of a cell.
func (m Mosaic) cell() (across, down vg.Length) {
	return min(mosaicCell, mosaicWidest/vg.Length(len(m.Columns))), min(mosaicCell, mosaicHighest/vg.Length(len(m.Rows)))
}

// below is the room of the columns' names, which run upwards.
func (m Mosaic) below() vg.Length {
	if !m.named() {
		return legendLine
	}
	return widest(m.Columns) + vg.Points(6)
}

// named tells whether the columns are wide enough for their names; else they are counted.
func (m Mosaic) named() bool {
	across, _ := m.cell()
	return across >= vg.Points(8)
}

func widest(names []string) (width vg.Length) {
	style := sans(vg.Points(7))
	for _, name := range names {
		width = max(width, style.Width(printable(name)))
	}
	return width
}

func (m Mosaic) draw(c draw.Canvas) {
	writeLine(c, m.Title, vg.Points(13), c.Max.Y-margin, draw.YTop)
	if m.Note != "" {
		writeLine(c, m.Note, vg.Points(8), c.Min.Y+margin, draw.YBottom)
	}
	body := draw.Crop(c, margin, -margin, noteHeight+margin, -titleHeight)
	key := barLegend(m.Kinds)
	key.draw(body)
	body = draw.Crop(body, 0, 0, 0, -key.height(body)-vg.Points(4))
	across, down := m.cell()
	left, top := body.Min.X+widest(m.Rows)+vg.Points(8), body.Max.Y-legendLine
	caption := sans(vg.Points(8))
	caption.YAlign = draw.YCenter
	c.FillText(caption, vg.Point{X: body.Min.X, Y: body.Max.Y - legendLine/2}, printable(m.YName))
	for r, row := range m.Cells {
		for k, kind := range row {
			if kind >= 0 {
				low := vg.Point{X: left + across*vg.Length(k), Y: top - down*vg.Length(r+1)}
				fill(c, vg.Rectangle{Min: low, Max: vg.Point{X: low.X + across*0.94, Y: low.Y + down*0.94}}, m.Kinds[kind].Colour)
			}
		}
	}
	m.names(c, vg.Point{X: left, Y: top})
	caption.XAlign = draw.XCenter
	c.FillText(caption, vg.Point{X: (left + body.Max.X) / 2, Y: body.Min.Y + legendLine/2}, printable(m.XName))
}

// names writes the names of rows and columns around cells whose corner at the top left is at.
func (m Mosaic) names(c draw.Canvas, at vg.Point) {
	across, down := m.cell()
	style := sans(vg.Points(7))
	style.XAlign, style.YAlign = draw.XRight, draw.YCenter
	every := 1 + int(vg.Points(7)/down)
	for r := 0; r < len(m.Rows); r += every {
		c.FillText(style, vg.Point{X: at.X - vg.Points(4), Y: at.Y - down*(vg.Length(r)+0.5)}, printable(m.Rows[r]))
	}
	foot := at.Y - down*vg.Length(len(m.Rows)) - vg.Points(3)
	for k, name := range m.Columns {
		x := at.X + across*(vg.Length(k)+0.5)
		if m.named() {
			upwards := style
			upwards.Rotation = math.Pi / 2
			c.FillText(upwards, vg.Point{X: x, Y: foot}, printable(name))
			continue
		}
		if k%10 == 0 {
			number := style
			number.XAlign, number.YAlign = draw.XCenter, draw.YTop
			c.FillText(number, vg.Point{X: x, Y: foot}, strconv.Itoa(k+1))
		}
	}
}
