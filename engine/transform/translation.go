package transform

// translationX moves the content to the right by V times the width.
var translationX = kind{
	name: "translation-x", preset: "translation-x:-0.15:0.15:0.01",
	words: "horizontal translation by %s to %s %% of the width", step: " %", percent: true,
	source: func(value float64, g grid) locate {
		shift := value * float64(g.width)
		return func(dy, dx float64) (float64, float64) { return g.cy + dy, g.cx + dx - shift }
	},
}

// translationY moves the content down by V times the height.
var translationY = kind{
	name: "translation-y", preset: "translation-y:-0.15:0.15:0.01",
	words: "vertical translation by %s to %s %% of the height", step: " %", percent: true,
	source: func(value float64, g grid) locate {
		shift := value * float64(g.height)
		return func(dy, dx float64) (float64, float64) { return g.cy + dy - shift, g.cx + dx }
	},
}
