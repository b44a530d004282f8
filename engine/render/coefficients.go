package render

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/variscope/variscope/engine/result"
)

// Coefficients is a table of numbers with their colours behind them, such as rank correlations between rankers.
type Coefficients struct {
	Title         string
	Rows, Columns []string    // names, from the top and from the left
	Values        [][]float64 // row x column; NaN is an empty, grey cell
	Scale         Scale       // of the colours; Diverging from -1 to 1 for correlations
	Decimals      int         // of the numbers; 2 for correlations
	Note          string      // a small line below
}

// The sizes of the cells on paper.
const (
	coefficientWidth  = 1.15 * vg.Centimeter
	coefficientHeight = 0.62 * vg.Centimeter
)

// missingColour is behind cells without a number.
var missingColour = color.RGBA{0xe4, 0xe4, 0xe4, 0xff}

// Write draws the figure as png, svg or pdf, as large as its cells and names need. No cells, values that are not one for each row and
// column, and an unknown format are errors.
func (t Coefficients) Write(w io.Writer, format string) error {
	if len(t.Rows) == 0 || len(t.Columns) == 0 {
		return fmt.Errorf("draw table %q: no numbers to draw", t.Title)
	}
	if len(t.Values) != len(t.Rows) {
		return fmt.Errorf("draw table %q: %d rows of numbers for %d names", t.Title, len(t.Values), len(t.Rows))
	}
	for r, row := range t.Values {
		if len(row) != len(t.Columns) {
			return fmt.Errorf("draw table %q: row %s has %d numbers for %d columns", t.Title, t.Rows[r], len(row), len(t.Columns))
		}
	}
	width := t.left() + coefficientWidth*vg.Length(len(t.Columns)) + 3*margin
	title := sans(vg.Points(13)).Width(printable(t.Title))
	height := titleHeight + t.above() + coefficientHeight*vg.Length(len(t.Rows)) + noteHeight + 3*margin
	return write(w, format, max(width, title+2*margin), height, t.draw)
}

// left is the room of the rows' names.
func (t Coefficients) left() vg.Length { return margin + widest(t.Rows) + vg.Points(6) }

// above is the room of the columns' names, which run upwards where they are wider than a cell.
func (t Coefficients) above() vg.Length {
	if t.upright() {
		return widest(t.Columns) + vg.Points(8)
	}
	return vg.Points(14)
}

func (t Coefficients) upright() bool { return widest(t.Columns) > coefficientWidth-vg.Points(3) }

func (t Coefficients) draw(c draw.Canvas) {
	writeLine(c, t.Title, vg.Points(13), c.Max.Y-margin, draw.YTop)
	if t.Note != "" {
		writeLine(c, t.Note, vg.Points(8), c.Min.Y+margin, draw.YBottom)
	}
	corner := vg.Point{X: c.Min.X + t.left(), Y: c.Max.Y - titleHeight - t.above() - margin}
	t.names(c, corner)
	for r, row := range t.Values {
		for k, v := range row {
			low := vg.Point{X: corner.X + coefficientWidth*vg.Length(k), Y: corner.Y - coefficientHeight*vg.Length(r+1)}
			t.cell(c, vg.Rectangle{Min: low, Max: vg.Point{X: low.X + coefficientWidth, Y: low.Y + coefficientHeight}}, v)
		}
	}
}

// names stand left of the cells and above them.
func (t Coefficients) names(c draw.Canvas, corner vg.Point) {
	style := sans(vg.Points(7))
	style.XAlign, style.YAlign = draw.XRight, draw.YCenter
	for r, name := range t.Rows {
		c.FillText(style, vg.Point{X: corner.X - vg.Points(5), Y: corner.Y - coefficientHeight*(vg.Length(r)+0.5)}, printable(name))
	}
	style.XAlign, style.YAlign = draw.XCenter, draw.YBottom
	if t.upright() {
		style.XAlign, style.YAlign, style.Rotation = draw.XLeft, draw.YCenter, math.Pi/2
	}
	for k, name := range t.Columns {
		c.FillText(style, vg.Point{X: corner.X + coefficientWidth*(vg.Length(k)+0.5), Y: corner.Y + vg.Points(4)}, printable(name))
	}
}

// cell is a number on its colour, with a thin gap to its neighbours.
func (t Coefficients) cell(c draw.Canvas, area vg.Rectangle, v float64) {
	inner := vg.Rectangle{Min: area.Min, Max: vg.Point{X: area.Max.X - vg.Points(0.8), Y: area.Max.Y - vg.Points(0.8)}}
	if math.IsNaN(v) {
		fill(c, inner, missingColour)
		return
	}
	ground := t.Scale.Color(v)
	fill(c, inner, ground)
	style := sans(vg.Points(8))
	style.XAlign, style.YAlign, style.Color = draw.XCenter, draw.YCenter, Legible(ground)
	middle := vg.Point{X: (inner.Min.X + inner.Max.X) / 2, Y: (inner.Min.Y + inner.Max.Y) / 2}
	c.FillText(style, middle, result.Coefficient.Say(v, t.Decimals))
}
