package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Wilson is the 95 % interval of a share of n items (Wilson 1927); NaN for none.
func Wilson(share float64, n int) (low, high float64) {
	if n < 1 {
		return math.NaN(), math.NaN()
	}
	return wilson(share, float64(n))
}

func wilson(share, items float64) (low, high float64) {
	const z = normal95
	middle, half := share+z*z/(2*items), z*math.Sqrt(share*(1-share)/items+z*z/(4*items*items))
	low, high = (middle-half)/(1+z*z/items), (middle+half)/(1+z*z/items)
	switch share { // where rounding would leave a little
	case 0:
		low = 0
	case 1:
		high = 1
	}
	return low, high
}

// Resampled is a difference that was measured on several random splits of the same items. Low to
// High is its 95 % interval, P two-sided; they are NaN where the differences do not vary.
type Resampled struct {
	Mean, Low, High, T, P float64
	N                     int // splits
}

// CorrectedT is the corrected resampled t-test (Nadeau and Bengio 2003) that the mean of
// differences is 0. The splits share items, so that their differences vary less than those of new
// items would: the variance of the mean is (1/J + tests/trained) times the variance of the J
// differences (divisor J-1), where tests/trained is how many items a split is tested on for one
// that it is trained on. The test statistic has Student's t with J-1 degrees of freedom.
func CorrectedT(differences []float64, testsPerTrained float64) Resampled {
	r := Resampled{N: len(differences)}
	deviation := 0.0
	r.Mean, deviation = Moments(differences)
	r.Low, r.High, r.T, r.P = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	n := float64(r.N)
	variance := deviation * deviation * n / (n - 1)
	if r.N < 2 || !(variance > negligible*negligible) {
		return r
	}
	wide := math.Sqrt((1/n + testsPerTrained) * variance)
	student := distuv.StudentsT{Sigma: 1, Nu: n - 1}
	half := student.Quantile(0.975) * wide
	r.Low, r.High, r.T = r.Mean-half, r.Mean+half, r.Mean/wide
	r.P = min(1, 2*student.Survival(math.Abs(r.T)))
	return r
}
