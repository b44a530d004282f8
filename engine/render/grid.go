package render

import (
	"fmt"
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Grid draws figures in rows and columns below a common title: one row per modality and one column per model, say. Rows
// may differ in length. It fails where Figure.Write fails and without figures.
func Grid(w io.Writer, format string, rows [][]Figure, title string) error {
	return tile(w, format, rows, title, "figures")
}

// tiled is what tile puts side by side: pictures of figureWidth x figureHeight.
type tiled interface {
	check() error
	draw(c draw.Canvas)
}

// tile draws pictures in rows and columns below a common title, "" for none. kind names them in errors: it fails where one
// of them is not as it should be, and without any.
func tile[T tiled](w io.Writer, format string, rows [][]T, title, kind string) error {
	columns := 0
	for _, row := range rows {
		columns = max(columns, len(row))
		for _, f := range row {
			if err := f.check(); err != nil {
				return fmt.Errorf("draw %s %q: %w", kind, title, err)
			}
		}
	}
	if columns == 0 {
		return fmt.Errorf("draw %s %q: no %s to draw", kind, title, kind)
	}
	head := titleHeight
	if title == "" {
		head = 0
	}
	width, height := figureWidth*vg.Length(columns), figureHeight*vg.Length(len(rows))+head
	return write(w, format, width, height, func(c draw.Canvas) {
		if title != "" {
			writeLine(c, title, vg.Points(15), c.Max.Y-margin, draw.YTop)
		}
		for r, row := range rows {
			for k, f := range row {
				place := c
				place.Min.X = c.Min.X + vg.Length(k)*figureWidth
				place.Max.X = place.Min.X + figureWidth
				place.Max.Y = c.Max.Y - head - vg.Length(r)*figureHeight
				place.Min.Y = place.Max.Y - figureHeight
				f.draw(place)
			}
		}
	})
}
