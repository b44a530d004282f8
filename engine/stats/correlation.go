package stats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/variscope/variscope/engine/result"
)

// The reasons why a correlation is undefined.
const (
	FewPairs    = "fewer than 3 pairs"
	FirstFixed  = "the first variable is constant"
	SecondFixed = "the second variable is constant"
	NotFinite   = "a value is infinite"
)

// The reasons why a correlation has no interval.
const (
	OnALine  = "all pairs lie on a line"
	OneOrder = "all resamples agree"
	FewForZ  = "fewer than 4 pairs"
)

// normal95 is the 97.5 % quantile of the normal distribution.
const normal95 = 1.959963984540054

// minPairs is the smallest number of pairs that have a correlation (spec/ei.md): fewer always lie
// on a line.
const minPairs = 3

// rounding is how near to 1 a correlation counts as 1: what rounding leaves of an exact line would
// have a p-value above 0.
const rounding = 0x1p-50

// How a p-value or an interval was computed.
const (
	Exact     = "exact"                // from the distribution over all orders of one variable
	StudentsT = "t approximation"      // from t = r sqrt((n-2)/(1-r^2)) with n-2 degrees of freedom
	Normal    = "normal approximation" // from the variance of Kendall's P - Q with ties
	FisherZ   = "Fisher's z"           // atanh r +- 1.96/sqrt(n-3)
	Bootstrap = "bootstrap"            // percentiles over resamples of the pairs
)

// Correlation of two variables. When Reason is not empty there is none, and all but N and Reason
// mean nothing.
type Correlation struct {
	Value float64 // -1..1
	// P is two-sided: twice the smaller tail, and never below 2/n!, which is what the most extreme
	// of all orders has. PBy is Exact for up to 9 pairs, and for Kendall's tau without ties up to
	// 50; an approximation beyond.
	P   float64
	PBy string
	// N is the number of pairs that were used: those with a NaN are dropped.
	N int
	// Low and High are the ends of a 95 % interval that was computed as IntervalBy says. Where
	// IntervalBy is empty there is none: NoInterval says why, and is empty where none was asked
	// for.
	Low, High              float64
	IntervalBy, NoInterval string
	Reason                 string
}

// Defined tells whether there is a correlation.
func (c Correlation) Defined() bool { return c.Reason == "" }

// HasInterval tells whether Low and High are there.
func (c Correlation) HasInterval() bool { return c.Defined() && c.IntervalBy != "" }

// MarshalJSON writes value, p, the ends of the interval and n; what is undefined is null, with its
// reason beside it.
func (c Correlation) MarshalJSON() ([]byte, error) {
	type form struct {
		Value      *float64 `json:"value"`
		P          *float64 `json:"p"`
		PBy        string   `json:"p_by,omitempty"`
		Low        *float64 `json:"low"`
		High       *float64 `json:"high"`
		IntervalBy string   `json:"interval_by,omitempty"`
		N          int      `json:"n"`
		Reason     string   `json:"reason,omitempty"`
		NoInterval string   `json:"no_interval,omitempty"`
	}
	f := form{N: c.N, Reason: c.Reason}
	if c.Defined() {
		f.Value, f.P, f.PBy, f.IntervalBy, f.NoInterval = &c.Value, &c.P, c.PBy, c.IntervalBy, c.NoInterval
	}
	if c.HasInterval() {
		f.Low, f.High = &c.Low, &c.High
	}
	return json.Marshal(f)
}

// Pearson is the product-moment correlation of pairs (x[k], y[k]). A pair with a NaN is dropped.
// It panics when x and y differ in length.
//
// Its interval is Fisher's; fewer than 4 pairs, and pairs on a line, have none.
func Pearson(x, y []float64) Correlation {
	x, y = CompletePairs(x, y)
	if slices.ContainsFunc(x, isInfinite) || slices.ContainsFunc(y, isInfinite) {
		return Correlation{N: len(x), Reason: NotFinite}
	}
	c := pearson(x, y)
	switch {
	case !c.Defined():
	case c.N <= 3:
		c.NoInterval = FewForZ
	case math.Abs(c.Value) == 1:
		c.NoInterval = OnALine
	default:
		z, half := math.Atanh(c.Value), normal95/math.Sqrt(float64(c.N-3))
		c.Low, c.High, c.IntervalBy = math.Tanh(z-half), math.Tanh(z+half), FisherZ
	}
	return c
}

// Spearman is the rank correlation: Pearson of ranks, equal values sharing the mean of theirs.
// Infinite values have ranks like all others. Otherwise as Pearson, but without an interval:
// SpearmanInterval has one.
func Spearman(x, y []float64) Correlation {
	x, y = CompletePairs(x, y)
	return pearson(ranks(x), ranks(y))
}

func isInfinite(v float64) bool { return math.IsInf(v, 0) }

// CompletePairs are copies of the pairs without a NaN.
func CompletePairs(x, y []float64) (a, b []float64) {
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
	if c.N <= mostPermuted {
		scale(x, 1/math.Sqrt(xx))
		scale(y, 1/math.Sqrt(yy))
		c.P, c.PBy = permutedP(x, y, c.Value), Exact
	} else {
		c.P, c.PBy = max(leastP(c.N), StudentP(c.Value, c.N)), StudentsT
	}
	return c
}

// centre maps values linearly so that their range is 1 and their mean 0, on which no correlation
// depends. It is false for values that are all equal.
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

// ToUnitRange maps finite values, one at least, linearly to [0, 1], in their place: no z-score and
// no correlation depends on that, but squares of very large and very small values stay within what
// a float64 holds. It is false for values that are all equal, or differ by no more than the
// smallest float64, which it leaves alone.
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

func scale(values []float64, by float64) {
	for k := range values {
		values[k] *= by
	}
}

// StudentP is the probability of a correlation at least as far from 0 among n > 2 independent
// pairs by the t distribution with n-2 degrees of freedom (spec/ei.md): exact for normal
// variables, an approximation for others.
func StudentP(r float64, n int) float64 {
	rest := (1 - r) * (1 + r)
	if rest <= 0 {
		return 0
	}
	freedom := float64(n - 2)
	t := math.Abs(r) * math.Sqrt(freedom/rest)
	return min(1, 2*distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Survival(t))
}

// UpTo is the list 0, 1, ..., n-1.
func UpTo(n int) []int {
	list := make([]int, n)
	for k := range list {
		list[k] = k
	}
	return list
}

// ranks are the values' places 1..n in ascending order; equal values share the mean of their
// places.
func ranks(values []float64) []float64 {
	order := UpTo(len(values))
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

// Say is the correlation for people: "Pearson r 0.931 (95 % 0.870..0.964, p <0.001)", without the
// interval where there is none; result.None stands for a correlation that is undefined.
func (c Correlation) Say(name string) string {
	if !c.Defined() {
		return name + " " + result.None
	}
	beside := "p " + result.P.Say(c.P, 0)
	if c.HasInterval() {
		beside = fmt.Sprintf("95 %% %s..%s, %s",
			result.Coefficient.Say(c.Low, 0), result.Coefficient.Say(c.High, 0), beside)
	}
	return fmt.Sprintf("%s %s (%s)", name, result.Coefficient.Say(c.Value, 0), beside)
}

// Ends are the ends of the 95 % interval for people, "0.870..0.964"; "" where there is none.
func (c Correlation) Ends() string {
	if !c.HasInterval() {
		return ""
	}
	return result.Coefficient.Say(c.Low, 0) + ".." + result.Coefficient.Say(c.High, 0)
}
