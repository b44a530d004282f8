package tree

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// made is a training set like those of variance features: correlated columns, classes that some of
// them tell apart with noise.
func made(rows, width, classes int, seed uint64) Sample {
	rng := rand.New(rand.NewPCG(seed, 7))
	s := Sample{X: grid[float64](rows, width), Y: make([]int, rows), Classes: classes}
	for i := range s.X {
		common := rng.NormFloat64()
		score := common + 0.7*rng.NormFloat64()
		for c := range classes - 1 {
			if score > float64(c)-0.5*float64(classes-2) {
				s.Y[i] = c + 1
			}
		}
		for c := range s.X[i] {
			s.X[i][c] = common/float64(1+c%7) + rng.NormFloat64()
		}
	}
	return s
}

var sizes = []struct{ rows, width int }{{150, 80}, {1000, 500}}

func BenchmarkGrowForest(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprintf("%dx%d, one worker", size.rows, size.width), func(b *testing.B) {
			s := made(size.rows, size.width, 2, 1)
			b.ReportAllocs()
			for b.Loop() {
				testdata.Must(GrowForest(context.Background(), s, ForestOptions{Seed: 1, Workers: 1}))(b)
			}
		})
	}
}

func BenchmarkGrowBoost(b *testing.B) {
	for _, algorithm := range []Boosting{SAMMER, SAMME} {
		for _, size := range sizes {
			b.Run(fmt.Sprintf("%s, %dx%d", algorithm, size.rows, size.width), func(b *testing.B) {
				s := made(size.rows, size.width, 2, 1)
				b.ReportAllocs()
				for b.Loop() {
					testdata.Must(GrowBoost(s, BoostOptions{Algorithm: algorithm}))(b)
				}
			})
		}
	}
}

func BenchmarkExplainForest(b *testing.B) {
	s := made(150, 80, 2, 1)
	f := testdata.Must(GrowForest(context.Background(), s, ForestOptions{Seed: 1}))(b)
	b.ReportAllocs()
	for b.Loop() {
		f.Explain(s.X[3], 1)
	}
}
