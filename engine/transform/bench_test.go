package transform

import "testing"

// BenchmarkApply measures one 28 x 28 image at a time, BenchmarkApplyBatch 32 of them, in ns per
// pixel.
func BenchmarkApply(b *testing.B) { benchmarkBatch(b, 1) }

func BenchmarkApplyBatch(b *testing.B) { benchmarkBatch(b, 32) }

func benchmarkBatch(b *testing.B, images int) {
	const side = 28
	for _, text := range []string{
		"rotation:-15:15:1", "rotation:-15:15:1;border=reflect", "rotation:-15:15:1;interpolation=nearest",
		"rotation:-15:15:1;interpolation=bicubic", "scaling:0.7:1.3:0.02", "brightness:-0.3:0.3:0.02",
		"contrast:-0.3:0.3:0.02",
	} {
		b.Run(text, func(b *testing.B) {
			p := plan(b, text, side, side)
			src, dst := noise(1, images*side*side), make([]float32, images*side*side)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				p.ApplyBatch(dst, src, 1, images, i%p.count)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(images*side*side), "ns/pixel")
		})
	}
}

// BenchmarkPlan measures the tables of 31 rotations of a 224 x 224 image.
func BenchmarkPlan(b *testing.B) {
	for b.Loop() {
		plan(b, "rotation:-15:15:1", 224, 224)
	}
}
