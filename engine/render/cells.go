package render

import (
	"image"
	"image/color"
	"math"
)

// RegionOpacity is how opaque cells over an image are: the colours can be told apart, and the image can be seen.
const RegionOpacity = 0.6

// RegionCells draws values over n x n regions, row-major from the upper left, as n x n pixels, to be enlarged over an image:
// value i is the pixel at x = i mod n, y = i div n. opacity is from 0 to 1. NaN is transparent, to be hatched by the caller, so
// are pixels without a value.
func RegionCells(n int, values []float64, s Scale, opacity float64) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, n, n))
	alpha := uint8(math.Round(min(max(opacity, 0), 1) * 255))
	s = s.Signed()
	for i, v := range values[:min(len(values), n*n)] {
		if math.IsNaN(v) {
			continue
		}
		c := s.Color(v)
		img.SetNRGBA(i%n, i/n, color.NRGBA{R: c.R, G: c.G, B: c.B, A: alpha})
	}
	return img
}

// Signed is the scale with the diverging map where it reaches below 0 and names no map: a scale of differences.
func (s Scale) Signed() Scale {
	if s.Map == nil && s.Low < 0 {
		s.Map = &Diverging
	}
	return s
}

// Legible is black or white, whichever stands out more from a ground: by at least 4.5 to 1, their contrast in relative luminance
// (WCAG 2).
func Legible(ground color.RGBA) color.RGBA {
	if l := luminance(ground) + 0.05; l/0.05 >= 1.05/l {
		return color.RGBA{A: 0xff}
	}
	return white
}

// luminance is the relative luminance of a colour, 0 for black and 1 for white.
func luminance(c color.RGBA) float64 {
	linear := func(part uint8) float64 {
		v := float64(part) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return float64(0.2126*linear(c.R)) + float64(0.7152*linear(c.G)) + float64(0.0722*linear(c.B))
}
