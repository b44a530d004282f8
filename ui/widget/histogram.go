package widget

import (
	"image/color"
	"math"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
)

var _ desktop.Hoverable = (*Histogram)(nil)

// HistogramData is what a Histogram shows: counts of equal bins from Low to High.
type HistogramData struct {
	XName, YName string
	Low, High    float64
	Counts       []int
	// MarkedCounts are the part of each count that is drawn in the warning colour, nil for none;
	// Marked is their name.
	MarkedCounts []int
	Marked       string
	// Limit is drawn as a line with its name; NaN for none.
	Limit     float64
	LimitName string
	// Empty is the text shown when there is nothing to draw.
	Empty string
}

// Histogram draws counts as bars over a logarithmic axis, so that a single image among thousands
// can be seen. The pointer reads bars off.
type Histogram struct {
	widget.BaseWidget
	// OnHover gets a line about the bar under the pointer, "" when it has left.
	OnHover func(text string)

	data HistogramData
	plot frame
	bar  int // under the pointer, -1 for none
}

// NewHistogram makes an empty histogram.
func NewHistogram() *Histogram {
	h := &Histogram{bar: -1}
	h.ExtendBaseWidget(h)
	return h
}

// SetData shows other counts. The slices must not be changed afterwards.
func (h *Histogram) SetData(d HistogramData) {
	h.point(-1) // what was read out is of the data before
	h.data = d
	h.Refresh()
}

// Data is what is shown.
func (h *Histogram) Data() HistogramData { return h.data }

// most is the largest count.
func (d HistogramData) most() int {
	most := 0
	for _, n := range d.Counts {
		most = max(most, n)
	}
	return most
}

// edge is the lower end of bin b.
func (d HistogramData) edge(b int) float64 {
	return d.Low + (d.High-d.Low)*float64(b)/float64(len(d.Counts))
}

// height is the place of a count on the axis: its logarithm, one decade below 1 for none.
func height(n float64) float64 { return math.Log10(max(n, 0.5)) }

// decades are the ticks of counts up to most: 1, 10, 100, ...
func decades(most int) []float64 {
	ticks := []float64{1}
	for v := 10; v <= most; v *= 10 {
		ticks = append(ticks, float64(v))
	}
	return ticks
}

// ReadOut is the line about bin b: "0.1..0.12: images 3, extreme 1".
func (d HistogramData) ReadOut(b int) string {
	if b < 0 || b >= len(d.Counts) {
		return ""
	}
	text := short(d.edge(b)) + ".." + short(d.edge(b+1)) + ": " + d.YName + " " + strconv.Itoa(d.Counts[b])
	if b < len(d.MarkedCounts) && d.MarkedCounts[b] > 0 {
		text += ", " + d.Marked + " " + strconv.Itoa(d.MarkedCounts[b])
	}
	return text
}

// MouseIn implements desktop.Hoverable.
func (h *Histogram) MouseIn(ev *desktop.MouseEvent) { h.MouseMoved(ev) }

// MouseMoved implements desktop.Hoverable.
func (h *Histogram) MouseMoved(ev *desktop.MouseEvent) {
	bar, f := -1, h.plot
	if x := ev.Position.X - f.left; f.width > 0 && x >= 0 && x < f.width {
		bar = int(x / f.width * float32(len(h.data.Counts)))
	}
	h.point(bar)
}

// MouseOut implements desktop.Hoverable.
func (h *Histogram) MouseOut() { h.point(-1) }

