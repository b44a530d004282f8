package render

import (
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/variscope/variscope/engine/result"
)

// WriteGrid draws figures of matrices in rows and columns below a common title, as png, svg or pdf:
// a row per modality and a column per model, say. Rows may differ in length; a matrix that is
// absent is hatched, with the reason. A note that all have stands once below all. It fails where
// one cannot be drawn, and without any.
func WriteGrid(w io.Writer, rows [][]result.Figure, title, format string) error {
	return Draw(w, result.Figure{Title: title, Grid: rows}, Part{}, format)
}

// RowOnPage is a row of figures of matrices for a page, which has its own place for the title.
func RowOnPage(row []result.Figure) (Drawing, error) {
	return OnPage(result.Figure{Grid: [][]result.Figure{row}})
}

// grid is a figure that consists of others.
func (g Ground) grid(f result.Figure) (d Drawing, err error) {
	all, columns := slices.Concat(f.Grid...), 0
	if len(all) == 0 {
		return d, fmt.Errorf("draw figure %q: no figures to draw", f.Title)
	}
	for _, row := range f.Grid {
		columns = max(columns, len(row))
	}
	head := vg.Length(0)
	if f.Title != "" {
		head = titleHeight
	}
	if len(f.Y.Names) > 0 {
		return g.headed(f, columns, head), nil
	}
	note := all[0].Note
	if slices.ContainsFunc(all, func(one result.Figure) bool { return one.Note != note }) {
		note = ""
	}
	width, height := sizeOf(all[0])
	d.width, d.height = width*vg.Length(columns), height*vg.Length(len(f.Grid))+head
	d.draw = func(c draw.Canvas) {
		writeLine(c, f.Title, vg.Points(15), c.Max.Y-margin, draw.YTop)
		writeLine(c, note, vg.Points(9), c.Min.Y+margin, draw.YBottom)
		for r, row := range f.Grid {
			for k, one := range row {
				place := c
				place.Min = vg.Point{X: c.Min.X + width*vg.Length(k), Y: c.Max.Y - head - height*vg.Length(r+1)}
				place.Max = place.Min.Add(vg.Point{X: width, Y: height})
				if one.Note == note {
					one.Note = ""
				}
				g.whole(place, one, Part{})
			}
		}
	}
	return d, nil
}

// The side of a matrix in a grid with names, and the gap between two, in which the texts at the
// ends of two colour bars have room.
const (
	gridSide = 2.5 * vg.Centimeter
	gridGap  = 0.3 * vg.Centimeter
)

// headed is a grid with names at its rows and columns, below a head of this height.
func (g Ground) headed(f result.Figure, columns int, head vg.Length) Drawing {
	names := sans(vg.Points(9))
	left, bars := margin, vg.Length(0)
	for _, name := range f.Y.Names {
		left = max(left, names.Width(printable(name))+2*margin)
	}
	for _, row := range f.Grid {
		for _, one := range row {
			if one.Drawable() && !one.Matrix.Barless {
				bars = max(bars, g.barRoom(*one.Matrix))
			}
		}
	}
	const step = gridSide + gridGap
	d := Drawing{width: left + step*vg.Length(columns) + bars + margin}
	notes := noteLines(f.Note, d.width-2*margin)
	foot := margin
	if f.Note != "" {
		foot += noteLine * vg.Length(len(notes))
	}
	head += noteHeight
	d.height = head + step*vg.Length(len(f.Grid)) + foot
	d.draw = func(c draw.Canvas) {
		writeLine(c, f.Title, vg.Points(13), c.Max.Y-margin, draw.YTop)
		for k, line := range notes {
			writeLine(c, line, vg.Points(8), c.Min.Y+margin+noteLine*vg.Length(len(notes)-1-k), draw.YBottom)
		}
		place := func(r, k int) vg.Rectangle {
			low := vg.Point{X: c.Min.X + left + step*vg.Length(k), Y: c.Max.Y - head - step*vg.Length(r) - gridSide}
			return vg.Rectangle{Min: low, Max: low.Add(vg.Point{X: gridSide, Y: gridSide})}
		}
		style := names
		style.XAlign, style.YAlign = draw.XCenter, draw.YBottom
		for k := range columns {
			at := place(0, k)
			top := vg.Point{X: (at.Min.X + at.Max.X) / 2, Y: at.Max.Y + gridGap/3}
			c.FillText(style, top, shortened(style, printable(f.X.Names[k]), gridSide))
		}
		style.XAlign, style.YAlign = draw.XRight, draw.YCenter
		for r, row := range f.Grid {
			at := place(r, 0)
			c.FillText(style, vg.Point{X: at.Min.X - margin, Y: (at.Min.Y + at.Max.Y) / 2}, printable(f.Y.Names[r]))
			barred := false
			for k, one := range row {
				if at = place(r, k); !one.Drawable() {
					g.absent(c, at, one.Empty)
					continue
				}
				part := Extent(one)
				img := cellPixels(shown(one, part), part.Y0 > part.Y1)
				c.DrawImage(at, resample(img, (pagePixels+img.Rect.Dy()-1)/img.Rect.Dy()*img.Rect.Dy()))
				g.frame(c, at)
				if !barred && !one.Matrix.Barless {
					beside := c
					beside.Rectangle = place(r, columns-1)
					g.bar(beside, beside.Rectangle, *one.Matrix)
					barred = true
				}
			}
		}
	}
	return d
}
