package widget

import (
	"image"
	"image/color"
	"math"
	"sort"

	"github.com/variscope/variscope/engine/render"
)

// bandAlpha is how strongly the band of a trend is drawn, of 255.
const bandAlpha = 36

// drawTrends draws the bands of all trends, then their lines.
func (d dotted) drawTrends(img *image.NRGBA, scale float64) {
	if len(d.trends) == 0 || d.line == nil {
		return
	}
	band, line := solid(d.line), solid(d.line)
	band.A = bandAlpha
	for _, t := range d.trends {
		if t.Check() != nil || len(t.Low) == 0 {
			continue
		}
		for px := range img.Rect.Dx() {
			x := d.frame.x0 + (float64(px)+0.5)/float64(img.Rect.Dx())*(d.frame.x1-d.frame.x0)
			low, high := between(t.X, t.Low, x), between(t.X, t.High, x)
			if !math.IsNaN(low) && !math.IsNaN(high) {
				upright(img, px, d.place(x, high, scale).Y, d.place(x, low, scale).Y, band)
			}
		}
	}
	for _, t := range d.trends {
		if t.Check() != nil {
			continue
		}
		points := make([]render.Point, len(t.X))
		for k := range t.X {
			points[k] = d.place(t.X[k], t.Y[k], scale)
		}
		render.Polyline(img, points, render.Stroke{Width: 1.6 * scale, Colour: line})
	}
}

// upright fills column x from a height to a lower one.
func upright(img *image.NRGBA, x int, from, to float64, c color.NRGBA) {
	first, end := math.Round(max(from, 0)), math.Round(min(to, float64(img.Rect.Dy())))
	for y := int(first); y < int(end); y++ {
		img.SetNRGBA(x, y, c)
	}
}

// bar draws the bar of a point, as wide as a line.
func (d dotted) bar(img *image.NRGBA, p ScatterPoint, c color.NRGBA, scale float64) {
	if p.Low == p.High || !drawable(p.Low, p.High) {
		return
	}
	top, foot := d.place(p.X, p.High, scale), d.place(p.X, p.Low, scale)
	width := max(int(math.Round(1.2*scale)), 1)
	for k := range width {
		upright(img, int(top.X)-width/2+k, top.Y, foot.Y, c)
	}
}

// between reads y off at x, in a straight line between the places of xs, which ascend; NaN beside them.
func between(xs, y []float64, x float64) float64 {
	at := sort.SearchFloat64s(xs, x)
	switch {
	case at == len(xs) || at == 0 && x < xs[0]:
		return math.NaN()
	case at == 0 || xs[at] == x:
		return y[at]
	}
	share := (x - xs[at-1]) / (xs[at] - xs[at-1])
	return y[at-1] + share*(y[at]-y[at-1])
}
