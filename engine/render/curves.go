package render

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Curve is one line of Curves: points (X[k], Y[k]) in ascending X. A NaN leaves a gap.
type Curve struct {
	Name string
	X, Y []float64
}

// AxisRange is what an axis shows: its name, the unit of its numbers ("" for none) and its ends; both ends 0 takes them
// from the data.
type AxisRange struct {
	Name, Unit string
	Low, High  float64
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

// Write draws the figure as png, svg or pdf, 14 x 8 cm. A curve with fewer X than Y or the reverse, and no curve at all,
// are errors.
func (f Curves) Write(w io.Writer, format string) error {
	if len(f.Curves) == 0 {
		return fmt.Errorf("draw curves %q: no curve to draw", f.Title)
	}
	for _, c := range f.Curves {
		if len(c.X) != len(c.Y) {
			return fmt.Errorf("draw curves %q: curve %q has %d values for %d places", f.Title, c.Name, len(c.Y), len(c.X))
		}
	}
	return write(w, format, 14*vg.Centimeter, 8*vg.Centimeter, f.draw)
}

func (f Curves) draw(c draw.Canvas) {
	names := make(legend, len(f.Curves))
	for k, curve := range f.Curves {
		names[k] = curve.Name
	}
	framed(c, f.Title, f.Note, names, f.plot())
}

func (f Curves) plot() *plot.Plot {
	p := newPlot()
	p.X.Label.Text, p.Y.Label.Text = f.X.title(), f.Y.title()
	for k, c := range f.Curves {
		for _, run := range c.runs() {
			p.Add(clipped{&plotter.Line{XYs: run, LineStyle: lineStyle(k)}})
		}
	}
	f.bound(p)
	p.X.Tick.Marker, p.Y.Tick.Marker = numberTicks(p.X, 11), numberTicks(p.Y, 7)
	return p
}

// bound sets the ends of both axes: those given, else those of the data, y a little wider.
func (f Curves) bound(p *plot.Plot) {
	x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, c := range f.Curves {
		for k, x := range c.X {
			if finite(x) && finite(c.Y[k]) {
				x0, x1, y0, y1 = math.Min(x0, x), math.Max(x1, x), math.Min(y0, c.Y[k]), math.Max(y1, c.Y[k])
			}
		}
	}
	if x0 > x1 {
		x0, x1, y0, y1 = 0, 1, 0, 1
	}
	if x0 == x1 {
		x0, x1 = x0-0.5, x1+0.5
	}
	pad := (y1 - y0) * 0.05
	if pad == 0 {
		pad = math.Max(math.Abs(y1)*0.05, 1e-3)
	}
	y0, y1 = y0-pad, y1+pad
	if f.X.given() {
		x0, x1 = f.X.Low, f.X.High
	}
	if f.Y.given() {
		y0, y1 = f.Y.Low, f.Y.High
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x0, x1, y0, y1
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// runs cuts a curve at points that cannot be drawn.
func (c Curve) runs() []plotter.XYs {
	var list []plotter.XYs
	open := false
	for k, x := range c.X {
		if !finite(x) || !finite(c.Y[k]) {
			open = false
			continue
		}
		if !open {
			list, open = append(list, nil), true
		}
		last := len(list) - 1
		list[last] = append(list[last], plotter.XY{X: x, Y: c.Y[k]})
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

func numberTicks(a plot.Axis, most int) plot.ConstantTicks {
	ticks := Ticks(a.Min, a.Max, most)
	texts := TickTexts(ticks)
	marks := make(plot.ConstantTicks, len(ticks))
	for k, v := range ticks {
		marks[k] = plot.Tick{Value: v, Label: texts[k]}
	}
	return marks
}
