package render

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Dot is a point of a Scatter. A point with a value that is not finite is not drawn.
type Dot struct {
	X, Y  float64
	Group int // index into Scatter.Groups
	// Low and High are the ends of a bar upright through the point, such as an interval; equal ones draw none.
	Low, High float64
	Crossed   bool // it has a cross over it
}

// Scatter is a figure of points over two numbers, told apart by groups: a feature against robust accuracy, coloured by
// label. What lies outside the ends of its axes is left out.
type Scatter struct {
	Title  string
	X, Y   AxisRange
	Groups []Group
	Dots   []Dot
	Trends []Trend // below the points
	Note   string  // small lines below
	// Crossed is what a cross over a point tells, in the legend where there is such a point.
	Crossed string
	// Logit says that Y holds ln(a/(1-a)) of shares a; the axis then shows the shares.
	Logit bool
}

// crowd is how many points are drawn at full size; more are drawn smaller, so that a cloud does not become a blot.
const crowd = 60

// Write draws the figure as png, svg or pdf, 12 x 10 cm. A point of no group, no point at all, and a trend whose band does
// not fit it are errors.
func (s Scatter) Write(w io.Writer, format string) error {
	if len(s.Dots) == 0 {
		return fmt.Errorf("draw scatter %q: no point to draw", s.Title)
	}
	for k, d := range s.Dots {
		if d.Group < 0 || d.Group >= len(s.Groups) {
			return fmt.Errorf("draw scatter %q: point %d is of group %d, there are %d", s.Title, k, d.Group, len(s.Groups))
		}
	}
	for _, t := range s.Trends {
		if err := t.Check(); err != nil {
			return fmt.Errorf("draw scatter %q: %w", s.Title, err)
		}
	}
	return write(w, format, 12*vg.Centimeter, 10*vg.Centimeter, func(c draw.Canvas) {
		framed(c, s.Title, s.Note, groupLegend(s.legend()), s.plot())
	})
}

// crossColour is that of the crosses, also in the legend.
var crossColour = color.RGBA{0xc0, 0x00, 0x20, 0xff}

// legend are the groups, and the crosses where there are some.
func (s Scatter) legend() []Group {
	if s.Crossed == "" || !slices.ContainsFunc(s.Dots, func(d Dot) bool { return d.Crossed }) {
		return s.Groups
	}
	named := slices.DeleteFunc(slices.Clone(s.Groups), func(g Group) bool { return g.Name == "" })
	return append(named, Group{Name: s.Crossed, Shape: Cross, Colour: crossColour})
}

func (s Scatter) plot() *plot.Plot {
	p := newPlot()
	p.X.Label.Text, p.Y.Label.Text = s.X.title(), s.Y.title()
	p.Add(trends(s.Trends), dots(s))
	p.X.Min, p.X.Max = s.X.ends(s.Dots, func(d Dot) (float64, bool) { return d.X, finite(d.X) && finite(d.Y) })
	p.Y.Min, p.Y.Max = s.Y.ends(withBars(s.Dots), func(d Dot) (float64, bool) { return d.Y, finite(d.X) && finite(d.Y) })
	p.X.Tick.Marker, p.Y.Tick.Marker = numberTicks(p.X, 8), numberTicks(p.Y, 8)
	if s.Logit {
		p.Y.Tick.Marker = logitTicks(p.Y, 10)
	}
	return p
}

// ends are the ends of the axis: those given, else those of the points, a little wider.
func (a AxisRange) ends(dots []Dot, value func(Dot) (v float64, ok bool)) (low, high float64) {
	if a.given() {
		return a.Low, a.High
	}
	low, high = math.Inf(1), math.Inf(-1)
	for _, d := range dots {
		if v, ok := value(d); ok {
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	return Widen(low, high)
}

// withBars are the dots and one more at each end of a bar.
func withBars(list []Dot) []Dot {
	all := slices.Clone(list)
	for _, d := range list {
		if d.Low != d.High {
			all = append(all, Dot{X: d.X, Y: d.Low}, Dot{X: d.X, Y: d.High})
		}
	}
	return all
}

// Widen is the range of an axis that shows values from low to high with a margin around them; 0..1 without values (low
// above high).
func Widen(low, high float64) (from, to float64) {
	if !(low <= high) {
		return 0, 1
	}
	pad := (high - low) * 0.05
	if pad == 0 {
		pad = math.Max(math.Abs(high)*0.05, 1e-3)
	}
	return low - pad, high + pad
}

// dots draws the points of a scatter, group by group.
type dots Scatter

// Plot implements plot.Plotter.
func (s dots) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, d := range s.Dots {
		if d.X < p.X.Min || d.X > p.X.Max || d.Y < p.Y.Min || d.Y > p.Y.Max || !finite(d.X) || !finite(d.Y) {
			continue
		}
		if d.Low != d.High {
			low, high := y(max(d.Low, p.Y.Min)), y(min(d.High, p.Y.Max))
			c.StrokeLine2(draw.LineStyle{Color: s.Groups[d.Group].Colour, Width: vg.Points(0.8)}, x(d.X), low, x(d.X), high)
		}
		style := s.Groups[d.Group].style()
		if len(s.Dots) > crowd {
			style.Radius = vg.Points(1.7)
		}
		c.DrawGlyph(style, vg.Point{X: x(d.X), Y: y(d.Y)})
		if d.Crossed {
			c.DrawGlyph(draw.GlyphStyle{Color: crossColour, Radius: vg.Points(4), Shape: Cross.glyph()}, vg.Point{X: x(d.X), Y: y(d.Y)})
		}
	}
}

func logitTicks(a plot.Axis, most int) plot.ConstantTicks {
	ticks, texts := LogitTicks(a.Min, a.Max, most)
	marks := make(plot.ConstantTicks, len(ticks))
	for k, v := range ticks {
		marks[k] = plot.Tick{Value: v, Label: texts[k]}
	}
	return marks
}
