package render

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Series is one line: a value per transformation, in the order of the axis. NaN leaves a gap.
type Series struct {
	Name   string
	Values []float64
}

// Lines is a line figure over the sampling values: the accuracy per transformation of one or more models.
type Lines struct {
	Title  string
	Axis   Axis
	Series []Series
	YName  string
	// Low and High bound the y axis; both 0 takes them from the data.
	Low, High float64
	Note      string
}

// lineColours tell up to eight series apart, also with colour vision deficiency; dashes tell the next eight.
var lineColours = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff},
	{0xd5, 0x5e, 0x00, 0xff},
	{0x00, 0x9e, 0x73, 0xff},
	{0xcc, 0x79, 0xa7, 0xff},
	{0x56, 0xb4, 0xe9, 0xff},
	{0xe6, 0x9f, 0x00, 0xff},
	{0x50, 0x50, 0x50, 0xff},
	{0x8c, 0x56, 0x4b, 0xff},
}

// Write draws the figure as png, svg or pdf, 14 x 8 cm. A series whose length differs from the axis, and no series at
// all, are errors.
func (l Lines) Write(w io.Writer, format string) error {
	if len(l.Series) == 0 {
		return fmt.Errorf("draw lines %q: no series to draw", l.Title)
	}
	for _, s := range l.Series {
		if len(s.Values) != len(l.Axis.Values) {
			return fmt.Errorf("draw lines %q: series %q has %d values for %d values of V", l.Title, s.Name, len(s.Values), len(l.Axis.Values))
		}
	}
	return write(w, format, 14*vg.Centimeter, 8*vg.Centimeter, l.draw)
}

func (l Lines) draw(c draw.Canvas) {
	names := make([]string, len(l.Series))
	for k, s := range l.Series {
		names[k] = s.Name
	}
	framed(c, l.Title, l.Note, lineLegend(names), l.plot())
}

// noteLines breaks the lines of a note between words where they are wider than the room.
func noteLines(note string, room vg.Length) (lines []string) {
	style := sans(vg.Points(8))
	for _, line := range strings.Split(note, "\n") {
		text := ""
		for _, word := range strings.Fields(line) {
			longer := strings.TrimSpace(text + " " + word)
			if text != "" && style.Width(printable(longer)) > room {
				lines, longer = append(lines, text), word
			}
			text = longer
		}
		lines = append(lines, text)
	}
	return lines
}

// noteLine is the distance between two lines of a note.
const noteLine = 0.36 * vg.Centimeter

// framed draws a plot with its title above and its note and the names of its lines below.
func framed(c draw.Canvas, title, note string, names legend, p *plot.Plot) {
	writeLine(c, title, vg.Points(13), c.Max.Y-margin, draw.YTop)
	body := draw.Crop(c, margin, -2*margin, margin, -titleHeight)
	if note != "" {
		lines := noteLines(note, c.Max.X-c.Min.X-2*margin)
		for k, line := range lines {
			writeLine(c, line, vg.Points(8), c.Min.Y+margin+noteLine*vg.Length(len(lines)-1-k), draw.YBottom)
		}
		body = draw.Crop(body, 0, 0, noteHeight+noteLine*vg.Length(len(lines)-1), 0)
	}
	p.Draw(draw.Crop(body, 0, 0, 0, -names.height(body)))
	names.draw(body)
}

func (l Lines) plot() *plot.Plot {
	p := newPlot()
	p.X.Label.Text, p.Y.Label.Text = printable(axisTitle("V", l.Axis)), printable(l.YName)
	p.X.Tick.Marker = valueTicker(l.Axis, 11)
	places := make([]float64, len(l.Axis.Values))
	for i := range places {
		places[i] = float64(i)
	}
	for k, s := range l.Series {
		for _, run := range (Curve{X: places, Y: s.Values}).runs() {
			p.Add(&plotter.Line{XYs: run, LineStyle: lineStyle(k)})
		}
	}
	p.X.Min, p.X.Max = 0, max(float64(len(l.Axis.Values)-1), 1)
	p.Y.Min, p.Y.Max = l.bounds()
	p.Y.Tick.Marker = numberTicks(p.Y, 7)
	return p
}

// bounds are Low and High, or the range of the data a little wider.
func (l Lines) bounds() (low, high float64) {
	if l.High > l.Low {
		return l.Low, l.High
	}
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range l.Series {
		for _, v := range s.Values {
			if finite(v) {
				low, high = math.Min(low, v), math.Max(high, v)
			}
		}
	}
	return Widen(low, high)
}

func lineStyle(k int) draw.LineStyle {
	style := draw.LineStyle{Color: lineColours[k%len(lineColours)], Width: vg.Points(1.4)}
	if k/len(lineColours)%2 == 1 {
		style.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
	}
	return style
}
