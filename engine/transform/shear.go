package transform

import "math"

// shear shifts every row sideways by tan(V degrees) times its distance below the centre.
var shear = kind{
	name: "shear", preset: "shear:-15:15:1", unit: "°", words: "shear by %s to %s degrees",
	limit: 90, reason: "shear angles must be below 90 degrees",
	source: func(value float64, g grid) locate {
		tan := math.Tan(radians(value))
		return func(dy, dx float64) (float64, float64) { return g.cy + dy, g.cx + dx - float64(tan*dy) }
	},
}
