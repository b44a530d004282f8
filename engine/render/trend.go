package render

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/variscope/variscope/engine/result"
)

// Trend is a line over a scatter with a band around it: Y at X, which ascends, and the band's ends Low and High at the same
// places; both are nil for a line without a band. A NaN leaves a gap.
type Trend struct {
	X, Y, Low, High []float64
}

// Check is an error where the slices of a trend do not fit each other.
func (t Trend) Check() error {
	if len(t.Y) != len(t.X) {
		return fmt.Errorf("trend: %d values at %d places", len(t.Y), len(t.X))
	}
	if len(t.Low) != len(t.High) || t.Low != nil && len(t.Low) != len(t.X) {
		return fmt.Errorf("trend: a band of %d and %d ends at %d places", len(t.Low), len(t.High), len(t.X))
	}
	return nil
}

// Band is the outline of the band as a closed polygon: along High, then back along Low. Places where an end is not finite
// are left out; nil without a band.
func (t Trend) Band() []Point {
	var above, below []Point
	for k := range t.Low {
		if finite(t.X[k]) && finite(t.Low[k]) && finite(t.High[k]) {
			above, below = append(above, Point{t.X[k], t.High[k]}), append(below, Point{t.X[k], t.Low[k]})
		}
	}
	slices.Reverse(below)
	return append(above, below...)
}

var (
	trendColour = color.RGBA{0x40, 0x46, 0x50, 0xff}
	bandColour  = color.RGBA{0xdf, 0xe3, 0xea, 0xff}
)

// trends draws the bands and lines of a scatter below its points.
type trends []Trend

// Plot implements plot.Plotter.
func (list trends) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, t := range list {
		var outline []vg.Point
		for _, at := range t.Band() {
			outline = append(outline, vg.Point{X: x(at.X), Y: y(at.Y)})
		}
		if len(outline) > 0 {
			c.FillPolygon(bandColour, c.ClipPolygonXY(outline))
		}
	}
	style := draw.LineStyle{Color: trendColour, Width: vg.Points(1.2)}
	for _, t := range list {
		for _, run := range (Curve{X: t.X, Y: t.Y}).runs() {
			line := make([]vg.Point, len(run))
			for k, at := range run {
				line[k] = vg.Point{X: x(at.X), Y: y(at.Y)}
			}
			c.StrokeLines(style, c.ClipLinesXY(line)...)
		}
	}
}

// LogitTicks returns ticks for an axis of logits ln(a/(1-a)) from low to high: at most `most` places, ascending, that stand for
// round shares a (0.5, 0.9, 0.99 before 0.8 before 0.65), and these shares as texts. They keep their distance from each
// other on the axis. A range too narrow for round shares takes ticks as Ticks has them. It returns nil when the range is empty
// or not finite or most < 1.
func LogitTicks(low, high float64, most int) (ticks []float64, texts []string) {
	width := high - low
	if !(width > 0) || math.IsInf(width, 0) || most < 1 {
		return nil, nil
	}
	apart := width / float64(most)
	var shares []float64
	for _, share := range roundShares() {
		at := logit(share)
		near := slices.ContainsFunc(shares, func(s float64) bool { return math.Abs(logit(s)-at) < apart })
		if at >= low && at <= high && !near && len(shares) < most {
			shares = append(shares, share)
		}
	}
	if len(shares) < 2 {
		shares = Ticks(Share(low), Share(high), most)
	}
	slices.Sort(shares)
	for _, share := range shares {
		if n := len(ticks); share > 0 && share < 1 && (n == 0 || logit(share)-ticks[n-1] >= apart) {
			ticks, texts = append(ticks, logit(share)), append(texts, result.Number.Write(share))
		}
	}
	return ticks, texts
}

// roundShares are shares between 0 and 1 that are good for ticks, the best first; each comes with its mirror image.
func roundShares() []float64 {
	list := []float64{0.5}
	for _, small := range []float64{0.1, 0.01, 0.001, 0.0001, 0.2, 0.3, 0.4, 0.05, 0.02, 0.005, 0.002, 0.0005, 0.0002, 0.25, 0.35, 0.45, 0.15} {
		list = append(list, math.Round((1-small)*1e4)/1e4, small)
	}
	return list
}

func logit(share float64) float64 { return math.Log(share / (1 - share)) }

// Share is the share 1/(1+e^-y) that a place y on an axis of logits stands for.
func Share(y float64) float64 { return 1 / (1 + math.Exp(-y)) }

// ShareText is Share with 4 decimals at most.
func ShareText(y float64) string {
	return result.Number.Write(math.Round(Share(y)*1e4) / 1e4)
}
