package transform

// brightness multiplies every pixel by 1 + V and clips to [0, 1].
var brightness = kind{
	name: "brightness", preset: "brightness:-0.3:0.3:0.02",
	words: "brightness by %s to %s %%", step: " %", percent: true,
	pixels: func(dst, src []float32, value float64) {
		factor := 1 + value
		for i, v := range src {
			dst[i] = float32(clip(factor * float64(v)))
		}
	},
}

// clip limits a pixel to [0, 1].
func clip(v float64) float64 { return max(0, min(1, v)) }
