package transform

import "math"

// rotation turns the image counter-clockwise on screen by V degrees about its centre.
var rotation = kind{
	name: "rotation", preset: "rotation:-15:15:1", unit: "°", words: "rotation by %s to %s degrees",
	source: func(value float64, g grid) locate {
		sin, cos := math.Sincos(radians(value))
		return func(dy, dx float64) (float64, float64) {
			// The conversions forbid fused multiply-add: the same coordinates on every processor.
			return g.cy + float64(sin*dx) + float64(cos*dy), g.cx + float64(cos*dx) - float64(sin*dy)
		}
	},
}

func radians(degrees float64) float64 { return degrees * (math.Pi / 180) }
