package assess

import (
	"testing"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/internal/testdata"
)

// BenchmarkEvaluate is the paper's Table IV: ten repetitions of three folds, 150 models x 80
// features.
func BenchmarkEvaluate(b *testing.B) {
	d := madeUp(150, 80, 2, 1)
	for _, a := range Algorithms() {
		b.Run(string(a), func(b *testing.B) {
			for b.Loop() {
				evaluated(b, d, Settings{Algorithm: a, Seed: 1}, Scheme{Kind: PaperScheme, Seed: 1}, false)
			}
		})
	}
}

func BenchmarkTuned(b *testing.B) {
	d := madeUp(150, 80, 2, 1)
	for _, a := range Algorithms() {
		b.Run(string(a), func(b *testing.B) {
			for b.Loop() {
				evaluated(b, d, Settings{Algorithm: a, Seed: 1},
					Scheme{Kind: PaperScheme, Seed: 1, Repetitions: 1}, true)
			}
		})
	}
}

func BenchmarkJudge(b *testing.B) {
	d := madeUp(150, 80, 2, 1)
	for _, algorithm := range Algorithms() {
		a := trained(b, d, Settings{Algorithm: algorithm})
		b.Run(string(algorithm), func(b *testing.B) {
			for k := 0; b.Loop(); k++ {
				testdata.Must(a.Judge(d.Rows[k%len(d.Rows)]))(b)
			}
		})
	}
}

func BenchmarkJoin(b *testing.B) {
	d := madeUp(150, 8, 2, 1)
	e := evaluated(b, d, Settings{Algorithm: RandomForest, Trees: 10}, Scheme{Kind: PaperScheme}, false)
	d.Raters = []string{"r1", "r2", "r3"}
	for i := range d.Rows {
		for r := range d.Raters {
			d.Rows[i].Ratings = append(d.Rows[i].Ratings, d.Classes[(i+i*r/7)%2])
		}
	}
	for b.Loop() {
		Join(d, e.Votes(d), "forest", agreement.Options{Intervals: true})
	}
}
