package render

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// SwarmRow is one line of a bee-swarm: dots at X, coloured by Level from 0 (low) to 1 (high); NaN is grey.
type SwarmRow struct {
	Name     string
	X, Level []float64
}

// Swarm is a figure of dots on one axis, a row per feature with the first at the top; dots that would cover each other
// stand above and below each other.
type Swarm struct {
	Title, Note, XName string
	// Low and High name the ends of the colours.
	Low, High string
	Rows      []SwarmRow
}

// Range is what the axis has to show: all dots and 0; without dots -1..1.
func (s Swarm) Range() (low, high float64) {
	for _, row := range s.Rows {
		for _, x := range row.X {
			if finite(x) {
				low, high = math.Min(low, x), math.Max(high, x)
			}
		}
	}
	if low == high {
		return -1, 1
	}
	pad := 0.03 * (high - low)
	return low - pad, high + pad
}

// Heap says for each dot how many places it stands above (positive) or below the middle of its row, so that dots that
// fall into the same of so many columns between low and high do not cover each other: the first stands at 0, the next at
// 1, -1, 2, ... What is not finite stands at 0.
func Heap(x []float64, low, high float64, columns int) []int {
	heights := make([]int, len(x))
	filled := map[int]int{}
	for k, v := range x {
		if !finite(v) || columns < 1 || !(high > low) {
			continue
		}
		column := int(math.Floor((v - low) / (high - low) * float64(columns)))
		n := filled[column]
		filled[column]++
		heights[k] = (n + 1) / 2
		if n%2 == 0 {
			heights[k] = -heights[k]
		}
	}
	return heights
}

// LevelColour runs from blue (0) over grey to orange (1) and can be seen on white and on dark ground; NaN is grey.
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

// swarmLine is the height of a row on paper.
const swarmLine = 0.8 * vg.Centimeter

// Write draws the figure as png, svg or pdf, 16 cm wide. No rows, and a row with fewer levels than dots or the reverse,
// are errors.
func (s Swarm) Write(w io.Writer, format string) error {
	if len(s.Rows) == 0 {
		return fmt.Errorf("draw swarm %q: no rows to draw", s.Title)
	}
	for _, row := range s.Rows {
		if len(row.X) != len(row.Level) {
			return fmt.Errorf("draw swarm %q: %s has %d dots and %d levels", s.Title, row.Name, len(row.X), len(row.Level))
		}
	}
	height := titleHeight + noteHeight + 1.9*vg.Centimeter + swarmLine*vg.Length(len(s.Rows))
	return write(w, format, 16*vg.Centimeter, height, s.draw)
}

func (s Swarm) draw(c draw.Canvas) {
	writeLine(c, s.Title, vg.Points(13), c.Max.Y-margin, draw.YTop)
	body := draw.Crop(c, margin, -2*margin, margin, -titleHeight)
	if s.Note != "" {
		writeLine(c, s.Note, vg.Points(8), c.Min.Y+margin, draw.YBottom)
		body = draw.Crop(body, 0, 0, noteHeight, 0)
	}
	style, names := sans(vg.Points(8)), vg.Length(0)
	for _, row := range s.Rows {
		names = max(names, style.Width(printable(row.Name)))
	}
	s.key(draw.Crop(body, 0, 0, body.Max.Y-body.Min.Y-0.6*vg.Centimeter, 0))
	low, high := s.Range()
	area := scaled{draw.Crop(body, min(names, 6*vg.Centimeter)+vg.Points(6), 0, 1*vg.Centimeter, -0.7*vg.Centimeter), low, high}
	area.axis(s.XName)
	style.XAlign, style.YAlign = draw.XRight, draw.YCenter
	for k, row := range s.Rows {
		middle := area.Max.Y - swarmLine*(vg.Length(k)+0.5)
		area.FillText(style, vg.Point{X: area.Min.X - vg.Points(5), Y: middle}, printable(row.Name))
		row.draw(area, middle)
	}
}

// dotRadius is that of a swarm's dots on paper.
const dotRadius = vg.Length(1.3)

func (r SwarmRow) draw(area scaled, middle vg.Length) {
	columns := int((area.Max.X - area.Min.X) / (2 * dotRadius))
	heights := Heap(r.X, area.low, area.high, columns)
	most := 1
	for _, h := range heights {
		most = max(most, h, -h)
	}
	step := min(2*dotRadius, 0.44*swarmLine/vg.Length(most))
	for k, x := range r.X {
		if finite(x) {
			glyph := draw.GlyphStyle{Color: LevelColour(r.Level[k]), Radius: dotRadius, Shape: draw.CircleGlyph{}}
			area.DrawGlyph(glyph, vg.Point{X: area.x(x), Y: middle + step*vg.Length(heights[k])})
		}
	}
}

// key draws what the colours mean.
func (s Swarm) key(c draw.Canvas) {
	style := sans(vg.Points(8))
	style.YAlign = draw.YCenter
	y, x := (c.Min.Y+c.Max.Y)/2, c.Min.X
	c.FillText(style, vg.Point{X: x, Y: y}, printable(s.Low))
	x += style.Width(printable(s.Low)) + vg.Points(8)
	for k := range 5 {
		c.DrawGlyph(draw.GlyphStyle{Color: LevelColour(float64(k) / 4), Radius: 2 * dotRadius, Shape: draw.CircleGlyph{}}, vg.Point{X: x, Y: y})
		x += vg.Points(7)
	}
	c.FillText(style, vg.Point{X: x, Y: y}, printable(s.High))
}
