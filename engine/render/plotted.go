package render

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/variscope/variscope/engine/result"
)

// draw draws a part of a figure with legend and axes, and returns the plotted area.
func (g Ground) draw(c draw.Canvas, f result.Figure, part Part) vg.Rectangle {
	if f.Matrix != nil {
		return g.drawMatrix(c, f, part)
	}
	names := g.legend(f)
	// More names would leave no room in a window for what they name.
	if high := names.height(c); high < (c.Max.Y-c.Min.Y)/3 || !g.screen {
		names.draw(c)
		c = draw.Crop(c, 0, 0, 0, -high)
	}
	if f.NoAxes {
		c = g.networkArea(c, f, part)
		g.network(c, f, part).draw()
		return c.Rectangle
	}
	if slices.ContainsFunc(f.Rules, func(r result.Rule) bool { return r.Name != "" }) {
		c = draw.Crop(c, 0, 0, 0, -g.line())
	}
	behind, style := vg.Length(0), g.text()
	for _, b := range f.Boxes {
		if b.Text != "" {
			behind = max(behind, style.Width(g.say(b.Text))+g.pick(6, 8))
		}
	}
	c = draw.Crop(c, 0, -min(behind, 0.3*(c.Max.X-c.Min.X)), 0, 0)
	p := g.newPlot()
	g.axes(p, f, part, c.Size())
	p.Add(plotted{f, g})
	p.Draw(c)
	return p.DataCanvas(c).Rectangle
}

// plotted draws what a figure shows between its axes.
type plotted struct {
	result.Figure
	on Ground
}

// drawing is the plotted area with the places of values in it.
type drawing struct {
	draw.Canvas
	x, y func(float64) vg.Length
}

// Plot implements plot.Plotter. Points and boxes beyond the area are left out, lines end there.
func (f plotted) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	d := drawing{c, x, y}
	f.grid(d, p)
	for _, t := range f.Trends {
		d.band(t.X, t.Low, t.High, faded(f.on.Ink, 0.14))
	}
	for k, l := range f.Lines {
		low, high := make([]float64, len(l.SD)), make([]float64, len(l.SD))
		for i, sd := range l.SD {
			low[i], high[i] = l.Y[i]-sd, l.Y[i]+sd
		}
		d.band(l.X, low, high, faded(f.on.lineStyle(k).Color, 0.16))
	}
	f.boxes(d)
	for k, t := range f.Trends {
		style := draw.LineStyle{Color: f.on.Ink, Width: f.on.pick(1.2, 1.6)}
		if t.Group != "" {
			style = f.on.lineStyle(k)
			style.Color = f.on.colour(t.Look)
		}
		d.line(t.X, t.Y, style)
	}
	for k, l := range f.Lines {
		d.line(l.X, l.Y, f.on.lineStyle(k))
	}
	f.rules(d)
	f.points(d)
}

// grid draws faint lines at the ticks: up from those of X beside names, else across from those of Y
// in a window.
func (f plotted) grid(d drawing, p *plot.Plot) {
	switch style := f.on.thin(f.on.Grid); {
	case f.X.Names != nil:
	case f.Y.Names != nil:
		for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
			if style.Color = f.on.Grid; t.Value == 0 {
				style.Color = f.on.Faint
			}
			d.StrokeLine2(style, d.x(t.Value), d.Min.Y, d.x(t.Value), d.Max.Y)
		}
	case f.on.screen:
		for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
			d.StrokeLine2(style, d.Min.X, d.y(t.Value), d.Max.X, d.y(t.Value))
		}
	}
}

// band shades what lies between two curves. Places where an end is not finite end a piece of it.
func (d drawing) band(x, low, high []float64, colour color.Color) {
	var above, below []vg.Point
	end := func() {
		slices.Reverse(below)
		if len(above) > 1 {
			d.FillPolygon(colour, d.ClipPolygonXY(append(above, below...)))
		}
		above, below = nil, nil
	}
	for k := range low {
		if !finite(x[k]) || !finite(low[k]) || !finite(high[k]) {
			end()
			continue
		}
		above = append(above, vg.Point{X: d.x(x[k]), Y: d.y(high[k])})
		below = append(below, vg.Point{X: d.x(x[k]), Y: d.y(low[k])})
	}
	end()
}

