package stats

import (
	"math"
	"testing"
)

// The jackknife of a mean gives its standard error, s / sqrt(n): for 1..10 that is 0.9574, and t
// with 9 degrees of freedom 2.2622.
func TestJackknifeOfAMean(t *testing.T) {
	same := Scale{
		func(v float64) float64 { return v }, func(v float64) float64 { return v }, func(float64) float64 { return 1 },
	}
	var without []float64
	times := make([]int, 10)
	for k := range times {
		without, times[k] = append(without, (55-float64(k+1))/9), 1
	}
	low, high, ok := Jackknife(5.5, without, times, 10, 9, 0.95, same)
	if half := 2.2622 * 0.9574; !ok || math.Abs(low-5.5+half) > 1e-3 || math.Abs(high-5.5-half) > 1e-3 {
		t.Errorf("%v .. %v, %v; want 5.5 +- %v", low, high, ok, half)
	}
	// One value that is far off says little about the variance: fewer degrees of freedom.
	far := append([]float64{}, without...)
	for k := range far {
		far[k] = 5.5
	}
	far[0] = 5.5 - 3*0.9574/math.Sqrt(0.9)/3
	wideLow, _, ok := Jackknife(5.5, far, times, 10, 9, 0.95, same)
	if narrow := 5.5 - 2.2622*0.9574; !ok || wideLow > narrow {
		t.Errorf("%v, %v; want below %v", wideLow, ok, narrow)
	}
	if _, _, ok := Jackknife(1, []float64{1, 1}, []int{4, 4}, 8, 7, 0.95, FisherScale); ok {
		t.Error("no variance gives an interval")
	}
}
