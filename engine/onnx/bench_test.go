package onnx

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/testdata"
)

// benchmarkRun reports images per second of several goroutines on one session.
func benchmarkRun(b *testing.B, path string, batch, workers int, conv bool) {
	if _, err := os.Stat(path); err != nil {
		b.Logf("%s: absent", filepath.Base(path))
		return
	}
	r := library(b)
	feed := feedOf(b, path, batch)
	if conv {
		g := testdata.Must(Inspect(path))(b)
		feed.Tensors = g.Convs[len(g.Convs)-2:]
	}
	s, err := r.Open(b.Context(), feed)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	runners := make([]engine.Runner, workers)
	for k := range runners {
		if runners[k], err = s.Runner(); err != nil {
			b.Fatal(err)
		}
		defer func() { _ = runners[k].Close() }()
		fill(runners[k].Input())
		testdata.OK(b, runners[k].Run(b.Context()))
	}
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	b.ReportAllocs()
	b.ResetTimer()
	var group sync.WaitGroup
	for _, run := range runners {
		group.Go(func() {
			for range b.N {
				if err := run.Run(ctx); err != nil {
					b.Error(err)
				}
			}
		})
	}
	group.Wait()
	b.ReportMetric(float64(b.N*feed.Input.Batch*workers)/b.Elapsed().Seconds(), "images/s")
}

func zooFile(zoo string, parts ...string) string {
	folder, _ := testdata.Zoo(zoo)
	return filepath.Join(append([]string{folder}, parts...)...)
}

func BenchmarkRun(b *testing.B) {
	for _, m := range []struct{ name, path string }{
		{"mnist307", zooFile("mnist", "models", "307.onnx")},
		{"vgg13bn-half", zooFile("bench", "vgg13bn-half.onnx")},
		{"scenes-s11", zooFile("scenes", "models", "s11.onnx")},
	} {
		b.Run(m.name+"/workers=1", func(b *testing.B) { benchmarkRun(b, m.path, 32, 1, false) })
		b.Run(m.name+"/workers=2", func(b *testing.B) { benchmarkRun(b, m.path, 32, 2, false) })
		b.Run(m.name+"/exposed", func(b *testing.B) { benchmarkRun(b, m.path, 32, 1, true) })
	}
}

func BenchmarkInspect(b *testing.B) {
	data := testdata.Must(os.ReadFile(sceneModels(b)[0]))(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		testdata.Must(InspectBytes("m.onnx", data))(b)
	}
}

func BenchmarkProbe(b *testing.B) {
	r := library(b)
	feed := feedOf(b, sceneModels(b)[0], 32, "features")
	for b.Loop() {
		testdata.Must(r.Probe(b.Context(), feed))(b)
	}
}
