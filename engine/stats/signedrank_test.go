package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// TestSignedRankEqualsAllSigns compares p with the count over all choices of signs.
func TestSignedRankEqualsAllSigns(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		d := make([]float64, 1+random.IntN(11))
		var sizes []float64
		positive := 0 // a bit for each size
		for k := range d {
			d[k] = float64(random.IntN(9) - 4) // ties and zeros
			if d[k] > 0 {
				positive |= 1 << len(sizes)
			}
			if d[k] != 0 {
				sizes = append(sizes, math.Abs(d[k]))
			}
		}
		ranks, all, want := slowRanks(sizes), 1<<len(sizes), math.NaN()
		sum := func(signs int) (s float64) {
			for k, rank := range ranks {
				s += rank * float64(signs>>k&1)
			}
			return s
		}
		if len(sizes) > 0 {
			least, as := min(sum(positive), sum(all-1-positive)), 0
			for signs := range all {
				if sum(signs) <= least {
					as++
				}
			}
			want = min(1, 2*float64(as)/float64(all))
		}
		got, counted := SignedRank(d)
		testdata.Near(t, fmt.Sprintf("p of %v", d), got, want, 1e-12)
		testdata.Is(t, fmt.Sprintf("differences that count of %v", d), counted, len(sizes))
	}
}

// TestSignedRankMeetsNormal: where the exact distribution ends, the approximation goes on.
func TestSignedRankMeetsNormal(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	d := make([]float64, exactSignedRank)
	for k := range d {
		d[k] = random.NormFloat64() + 0.2
	}
	exact, _ := SignedRank(d)
	near, n := SignedRank(append(d, 1e-9))
	if n != exactSignedRank+1 || math.Abs(exact-near) > 0.01 {
		t.Errorf("p is %v of %d and %v of %d differences", exact, len(d), near, n)
	}
}

// TestHolm has the example of three tests worked by hand, and what is no test.
func TestHolm(t *testing.T) {
	got := Holm([]float64{0.03, math.NaN(), 0.01, 0.04})
	testdata.NearAll(t, "p", got, []float64{0.06, math.NaN(), 0.03, 0.06}, 1e-15)
}
