package render

import (
	"fmt"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Stacked is a histogram whose bars are divided by groups: how many models of each label have a feature in a range.
type Stacked struct {
	Title  string
	X      AxisRange // its ends are those of the first and the last bin
	YName  string
	Groups []Group
	Counts [][]int // by group, then bin; the first group stands at the foot
	Note   string  // a small line below
}

// Write draws the figure as png, svg or pdf, 14 x 8 cm. No bins, rows of counts that differ in length or from the groups,
// and an x axis without ends are errors.
func (s Stacked) Write(w io.Writer, format string) error {
	if len(s.Counts) == 0 || len(s.Counts[0]) == 0 || !s.X.given() {
		return fmt.Errorf("draw histogram %q: no bins to draw", s.Title)
	}
	if len(s.Counts) != len(s.Groups) {
		return fmt.Errorf("draw histogram %q: %d rows of counts for %d groups", s.Title, len(s.Counts), len(s.Groups))
	}
	for k, row := range s.Counts {
		if len(row) != len(s.Counts[0]) {
			return fmt.Errorf("draw histogram %q: group %q has %d bins, the first one %d", s.Title, s.Groups[k].Name, len(row), len(s.Counts[0]))
		}
	}
	return write(w, format, 14*vg.Centimeter, 8*vg.Centimeter, func(c draw.Canvas) {
		framed(c, s.Title, s.Note, barLegend(s.Groups), s.plot())
	})
}

func (s Stacked) plot() *plot.Plot {
	p := newPlot()
	p.X.Label.Text, p.Y.Label.Text = s.X.title(), printable(s.YName)
	p.Add(stacks(s))
	p.X.Min, p.X.Max = s.X.Low, s.X.High
	p.Y.Min, p.Y.Max = 0, float64(max(MostStacked(s.Counts), 1))*1.05
	p.X.Tick.Marker, p.Y.Tick.Marker = numberTicks(p.X, 11), numberTicks(p.Y, min(6, MostStacked(s.Counts)+1))
	return p
}

// MostStacked is the largest sum of a bin over the groups.
func MostStacked(counts [][]int) int {
	most := 0
	if len(counts) == 0 {
		return most
	}
	for b := range counts[0] {
		sum := 0
		for _, row := range counts {
			sum += row[b]
		}
		most = max(most, sum)
	}
	return most
}

// stacks draws the bars of a stacked histogram.
type stacks Stacked

// Plot implements plot.Plotter.
func (s stacks) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	bins := len(s.Counts[0])
	width := (s.X.High - s.X.Low) / float64(bins)
	for b := range bins {
		left, right := x(s.X.Low+width*float64(b)), x(s.X.Low+width*float64(b+1))
		foot := 0
		for g, row := range s.Counts {
			if row[b] == 0 {
				continue
			}
			box := vg.Rectangle{
				Min: vg.Point{X: left + vg.Points(0.5), Y: y(float64(foot))},
				Max: vg.Point{X: right - vg.Points(0.5), Y: y(float64(foot + row[b]))},
			}
			c.SetColor(s.Groups[g].Colour)
			c.Fill(box.Path())
			foot += row[b]
		}
	}
}
