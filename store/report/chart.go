package report

import (
	"math"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
)

// series is a line of a chart. NaN leaves a gap.
type series struct {
	name string
	x, y []float64
}

// chart is a line chart: its axes begin and end with the data unless low and high say otherwise.
type chart struct {
	xName, yName string
	low, high    float64 // of the y axis; equal takes the data's
	series       []series
	alt          string
}

// The measures of a chart's drawing.
const (
	chartWidth  = 470.0
	chartHeight = 236.0
	chartLeft   = 58.0
	chartTop    = 30.0
	chartRight  = 14.0
	chartBottom = 44.0
)

// plane maps values to places in a chart.
type plane struct{ xLow, xHigh, yLow, yHigh float64 }

func (p plane) at(x, y float64) Point {
	return Point{
		chartLeft + (x-p.xLow)/(p.xHigh-p.xLow)*(chartWidth-chartLeft-chartRight),
		chartHeight - chartBottom - (y-p.yLow)/(p.yHigh-p.yLow)*(chartHeight-chartTop-chartBottom),
	}
}

func (c chart) drawing() Drawing {
	d := Drawing{Width: chartWidth, Height: chartHeight, Alt: c.alt}
	p := c.plane()
	d.chartAxes(c, p)
	for k, s := range c.series {
		ink := seriesInks[k%len(seriesInks)]
		for _, run := range s.runs(p) {
			d.add(Mark{Shape: Path, Points: run, Ink: ink, Weight: 2, Dashed: k%2 == 1})
		}
	}
	d.legend(c)
	return d
}

// plane takes the bounds of all values that can be drawn, a little wider upward and downward.
func (c chart) plane() plane {
	p := plane{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)}
	for _, s := range c.series {
		for k, x := range s.x {
			if finite(x) && finite(s.y[k]) {
				p.xLow, p.xHigh = math.Min(p.xLow, x), math.Max(p.xHigh, x)
				p.yLow, p.yHigh = math.Min(p.yLow, s.y[k]), math.Max(p.yHigh, s.y[k])
			}
		}
	}
	if p.xLow > p.xHigh {
		p = plane{0, 1, 0, 1}
	}
	if p.xLow == p.xHigh {
		p.xLow, p.xHigh = p.xLow-1, p.xHigh+1
	}
	if c.high > c.low {
		p.yLow, p.yHigh = c.low, c.high
		return p
	}
	pad := (p.yHigh - p.yLow) * 0.06
	if pad == 0 {
		pad = math.Max(math.Abs(p.yHigh)*0.1, 1e-3)
	}
	p.yLow, p.yHigh = p.yLow-pad, p.yHigh+pad
	return p
}

func finite(v float64) bool { return v-v == 0 }

// runs cuts a line at what cannot be drawn; a value alone becomes a dash.
func (s series) runs(p plane) (list [][]Point) {
	open := false
	for k, x := range s.x {
		if !finite(x) || !finite(s.y[k]) {
			open = false
			continue
		}
		if !open {
			list, open = append(list, nil), true
		}
		list[len(list)-1] = append(list[len(list)-1], p.at(x, math.Min(math.Max(s.y[k], p.yLow), p.yHigh)))
	}
	for k, run := range list {
		if len(run) == 1 {
			list[k] = append(run, Point{run[0].X + 2, run[0].Y})
		}
	}
	return list
}

