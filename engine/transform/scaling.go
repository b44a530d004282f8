package transform

// scaling enlarges (V > 1) or shrinks (V < 1) the image about its centre by the factor V.
var scaling = kind{
	name: "scaling", preset: "scaling:0.7:1.3:0.02", unit: "×", factors: true,
	words: "scaling by factors of %s to %s",
	limit: 1, reason: "scale factors must be above 0",
	source: func(value float64, g grid) locate {
		return func(dy, dx float64) (float64, float64) {
			return g.cy + dy/value, g.cx + dx/value
		}
	},
}
