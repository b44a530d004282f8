package render

import (
	"bytes"
	"image/color"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/variscope/variscope/engine/result"
)

// Axis is a family's sampling variable: its name ("rotation"), the unit of its values ("°", "" for
// none) and V_0..V_{N-1}.
type Axis = result.Axis

// Formats lists what Write and Sheet can write.
func Formats() []string { return []string{"png", "svg", "pdf"} }

// The sizes of figures on paper.
const (
	titleHeight = 0.8 * vg.Centimeter
	noteHeight  = 0.55 * vg.Centimeter
	margin      = 0.25 * vg.Centimeter
	pngDPI      = 200
)

// settled makes a file independent of the clock and of the fonts of the machine that shows it, and
// names the type of its images rightly.
func settled(format string, data []byte) []byte {
	switch format {
	case "pdf":
		return undated(data)
	case "svg":
		data = bytes.ReplaceAll(data, []byte("font-family:Liberation Sans;"),
			[]byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif;"))
		return bytes.ReplaceAll(data, []byte("data:image/jpg;"), []byte("data:image/png;")) // they are PNG
	}
	return data
}

// sans is the text style of every figure. It is never bold: the PDF writer registers fonts without
// their weight.
func sans(size vg.Length) draw.TextStyle {
	f := plot.DefaultFont
	f.Variant, f.Size = "Sans", size
	return draw.TextStyle{Color: ink, Font: f, Handler: plot.DefaultTextHandler}
}

// writeLine writes one centred line, smaller where it would be wider than the canvas, cut where it
// is still too wide.
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
	}, strings.NewReplacer("δ", "delta", "ρ", "rho", "τ", "tau", "≤", "<=", "…", "...", "–", "-", "—", "-", "’",
		"'").Replace(line))
}
