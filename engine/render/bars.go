package render

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Tone is what a bar says: something plain, something that raises or lowers an output, or where a sum stands.
type Tone int

// The tones.
const (
	Plain Tone = iota
	Raises
	Lowers
	Stands
)

// Bar is one bar: it runs from From to To on the axis that all bars share. A bar with Spread has a whisker that reaches as
// far to both sides of To. Text stands behind it.
type Bar struct {
	Name, Text       string
	From, To, Spread float64
	Tone             Tone
}

// Bars is a figure of horizontal bars below each other, first at the top: the importance of features, or a waterfall in
// which each bar begins where the last one ended.
type Bars struct {
	Title, Note, XName string
	Bars               []Bar
	// Steps joins the end of each bar with the beginning of the next.
	Steps bool
}

// Range is what the axis has to show: all ends of bars and whiskers, and 0 unless the bars are steps. What is not finite
// does not count; without bars it is 0..1.
func (b Bars) Range() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	take := func(v float64) {
		if finite(v) {
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	if !b.Steps {
		take(0)
	}
	for _, bar := range b.Bars {
		take(bar.From)
		take(bar.To - bar.Spread)
		take(bar.To + bar.Spread)
	}
	switch {
	case low > high:
		return 0, 1
	case low == high:
		return low - 0.5, high + 0.5
	}
	return low, high
}

// toneColours are those of figures on white paper, told apart also with colour vision deficiency.
var toneColours = map[Tone]color.RGBA{
	Plain:  {0x00, 0x72, 0xb2, 0xff},
	Raises: {0xd5, 0x5e, 0x00, 0xff},
	Lowers: {0x00, 0x72, 0xb2, 0xff},
	Stands: {0x70, 0x78, 0x82, 0xff},
}

// barLine is the height of a bar's line on paper.
const barLine = 0.52 * vg.Centimeter

// Write draws the figure as png, svg or pdf, 16 cm wide and as high as it has bars. No bars, and a bar that is not
// finite, are errors.
func (b Bars) Write(w io.Writer, format string) error {
	if len(b.Bars) == 0 {
		return fmt.Errorf("draw bars %q: no bars to draw", b.Title)
	}
	for _, bar := range b.Bars {
		if !finite(bar.From) || !finite(bar.To) || !finite(bar.Spread) {
			return fmt.Errorf("draw bars %q: %s runs from %g to %g", b.Title, bar.Name, bar.From, bar.To)
		}
	}
	height := titleHeight + noteHeight + 1.2*vg.Centimeter + barLine*vg.Length(len(b.Bars))
	return write(w, format, 16*vg.Centimeter, height, b.draw)
}

func (b Bars) draw(c draw.Canvas) {
	writeLine(c, b.Title, vg.Points(13), c.Max.Y-margin, draw.YTop)
	body := draw.Crop(c, margin, -margin, margin, -titleHeight)
	if b.Note != "" {
		writeLine(c, b.Note, vg.Points(8), c.Min.Y+margin, draw.YBottom)
		body = draw.Crop(body, 0, 0, noteHeight, 0)
	}
	names, texts := b.widths()
	low, high := b.Range()
	area := scaled{draw.Crop(body, names+vg.Points(6), -texts-vg.Points(6), 1*vg.Centimeter, 0), low, high}
	area.axis(b.XName)
	for k := range b.Bars {
		b.drawBar(area, k)
	}
}

// widths are those of the longest name and the longest text.
func (b Bars) widths() (names, texts vg.Length) {
	style := sans(vg.Points(8))
	for _, bar := range b.Bars {
		names, texts = max(names, style.Width(printable(bar.Name))), max(texts, style.Width(printable(bar.Text)))
	}
	return min(names, 6*vg.Centimeter), min(texts, 4*vg.Centimeter)
}

func (b Bars) drawBar(area scaled, k int) {
	bar := b.Bars[k]
	middle := area.Max.Y - barLine*(vg.Length(k)+0.5)
	x0, x1 := area.x(bar.From), area.x(bar.To)
	area.SetColor(toneColours[bar.Tone])
	box := vg.Rectangle{Min: vg.Point{X: min(x0, x1) - vg.Points(0.4), Y: middle - 0.36*barLine}, Max: vg.Point{X: max(x0, x1) + vg.Points(0.4), Y: middle + 0.36*barLine}}
	area.Fill(box.Path())
	thin := draw.LineStyle{Color: ink, Width: vg.Points(0.7)}
	if bar.Spread > 0 {
		area.StrokeLine2(thin, area.x(bar.To-bar.Spread), middle, area.x(bar.To+bar.Spread), middle)
	}
	if b.Steps && k+1 < len(b.Bars) {
		area.StrokeLine2(thin, x1, middle-0.36*barLine, x1, middle-0.64*barLine)
	}
	style := sans(vg.Points(8))
	style.YAlign, style.XAlign = draw.YCenter, draw.XRight
	area.FillText(style, vg.Point{X: area.Min.X - vg.Points(5), Y: middle}, printable(bar.Name))
	style.XAlign = draw.XLeft
	area.FillText(style, vg.Point{X: max(area.x(bar.To+bar.Spread), x0, x1) + vg.Points(4), Y: middle}, printable(bar.Text))
}

// scaled is a part of a canvas whose width stands for a range of numbers.
type scaled struct {
	draw.Canvas
	low, high float64
}

func (s scaled) x(v float64) vg.Length {
	return s.Min.X + (s.Max.X-s.Min.X)*vg.Length((v-s.low)/(s.high-s.low))
}

// axis draws ticks and the name below the area, and faint lines up from them.
func (s scaled) axis(name string) {
	ticks := Ticks(s.low, s.high, 8)
	style := sans(vg.Points(8))
	style.XAlign, style.YAlign = draw.XCenter, draw.YTop
	for k, text := range TickTexts(ticks) {
		x := s.x(ticks[k])
		line := draw.LineStyle{Color: color.RGBA{0xdd, 0xdf, 0xe2, 0xff}, Width: vg.Points(0.5)}
		if ticks[k] == 0 {
			line.Color = ink
		}
		s.StrokeLine2(line, x, s.Min.Y, x, s.Max.Y)
		s.FillText(style, vg.Point{X: x, Y: s.Min.Y - vg.Points(3)}, text)
	}
	style.Font.Size = vg.Points(9)
	s.FillText(style, vg.Point{X: (s.Min.X + s.Max.X) / 2, Y: s.Min.Y - vg.Points(14)}, printable(name))
}
