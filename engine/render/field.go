package render

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/variance"
)

// FieldNaN is the light grey of elements without a value (spec/background.md section 11).
var FieldNaN = color.RGBA{0xd9, 0xd9, 0xd9, 0xff}

// FieldHigh is the default end of the scale of interpolated matrices.
const FieldHigh = 0.5

// FieldScale is the scale of interpolated matrices (spec/background.md section 11): from 0 to high in a map, nil for the green
// one. Values beyond are drawn in the colours of its ends, and elements without a value in light grey.
func FieldScale(high float64, m *Map) Scale {
	if m == nil {
		m = &Green
	}
	return Scale{High: high, Map: m, Under: m[0], Over: m[255], NaN: FieldNaN}
}

// DensityScale is the scale of a density: from 1 point to the most in m, logarithmic, for the values of LogDensity.
func DensityScale(density scatter.Matrix, m *Map) Scale {
	s := FieldScale(0, m)
	for _, v := range density.Values {
		if v > s.High && !math.IsInf(v, 0) {
			s.High = v
		}
	}
	if s.High == 0 {
		s.High = 1
	}
	return s
}

// RasterField draws a matrix as R x R pixels, one per element: element (column a, row b) is the pixel at x = a, y = R-1-b, so
// that the origin lies at the bottom-left.
func RasterField(m scatter.Matrix, s Scale) *image.RGBA {
	return Raster(variance.Matrix{N: m.R, Data: m.Values}, s)
}

// Field is an interpolated matrix, or a scatter picture (dots, means, density), as a picture for files: title, the distances
// 0..D on both axes with the origin at the bottom-left, and a colour bar with its caption. A field whose Matrix.R is 0 is a
// hatched tile with the text Absent.
type Field struct {
	Title   string
	Matrix  scatter.Matrix
	Absent  string
	D       float64 // the end of both axes
	X, Y    string  // names of the axes; "" for those of spec/background.md section 9
	Scale   Scale
	Caption string // of the colour bar
	Note    string // a small line below
}

// Write draws the field as png (200 dpi), svg or pdf, 10 cm wide. Equal fields give equal bytes. An unknown format, a matrix of
// another size than it says, and axes without a length are errors.
func (f Field) Write(w io.Writer, format string) error {
	if err := f.check(); err != nil {
		return err
	}
	return write(w, format, figureWidth, figureHeight, f.draw)
}

// Fields draws fields in rows and columns below a common title: the three interpolants of a cloud side by side, say, one row per
// measure. Rows may differ in length. It fails where Field.Write fails and without fields.
func Fields(w io.Writer, format string, rows [][]Field, title string) error {
	return tile(w, format, rows, title, "fields")
}

func (f Field) check() error {
	if f.Matrix.R == 0 {
		return nil
	}
	if len(f.Matrix.Values) != f.Matrix.R*f.Matrix.R {
		return fmt.Errorf("draw field %q: %d values for %d x %d elements", f.Title, len(f.Matrix.Values), f.Matrix.R, f.Matrix.R)
	}
	if !(f.D > 0) || math.IsInf(f.D, 0) {
		return fmt.Errorf("draw field %q: the axes end at %v; they must end at a finite number above 0", f.Title, f.D)
	}
	return nil
}

// The names of the axes: the distances of the two images of a point from their target.
const (
	FieldX = "semantic distance of image i"
	FieldY = "semantic distance of image j"
)

// draw draws the field on the whole canvas.
func (f Field) draw(c draw.Canvas) {
	writeLine(c, f.Title, vg.Points(13), c.Max.Y-margin, draw.YTop)
	if f.Note != "" {
		writeLine(c, f.Note, vg.Points(8), c.Min.Y+margin, draw.YBottom)
	}
	body := draw.Crop(c, margin, -margin, margin+noteHeight, -titleHeight) // the note's room stays free, so that squares line up
	if f.Matrix.R == 0 {
		Figure{Title: f.Title, Absent: f.Absent}.drawAbsent(body)
		return
	}
	p := f.plot()
	side := square(p, draw.Crop(body, 0, -barRoom, 0, 0))
	p.Draw(side)
	data := p.DataCanvas(side)
	frame(body, data.Rectangle)
	values := variance.Matrix{N: f.Matrix.R, Data: f.Matrix.Values}
	drawBar(body, Figure{Matrix: values, Scale: f.Scale, Caption: f.Caption}, data.Rectangle)
}

func (f Field) plot() *plot.Plot {
	p := newPlot()
	p.X.Label.Text, p.Y.Label.Text = printable(nonEmpty(f.X, FieldX)), printable(nonEmpty(f.Y, FieldY))
	p.Add(fieldImage(f))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, f.D, 0, f.D
	p.X.LineStyle.Width, p.Y.LineStyle.Width = 0, 0 // the frame is drawn around the matrix
	ticks := numberTicks(p.X, 7)
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks, ticks
	return p
}

func nonEmpty(text, fallback string) string {
	if text == "" {
		return fallback
	}
	return text
}

// fieldImage draws a field as one image: thousands of small rectangles would make a large file.
type fieldImage Field

// fieldPixels is the least side of the image: many pixels per element, because viewers smooth what they enlarge.
const fieldPixels = 768

// Plot implements plot.Plotter.
func (f fieldImage) Plot(c draw.Canvas, _ *plot.Plot) {
	img := RasterField(f.Matrix, f.Scale)
	if times := (fieldPixels + f.Matrix.R - 1) / f.Matrix.R; times > 1 {
		img = resample(img, times*f.Matrix.R)
	}
	c.DrawImage(c.Rectangle, img)
}
