package stats

import (
	"math"
	"math/rand/v2"
	"testing"

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
	if low, high := Clustered([]int{0}, []int{0}); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("no items have the interval %v..%v", low, high)
	}
	testdata.Panics(t, "lists of different lengths", func() { Clustered([]int{1}, nil) })
}

// TestClusteredBetweenItsLimits: clusters of one item are Wilson's items, clusters whose items are all the same are
// one item each, and clusters without items change nothing.
func TestClusteredBetweenItsLimits(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 2))
	for n := 1; n < 40; n++ {
		single, ones, whole, tens, hits := make([]int, n), make([]int, n), make([]int, 2*n), make([]int, 2*n), 0
		for k := range n {
			single[k], ones[k], tens[k] = random.IntN(2), 1, 10
			whole[k] = 10 * single[k]
			hits += single[k]
		}
		low, high := Wilson(float64(hits)/float64(n), n)
		for name, got := range map[string][2]float64{"of one item": ends(Clustered(single, ones)), "alike": ends(Clustered(whole, tens))} {
			testdata.NearAll(t, name, got[:], []float64{low, high}, 1e-12)
		}
	}
}

func ends(low, high float64) [2]float64 { return [2]float64{low, high} }

// TestClusteredCovers: where clusters differ as much as their items, 95 % of the intervals hold the share that the
// items were drawn by, and Wilson's interval of all items far fewer.
func TestClusteredCovers(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	const rounds, clusters, size, share = 2000, 40, 8, 0.8
	covered, plain := 0, 0
	for range rounds {
		right, of, hits := make([]int, clusters), make([]int, clusters), 0
		for k := range clusters {
			of[k] = size
			common := random.Float64() < share // what half of the items follow
			for range size {
				is := common
				if random.IntN(2) == 0 {
					is = random.Float64() < share
				}
				if is {
					right[k]++
				}
			}
			hits += right[k]
		}
		if low, high := Wilson(float64(hits)/(clusters*size), clusters*size); low <= share && share <= high {
			plain++
		}
		if low, high := Clustered(right, of); low <= share && share <= high {
			covered++
		}
	}
	if c, p := float64(covered)/rounds, float64(plain)/rounds; c < 0.93 || c > 0.98 || p > 0.9 {
		t.Errorf("the share lies in %.3f of the intervals, and in %.3f of Wilson's", c, p)
	}
}
