package widget

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/engine/render"
)

const (
	lineWidth  = 1.6
	legendKey  = 18
	dashLength = 6
)

// chartRenderer draws all curves into one raster of the widget's real pixels; axes and legend are
// canvas objects.
type chartRenderer struct {
	c       *Chart
	curves  *canvas.Raster
	objects []fyne.CanvasObject
	lines   []curve
}

// tooSmall stands where a chart has curves and no room for them.
const tooSmall = "too small to draw"

// curve is a series with its look, copied so that the raster never reads the widget.
type curve struct {
	series Series
	colour color.NRGBA
	dash   float64 // length of its dashes, 0 for a whole line
}

func newChartRenderer(c *Chart) *chartRenderer {
	r := &chartRenderer{c: c}
	r.curves = canvas.NewRaster(func(w, h int) image.Image { return drawCurves(r.lines, r.c.plot, w, h) })
	r.build(c.Size())
	return r
}

// Destroy implements fyne.WidgetRenderer.
func (r *chartRenderer) Destroy() {}

// MinSize implements fyne.WidgetRenderer.
func (r *chartRenderer) MinSize() fyne.Size { return fyne.NewSize(140, 100) }

// Objects implements fyne.WidgetRenderer.
func (r *chartRenderer) Objects() []fyne.CanvasObject { return r.objects }

// Layout implements fyne.WidgetRenderer.
func (r *chartRenderer) Layout(size fyne.Size) { r.build(size) }

// Refresh implements fyne.WidgetRenderer.
func (r *chartRenderer) Refresh() {
	r.build(r.c.Size())
	r.curves.Refresh()
	canvas.Refresh(r.c)
}

func (r *chartRenderer) build(size fyne.Size) {
	st := styleOf(r.c)
	r.objects = r.objects[:0]
	f, ok := r.c.visible()
	if !ok || size.Width < 60 || size.Height < 50 {
		text := tooSmall
		if !ok {
			text = r.c.data.Empty
		}
		r.c.plot = frame{}
		r.objects = append(r.objects, emptyText(text, size, st))
		return
	}
	r.lines = r.look()
	line := measure("0", st.caption, false).Height
	small := size.Height < 9*line // then the curves need the room more than the names do
	if !small {
		f.top = r.legend(size.SubtractWidthHeight(menuSide, 0), st)
	}
	if f.top > size.Height/3 { // so many names would leave no room for what they name
		r.objects, f.top = r.objects[:0], 0
	}
	if r.c.data.YName != "" && !small {
		name := newText(withUnit(r.c.data.YName, r.c.data.YUnit), st.faint, st.caption)
		placeText(name, 0, f.top)
		r.objects = append(r.objects, name)
		f.top += line + 2
	} else if r.c.Menu != nil {
		f.top = max(f.top, menuSide-line/2)
	}
	f.top += line / 2
	f.height = size.Height - f.top - line - tickLength - 2
	if r.c.data.XName != "" && !small {
		f.height -= line
	}
	ticks, texts, widest := r.c.data.yTicks(f, line, st)
	f.left = widest + tickLength + 3
	f.width = size.Width - f.left - 8
	f.left, f.top = whole(f.left), whole(f.top) // whole pixels keep curves and axes together
	f.width, f.height = whole(f.width), whole(f.height)
	if f.height < 8 || f.width < 8 {
		r.c.plot = frame{}
		return
	}
	r.c.plot = f
	r.yAxis(f, ticks, texts, st)
	r.xAxis(f, size, st)
	if r.c.data.XName != "" && !small {
		r.xName(f, size, st)
	}
	r.curves.Resize(fyne.NewSize(f.width, f.height))
	r.curves.Move(fyne.NewPos(f.left, f.top))
	r.objects = append(r.objects, r.curves)
	r.mark(f, st)
	r.pointer(f, st)
	r.rectangle(f, st)
	r.menu(size)
}

func (r *chartRenderer) menu(size fyne.Size) {
	if r.c.Menu != nil {
		r.objects = append(r.objects, menuSign(size))
	}
}

