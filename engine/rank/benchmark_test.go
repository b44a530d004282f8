package rank

import (
	"context"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func BenchmarkLaF(b *testing.B) {
	d := paperSize()
	for name, o := range map[string]LaFOptions{
		"Exact": {Workers: 2}, "Reference": {Workers: 2, Reference: true}, "Unpruned": {Workers: 2, NoPruning: true},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := testdata.Must(LaF(context.Background(), d, o))(b)
				b.ReportMetric(float64(r.Rounds), "rounds")
				b.ReportMetric(float64(len(r.Kept)), "kept")
			}
		})
	}
}
