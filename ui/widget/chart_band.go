package widget

import (
	"image"
	"image/color"
	"math"
)

// bandOpacity is how much of a line's colour its band has; bands of several lines lie over each other.
const bandOpacity = 0.16

// drawBand shades the deviation of a curve around it: between two neighbouring points its edges run straight. Pixels are
// columns of the raster, so that a band of no height leaves nothing.
func drawBand(img *image.NRGBA, l curve, f frame, scale float64) {
	s := l.series
	if len(s.Spread) == 0 {
		return
	}
	across := func(x float64) float64 { return float64(f.x(x)-f.left) * scale }
	down := func(y float64) float64 { return float64(f.y(y)-f.top) * scale }
	for k := 1; k < min(len(s.X), len(s.Y)); k++ {
		if !drawable(s.X[k-1], s.Y[k-1]) || !drawable(s.X[k], s.Y[k]) {
			continue
		}
		left, right := across(s.X[k-1]), across(s.X[k])
		for x := max(0, int(math.Ceil(left))); x < min(img.Rect.Dx(), int(math.Ceil(right))); x++ {
			share := (float64(x) - left) / (right - left)
			between := func(a, b float64) float64 { return a + share*(b-a) }
			high := between(s.Y[k-1]+s.spread(k-1), s.Y[k]+s.spread(k))
			low := between(s.Y[k-1]-s.spread(k-1), s.Y[k]-s.spread(k))
			shade(img, x, down(high), down(low), l.colour)
		}
	}
}

// shade lays a colour thinly over a column of pixels from a height down to another.
func shade(img *image.NRGBA, x int, top, bottom float64, c color.NRGBA) {
	for y := max(0, int(math.Round(top))); y < min(img.Rect.Dy(), int(math.Round(bottom))); y++ {
		under := img.NRGBAAt(x, y)
		own, below := bandOpacity, float64(under.A)/255*(1-bandOpacity)
		mix := func(a, b uint8) uint8 { return uint8((float64(a)*own+float64(b)*below)/(own+below) + 0.5) }
		img.SetNRGBA(x, y, color.NRGBA{mix(c.R, under.R), mix(c.G, under.G), mix(c.B, under.B), uint8(255*(own+below) + 0.5)})
	}
}
