package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/variscope/variscope/internal/testdata"
)

func TestClusteredKnown(t *testing.T) {
	tolerance := struct{ Abs float64 }{}
	testdata.Cases(t, testdata.Further(t, "clustered"), &tolerance, func(t *testing.T, c testdata.Case) {
		var in struct{ Right, Of []int }
		var want struct{ Low, High float64 }
		c.Read(t, &in, &want)
		low, high := Clustered(in.Right, in.Of)
		testdata.Near(t, "low", low, want.Low, tolerance.Abs)
		testdata.Near(t, "high", high, want.High, tolerance.Abs)
	})
	for _, of := range [][]int{{0}, {1}, {0, 7}} {
		if low, high := Clustered(make([]int, len(of)), of); !math.IsNaN(low) || !math.IsNaN(high) {
			t.Errorf("items of one cluster or none, %v, have the interval %v..%v", of, low, high)
		}
	}
	testdata.Panics(t, "lists of different lengths", func() { Clustered([]int{1}, nil) })
}

// TestClusteredBetweenItsLimits: clusters of one item are Wilson's items, clusters whose items are all the same are
// no more than one item each, and clusters without items change nothing.
func TestClusteredBetweenItsLimits(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 2))
	for n := 2; n < 40; n++ {
		single, ones, whole, tens, hits := make([]int, n), make([]int, n), make([]int, 2*n), make([]int, 2*n), 0
		for k := range n {
			single[k], ones[k], tens[k] = random.IntN(2), 1, 10
			whole[k] = 10 * single[k]
			hits += single[k]
		}
		low, high := Wilson(float64(hits)/float64(n), n)
		of1, of1high := Clustered(single, ones)
		testdata.NearAll(t, "of one item", []float64{of1, of1high}, []float64{low, high}, 1e-12)
		if l, h := Clustered(whole, tens); l > low+1e-12 || h < high-1e-12 {
			t.Errorf("%d clusters of items that are all the same have %v..%v, as many items %v..%v", n, l, h, low, high)
		}
	}
}

// TestClusteredCovers: where the items of a cluster are alike, about 95 % of the intervals hold the share that the
// items were drawn by, also with few clusters, and Wilson's interval of all items far fewer.
func TestClusteredCovers(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	const rounds, size, share, alike = 2000, 10, 0.7, 0.3 // alike is the correlation of two items of a cluster
	rate := distuv.Beta{Alpha: share * (1 - alike) / alike, Beta: (1 - share) * (1 - alike) / alike, Src: random}
	for _, clusters := range []int{3, 5, 10, 40} {
		covered, plain := 0, 0
		for range rounds {
			right, of, hits := make([]int, clusters), make([]int, clusters), 0
			for k := range clusters {
				of[k] = size
				at := rate.Rand()
				for range size {
					if random.Float64() < at {
						right[k]++
					}
				}
				hits += right[k]
			}
			if low, high := Wilson(float64(hits)/float64(clusters*size), clusters*size); low <= share && share <= high {
				plain++
			}
			if low, high := Clustered(right, of); low <= share && share <= high {
				covered++
			}
		}
		if c, p := float64(covered)/rounds, float64(plain)/rounds; c < 0.92 || c > 0.99 || p > 0.9 {
			t.Errorf("%d clusters: the share lies in %.3f of the intervals, and in %.3f of Wilson's", clusters, c, p)
		}
	}
}
