package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// TestSignedRankEqualsAllSigns compares p with the count over all choices of signs.
func TestSignedRankEqualsAllSigns(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for trial := range 300 {
		n := 1 + random.IntN(11)
		d := make([]float64, n)
		for k := range d {
			d[k] = float64(random.IntN(9) - 4) // ties and zeros
		}
		got, counted := SignedRank(d)
		var sizes []float64
		observed := 0.0
		for _, v := range d {
			if v != 0 {
				sizes = append(sizes, math.Abs(v))
			}
		}
		rank := func(size float64) float64 { // mean rank, by counting
			below, same := 0, 0
			for _, other := range sizes {
				if other < size {
					below++
				} else if other == size {
					same++
				}
			}
			return float64(below) + float64(same+1)/2
		}
		total := 0.0
		for _, size := range sizes {
			total += rank(size)
		}
		for _, v := range d {
			if v > 0 {
				observed += rank(v)
			}
		}
		if counted != len(sizes) {
			t.Fatalf("trial %d: %d differences count, want %d", trial, counted, len(sizes))
		}
		if len(sizes) == 0 {
			if !math.IsNaN(got) {
				t.Fatalf("p without differences is %v", got)
			}
			continue
		}
		least, as := min(observed, total-observed), 0
		for signs := range 1 << len(sizes) {
			sum := 0.0
			for k, size := range sizes {
				if signs>>k&1 == 1 {
					sum += rank(size)
				}
			}
			if sum <= least {
				as++
			}
		}
		want := min(1, 2*float64(as)/float64(int(1)<<len(sizes)))
		if math.Abs(got-want) > 1e-12 {
			t.Fatalf("trial %d: %v has p %v, want %v", trial, d, got, want)
		}
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
	testdata.NearAll(t, "p", Holm([]float64{0.03, math.NaN(), 0.01, 0.04}), []float64{0.06, math.NaN(), 0.03, 0.06}, 1e-15)
}