func (h *Histogram) point(bar int) {
	if bar == h.bar {
		return
	}
	h.bar = bar
	if h.OnHover != nil {
		h.OnHover(h.data.ReadOut(bar))
	}
	h.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (h *Histogram) CreateRenderer() fyne.WidgetRenderer {
	h.ExtendBaseWidget(h)
	r := &histogramRenderer{h: h}
	r.drawn = drawn{of: h, draw: r.build}
	r.build(h.Size())
	return r
}

type histogramRenderer struct {
	drawn
	h *Histogram
}

// MinSize implements fyne.WidgetRenderer.
func (r *histogramRenderer) MinSize() fyne.Size { return fyne.NewSize(160, 100) }

func (r *histogramRenderer) build(size fyne.Size) {
	st, d := styleOf(r.h), r.h.data
	r.objects = r.objects[:0]
	r.h.plot = frame{}
	most := d.most()
	switch {
	case most == 0 || d.High <= d.Low:
		r.objects = append(r.objects, emptyText(d.Empty, size, st))
		return
	case size.Width < 100 || size.Height < 70:
		r.objects = append(r.objects, emptyText(tooSmall, size, st))
		return
	}
	line := measure("0", st.caption, false).Height
	f := frame{x0: d.Low, x1: d.High, y0: height(0), y1: height(float64(most)) + 0.1}
	f.left = whole(measure(strconv.Itoa(most), st.caption, false).Width + tickLength + 3)
	f.top = whole(line + 4)
	f.width, f.height = whole(size.Width-f.left-8), whole(size.Height-f.top-2*line-tickLength-2)
	if f.width < 20 || f.height < 20 {
		return
	}
	r.h.plot = f
	r.counts(f, most, st)
	r.bars(f, st)
	r.values(f, size, st)
	r.limit(f, st)
}

// counts is the vertical axis with its name.
func (r *histogramRenderer) counts(f frame, most int, st style) {
	name := newText(r.h.data.YName, st.faint, st.caption)
	placeText(name, 0, 0)
	r.objects = append(r.objects, name)
	for _, n := range decades(most) {
		y := f.y(height(n))
		text := newText(strconv.Itoa(int(n)), st.foreground, st.caption)
		box := text.MinSize()
		placeText(text, f.left-tickLength-2-box.Width, y-box.Height/2)
		r.objects = append(r.objects, newLine(st.line, f.left, y, f.left+f.width, y), text)
	}
	bottom := f.top + f.height
	r.objects = append(r.objects,
		newLine(st.faint, f.left, f.top, f.left, bottom), newLine(st.faint, f.left, bottom, f.left+f.width, bottom))
}

// bars are drawn from the axis up; the marked part of a bar stands at its foot, as high as that
// many images are.
func (r *histogramRenderer) bars(f frame, st style) {
	d := r.h.data
	warning := theme.ColorForWidget(theme.ColorNameError, r.h)
	for b, n := range d.Counts {
		colour := faded(st.primary, 0.8)
		if b == r.h.bar {
			colour = st.foreground
		}
		r.bar(f, b, n, colour)
		if b < len(d.MarkedCounts) {
			r.bar(f, b, d.MarkedCounts[b], warning)
		}
	}
}

func (r *histogramRenderer) bar(f frame, b, n int, colour color.Color) {
	if n == 0 {
		return
	}
	left, right := f.x(r.h.data.edge(b)), f.x(r.h.data.edge(b+1))
	top := f.y(height(float64(n)))
	bar := canvas.NewRectangle(colour)
	bar.Move(fyne.NewPos(left+0.5, top))
	bar.Resize(fyne.NewSize(max(1, right-left-1), f.top+f.height-top))
	r.objects = append(r.objects, bar)
}

// values is the horizontal axis with its name.
func (r *histogramRenderer) values(f frame, size fyne.Size, st style) {
	bottom := f.top + f.height
	room := max(2, int(f.width/(measure("0.0000", st.caption, false).Width+14)))
	ticks := render.Ticks(f.x0, f.x1, min(10, room))
	for k, text := range render.TickTexts(ticks) {
		x := f.x(ticks[k])
		label := newText(text, st.foreground, st.caption)
		box := label.MinSize()
		placeText(label, fyne.Min(fyne.Max(x-box.Width/2, 0), size.Width-box.Width), bottom+tickLength)
		r.objects = append(r.objects, newLine(st.faint, x, bottom, x, bottom+tickLength), label)
	}
	name := newText(shorten(r.h.data.XName, st.caption, f.width, false), st.faint, st.caption)
	box := name.MinSize()
	placeText(name, f.left+(f.width-box.Width)/2, size.Height-box.Height)
	r.objects = append(r.objects, name)
}

// limit is a line across the plot with its name above.
func (r *histogramRenderer) limit(f frame, st style) {
	d := r.h.data
	if math.IsNaN(d.Limit) || d.Limit < d.Low || d.Limit > d.High {
		return
	}
	colour := theme.ColorForWidget(theme.ColorNameError, r.h)
	x := f.x(d.Limit)
	name := newText(d.LimitName, colour, st.caption)
	box := name.MinSize()
	placeText(name, fyne.Max(f.left, fyne.Min(x-box.Width/2, f.left+f.width-box.Width)), 0)
	r.objects = append(r.objects, newLine(colour, x, f.top-3, x, f.top+f.height), name)
}
