package render

import (
	"fmt"
	"io"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/variscope/variscope/engine/result"
)

// Draw draws a figure as png, svg or pdf: lines and histograms 14 x 8 cm, points 12 x 10 cm,
// matrices 10 x 9.2 cm, rows as high as they need. What lies outside of the part is cut off. The
// window shows the same (Lay). A figure that result.Figure.Check refuses, and one with nothing to
// draw, are errors.
func Draw(w io.Writer, f result.Figure, part Part, format string) error {
	d, err := drawingOf(f, part, paper)
	if err != nil {
		return err
	}
	if format == "png" && float64(d.width)*float64(d.height) > mostArea {
		return fmt.Errorf("draw figure %q: it is too large for PNG; take SVG or PDF", f.Title)
	}
	return d.Write(w, format)
}

// OnPage is a figure for a page, which has its own place for the title: without title, as Draw
// draws it.
func OnPage(f result.Figure) (Drawing, error) {
	f.Title = ""
	d, err := drawingOf(f, Part{}, page)
	if f.Grid != nil || err != nil {
		return d, err
	}
	foot := vg.Length(0)
	if f.Matrix != nil && f.Note == "" {
		foot = noteHeight
	}
	return d.cropped(titleHeight-margin, foot), err
}

func drawingOf(f result.Figure, part Part, g Ground) (Drawing, error) {
	if err := f.Check(); err != nil {
		return Drawing{}, err
	}
	if f.Grid != nil {
		return g.grid(f)
	}
	if !f.Drawable() && (f.Matrix == nil || f.Empty == "") {
		return Drawing{}, fmt.Errorf("draw figure %q: nothing to draw", f.Title)
	}
	width, height := sizeOf(f)
	if n := len(f.Points); f.NoAxes && n > mostPoints {
		return Drawing{}, fmt.Errorf("draw figure %q: %d points are too many for a picture; %d are possible",
			f.Title, n, mostPoints)
	}
	if f.NoAxes && max(width, height) > mostWide {
		return Drawing{},
			fmt.Errorf("draw figure %q: %v boxes beside and %v below each other are too many for a picture",
				f.Title, part.X1-part.X0, part.Y1-part.Y0)
	}
	return Drawing{width, height, func(c draw.Canvas) { g.whole(c, f, part) }}, nil
}

// whole draws a part of a figure with its title and note. Matrices keep the room of the note free,
// so that those beside each other are in line.
func (g Ground) whole(c draw.Canvas, f result.Figure, part Part) {
	if part == (Part{}) {
		part = Extent(f)
	}
	writeLine(c, f.Title, vg.Points(13), c.Max.Y-margin, draw.YTop)
	foot, lines := vg.Length(0), []string(nil)
	if f.Note != "" {
		lines = noteLines(f.Note, c.Max.X-c.Min.X-2*margin)
	}
	if len(lines) > 0 || f.Matrix != nil {
		foot = noteHeight + noteLine*vg.Length(max(len(lines)-1, 0))
	}
	for k, line := range lines {
		writeLine(c, line, vg.Points(8), c.Min.Y+margin+noteLine*vg.Length(len(lines)-1-k), draw.YBottom)
	}
	g.draw(draw.Crop(c, margin, -2*margin, margin+foot, -titleHeight), f, part)
}

// The sizes of rows on paper: of bars, of points, of cells, and the most that all cells take.
const (
	barRow       = 0.52 * vg.Centimeter
	pointRow     = 0.8 * vg.Centimeter
	cellSide     = 0.42 * vg.Centimeter
	cellsWidest  = 24 * vg.Centimeter
	cellsHighest = 30 * vg.Centimeter
	matrixWidth  = 10 * vg.Centimeter
	matrixHeight = 9.2 * vg.Centimeter
	numberWidth  = 1.15 * vg.Centimeter // of a cell with a number
	numberHeight = 0.62 * vg.Centimeter
)

// The most of networks: points, the longer side, and the area of a PNG, 200 MB of pixels while
// it is drawn.
const (
	mostPoints = 1500
	mostWide   = 15 * 100 * vg.Centimeter
	mostArea   = 8e4 * float64(vg.Centimeter*vg.Centimeter) / 10
)

// sizeOf is the size of a figure on paper.
func sizeOf(f result.Figure) (width, height vg.Length) {
	rows, around := vg.Length(len(f.Y.Names)), titleHeight+noteHeight+legendLine+2*vg.Centimeter
	switch {
	case f.NoAxes && len(f.Boxes) > 0:
		unit, all := paper.unit(f), Extent(f)
		wide := max(unit.X*vg.Length(all.X1-all.X0)+2*margin, 12*vg.Centimeter)
		return wide, unit.Y*vg.Length(all.Y1-all.Y0) + titleHeight + noteHeight + legendLine
	case f.NoAxes:
		return 24 * vg.Centimeter, 17 * vg.Centimeter
	case f.Matrix != nil && rows > 0:
		across := numberWidth*vg.Length(len(f.X.Names)) + 1.3*widest(f.Y.Names) + 4.5*vg.Centimeter
		return max(across, matrixWidth), max(numberHeight*rows+1.3*widest(f.X.Names)+around, 0.8*matrixHeight)
	case f.Matrix != nil:
		return matrixWidth, matrixHeight
	case rows > 0 && f.X.Names != nil:
		cells := min(cellSide*vg.Length(len(f.X.Names)), cellsWidest)
		return max(cells+widest(f.Y.Names)+2*vg.Centimeter, 10*vg.Centimeter), min(cellSide*rows, cellsHighest) + around
	case rows > 0 && len(f.Points) > 0:
		return 16 * vg.Centimeter, pointRow*rows + around
	case rows > 0:
		return 16 * vg.Centimeter, barRow*rows + around
	case len(f.Points) > 0:
		return 12 * vg.Centimeter, 10 * vg.Centimeter
	}
	return 14 * vg.Centimeter, 8 * vg.Centimeter
}

// widest is the width of the widest of names in small letters on paper.
func widest(names []string) (width vg.Length) {
	style := sans(vg.Points(7))
	for _, name := range names {
		width = max(width, style.Width(printable(name)))
	}
	return width
}

// noteLine is the distance between two lines of a note.
const noteLine = 0.36 * vg.Centimeter

// noteLines breaks the lines of a note between words where they are wider than the room.
func noteLines(note string, room vg.Length) (lines []string) {
	style := sans(vg.Points(8))
	for _, line := range strings.Split(note, "\n") {
		text := ""
		for _, word := range strings.Fields(line) {
			longer := strings.TrimSpace(text + " " + word)
			if text != "" && style.Width(printable(longer)) > room {
				lines, longer = append(lines, text), word
			}
			text = longer
		}
		lines = append(lines, text)
	}
	return lines
}
