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

// Pair is what a model says of an image before and after a change: two softmax vectors over the same classes, and what is
// said below them.
type Pair struct {
	Title         string
	Before, After []float64
	Lines         []string
}

// Top is the class of the largest entry, the first of several.
func Top(p []float64) int {
	best := 0
	for k, v := range p {
		if v > p[best] {
			best = k
		}
	}
	return best
}

// Pairs is a figure of pairs of softmax vectors, two beside each other in a row: the classes stand in the middle of each,
// the bars of the first vector go to the left and those of the second to the right, the largest one in a stronger colour.
type Pairs struct {
	Title, Note   string
	Before, After string   // what stands over the left and the right bars
	Classes       []string // names, as many as the vectors have entries
	Pairs         []Pair
}

// Check is an error where there is no pair, and where vectors do not fit the classes or are not finite and within 0..1.
func (f Pairs) Check() error {
	if len(f.Pairs) == 0 || len(f.Classes) == 0 {
		return fmt.Errorf("draw pairs %q: nothing to draw", f.Title)
	}
	for _, p := range f.Pairs {
		for _, list := range [][]float64{p.Before, p.After} {
			if len(list) != len(f.Classes) {
				return fmt.Errorf("draw pairs %q: %s has %d entries for %d classes", f.Title, p.Title, len(list), len(f.Classes))
			}
			for _, v := range list {
				if !(v >= 0 && v <= 1) {
					return fmt.Errorf("draw pairs %q: %s holds %g, which is no probability", f.Title, p.Title, v)
				}
			}
		}
	}
	return nil
}

// Lines is the largest number of lines below a pair.
func (f Pairs) Lines() int {
	most := 0
	for _, p := range f.Pairs {
		most = max(most, len(p.Lines))
	}
	return most
}

const (
	pairWidth = 8.2 * vg.Centimeter
	pairBar   = 0.5 * vg.Centimeter
	pairLine  = 0.46 * vg.Centimeter
	pairGap   = 0.5 * vg.Centimeter
)

var (
	pairStrong = color.RGBA{0x00, 0x72, 0xb2, 0xff}
	pairFaint  = color.RGBA{0xb9, 0xcf, 0xdf, 0xff}
)

// Write draws the figure as png, svg or pdf.
func (f Pairs) Write(w io.Writer, format string) error {
	if err := f.Check(); err != nil {
		return err
	}
	rows := vg.Length((len(f.Pairs) + 1) / 2)
	height := titleHeight + noteHeight + margin + rows*(f.pairHeight()+pairGap)
	return write(w, format, 2*pairWidth+3*pairGap, height, f.draw)
}

func (f Pairs) pairHeight() vg.Length {
	return pairLine*vg.Length(2+f.Lines()) + pairBar*vg.Length(len(f.Classes))
}

func (f Pairs) draw(c draw.Canvas) {
	writeLine(c, f.Title, vg.Points(13), c.Max.Y-margin, draw.YTop)
	if f.Note != "" {
		writeLine(c, f.Note, vg.Points(8), c.Min.Y+margin, draw.YBottom)
	}
	for k := range f.Pairs {
		left := c.Min.X + pairGap + vg.Length(k%2)*(pairWidth+pairGap)
		top := c.Max.Y - titleHeight - vg.Length(k/2)*(f.pairHeight()+pairGap)
		f.drawPair(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: left, Y: top - f.pairHeight()}, Max: vg.Point{X: left + pairWidth, Y: top},
		}}, f.Pairs[k])
	}
}

func (f Pairs) drawPair(c draw.Canvas, p Pair) {
	y := c.Max.Y
	writeLine(c, p.Title, vg.Points(10), y, draw.YTop)
	y -= pairLine
	names := vg.Length(0)
	style := sans(vg.Points(8))
	for _, name := range f.Classes {
		names = max(names, style.Width(printable(name)))
	}
	middle := (c.Min.X + c.Max.X) / 2
	inner := names/2 + vg.Points(5)
	half := (c.Max.X-c.Min.X)/2 - inner - style.Width("0.00") - vg.Points(4) // a value stands behind each bar
	style.YAlign = draw.YCenter
	head := func(text string, x vg.Length, align draw.XAlignment) {
		style.XAlign = align
		c.FillText(style, vg.Point{X: x, Y: y - pairLine/2}, printable(text))
	}
	head(f.Before, middle-inner, draw.XRight)
	head(f.After, middle+inner, draw.XLeft)
	y -= pairLine
	for k, name := range f.Classes {
		row := y - pairBar*(vg.Length(k)+0.5)
		style.XAlign = draw.XCenter
		c.FillText(style, vg.Point{X: middle, Y: row}, printable(name))
		f.bar(c, row, middle-inner, -half, p.Before[k], k == Top(p.Before))
		f.bar(c, row, middle+inner, half, p.After[k], k == Top(p.After))
	}
	y -= pairBar * vg.Length(len(f.Classes))
	for _, line := range p.Lines {
		writeLine(c, line, vg.Points(9), y, draw.YTop)
		y -= pairLine
	}
}

// bar draws a share from x on; reach is the length of a whole one, negative for a bar to the left.
func (f Pairs) bar(c draw.Canvas, y, x, reach vg.Length, share float64, top bool) {
	end := x + reach*vg.Length(share)
	c.SetColor(pairFaint)
	if top {
		c.SetColor(pairStrong)
	}
	box := vg.Rectangle{Min: vg.Point{X: min(x, end), Y: y - 0.38*pairBar}, Max: vg.Point{X: max(x, end), Y: y + 0.38*pairBar}}
	c.Fill(box.Path())
	style := sans(vg.Points(7))
	style.YAlign, style.XAlign = draw.YCenter, draw.XLeft
	if reach < 0 {
		style.XAlign = draw.XRight
	}
	c.FillText(style, vg.Point{X: end + vg.Length(math.Copysign(3, float64(reach))), Y: y}, result.Number.Say(share, 2))
}
