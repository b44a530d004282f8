package widget

import (
	"math"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
)

var _ desktop.Hoverable = (*Chart)(nil)

// Series is one line of a chart: points (X[k], Y[k]) in ascending X. A NaN leaves a gap.
type Series struct {
	Name string
	X, Y []float64
	// Spread is the deviation of each Y, drawn as a shaded band from Y-Spread to Y+Spread; nil for
	// none.
	Spread []float64
}

// spread is the deviation at point k, 0 where there is none.
func (s Series) spread(k int) float64 {
	if k >= len(s.Spread) || math.IsNaN(s.Spread[k]) || math.IsInf(s.Spread[k], 0) {
		return 0
	}
	return s.Spread[k]
}

// ChartData is what a Chart shows.
type ChartData struct {
	// Title and Note are not drawn on the screen; they head and foot the figures that are saved of
	// the chart.
	Title, Note         string
	Series              []Series
	XName, XUnit, YName string
	// YUnit is the unit of the y values, "" for none.
	YUnit string
	// Low and High bound the y axis; both 0 takes them from the data.
	Low, High float64
	// XTicks are the places where ticks may stand, such as the sampling values; nil takes round
	// numbers.
	XTicks []float64
	// Ends are the ends of both axes; the zero Part takes them from Low, High and the data.
	Ends render.Part
	// TicksX and TicksY are at most so many places on an axis, and what is written there; nil for
	// round numbers.
	TicksX, TicksY func(low, high float64, most int) (at []float64, texts []string)
	// Tell reads all lines out; nil for its names and numbers.
	Tell func(x float64) string
	// Empty is the text shown when there is nothing to draw.
	Empty string
}

// Chart draws lines over a common x axis with ticks on both axes and a legend above: the accuracy
// per transformation, or loss curves over epochs. The pointer reads values off. The wheel zooms
// around the pointer, a rectangle drawn with the pointer zooms into it, dragging with Shift or the
// middle button moves the curves, and a double click shows all again.
type Chart struct {
	widget.BaseWidget
	// OnHover reports the x nearest to the pointer and a line of text with the values there, "" when
	// it has left.
	OnHover func(x float64, text string)
	// OnTapped reports the x nearest to a click on the plotted area.
	OnTapped func(x float64)
	// Menu are the entries of the chart's menu besides those for the zoom: copying and saving. Nil
	// leaves the menu to the zoom.
	Menu func() []*fyne.MenuItem

	data    ChartData
	plot    frame
	x       float64 // under the pointer, NaN for none
	marked  float64 // x that stays marked, NaN for none
	zoom    *extent // what is shown of the data; nil for all
	drag    *drag
	lastTap time.Time
}

// NewChart makes an empty chart.
func NewChart() *Chart {
	c := &Chart{x: math.NaN(), marked: math.NaN()}
	c.ExtendBaseWidget(c)
	return c
}

// SetData shows other lines. The slices must not be changed afterwards. What was zoomed into stays
// while the x axis is the same.
func (c *Chart) SetData(data ChartData) {
	c.point(math.NaN()) // what was read out is of the data before
	before, _ := c.data.ranges()
	after, ok := data.ranges()
	if !ok || data.XName != c.data.XName || before.x0 != after.x0 || before.x1 != after.x1 {
		c.zoom = nil
	}
	c.data = data
	c.Refresh()
}

// Data is what the chart shows.
func (c *Chart) Data() ChartData { return c.data }

// SetMark draws a line at an x that stays until another is set; NaN for none.
func (c *Chart) SetMark(x float64) {
	if x == c.marked || math.IsNaN(x) && math.IsNaN(c.marked) {
		return
	}
	c.marked = x
	c.Refresh()
}

// frame is the plotted area inside the widget and the ranges on its axes.
type frame struct {
	left, top, width, height float32
	x0, x1, y0, y1           float64
}

// extent are the ranges of both axes.
type extent struct{ x0, x1, y0, y1 float64 }

func (f frame) extent() extent { return extent{f.x0, f.x1, f.y0, f.y1} }

// over is the frame with other ranges.
func (f frame) over(e extent) frame {
	f.x0, f.x1, f.y0, f.y1 = e.x0, e.x1, e.y0, e.y1
	return f
}

func (f frame) x(v float64) float32 { return f.left + f.width*float32((v-f.x0)/(f.x1-f.x0)) }
func (f frame) y(v float64) float32 { return f.top + f.height*float32(1-(v-f.y0)/(f.y1-f.y0)) }

// holds tells whether a position lies in the plotted area, or hardly beside it.
func (f frame) holds(pos fyne.Position) bool {
	return f.width > 0 && pos.X >= f.left-4 && pos.X <= f.left+f.width+4 && pos.Y >= f.top && pos.Y <= f.top+f.height
}

