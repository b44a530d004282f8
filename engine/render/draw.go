package render

import (
	"fmt"
	"io"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/variscope/variscope/engine/result"
)

// Draw draws a figure as png, svg or pdf: lines and histograms 14 x 8 cm, points 12 x 10 cm, rows as
// high as they need. What lies outside of the part is cut off. The window shows the same (Lay). A
// figure that result.Figure.Check refuses, and one with nothing to draw, are errors.
func Draw(w io.Writer, f result.Figure, part Part, format string) error {
	d, err := drawingOf(f, part)
	if err != nil {
		return err
	}
	return d.Write(w, format)
}

// OnPage is a figure for a page, which has its own place for the title: without title, as Draw
// draws it.
func OnPage(f result.Figure) (Drawing, error) {
	f.Title = ""
	d, err := drawingOf(f, Part{})
	return d.cropped(titleHeight-margin, 0), err
}

func drawingOf(f result.Figure, part Part) (Drawing, error) {
	if err := f.Check(); err != nil {
		return Drawing{}, err
	}
	if !f.Drawable() {
		return Drawing{}, fmt.Errorf("draw figure %q: nothing to draw", f.Title)
	}
	if part == (Part{}) {
		part = Extent(f)
	}
	var d Drawing
	d.width, d.height = sizeOf(f)
	d.draw = func(c draw.Canvas) {
		writeLine(c, f.Title, vg.Points(13), c.Max.Y-margin, draw.YTop)
		body := draw.Crop(c, margin, -2*margin, margin, -titleHeight)
		if f.Note != "" {
			lines := noteLines(f.Note, c.Max.X-c.Min.X-2*margin)
			for k, line := range lines {
				writeLine(c, line, vg.Points(8), c.Min.Y+margin+noteLine*vg.Length(len(lines)-1-k), draw.YBottom)
			}
			body = draw.Crop(body, 0, 0, noteHeight+noteLine*vg.Length(len(lines)-1), 0)
		}
		paper.draw(body, f, part)
	}
	return d, nil
}

// The sizes of rows on paper: of bars, of points, of cells, and the most that all cells take.
const (
	barRow       = 0.52 * vg.Centimeter
	pointRow     = 0.8 * vg.Centimeter
	cellSide     = 0.42 * vg.Centimeter
	cellsWidest  = 24 * vg.Centimeter
	cellsHighest = 30 * vg.Centimeter
)

// sizeOf is the size of a figure on paper.
func sizeOf(f result.Figure) (width, height vg.Length) {
	rows, around := vg.Length(len(f.Y.Names)), titleHeight+noteHeight+legendLine+2*vg.Centimeter
	switch {
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