// line draws a line, which a value that is not finite breaks. A single place is a dot.
func (d drawing) line(x, y []float64, style draw.LineStyle) {
	var run []vg.Point
	end := func() {
		if len(run) == 1 {
			run = append(run, run[0].Add(vg.Point{X: style.Width}))
		}
		if len(run) > 0 {
			d.StrokeLines(style, d.ClipLinesXY(run)...)
		}
		run = nil
	}
	for k := range x {
		if !finite(x[k]) || !finite(y[k]) {
			end()
			continue
		}
		run = append(run, vg.Point{X: d.x(x[k]), Y: d.y(y[k])})
	}
	end()
}

// pixels is a canvas that fills upright rectangles of its pixels, and many shapes at once, much
// faster than paths.
type pixels interface {
	fillPixels(r vg.Rectangle, colour color.Color)
	fillShapes(shapes [][]vg.Point, colour color.Color)
}

// fill fills what lies in the plotted area of a rectangle.
func (d drawing) fill(r vg.Rectangle, colour color.Color) {
	r.Min = vg.Point{X: max(r.Min.X, d.Min.X), Y: max(r.Min.Y, d.Min.Y)}
	r.Max = vg.Point{X: min(r.Max.X, d.Max.X), Y: min(r.Max.Y, d.Max.Y)}
	if r.Max.X <= r.Min.X || r.Max.Y <= r.Min.Y {
		return
	}
	if fast, ok := d.Canvas.Canvas.(pixels); ok {
		fast.fillPixels(r, colour)
		return
	}
	fill(d.Canvas, r, colour)
}

// boxes draws the boxes: those that lie over each other as outlines on pale areas, bars of a
// histogram with a gap between them.
func (f plotted) boxes(d drawing) {
	style := f.on.text()
	style.YAlign = draw.YCenter
	thin := f.on.thin(f.on.Ink)
	for _, b := range f.Boxes {
		colour := f.on.groupColour(f.Groups[b.Group])
		left, right := d.x(min(b.X0, b.X1)), d.x(max(b.X0, b.X1))
		r := vg.Rectangle{Min: vg.Point{X: left, Y: d.y(b.Y0)}, Max: vg.Point{X: right, Y: d.y(b.Y1)}}
		if r.Min.Y > r.Max.Y {
			r.Min.Y, r.Max.Y = r.Max.Y, r.Min.Y
		}
		middle := (r.Min.Y + r.Max.Y) / 2
		gap := f.on.pick(0.4, 0.5)
		switch {
		case f.Over:
			d.fill(r, faded(colour, 0.25))
			d.StrokeLines(draw.LineStyle{Color: colour, Width: f.on.pick(1.2, 1.4)}, d.ClipLinesXY([]vg.Point{
				{X: r.Min.X, Y: r.Min.Y}, {X: r.Min.X, Y: r.Max.Y}, {X: r.Max.X, Y: r.Max.Y}, {X: r.Max.X, Y: r.Min.Y},
			})...)
			continue
		case f.X.Names != nil:
			if !f.on.screen {
				r.Max.X -= min(0.06*(r.Max.X-r.Min.X), vg.Points(1))
				r.Min.Y += min(0.06*(r.Max.Y-r.Min.Y), vg.Points(1))
			}
		case f.Y.Names != nil:
			r.Min.X, r.Max.X = r.Min.X-gap, r.Max.X+gap // a bar of no length is seen
		case r.Max.Y > r.Min.Y && r.Max.X-r.Min.X > 4*gap:
			r.Min.X, r.Max.X = r.Min.X+gap, r.Max.X-gap
		}
		d.fill(r, colour)
		end := r.Max.X
		if b.Low != b.High {
			d.StrokeLine2(thin, d.x(b.Low), middle, d.x(b.High), middle)
			end = max(end, d.x(b.High))
		}
		if b.Text != "" {
			d.FillText(style, vg.Point{X: end + f.on.pick(4, 5), Y: middle}, f.on.say(b.Text))
		}
	}
}

