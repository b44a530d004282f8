package stats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// The reasons why a correlation is undefined.
const (
	FewPairs    = "fewer than 3 pairs"
	FirstFixed  = "the first variable is constant"
	SecondFixed = "the second variable is constant"
	NotFinite   = "a value is infinite"
)

// minPairs is the smallest number of pairs that have a correlation (spec/ei.md): fewer always lie on a line.
const minPairs = 3

// rounding is how near to 1 a correlation counts as 1: what rounding leaves of an exact line would have a p-value above 0.
const rounding = 0x1p-50

// Correlation of two variables. When Reason is not empty there is none, and Value and P mean nothing.
type Correlation struct {
	Value float64 // -1..1
	P     float64 // two-sided, from t = r sqrt((n-2)/(1-r^2)) with n-2 degrees of freedom
	// N is the number of pairs that were used: those with a NaN are dropped.
	N      int
	Reason string
}

// Defined tells whether there is a correlation.
func (c Correlation) Defined() bool { return c.Reason == "" }

// MarshalJSON writes value, p and n; without a correlation, value and p are null and the reason stands beside them.
func (c Correlation) MarshalJSON() ([]byte, error) {
	type form struct {
		Value  *float64 `json:"value"`
		P      *float64 `json:"p"`
		N      int      `json:"n"`
		Reason string   `json:"reason,omitempty"`
	}
	f := form{N: c.N, Reason: c.Reason}
	if c.Defined() {
		f.Value, f.P = &c.Value, &c.P
	}
	return json.Marshal(f)
}

// Pearson is the product-moment correlation of pairs (x[k], y[k]). A pair with a NaN is dropped. It panics when x and y
// differ in length.
func Pearson(x, y []float64) Correlation {
	x, y = completePairs(x, y)
	if slices.ContainsFunc(x, isInfinite) || slices.ContainsFunc(y, isInfinite) {
		return Correlation{N: len(x), Reason: NotFinite}
	}
	return pearson(x, y)
}

// Spearman is the rank correlation: Pearson of ranks, equal values sharing the mean of theirs. Infinite values have ranks
// like all others. Otherwise as Pearson.
func Spearman(x, y []float64) Correlation {
	x, y = completePairs(x, y)
	return pearson(ranks(x), ranks(y))
}

func isInfinite(v float64) bool { return math.IsInf(v, 0) }

// completePairs are copies of the pairs without a NaN.
func completePairs(x, y []float64) (a, b []float64) {
	if len(x) != len(y) {
		panic(fmt.Sprintf("stats: correlation of %d and %d values", len(x), len(y)))
	}
	a, b = make([]float64, 0, len(x)), make([]float64, 0, len(x))
	for k := range x {
		if !math.IsNaN(x[k]) && !math.IsNaN(y[k]) {
			a, b = append(a, x[k]), append(b, y[k])
		}
	}
	return a, b
}

// pearson correlates finite values, which it changes.
func pearson(x, y []float64) Correlation {
	c := Correlation{N: len(x)}
	if c.N < minPairs {
		c.Reason = FewPairs
		return c
	}
	if !centre(x) {
		c.Reason = FirstFixed
		return c
	}
	if !centre(y) {
		c.Reason = SecondFixed
		return c
	}
	var xx, yy, xy float64
	for k := range x {
		xx += float64(x[k] * x[k])
		yy += float64(y[k] * y[k])
		xy += float64(x[k] * y[k])
	}
	c.Value = xy / math.Sqrt(xx*yy)
	if 1-math.Abs(c.Value) < rounding { // also above 1
		c.Value = math.Copysign(1, c.Value)
	}
	c.P = twoSided(c.Value, c.N)
	return c
}

// centre maps values linearly so that their range is 1 and their mean 0, on which no correlation depends. It is false for
// values that are all equal.
func centre(values []float64) bool {
	if !ToUnitRange(values) {
		return false
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	mean := sum / float64(len(values))
	for k := range values {
		values[k] -= mean
	}
	return true
}

// ToUnitRange maps finite values, one at least, linearly to [0, 1], in their place: no z-score and no correlation depends on
// that, but squares of very large and very small values stay within what a float64 holds. It is false for values that are all
// equal, or differ by no more than the smallest float64, which it leaves alone.
func ToUnitRange(values []float64) bool {
	low, high := slices.Min(values), slices.Max(values)
	width := high/2 - low/2 // halves, since the difference of two huge numbers may overflow
	if width == 0 {
		return false
	}
	for k, v := range values {
		values[k] = (v/2 - low/2) / width
	}
	return true
}

// twoSided is the probability of a correlation at least as far from 0 among n independent pairs.
func twoSided(r float64, n int) float64 {
	rest := (1 - r) * (1 + r)
	if rest <= 0 {
		return 0
	}
	freedom := float64(n - 2)
	t := math.Abs(r) * math.Sqrt(freedom/rest)
	return min(1, 2*distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Survival(t))
}

// ranks are the values' places 1..n in ascending order; equal values share the mean of their places.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	places := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, k := range order[from:to] {
			places[k] = float64(from+1+to) / 2
		}
		from = to
	}
	return places
}
