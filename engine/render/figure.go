package render

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/variscope/variscope/engine/variance"
)

// Axis is a family's sampling variable: its name ("rotation"), the unit of its values ("°", "" for none) and V_0..V_{N-1}.
type Axis struct {
	Name, Unit string
	Values     []float64
}

// Figure is a variance matrix as a picture for files: title, V on both axes with delta_00 at the bottom-left, and a colour
// bar with its caption. A figure whose Matrix.N is 0 is a hatched tile with the text Absent.
type Figure struct {
	Title   string
	Matrix  variance.Matrix
	Absent  string
	Axis    Axis
	Scale   Scale
	Caption string // of the colour bar: the modality
	Note    string // a small line below, such as the image filter
	raster  bool   // the matrix is one image, however small it is
}

// Formats lists what Write and Sheet can write.
func Formats() []string { return []string{"png", "svg", "pdf"} }

// The sizes of figures on paper.
const (
	figureWidth  = 10 * vg.Centimeter
	figureHeight = 9.2 * vg.Centimeter
	titleHeight  = 0.8 * vg.Centimeter
	noteHeight   = 0.55 * vg.Centimeter
	margin       = 0.25 * vg.Centimeter
	pngDPI       = 200
)

// Write draws the figure as png (200 dpi), svg or pdf, 10 cm wide. Equal figures give equal bytes. An unknown format and
// a matrix that does not fit its axis are errors.
func (f Figure) Write(w io.Writer, format string) error {
	if err := f.check(); err != nil {
		return err
	}
	return write(w, format, figureWidth, figureHeight, f.draw)
}

// OnPage is the figure for a page, which has its own places for title and note. The matrix is one
// image, which is small.
func (f Figure) OnPage() (Drawing, error) {
	f.Title, f.Note, f.raster = "", "", true
	return Drawing{figureWidth, figureHeight, f.draw}.cropped(titleHeight, noteHeight), f.check()
}

// Sheet draws several figures in one row below a common title. It fails where Figure.Write fails and without figures.
func Sheet(w io.Writer, format string, figs []Figure, title string) error {
	if len(figs) == 0 {
		return fmt.Errorf("draw sheet %q: no figures to draw", title)
	}
	for _, f := range figs {
		if err := f.check(); err != nil {
			return fmt.Errorf("draw sheet %q: %w", title, err)
		}
	}
	head := titleHeight
	if title == "" {
		head = 0
	}
	figs, note := commonNote(figs)
	return write(w, format, figureWidth*vg.Length(len(figs)), figureHeight+head, func(c draw.Canvas) {
		if title != "" {
			writeLine(c, title, vg.Points(15), c.Max.Y-margin, draw.YTop)
		}
		if note != "" {
			writeLine(c, note, vg.Points(9), c.Min.Y+margin, draw.YBottom)
		}
		for k, f := range figs {
			left := vg.Length(k) * figureWidth
			f.draw(draw.Crop(c, left, left+figureWidth-(c.Max.X-c.Min.X), 0, -head))
		}
	})
}

// commonNote takes a note that all figures share out of them, to be written once.
func commonNote(figs []Figure) (rest []Figure, note string) {
	note = figs[0].Note
	for _, f := range figs {
		if f.Note != note {
			return figs, ""
		}
	}
	rest = slices.Clone(figs)
	for k := range rest {
		rest[k].Note = ""
	}
	return rest, note
}

func (f Figure) check() error {
	if f.Matrix.N == 0 {
		return nil
	}
	if len(f.Matrix.Data) != f.Matrix.N*f.Matrix.N {
		return fmt.Errorf("draw figure %q: %d values for a %d x %d matrix", f.Title, len(f.Matrix.Data), f.Matrix.N, f.Matrix.N)
	}
	if len(f.Axis.Values) != f.Matrix.N {
		return fmt.Errorf("draw figure %q: %d values of V for a %d x %d matrix", f.Title, len(f.Axis.Values), f.Matrix.N, f.Matrix.N)
	}
	return nil
}

// draw draws the figure on the whole canvas.
func (f Figure) draw(c draw.Canvas) {
	writeLine(c, f.Title, vg.Points(13), c.Max.Y-margin, draw.YTop)
	body := draw.Crop(c, margin, -margin, margin+noteHeight, -titleHeight) // the note's room stays free, so that squares line up
	if f.Note != "" {
		writeLine(c, f.Note, vg.Points(8), c.Min.Y+margin, draw.YBottom)
	}
	if f.Matrix.N == 0 {
		f.drawAbsent(body)
		return
	}
	drawHeat(body, f)
}

// write makes a canvas of the format, fills it white, draws and writes it.
func write(w io.Writer, format string, width, height vg.Length, drawing func(draw.Canvas)) error {
	var canvas vg.CanvasWriterTo
	switch format {
	case "png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(pngDPI))}
	case "svg":
		canvas = vgsvg.New(width, height)
	case "pdf":
		canvas = newPDF(vgpdf.New(width, height))
	default:
		return fmt.Errorf("draw picture: format %q is none of %s", format, strings.Join(Formats(), ", "))
	}
	c := draw.New(canvas)
	c.SetColor(white)
	c.Fill(c.Rectangle.Path())
	drawing(c)
	var buffer bytes.Buffer
	if _, err := canvas.WriteTo(&buffer); err != nil {
		return fmt.Errorf("draw picture as %s: %w", format, err)
	}
	_, err := w.Write(settled(format, buffer.Bytes()))
	return err
}

// settled makes a file independent of the clock and of the fonts of the machine that shows it, and names the type of
// its images rightly.
func settled(format string, data []byte) []byte {
	switch format {
	case "pdf":
		return undated(data)
	case "svg":
		data = bytes.ReplaceAll(data, []byte("font-family:Liberation Sans;"), []byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif;"))
		return bytes.ReplaceAll(data, []byte("data:image/jpg;"), []byte("data:image/png;")) // they are PNG
	}
	return data
}

// sans is the text style of every figure. It is never bold: the PDF writer registers fonts without their weight.
func sans(size vg.Length) draw.TextStyle {
	f := plot.DefaultFont
	f.Variant, f.Size = "Sans", size
	return draw.TextStyle{Color: ink, Font: f, Handler: plot.DefaultTextHandler}
}

// writeLine writes one centred line, smaller where it would be wider than the canvas, cut where it is still too wide.
func writeLine(c draw.Canvas, line string, size, y vg.Length, align draw.YAlignment) {
	writeColoured(c, line, size, y, align, ink)
}

// writeColoured is writeLine in a colour.
func writeColoured(c draw.Canvas, line string, size, y vg.Length, align draw.YAlignment, colour color.Color) {
	style := sans(size)
	style.Color = colour
	style.XAlign, style.YAlign = draw.XCenter, align
	room := c.Max.X - c.Min.X - 2*margin
	line = printable(line)
	if width := style.Width(line); width > room {
		style.Font.Size = max(size*room/width, vg.Points(6.5))
	}
	for letters := []rune(line); len(letters) > 1 && style.Width(line) > room; {
		letters = letters[:len(letters)-1]
		line = strings.TrimSpace(string(letters)) + "..."
	}
	c.FillText(style, vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: y}, line)
}

// printable replaces what the PDF fonts' code page (cp1252) cannot show.
func printable(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u2212':
			return '-'
		case r < 0x20:
			return ' '
		case r < 0x7f, r >= 0xa0 && r <= 0xff:
			return r
		}
		return '?'
	}, strings.NewReplacer("δ", "delta", "ρ", "rho", "τ", "tau", "≤", "<=", "…", "...", "–", "-", "—", "-", "’", "'").Replace(line))
}
