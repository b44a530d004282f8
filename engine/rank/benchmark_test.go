package rank

import (
	"context"
	"runtime"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func benchmarkLaF(b *testing.B, d Data, o LaFOptions) {
	b.ReportAllocs()
	for b.Loop() {
		r := testdata.Must(LaF(context.Background(), d, o))(b)
		b.ReportMetric(float64(r.Rounds), "rounds")
		b.ReportMetric(float64(len(r.Kept)), "kept")
	}
}

func BenchmarkLaFExact(b *testing.B) { benchmarkLaF(b, paperSize(), LaFOptions{Workers: 2}) }

func BenchmarkLaFReference(b *testing.B) {
	benchmarkLaF(b, paperSize(), LaFOptions{Reference: true, Workers: 2})
}

func BenchmarkLaFExactUnpruned(b *testing.B) {
	benchmarkLaF(b, paperSize(), LaFOptions{NoPruning: true, Workers: 2})
}

// BenchmarkLaFLarge ranks 165 models on 100,000 images and tells the memory that it takes beside
// the predictions.
func BenchmarkLaFLarge(b *testing.B) {
	d := simulated(2, 165, 100_000, 10)
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
