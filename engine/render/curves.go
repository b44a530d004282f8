package render

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/variscope/variscope/engine/result"
)

// Curve is one line of Curves: points (X[k], Y[k]) in ascending X. A NaN leaves a gap. Spread is the deviation of each Y, drawn as
// a band from Y-Spread to Y+Spread; nil for none.
type Curve struct {
	Name   string
	X, Y   []float64
	Spread []float64
}

// AxisRange is what an axis shows: its name, the unit of its numbers ("" for none) and its ends; both ends 0 takes them
// from the data. Whole marks whole numbers only, for what is counted.
type AxisRange struct {
	Name, Unit string
	Low, High  float64
	Whole      bool
}

func (a AxisRange) given() bool { return a.High > a.Low }

func (a AxisRange) title() string {
	if a.Unit == "" {
		return printable(a.Name)
	}
	return printable(a.Name + " (" + a.Unit + ")")
}

// Curves is a line figure over any numbers, such as a row of a matrix over V or a loss over epochs. What lies outside the
// ends of its axes is cut off, so that the figure shows what a zoomed chart shows.
type Curves struct {
	Title  string
	X, Y   AxisRange
	Curves []Curve
	Note   string // a small line below, such as the choice of images
}

// Write draws the figure as png, svg or pdf, 14 x 8 cm. A curve with fewer X than Y or the reverse, deviations that are not one for
// each Y, and no curve at all, are errors.
func (f Curves) Write(w io.Writer, format string) error {
	if len(f.Curves) == 0 {
		return fmt.Errorf("draw curves %q: no curve to draw", f.Title)
	}
	for _, c := range f.Curves {
		if len(c.X) != len(c.Y) {
			return fmt.Errorf("draw curves %q: curve %q has %d values for %d places", f.Title, c.Name, len(c.Y), len(c.X))
		}
		if c.Spread != nil && len(c.Spread) != len(c.X) {
			return fmt.Errorf("draw curves %q: curve %q has %d deviations for %d places", f.Title, c.Name, len(c.Spread), len(c.X))
		}
	}
	return write(w, format, 14*vg.Centimeter, 8*vg.Centimeter, f.draw)
}

func (f Curves) draw(c draw.Canvas) {
	names := make([]string, len(f.Curves))
	for k, curve := range f.Curves {
		names[k] = curve.Name
	}
	framed(c, f.Title, f.Note, lineLegend(names), f.plot())
}

func (f Curves) plot() *plot.Plot {
	p := newPlot()
	p.X.Label.Text, p.Y.Label.Text = f.X.title(), f.Y.title()
	for k, c := range f.Curves { // below all lines
		p.Add(band{c, lineStyle(k).Color})
	}
	for k, c := range f.Curves {
		for _, run := range c.runs() {
			p.Add(clipped{&plotter.Line{XYs: run, LineStyle: lineStyle(k)}})
		}
	}
	f.bound(p)
	p.X.Tick.Marker, p.Y.Tick.Marker = f.X.marks(p.X, 11), f.Y.marks(p.Y, 7)
	return p
}

// bound sets the ends of both axes: those given, else those of the data, y a little wider.
func (f Curves) bound(p *plot.Plot) {
	x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, c := range f.Curves {
		for k, x := range c.X {
			if finite(x) && finite(c.Y[k]) {
				x0, x1 = math.Min(x0, x), math.Max(x1, x)
				y0, y1 = math.Min(y0, c.Y[k]-c.spread(k)), math.Max(y1, c.Y[k]+c.spread(k))
			}
		}
	}
	if x0 > x1 {
		x0, x1, y0, y1 = 0, 1, 0, 1
	}
	if x0 == x1 {
		x0, x1 = x0-0.5, x1+0.5
	}
	y0, y1 = Widen(y0, y1)
	if f.X.given() {
		x0, x1 = f.X.Low, f.X.High
	}
	if f.Y.given() {
		y0, y1 = f.Y.Low, f.Y.High
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x0, x1, y0, y1
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// spread is the deviation at a point, 0 where there is none.
func (c Curve) spread(k int) float64 {
	if k >= len(c.Spread) || !finite(c.Spread[k]) {
		return 0
	}
	return c.Spread[k]
}

// bandOpacity is how much of a line's colour its band has; bands of several lines lie over each other.
const bandOpacity = 0.16

// band shades the deviation of a curve.
type band struct {
	Curve
	colour color.Color
}

// Plot implements plot.Plotter. Between two neighbouring points the edges run straight.
func (b band) Plot(c draw.Canvas, p *plot.Plot) {
	if len(b.Spread) == 0 {
		return
	}
	x, y := p.Transforms(&c)
	for _, run := range b.stretches() {
		outline := make([]vg.Point, 0, 2*len(run))
		for _, k := range run {
			outline = append(outline, vg.Point{X: x(b.X[k]), Y: y(b.Y[k] + b.spread(k))})
		}
		for _, k := range slices.Backward(run) {
			outline = append(outline, vg.Point{X: x(b.X[k]), Y: y(b.Y[k] - b.spread(k))})
		}
		red, green, blue, _ := b.colour.RGBA()
		tint := color.NRGBA{uint8(red >> 8), uint8(green >> 8), uint8(blue >> 8), uint8(math.Round(255 * bandOpacity))}
		c.FillPolygon(tint, c.ClipPolygonXY(outline))
	}
}

// stretches are the points between gaps, by their number.
func (c Curve) stretches() [][]int {
	var list [][]int
	open := false
	for k, x := range c.X {
		if !finite(x) || !finite(c.Y[k]) {
			open = false
			continue
		}
		if !open {
			list, open = append(list, nil), true
		}
		list[len(list)-1] = append(list[len(list)-1], k)
	}
	return list
}

// runs cuts a curve at points that cannot be drawn.
func (c Curve) runs() []plotter.XYs {
	var list []plotter.XYs
	for _, stretch := range c.stretches() {
		var run plotter.XYs
		for _, k := range stretch {
			run = append(run, plotter.XY{X: c.X[k], Y: c.Y[k]})
		}
		list = append(list, run)
	}
	return list
}

// clipped is a line of which only what lies in the plotted area is drawn.
type clipped struct{ *plotter.Line }

// Plot implements plot.Plotter.
func (l clipped) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	points := make([]vg.Point, len(l.XYs))
	for k, at := range l.XYs {
		points[k] = vg.Point{X: x(at.X), Y: y(at.Y)}
	}
	c.StrokeLines(l.LineStyle, c.ClipLinesXY(points)...)
}

// DataRange implements plot.DataRanger; the ends of the axes are set afterwards.
func (l clipped) DataRange() (xmin, xmax, ymin, ymax float64) { return l.Line.DataRange() }

// marks are the ticks of an axis whose ends are set.
func (a AxisRange) marks(on plot.Axis, most int) plot.ConstantTicks {
	marks := numberTicks(on, most)
	if !a.Whole {
		return marks
	}
	whole := plot.ConstantTicks{}
	for _, m := range marks {
		if m.Value == math.Trunc(m.Value) {
			m.Label = result.Count.Say(m.Value, 0)
			whole = append(whole, m)
		}
	}
	return whole
}

func numberTicks(a plot.Axis, most int) plot.ConstantTicks {
	ticks := Ticks(a.Min, a.Max, most)
	texts := TickTexts(ticks)
	marks := make(plot.ConstantTicks, len(ticks))
	for k, v := range ticks {
		marks[k] = plot.Tick{Value: v, Label: texts[k]}
	}
	return marks
}
