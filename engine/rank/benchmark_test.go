package rank

import (
	"context"
	"runtime"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// mnistLike is the size that the targets speak of: 30 models, 10,000 images.
var mnistLike = zoo{models: 30, samples: 10_000, classes: 10, low: 0.5, high: 0.97, seed: 1}

func benchmarkLaF(b *testing.B, z zoo, o LaFOptions) {
	d := z.data()
	b.ReportAllocs()
	for b.Loop() {
		r := testdata.Must(LaF(context.Background(), d, o))(b)
		b.ReportMetric(float64(r.Rounds), "rounds")
		b.ReportMetric(float64(len(r.Kept)), "kept")
	}
}

func BenchmarkLaFExact(b *testing.B) { benchmarkLaF(b, mnistLike, LaFOptions{Workers: 2}) }

func BenchmarkLaFReference(b *testing.B) {
	benchmarkLaF(b, mnistLike, LaFOptions{Reference: true, Workers: 2})
}

func BenchmarkLaFExactUnpruned(b *testing.B) {
	benchmarkLaF(b, mnistLike, LaFOptions{NoPruning: true, Workers: 2})
}

// BenchmarkLaFLarge ranks 165 models on 100,000 images and tells the memory that it takes beside the predictions.
func BenchmarkLaFLarge(b *testing.B) {
	d := zoo{models: 165, samples: 100_000, classes: 10, low: 0.5, high: 0.97, seed: 2}.data()
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		testdata.Must(LaF(context.Background(), d, LaFOptions{Workers: 2}))(b)
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc), "allocated-bytes")
		b.ReportMetric(float64(after.HeapSys), "heap-bytes")
	}
}