// mark draws the x that stays marked.
func (r *chartRenderer) mark(f frame, st style) {
	if x := r.c.marked; x >= f.x0 && x <= f.x1 {
		line := newLine(faded(st.primary, 0.6), f.x(x), f.top, f.x(x), f.top+f.height)
		r.objects = append(r.objects, line)
	}
}

// rectangle draws what is being dragged.
func (r *chartRenderer) rectangle(f frame, st style) {
	if box := r.c.drag.box(f, st); box != nil {
		r.objects = append(r.objects, box)
	}
}

// withUnit is a name with its unit in brackets.
func withUnit(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + " (" + unit + ")"
}

// yTicks are as many ticks as have room, with the width of the widest text.
func (d ChartData) yTicks(f frame, line float32, st style) (ticks []float64, texts []string, widest float32) {
	most := min(max(3, int(f.height/(2*line))), int(f.height/line)+1)
	if d.TicksY != nil {
		ticks, texts = d.TicksY(f.y0, f.y1, most)
	} else {
		ticks = render.Ticks(f.y0, f.y1, most)
		texts = render.TickTexts(ticks)
	}
	for _, text := range texts {
		widest = max(widest, measure(text, st.caption, false).Width)
	}
	return ticks, texts, widest
}

// dashes are the lengths of dashes by which lines of one colour differ.
var dashes = [...]float64{0, dashLength, dashLength / 2.5}

// look gives the series the strong colours of the theme in turn, and whole, dashed and dotted
// lines in turn: no two differ by colour alone.
func (r *chartRenderer) look() []curve {
	names := []fyne.ThemeColorName{theme.ColorNamePrimary, theme.ColorNameWarning, theme.ColorNameSuccess, theme.ColorNameError}
	lines := make([]curve, len(r.c.data.Series))
	for k, s := range r.c.data.Series {
		c := color.NRGBAModel.Convert(theme.ColorForWidget(names[k%len(names)], r.c)).(color.NRGBA)
		lines[k] = curve{series: s, colour: c, dash: dashes[k%len(dashes)]}
	}
	return lines
}

// legend places the names in as many lines as they need and returns their height; one line without
// a name needs none.
func (r *chartRenderer) legend(size fyne.Size, st style) float32 {
	if len(r.lines) == 1 && r.lines[0].series.Name == "" {
		return 0
	}
	line := measure("0", st.caption, false).Height + 1
	x, y := float32(0), float32(0)
	for _, l := range r.lines {
		name := shorten(l.series.Name, st.caption, size.Width-legendKey-6, false)
		width := legendKey + 6 + measure(name, st.caption, false).Width
		if x > 0 && x+width > size.Width {
			x, y = 0, y+line
		}
		r.key(l, x, y+line/2)
		text := newText(name, st.foreground, st.caption)
		placeText(text, x+legendKey+5, y)
		r.objects = append(r.objects, text)
		x += width + 10
	}
	return y + line + 2
}

// key draws a piece of a line from x on.
func (r *chartRenderer) key(l curve, x, y float32) {
	step := float32(legendKey)
	if l.dash > 0 {
		step = float32(l.dash)
	}
	for at := float32(0); at < legendKey; at += 2 * step {
		piece := newLine(l.colour, x+at, y, x+min(at+step, legendKey), y)
		piece.StrokeWidth = 2
		r.objects = append(r.objects, piece)
	}
}

func (r *chartRenderer) yAxis(f frame, ticks []float64, texts []string, st style) {
	for k, v := range ticks {
		y := f.y(v)
		text := newText(texts[k], st.foreground, st.caption)
		min := text.MinSize()
		placeText(text, f.left-tickLength-2-min.Width, y-min.Height/2)
		r.objects = append(r.objects, newLine(st.line, f.left, y, f.left+f.width, y), text)
	}
	r.objects = append(r.objects, newLine(st.faint, f.left, f.top, f.left, f.top+f.height))
}

