package onnx

import (
	"os"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// BenchmarkMasks is what a batch without a region and its nine variants cost, n = 3, as a part of
// ten runs of the untouched model: cpu-masks is that part of processor time. Both are run in turn
// on one goroutine.
func BenchmarkMasks(b *testing.B) {
	for _, m := range []struct{ name, path string }{
		{"mnist307", zooFile("mnist", "models", "307.onnx")},
		{"cifar4", zooFile("cifar", "models", "4.onnx")},
		{"vgg13bn-half", zooFile("bench", "vgg13bn-half.onnx")},
	} {
		b.Run(m.name, func(b *testing.B) { benchmarkMasks(b, m.path) })
	}
}

func benchmarkMasks(b *testing.B, path string) {
	if _, err := os.Stat(path); err != nil {
		b.Logf("%s: absent", path)
		return
	}
	feed := feedOf(b, path, 32)
	feed.Mask = &transform.Masks{N: 3}
	run := openRunner(b, library(b), feed)
	timed := func(regions ...int) time.Duration {
		begin := testdata.ProcessorTime()
		fill(run.Input())
		for _, number := range regions {
			run.Mask(number)
			testdata.OK(b, run.Run(b.Context()))
		}
		return testdata.ProcessorTime() - begin
	}
	var masks, plain time.Duration
	for b.Loop() {
		masks += timed(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
		plain += timed(make([]int, 10)...)
	}
	b.ReportMetric(masks.Seconds()/plain.Seconds(), "cpu-masks")
}
