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
	for _, of := range [][]int{{0}, {1}, {0, 7}} {
		if low, high := Clustered(make([]int, len(of)), of); !math.IsNaN(low) || !math.IsNaN(high) {
			t.Errorf("items of one cluster or none, %v, have the interval %v..%v", of, low, high)
		}
	}
}

// TestClusteredBetweenItsLimits: clusters of one item are Wilson's items, clusters whose items are
// all the same say no more than one item each, and clusters without items change nothing. Wrong
// for right turns the interval round.
func TestClusteredBetweenItsLimits(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 2))
	for n := 2; n < 40; n++ {
		right, ones, whole, wrong, tens, hits := make([]int, n), make([]int, n), make([]int, 2*n), make([]int, 2*n),
			make([]int, 2*n), 0
		for k := range n {
			right[k], ones[k], tens[k] = random.IntN(2), 1, 10
			whole[k], wrong[k] = 10*right[k], 10-10*right[k]
			hits += right[k]
		}
		low, high := Wilson(float64(hits)/float64(n), n)
		for what, c := range map[string][2][]int{"of one item": {right, ones}, "alike": {whole, tens}} {
			l, h := Clustered(c[0], c[1])
			if l > low+1e-12 || h < high-1e-12 || what == "of one item" && (l < low-1e-12 || h > high+1e-12) {
				t.Errorf("%d clusters %s have %v..%v, as many items %v..%v", n, what, l, h, low, high)
			}
		}
		low, high = Clustered(whole, tens)
		l, h := Clustered(wrong, tens)
		testdata.NearAll(t, "wrong for right", []float64{1 - h, 1 - l}, []float64{low, high}, 1e-12)
	}
}

// TestOneWrongItemChangesLittle: the interval does not narrow at once when one of many items is
// wrong, which says nearly nothing of how alike the others are.
func TestOneWrongItemChangesLittle(t *testing.T) {
	for _, clusters := range []int{3, 10, 48} {
		right, of := make([]int, clusters), make([]int, clusters)
		for k := range of {
			right[k], of[k] = 100, 100
		}
		all, _ := Clustered(right, of)
		right[0]--
		if low, high := Clustered(right, of); math.Abs(low-all) > 0.002 || high < 0.9999 {
			t.Errorf("%d clusters: from %v up, with one wrong item %v..%v", clusters, all, low, high)
		}
	}
}
