// Package stats holds the statistics that the methods share: moments, correlations, robust lines,
// quantiles of sorted numbers, the jackknife and the resamples of a bootstrap over items
// (spec/agreement.md, "Intervals").
package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
)

// DefaultResamples is the number of bootstrap resamples of spec/agreement.md.
const DefaultResamples = 2000

// Moments are the mean and the standard deviation in the population form (divisor n); both NaN for
// no numbers.
func Moments(values []float64) (mean, deviation float64) {
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values))
	squares := 0.0
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(squares / float64(len(values)))
}

// Largest is the index of the largest number, the first of equal ones; 0 where there is none.
func Largest[T int | float64](numbers []T) int {
	top := 0
	for k, v := range numbers {
		if v > numbers[top] {
			top = k
		}
	}
	return top
}

// SquaredDistance is the sum of (a_k - b_k)^2. The conversions keep compilers from fusing
// multiplication and addition, which would change the last bit between processors.
func SquaredDistance(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	k := 0
	for ; k+4 <= len(a); k += 4 {
		v, w := a[k:k+4:k+4], b[k:k+4:k+4]
		d, e, f, g := v[0]-w[0], v[1]-w[1], v[2]-w[2], v[3]-w[3]
		s0 += float64(d * d)
		s1 += float64(e * e)
		s2 += float64(f * f)
		s3 += float64(g * g)
	}
	for ; k < len(a); k++ {
		d := a[k] - b[k]
		s0 += float64(d * d)
	}
	return (s0 + s1) + (s2 + s3)
}

// Quantile returns the q-quantile, 0 <= q <= 1, of numbers sorted in ascending order: linear
// interpolation at position (len(sorted)-1) q, counted from 0. It panics when sorted is empty or q
// lies outside [0, 1].
func Quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		panic("stats: quantile of no numbers")
	}
	if !(q >= 0 && q <= 1) {
		panic("stats: quantile outside [0, 1]")
	}
	position := float64(len(sorted)-1) * q
	below := int(math.Floor(position))
	share := position - float64(below)
	if share == 0 || sorted[below] == sorted[below+1] {
		return sorted[below]
	}
	return float64(sorted[below]*(1-share)) + float64(sorted[below+1]*share) // rounded: no fused multiply-add
}

// Plan says which resamples a bootstrap makes. The zero value makes none.
type Plan struct {
	Items     int // items to draw from, and the length of each resample
	Resamples int
	// Seed and Stream start the PCG generator, so that equal plans draw equal resamples.
	Seed, Stream uint64
	// Given, when not nil, replaces the drawing: each entry is one resample of item indices.
	Given [][]int
}

// Count is the number of resamples of the plan.
func (p Plan) Count() int {
	if p.Given != nil {
		return len(p.Given)
	}
	if p.Items < 1 {
		return 0
	}
	return max(p.Resamples, 0)
}

// Each calls visit once per resample with the item indices drawn with replacement, in the plan's
// order. The slice is used again for the next resample; visit must not keep it.
func (p Plan) Each(visit func(items []int)) {
	p.While(func(items []int) bool { visit(items); return true })
}

// While is Each until visit says false.
func (p Plan) While(visit func(items []int) (more bool)) {
	if p.Given != nil {
		for _, items := range p.Given {
			if !visit(items) {
				return
			}
		}
		return
	}
	rng := rand.New(rand.NewPCG(p.Seed, p.Stream))
	items := make([]int, max(p.Items, 0))
	for range p.Count() {
		for k := range items {
			items[k] = rng.IntN(p.Items)
		}
		if !visit(items) {
			return
		}
	}
}

// Interval is an interval of confidence. When Reason is not empty there is none, and Low and High
// mean nothing.
type Interval struct {
	Low, High float64
	Reason    string
}

// MarshalJSON writes low and high; without an interval they are null and the reason stands beside
// them.
func (iv Interval) MarshalJSON() ([]byte, error) {
	type form struct {
		Low    *float64 `json:"low"`
		High   *float64 `json:"high"`
		Reason string   `json:"reason,omitempty"`
	}
	f := form{Reason: iv.Reason}
	if iv.Reason == "" {
		f.Low, f.High = &iv.Low, &iv.High
	}
	return json.Marshal(f)
}
