package transform

// contrast moves every pixel away from (V > 0) or towards (V < 0) the image's own mean, taken over
// all channels and pixels, and clips to [0, 1].
var contrast = kind{
	name: "contrast", preset: "contrast:-0.3:0.3:0.02",
	words: "contrast by %s to %s %%", step: " %", percent: true,
	pixels: func(dst, src []float32, value float64) {
		sum := 0.0
		for _, v := range src {
			sum += float64(v)
		}
		mean := sum / float64(len(src))
		factor := 1 + value
		for i, v := range src {
			dst[i] = float32(clip(mean + float64(factor*(float64(v)-mean))))
		}
	},
}