func (r *chartRenderer) xAxis(f frame, size fyne.Size, st style) {
	bottom := f.top + f.height
	r.objects = append(r.objects, newLine(st.faint, f.left, bottom, f.left+f.width, bottom))
	last := float32(math.Inf(-1))
	values, texts := r.xTicks(f, st)
	for k, v := range values {
		x := f.x(v)
		text := newText(texts[k], st.foreground, st.caption)
		min := text.MinSize()
		left := fyne.Min(fyne.Max(x-min.Width/2, 0), size.Width-min.Width)
		if left < last {
			continue
		}
		last = left + min.Width + 6
		placeText(text, left, bottom+tickLength)
		r.objects = append(r.objects, newLine(st.faint, x, bottom, x, bottom+tickLength), text)
	}
}

func (r *chartRenderer) xName(f frame, size fyne.Size, st style) {
	name := newText(shorten(r.c.data.XName, st.caption, f.width, false), st.faint, st.caption)
	min := name.MinSize()
	placeText(name, f.left+(f.width-min.Width)/2, size.Height-min.Height)
	r.objects = append(r.objects, name)
}

// xTicks are as many ticks as have room, with the unit.
func (r *chartRenderer) xTicks(f frame, st style) ([]float64, []string) {
	room := func(widest string) int {
		return max(2, int(f.width/(measure(widest+r.c.data.XUnit, st.caption, false).Width+14)))
	}
	var values []float64
	var texts []string
	if r.c.data.TicksX != nil {
		values, texts = r.c.data.TicksX(f.x0, f.x1, min(12, room("-0.00")))
	} else if r.c.data.XTicks != nil && r.c.zoom == nil { // the places given divide the whole axis, not every part of it
		for _, t := range render.ValueTicks(r.c.data.XTicks, min(15, room("-0.00"))) {
			values, texts = append(values, t.Value), append(texts, t.Text)
		}
	} else {
		values = render.Ticks(f.x0, f.x1, min(12, room("0000")))
		texts = render.TickTexts(values)
	}
	for k := range texts {
		texts[k] += r.c.data.XUnit
	}
	return values, texts
}

// pointer marks the x under the pointer on every line.
func (r *chartRenderer) pointer(f frame, st style) {
	if !(r.c.x >= f.x0 && r.c.x <= f.x1) {
		return
	}
	x := f.x(r.c.x)
	r.objects = append(r.objects, newLine(st.faint, x, f.top, x, f.top+f.height))
	for _, l := range r.lines {
		for k := range min(len(l.series.X), len(l.series.Y)) {
			y := l.series.Y[k]
			if l.series.X[k] == r.c.x && drawable(r.c.x, y) && y >= f.y0 && y <= f.y1 {
				dot := canvas.NewCircle(l.colour)
				dot.Resize(fyne.NewSquareSize(7))
				dot.Move(fyne.NewPos(x-3.5, f.y(y)-3.5))
				r.objects = append(r.objects, dot)
			}
		}
	}
}

// drawCurves draws the curves into w x h pixels that stand for the frame's area.
func drawCurves(lines []curve, f frame, w, h int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	if f.width <= 0 {
		return img
	}
	scale := float64(w) / float64(f.width)
	for _, l := range lines {
		drawBand(img, l, f, scale)
	}
	for _, l := range lines {
		var points []render.Point
		for k := range min(len(l.series.X), len(l.series.Y)) {
			p := render.Point{X: math.NaN()}
			if x, y := l.series.X[k], l.series.Y[k]; drawable(x, y) {
				p = render.Point{X: float64(f.x(x)-f.left) * scale, Y: float64(f.y(y)-f.top) * scale}
			}
			points = append(points, p)
		}
		stroke := render.Stroke{Colour: l.colour, Width: lineWidth * scale, Dash: l.dash * scale}
		if len(points) == 1 {
			points = append(points, points[0])
		}
		render.Polyline(img, points, stroke)
	}
	return img
}
