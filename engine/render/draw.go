package render

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/variscope/variscope/engine/result"
)

// Part is a part of a figure: the ends of both axes. The zero Part is all of it.
type Part struct{ X0, X1, Y0, Y1 float64 }

// Draw draws a figure as png, svg or pdf: lines 14 x 8 cm, points 12 x 10 cm. What lies outside of
// the part is cut off. The window shows the same ends, ticks and looks (ui/kit). A figure that
// result.Figure.Check refuses, and one with nothing to draw, are errors.
func Draw(w io.Writer, f result.Figure, part Part, format string) error {
	d, err := drawingOf(f, part)
	if err != nil {
		return err
	}
	return d.Write(w, format)
}

// OnPage is a figure for a page, which has its own place for the title: without title, as Draw
// draws it.
func OnPage(f result.Figure) (Drawing, error) {
	f.Title = ""
	d, err := drawingOf(f, Part{})
	return d.cropped(titleHeight-margin, 0), err
}

func drawingOf(f result.Figure, part Part) (Drawing, error) {
	if err := f.Check(); err != nil {
		return Drawing{}, err
	}
	if !f.Drawable() {
		return Drawing{}, fmt.Errorf("draw figure %q: nothing to draw", f.Title)
	}
	if part == (Part{}) {
		part = Extent(f)
	}
	d := Drawing{width: 14 * vg.Centimeter, height: 8 * vg.Centimeter}
	if len(f.Points) > 0 {
		d.width, d.height = 12*vg.Centimeter, 10*vg.Centimeter
	}
	s := scatterOf(f)
	d.draw = func(c draw.Canvas) { framed(c, f.Title, f.Note, legendOf(f, s.legend()), plotOf(f, s, part)) }
	return d, nil
}

// Extent are the ends of the axes where all of a figure is shown: those of the data with a margin,
// which lines have upwards and downwards only, and at least those that the axes ask for.
func Extent(f result.Figure) Part {
	inf := math.Inf(1)
	p := Part{inf, -inf, inf, -inf}
	add := func(x, y float64) {
		if finite(x) && finite(y) {
			p = Part{math.Min(p.X0, x), math.Max(p.X1, x), math.Min(p.Y0, y), math.Max(p.Y1, y)}
		}
	}
	for _, l := range f.Lines {
		for k := range l.X {
			add(l.X[k], l.Y[k])
			if l.SD == nil {
				continue
			}
			low, high := l.Y[k]-l.SD[k], l.Y[k]+l.SD[k]
			if f.Y.Format == result.Share { // no share lies below 0 or above 1
				low, high = max(low, min(l.Y[k], 0)), min(high, max(l.Y[k], 1))
			}
			add(l.X[k], low)
			add(l.X[k], high)
		}
	}
	if len(f.Points) == 0 && p.X0 == p.X1 {
		p.X0, p.X1 = p.X0-0.5, p.X1+0.5
	}
	for _, d := range f.Points {
		add(d.X, d.Y)
		if d.Low != d.High {
			add(d.X, d.Low)
			add(d.X, d.High)
		}
	}
	if len(f.Points) > 0 || p.X0 > p.X1 {
		p.X0, p.X1 = Widen(p.X0, p.X1)
	}
	p.Y0, p.Y1 = Widen(p.Y0, p.Y1)
	p.X0, p.X1 = atLeast(f.X, p.X0, p.X1)
	p.Y0, p.Y1 = atLeast(f.Y, p.Y0, p.Y1)
	return p
}

// atLeast reaches as far as an axis asks for. Where the data stay inside of that, their margin
// does not count: shares end at 0 and 1.
func atLeast(a result.Axis, low, high float64) (from, to float64) {
	if a.Low >= a.High {
		return low, high
	}
	margin := (high - low) * 0.05
	from, to = math.Min(a.Low, low), math.Max(a.High, high)
	if low >= a.Low-margin {
		from = a.Low
	}
	if high <= a.High+margin {
		to = a.High
	}
	return from, to
}

// AxisTicks are at most `most` places on an axis from low to high, ascending, and what is written
// there: the axis' own places where there are some, round shares on an axis of logits, per cent of
// shares, whole numbers of counts.
func AxisTicks(a result.Axis, low, high float64, most int) (at []float64, texts []string) {
	scale, unit := 1.0, ""
	switch a.Format {
	case result.Share:
		scale, unit = 100, " %"
	case result.Points:
		scale, unit = 100, " pp"
	}
	if a.Logit {
		return LogitTicks(low, high, max(most-1, 1)) // at uneven distances, which need the room between two ticks
	}
	if a.Ticks != nil {
		var inside []float64
		for _, v := range a.Ticks {
			if v >= low && v <= high {
				inside = append(inside, v)
			}
		}
		if len(inside) > 1 { // else a part between two of them is shown
			for _, t := range ValueTicks(inside, most) {
				at, texts = append(at, t.Value), append(texts, t.Text)
			}
			return at, texts
		}
	}
	for _, v := range Ticks(scale*low, scale*high, most) {
		if a.Format != result.Count || v == math.Trunc(v) {
			at = append(at, v)
		}
	}
	texts = TickTexts(at)
	for k := range at {
		at[k] /= scale
		texts[k] += unit
	}
	return at, texts
}

// scatterOf has the groups, points and trends of a figure.
func scatterOf(f result.Figure) Scatter {
	s := Scatter{Crossed: f.Crossed}
	for _, g := range f.Groups {
		s.Groups = append(s.Groups, GroupOf(g.Name, g.Look))
	}
	for _, p := range f.Points {
		s.Dots = append(s.Dots, Dot{p.X, p.Y, p.Group, p.Low, p.High, p.Crossed})
	}
	for _, t := range f.Trends {
		s.Trends = append(s.Trends, Trend(t))
	}
	return s
}

// legendOf names the lines, then the groups of points.
func legendOf(f result.Figure, groups []Group) legend {
	var names []string
	for _, l := range f.Lines {
		names = append(names, l.Name)
	}
	lines, points := lineLegend(names), groupLegend(groups)
	return legend{names: append(names, points.names...), key: func(c draw.Canvas, k int, x, y vg.Length) {
		if k < len(lines.names) {
			lines.key(c, k, x, y)
			return
		}
		points.key(c, k-len(lines.names), x, y)
	}}
}

func plotOf(f result.Figure, s Scatter, part Part) *plot.Plot {
	p := newPlot()
	p.X.Label.Text, p.Y.Label.Text = printable(f.X.Title()), printable(f.Y.Title())
	p.Add(trends(s.Trends))
	for k, l := range f.Lines {
		p.Add(band{Curve{X: l.X, Y: l.Y, Spread: l.SD}, lineStyle(k).Color})
		for _, run := range (Curve{X: l.X, Y: l.Y}).runs() {
			p.Add(clipped{&plotter.Line{XYs: run, LineStyle: lineStyle(k)}})
		}
	}
	p.Add(dots(s))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = part.X0, part.X1, part.Y0, part.Y1 // Add widens them
	p.X.Tick.Marker, p.Y.Tick.Marker = marks(f.X, p.X, 9), marks(f.Y, p.Y, 8)
	return p
}

func marks(a result.Axis, on plot.Axis, most int) plot.ConstantTicks {
	at, texts := AxisTicks(a, on.Min, on.Max, most)
	list := make(plot.ConstantTicks, len(at))
	for k, v := range at {
		list[k] = plot.Tick{Value: v, Label: printable(texts[k])}
	}
	return list
}