// rules draws the lines at values of X, with their names above the area.
func (f plotted) rules(d drawing) {
	style := f.on.text()
	style.XAlign = draw.XCenter
	for _, r := range f.Rules {
		x := d.x(r.X)
		if !d.ContainsX(x) {
			continue
		}
		if r.Y0 != r.Y1 {
			d.StrokeLine2(f.on.thin(f.on.Ink), x, d.y(r.Y0), x, d.y(r.Y1))
			continue
		}
		d.StrokeLine2(draw.LineStyle{Color: f.on.Ink, Width: f.on.pick(1.2, 2)}, x, d.Min.Y, x, d.Max.Y)
		name := f.on.say(r.Name)
		half := style.Width(name) / 2
		d.FillText(style, vg.Point{X: min(max(x, d.Min.X+half), d.Max.X-half), Y: d.Max.Y + f.on.pick(2, 1)}, name)
	}
}

// crowd is how many points are drawn at full size on paper; more are drawn smaller, so that a cloud
// does not become a blot.
const crowd = 60

// dot is the radius of a point.
func (g Ground) dot() vg.Length { return g.pick(2.6, 3.6) }

// glyph is how a point of a look is drawn.
func (g Ground) glyph(look result.Look) draw.GlyphStyle {
	return draw.GlyphStyle{Color: g.colour(look), Radius: g.dot(), Shape: Looks[look].Shape.glyph()}
}

// cross is what lies over a point that is crossed.
func (g Ground) cross() draw.GlyphStyle {
	return draw.GlyphStyle{Color: g.appearance(Crosses), Radius: g.pick(4, 5), Shape: Crosses.Shape.glyph()}
}

// points draws the points, in a window on rims in its colour, so that points which touch stay
// apart. Those without a look come first, the rarest way to hide one that has.
func (f plotted) points(d drawing) {
	order := make([]int, len(f.Points))
	for k := range order {
		order[k] = k
	}
	plain := func(k int) int {
		if f.Groups[f.Points[k].Group].Look == result.LookNone {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(order, func(a, b int) int { return plain(a) - plain(b) })
	for _, k := range order {
		p := f.Points[k]
		at := vg.Point{X: d.x(p.X), Y: d.y(p.Y)}
		if !finite(p.X) || !finite(p.Y) || !d.Contains(at) {
			continue
		}
		style := f.on.glyph(f.Groups[p.Group].Look)
		if f.Levels[0] != "" {
			style = draw.GlyphStyle{Color: LevelColour(p.Level), Radius: f.on.pick(1.3, 2.4), Shape: draw.CircleGlyph{}}
		} else if len(f.Points) > crowd && !f.on.screen {
			style.Radius = vg.Points(1.7)
		}
		if p.Low != p.High && finite(p.Low) && finite(p.High) {
			low, high := min(max(d.y(p.Low), d.Min.Y), d.Max.Y), min(max(d.y(p.High), d.Min.Y), d.Max.Y)
			d.StrokeLine2(draw.LineStyle{Color: style.Color, Width: f.on.pick(0.8, 1.2)}, at.X, low, at.X, high)
		}
		if f.on.Back != nil && f.Levels[0] == "" {
			rim := style
			rim.Color, rim.Radius = faded(f.on.Back, 0.7), style.Radius+f.on.pick(0, 0.9)
			d.DrawGlyph(rim, at)
		}
		d.DrawGlyph(style, at)
		if p.Crossed {
			d.DrawGlyph(f.on.cross(), at)
		}
	}
}

// faded is a colour at a share of its opacity.
func faded(c color.Color, share float64) color.Color {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	n.A = uint8(float64(n.A)*share + 0.5)
	return n
}

// LevelColour runs from blue (0) over grey to orange (1) and can be seen on white and on dark
// ground; NaN is grey.
func LevelColour(level float64) color.NRGBA {
	low, middle, high := [3]float64{0x2f, 0x7e, 0xd0}, [3]float64{0xa0, 0xa0, 0xa8}, [3]float64{0xe8, 0x70, 0x1a}
	if math.IsNaN(level) {
		level = 0.5
	}
	level = min(max(level, 0), 1)
	from, to, share := low, middle, 2*level
	if level > 0.5 {
		from, to, share = middle, high, 2*level-1
	}
	mix := func(k int) uint8 { return uint8(from[k] + (to[k]-from[k])*share + 0.5) }
	return color.NRGBA{mix(0), mix(1), mix(2), 0xff}
}
