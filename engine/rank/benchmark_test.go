package rank

import (
	"context"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func BenchmarkLaF(b *testing.B) {
	large := func() Data { return simulated(2, 165, 100_000, 10) }
	for name, run := range map[string]struct {
		data func() Data
		LaFOptions
	}{
		"Exact":     {paperSize, LaFOptions{Workers: 2}},
		"Reference": {paperSize, LaFOptions{Workers: 2, Reference: true}},
		"Unpruned":  {paperSize, LaFOptions{Workers: 2, NoPruning: true}},
		"Large":     {large, LaFOptions{Workers: 2}},
	} {
		b.Run(name, func(b *testing.B) {
			d := run.data()
			b.ReportAllocs()
			for b.Loop() {
				r := testdata.Must(LaF(context.Background(), d, run.LaFOptions))(b)
				b.ReportMetric(float64(r.Rounds), "rounds")
				b.ReportMetric(float64(len(r.Kept)), "kept")
			}
		})
	}
}
