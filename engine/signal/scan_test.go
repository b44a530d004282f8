package signal

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Every form of tensor gives the bits of the plain loop, whatever scans it: all sizes with and
// without a rest behind the groups of four, one channel and many, and numbers with signs, zeros,
// infinities and NaN among them.
func TestScannerHasTheBitsOfThePlainLoop(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	special := []float32{
		0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)),
		float32(math.NaN()), math.SmallestNonzeroFloat32, math.MaxFloat32,
	}
	for _, channels := range []int{1, 2, 63, 64, 65, 130} {
		for size := 1; size <= 21; size++ {
			for _, odd := range []bool{false, true} {
				x := make([]float32, channels*size)
				for i := range x {
					x[i] = float32(random.NormFloat64() * math.Exp(4*random.NormFloat64()))
					if odd && random.IntN(8) == 0 {
						x[i] = special[random.IntN(len(special))]
					}
				}
				checkScanner(t, x, channels, size)
			}
		}
	}
}

func checkScanner(t *testing.T, x []float32, channels, size int) {
	t.Helper()
	shift := float64(x[0])
	want, have := totals{shift: shift, lowest: shift}, totals{shift: shift, lowest: shift}
	over := scanChannels(x, channels, false, &have)
	var slow channelTotals
	for c := range channels {
		sum, top := scan32(x[c*size:(c+1)*size], &want)
		slow.add(sum, top, c == 0)
	}
	for k := range 2 {
		for _, pair := range [][2]float64{
			{over.first[k], slow.first[k]},
			{over.sums[k], slow.sums[k]},
			{over.squares[k], slow.squares[k]},
			{over.highest[k], slow.highest[k]},
		} {
			if !sameBits(pair[0], pair[1]) {
				t.Fatalf("%d channels of %d: %+v in place of %+v", channels, size, over, slow)
			}
		}
	}
	for i, pair := range [][2]float64{
		{have.q0, want.q0},
		{have.q1, want.q1},
		{have.q2, want.q2},
		{have.q3, want.q3},
		{have.a0, want.a0},
		{have.a1, want.a1},
		{have.a2, want.a2},
		{have.a3, want.a3},
		{have.lowest, want.lowest},
	} {
		if !sameBits(pair[0], pair[1]) {
			t.Fatalf("%d channels of %d: total %d is %v in place of %v", channels, size, i, pair[0], pair[1])
		}
	}
}

// sameBits takes every NaN for the same.
func sameBits(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}