// drawable tells whether a point can be shown.
func drawable(x, y float64) bool {
	return !math.IsNaN(x) && !math.IsInf(x, 0) && !math.IsNaN(y) && !math.IsInf(y, 0)
}

// ranges finds the ranges of both axes; ok is false when there is no point.
func (d ChartData) ranges() (f frame, ok bool) {
	f = frame{x0: math.Inf(1), x1: math.Inf(-1), y0: math.Inf(1), y1: math.Inf(-1)}
	for _, s := range d.Series {
		for k := range min(len(s.X), len(s.Y)) {
			if drawable(s.X[k], s.Y[k]) {
				f.x0, f.x1 = math.Min(f.x0, s.X[k]), math.Max(f.x1, s.X[k])
				f.y0, f.y1 = math.Min(f.y0, s.Y[k]-s.spread(k)), math.Max(f.y1, s.Y[k]+s.spread(k))
			}
		}
	}
	if f.x0 > f.x1 {
		return frame{x1: 1, y1: 1}, false
	}
	if e := d.Ends; e != (render.Part{}) {
		f.x0, f.x1, f.y0, f.y1 = e.X0, e.X1, e.Y0, e.Y1
		return f, true
	}
	if f.x0 == f.x1 {
		f.x0, f.x1 = f.x0-0.5, f.x1+0.5
	}
	if d.High > d.Low {
		f.y0, f.y1 = d.Low, d.High
		return f, true
	}
	pad := (f.y1 - f.y0) * 0.06
	if pad == 0 {
		pad = math.Max(math.Abs(f.y1)*0.05, 1e-3)
	}
	f.y0, f.y1 = f.y0-pad, f.y1+pad
	return f, true
}

// xs are all x of the chart, ascending, each once.
func (d ChartData) xs() []float64 {
	var list []float64
	for _, s := range d.Series {
		for k := range min(len(s.X), len(s.Y)) {
			if drawable(s.X[k], s.Y[k]) {
				list = append(list, s.X[k])
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// nearest is the x of the chart closest to the pointer; NaN without points.
func (c *Chart) nearest(pos fyne.Position) float64 {
	best, distance := math.NaN(), math.Inf(1)
	for _, x := range c.data.xs() {
		if x < c.plot.x0 || x > c.plot.x1 {
			continue
		}
		if d := math.Abs(float64(c.plot.x(x) - pos.X)); d < distance {
			best, distance = x, d
		}
	}
	return best
}

// readOut is "V = -3°: accuracy 0.981" or, with several lines, each by its name.
func (d ChartData) readOut(x float64) string {
	if d.Tell != nil {
		return d.Tell(x)
	}
	name, _, _ := strings.Cut(d.XName, ":") // "V_j" of "V_j: rotation"
	if name == "" {
		name = "x"
	}
	var parts []string
	for _, s := range d.Series {
		k := slices.Index(s.X, x)
		if k < 0 || k >= len(s.Y) || !drawable(x, s.Y[k]) {
			continue
		}
		series := s.Name
		if series == "" {
			series = d.YName
		}
		text := short(s.Y[k]) + d.YUnit
		if spread := s.spread(k); spread > 0 {
			text += " ± " + short(spread) + d.YUnit
		}
		parts = append(parts, strings.TrimSpace(series+" "+text))
	}
	return name + " = " + short(x) + d.XUnit + ": " + strings.Join(parts, ", ")
}

// MouseIn implements desktop.Hoverable.
func (c *Chart) MouseIn(ev *desktop.MouseEvent) { c.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (c *Chart) MouseMoved(ev *desktop.MouseEvent) {
	x := math.NaN()
	if c.plot.holds(ev.Position) {
		x = c.nearest(ev.Position)
	}
	c.point(x)
}

// MouseOut implements desktop.Hoverable.
func (c *Chart) MouseOut() { c.point(math.NaN()) }

func (c *Chart) point(x float64) {
	if x == c.x || math.IsNaN(x) && math.IsNaN(c.x) {
		return
	}
	c.x = x
	if c.OnHover != nil {
		text := ""
		if !math.IsNaN(x) {
			text = c.data.readOut(x)
		}
		c.OnHover(x, text)
	}
	c.Refresh()
}

// short writes a number with at most 4 significant digits.
func short(v float64) string {
	return render.TickTexts([]float64{significant(v, 4)})[0]
}

func significant(v float64, digits int) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	p := math.Pow10(digits - 1 - int(math.Floor(math.Log10(math.Abs(v)))))
	if math.IsInf(p, 0) || p == 0 {
		return v
	}
	return math.Round(v*p) / p
}

// CreateRenderer implements fyne.Widget.
func (c *Chart) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	return newChartRenderer(c)
}
