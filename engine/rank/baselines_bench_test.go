package rank

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// The benchmarks have the size of the paper's MNIST: 30 models, 10,000 images, 10 classes, 50
// repetitions.

func paperSize() Data { return simulated(1, 30, 10_000, 10) }

func BenchmarkBoard(b *testing.B) {
	d := paperSize()
	for _, c := range []struct {
		name    string
		methods []Method
	}{
		{"all", nil},
		{"sampled", []Method{CRC, Random, SDS, CES, CESReference, CESOracle}},
	} {
		b.Run(c.name+"-30x10000", func(b *testing.B) {
			for b.Loop() {
				testdata.Must(MakeLeaderboard(b.Context(), d, Options{Methods: c.methods, Budget: 180}, nil))(b)
			}
			b.ReportMetric(float64(runtime.GOMAXPROCS(0)), "procs")
		})
	}
}

// BenchmarkBoardOfManyModels has the size that must fit into bounded memory: all probabilities
// together would take 660 MB.
func BenchmarkBoardOfManyModels(b *testing.B) {
	d := simulated(1, 165, 100_000, 10)
	var lock sync.Mutex
	var peak uint64
	soft := d.Softmax
	d.Softmax = func(ctx context.Context, model int) ([]float32, error) {
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		lock.Lock()
		peak = max(peak, now.HeapAlloc)
		lock.Unlock()
		return soft(ctx, model)
	}
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		testdata.Must(MakeLeaderboard(b.Context(), d, Options{Methods: []Method{CRC, Random, SDS, CES, CESOracle}},
			nil))(b)
	}
	b.ReportMetric(float64(peak-before.HeapAlloc)/1e6, "peak-MB")
}

func BenchmarkCurves(b *testing.B) {
	d := paperSize()
	for _, m := range []Method{Random, SDS, CES} {
		b.Run(string(m)+"-30x10000", func(b *testing.B) {
			for b.Loop() {
				testdata.Must(Curves(b.Context(), d, Options{Methods: []Method{m}}, Budgets(30, d.Samples), nil))(b)
			}
		})
	}
}
