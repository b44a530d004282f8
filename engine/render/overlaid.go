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
	"gonum.org/v1/plot/vg/vgimg"
)

// MethodColour is that of a way of choosing testing scenes in figures (spec/background.md section 12): keywords blue, intervals a lighter blue, nearest green,
// random red; grey for any other word. They are told apart also with colour vision deficiency.
func MethodColour(method string) color.RGBA {
	switch method {
	case "keywords":
		return color.RGBA{0x00, 0x72, 0xb2, 0xff}
	case "intervals":
		return color.RGBA{0x56, 0xb4, 0xe9, 0xff}
	case "nearest":
		return color.RGBA{0x00, 0x9e, 0x73, 0xff}
	case "random":
		return color.RGBA{0xd5, 0x2a, 0x1e, 0xff}
	}
	return color.RGBA{0x70, 0x78, 0x82, 0xff}
}

// Overlaid is histograms of several groups of numbers over each other, each with its own total: how far the scenes lie that each method
// chose. A bar's height is the share of its group's numbers in the bin.
type Overlaid struct {
	Title  string
	X      AxisRange // its ends are those of the first and the last bin; both 0: from 0 to the largest value, rounded up
	YName  string
	Groups []Group     // names and colours; the shapes are not used
	Values [][]float64 // by group
	Bins   int         // 0 takes 40
	Note   string      // a small line below
}

// The size of the figure.
const (
	overlaidWidth  = 14 * vg.Centimeter
	overlaidHeight = 8 * vg.Centimeter
	overlaidBins   = 40
)

// overlaidFill is how much of a group's colour lies below its outline, where groups cover each other.
const overlaidFill = 0.22

// Write draws the figure as png, svg or pdf, 14 x 8 cm. No groups, values for another number of them, no value at all that is finite, and bins
// below 0 are errors.
func (f Overlaid) Write(w io.Writer, format string) error {
	if err := f.check(); err != nil {
		return err
	}
	return write(w, format, overlaidWidth, overlaidHeight, f.draw)
}

// Picture draws the figure for the screen, about width pixels wide. The errors are those of Write, and a width below 1.
func (f Overlaid) Picture(width int) (*image.RGBA, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	if width < 1 {
		return nil, fmt.Errorf("draw histogram %q: a picture cannot be %d pixels wide", f.Title, width)
	}
	dpi := max(1, int(math.Round(float64(width)*72/float64(overlaidWidth))))
	canvas := vgimg.NewWith(vgimg.UseWH(overlaidWidth, overlaidHeight), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(white))
	f.draw(draw.New(canvas))
	return canvas.Image().(*image.RGBA), nil
}

func (f Overlaid) check() error {
	if len(f.Groups) == 0 || len(f.Values) != len(f.Groups) {
		return fmt.Errorf("draw histogram %q: values of %d groups for %d names", f.Title, len(f.Values), len(f.Groups))
	}
	if f.Bins < 0 {
		return fmt.Errorf("draw histogram %q: %d bins", f.Title, f.Bins)
	}
	for _, list := range f.Values {
		for _, v := range list {
			if finite(v) {
				return nil
			}
		}
	}
	return fmt.Errorf("draw histogram %q: no values to draw", f.Title)
}

// Shares are the heights of the bars, by group and bin, and the ends of the axis. What is not finite does not count; what lies outside of the axis counts for
// the total alone, and its upper end belongs to the last bin.
func (f Overlaid) Shares() (shares [][]float64, low, high float64) {
	low, high = f.X.Low, f.X.High
	if !f.X.given() {
		low, high = f.ends()
	}
	bins := f.Bins
	if bins == 0 {
		bins = overlaidBins
	}
	for _, list := range f.Values {
		shares = append(shares, binned(list, low, high, bins))
	}
	return shares, low, high
}

// ends are those of an axis for all values and 0, rounded outwards to the twentieth part of it or so.
func (f Overlaid) ends() (low, high float64) {
	for _, list := range f.Values {
		for _, v := range list {
			if finite(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	if !(high > low) {
		return 0, 1
	}
	step := RoundUp((high - low) / 20)
	return min(low, math.Floor(low/step+1e-9)*step), max(high, math.Ceil(high/step-1e-9)*step)
}

// binned are the shares of a group's values in bins of equal width.
func binned(list []float64, low, high float64, bins int) []float64 {
	counts, all := make([]float64, bins), 0.0
	for _, v := range list {
		if !finite(v) {
			continue
		}
		all++
		if v >= low && v <= high {
			counts[min(int((v-low)/(high-low)*float64(bins)), bins-1)]++
		}
	}
	for b := range counts {
		counts[b] /= max(all, 1)
	}
	return counts
}

func (f Overlaid) draw(c draw.Canvas) {
	framed(c, f.Title, f.Note, barLegend(f.Groups), f.plot())
}

func (f Overlaid) plot() *plot.Plot {
	shares, low, high := f.Shares()
	p := newPlot()
	p.X.Label.Text, p.Y.Label.Text = f.X.title(), printable(f.YName)
	most := 0.0
	for k, row := range shares {
		p.Add(steps{row, low, high, f.Groups[k].Colour})
		for _, v := range row {
			most = max(most, v)
		}
	}
	if most == 0 {
		most = 1
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = low, high, 0, most*1.05
	p.X.Tick.Marker, p.Y.Tick.Marker = numberTicks(p.X, 11), numberTicks(p.Y, 6)
	return p
}

// steps draws one histogram: a pale area and an outline of its top.
type steps struct {
	shares    []float64
	low, high float64
	colour    color.RGBA
}

// Plot implements plot.Plotter.
func (s steps) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	width := (s.high - s.low) / float64(len(s.shares))
	var top []vg.Point
	for b, v := range s.shares {
		top = append(top, vg.Point{X: x(s.low + width*float64(b)), Y: y(v)}, vg.Point{X: x(s.low + width*float64(b+1)), Y: y(v)})
	}
	left, right := vg.Point{X: x(s.low), Y: y(0)}, vg.Point{X: x(s.high), Y: y(0)}
	outline := append(append([]vg.Point{left}, top...), right)
	pale := color.NRGBA{s.colour.R, s.colour.G, s.colour.B, uint8(math.Round(255 * overlaidFill))}
	c.FillPolygon(pale, outline)
	c.StrokeLines(draw.LineStyle{Color: s.colour, Width: vg.Points(1.3)}, outline)
}