func (d *Drawing) chartAxes(c chart, p plane) {
	left, right, top, bottom := chartLeft, chartWidth-chartRight, chartTop, chartHeight-chartBottom
	ticks := render.Ticks(p.yLow, p.yHigh, 6)
	for k, text := range render.TickTexts(ticks) {
		y := p.at(p.xLow, ticks[k]).Y
		d.line(Grid, Point{left, y}, Point{right, y})
		d.words(Point{left - 6, y + tickText*0.35}, End, tickText, text).Ink = Soft
	}
	ticks = render.Ticks(p.xLow, p.xHigh, 9)
	for k, text := range render.TickTexts(ticks) {
		x := p.at(ticks[k], p.yLow).X
		d.line(Strong, Point{x, bottom}, Point{x, bottom + 4})
		d.words(Point{x, bottom + 5 + tickText}, Middle, tickText, text).Ink = Soft
	}
	d.line(Strong, Point{left, top}, Point{left, bottom})
	d.line(Strong, Point{left, bottom}, Point{right, bottom})
	d.words(Point{(left + right) / 2, chartHeight - 8}, Middle, titleText, c.xName)
	d.words(Point{14, (top + bottom) / 2}, Middle, titleText, c.yName).Turned = true
}

// legend names the lines above the chart, from left to right.
func (d *Drawing) legend(c chart) {
	x := chartLeft
	for k, s := range c.series {
		if s.name == "" {
			continue
		}
		d.add(Mark{
			Shape: Path, Points: []Point{{x, 13}, {x + 22, 13}}, Ink: seriesInks[k%len(seriesInks)], Weight: 2, Dashed: k%2 == 1,
		})
		d.words(Point{x + 27, 17}, Start, tickText, s.name)
		x += 27 + float64(len([]rune(s.name)))*tickText*0.56 + 18
	}
}

// bars draws counts as bars over intervals of equal width that begin at 0.
func bars(counts []int, width float64, xName, yName, alt string) Drawing {
	d := Drawing{Width: chartWidth, Height: chartHeight, Alt: alt}
	most := 1
	for _, n := range counts {
		most = max(most, n)
	}
	p := plane{0, width * float64(len(counts)), 0, float64(most) * 1.06}
	c := chart{xName: xName, yName: yName}
	d.chartAxes(c, p)
	for k, n := range counts {
		low, high := p.at(width*float64(k), 0), p.at(width*float64(k+1), float64(n))
		if n > 0 {
			d.add(Mark{Shape: Box, X: low.X + 1, Y: high.Y, X2: high.X - 1, Y2: low.Y, Ink: seriesInks[0], Fill: true})
		}
	}
	return d
}

// confusionDrawing draws the table of two raters' labels: rows are the first's, columns the
// second's. The stronger a cell, the larger its share.
func confusionDrawing(counts [][]int, words []string, rows, cols string) Drawing {
	const left, top = 112.0, 44.0
	cell := 74.0
	n := float64(len(words))
	d := Drawing{Width: left + n*cell + 8, Height: top + n*34 + 8, Alt: "labels of " + rows + " against those of " + cols}
	total := 1
	for _, row := range counts {
		for _, v := range row {
			total = max(total, v)
		}
	}
	d.words(Point{left + n*cell/2, 14}, Middle, titleText, shorten(cols, 30)).Bold = true
	d.words(Point{6, 36}, Start, titleText, shorten(rows, 16)).Bold = true
	for k, word := range words {
		x, y := left+(float64(k)+0.5)*cell, top+(float64(k)+0.5)*34
		d.words(Point{x, 36}, Middle, tickText, word).Ink = Soft
		d.words(Point{left - 8, y + 4}, End, tickText, word).Ink = Soft
	}
	for i, row := range counts {
		for j, v := range row {
			low := Point{left + float64(j)*cell, top + float64(i)*34}
			high := Point{low.X + cell, low.Y + 34}
			if v > 0 {
				d.add(Mark{
					Shape: Box, X: low.X, Y: low.Y, X2: high.X, Y2: high.Y, Ink: seriesInks[0], Fill: true,
					Opacity: 0.10 + 0.45*float64(v)/float64(total),
				})
			}
			d.frame(low, high)
			d.words(Point{low.X + cell/2, low.Y + 22}, Middle, 13, result.Whole(v)).Bold = i == j
		}
	}
	return d
}

// shorten cuts a text to that many letters.
func shorten(text string, most int) string {
	letters := []rune(text)
	if len(letters) <= most {
		return text
	}
	return string(letters[:most-1]) + "…"
}
