// Package invariance measures how consistently and confidently a model predicts under
// transformations, without labels: effective invariance and its peers (spec/ei.md), and how they go
// with accuracy over many models or many suites.
package invariance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/variscope/variscope/engine/stats"
)

// Measure is one of the measures of a pair of softmax vectors.
type Measure int

// The measures, p being of the image and q of the transformed image. EI and Product are Eq. 1 with
// and without the root.
const (
	EI Measure = iota
	Product
	JS // natural logarithm, 0..ln 2
	L2
	KL        // KL(p||q)
	KLReverse // KL(q||p)
	Consistent
	Measures // their number
)

var measureNames = [Measures]string{"ei", "ei_product", "js", "l2", "kl", "kl_reverse", "consistent"}

// String is the measure's name in tables and files: ei, ei_product, js, l2, kl, kl_reverse,
// consistent.
func (m Measure) String() string {
	if m < 0 || m >= Measures {
		return fmt.Sprintf("measure %d", int(m))
	}
	return measureNames[m]
}

// Values are the measures of one pair, or means of many; NaN where there is none.
type Values [Measures]float64

// undefined is a Values of NaN alone.
func undefined() Values {
	var v Values
	for m := range v {
		v[m] = math.NaN()
	}
	return v
}

// MarshalJSON writes an object of the measures' names in their order; null stands for NaN.
func (v Values) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for m, value := range v {
		if m > 0 {
			out = append(out, ',')
		}
		out = append(strconv.AppendQuote(out, measureNames[m]), ':')
		if math.IsNaN(value) {
			out = append(out, "null"...)
			continue
		}
		text, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("measure %s: %w", measureNames[m], err)
		}
		out = append(out, text...)
	}
	return append(out, '}'), nil
}

// UnmarshalJSON reads what MarshalJSON writes: all measures, null for NaN.
func (v *Values) UnmarshalJSON(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	var read map[string]*float64
	if err := decoder.Decode(&read); err != nil {
		return fmt.Errorf("measures: %w", err)
	}
	for m, name := range measureNames {
		value, found := read[name]
		switch {
		case !found:
			return fmt.Errorf("measures without %q", name)
		case value == nil:
			v[m] = math.NaN()
		default:
			v[m] = *value
		}
	}
	return nil
}

// Compare measures one pair of softmax vectors of equal length. Entries must not be negative and
// the sums must be within 1e-3 of 1; both are divided by their sums. Other vectors are an error
// that says which entry or sum is wrong. The largest entry is the prediction, the first of equal
// ones.
func Compare(p, q []float64) (Values, error) {
	if len(p) != len(q) {
		return undefined(), fmt.Errorf("softmax vectors of %d and %d classes", len(p), len(q))
	}
	a, b := newVector(len(p)), newVector(len(q))
	if err := set(a, p); err != nil {
		return undefined(), err
	}
	if err := set(b, q); err != nil {
		return undefined(), fmt.Errorf("the transformed image: %w", err)
	}
	v := undefined()
	first, second := stats.Largest(a.share), stats.Largest(b.share)
	v.predicted(first == second, a.share[first], b.share[second])
	v.spread(a, b)
	return v, nil
}

// predicted fills in what needs the two predictions and their confidences alone (Eq. 1).
func (v *Values) predicted(same bool, before, after float64) {
	v[EI], v[Product], v[Consistent] = 0, 0, 0
	if same {
		v[Product] = before * after
		v[EI], v[Consistent] = math.Sqrt(v[Product]), 1
	}
}

// klFloor is what the logarithm of the second vector's entries is taken of at least (spec/ei.md).
const klFloor = 1e-12

var logFloor = math.Log(klFloor)

// spread fills in what compares whole vectors. Terms that are equal cancel exactly, so equal
// vectors give 0; a KL that entries below the floor make negative, by less than 1e-12 each, is 0
// too.
func (v *Values) spread(p, q *vector) {
	var js, square, forth, back float64
	logQ, shareQ, logP := q.log[:len(p.share)], q.share[:len(p.share)], p.log[:len(p.share)]
	for c, a := range p.share {
		b := shareQ[c]
		d := a - b
		square += float64(d * d)
		middle := math.Log((a + b) / 2)
		if a > 0 {
			js += float64(a * (logP[c] - middle))
			forth += float64(a * (logP[c] - max(logQ[c], logFloor)))
		}
		if b > 0 {
			js += float64(b * (logQ[c] - middle))
			back += float64(b * (logQ[c] - max(logP[c], logFloor)))
		}
	}
	v[JS] = max(0, min(math.Ln2, js/2))
	v[L2] = math.Sqrt(square)
	v[KL], v[KLReverse] = max(0, forth), max(0, back)
}

// independent is spread for rows of independent probabilities, which need not sum to 1: L2 is that
// of the rows; JS, KL and KLReverse are the means over the classes of those of each class's two
// shares, it and not it, so that their bounds stay.
func (v *Values) independent(p, q *vector) {
	var sum Values
	square := 0.0
	for c, a := range p.share {
		b := q.share[c]
		square += float64((a - b) * (a - b))
		var one Values
		one.spread(shares(a), shares(b))
		for m, value := range one {
			sum[m] += value
		}
	}
	for _, m := range []Measure{JS, KL, KLReverse} {
		v[m] = sum[m] / float64(len(p.share))
	}
	v[L2] = math.Sqrt(square)
}

// shares are the two shares of one probability.
func shares(p float64) *vector {
	return &vector{[]float64{1 - p, p}, []float64{math.Log(1 - p), math.Log(p)}}
}

// vector is a softmax vector that was checked and divided by its sum, with its logarithms (-Inf for
// 0): the image's own are used for all of its transformations.
type vector struct{ share, log []float64 }

func newVector(classes int) *vector {
	return &vector{make([]float64, classes), make([]float64, classes)}
}

// sumTolerance is how far the sum of a softmax vector may be from 1 (spec/ei.md).
const sumTolerance = 1e-3

// setIndependent takes in a row of independent probabilities of as many classes as v has.
func setIndependent(v *vector, row []float32) error {
	for c, entry := range row {
		if !(entry >= 0 && entry <= 1+sumTolerance) { // also NaN
			return fmt.Errorf("probability %d is %v; it must lie between 0 and 1", c, entry)
		}
		v.share[c] = min(float64(entry), 1)
	}
	return nil
}

// set takes in a row of as many classes as v has.
func set[T float32 | float64](v *vector, row []T) error {
	sum := 0.0
	for c, entry := range row {
		if !(entry >= 0) { // also NaN
			return fmt.Errorf("softmax entry %d is %v; entries must not be negative", c, entry)
		}
		sum += float64(entry)
	}
	if len(row) == 0 {
		return errors.New("a softmax vector without classes")
	}
	if !(math.Abs(sum-1) <= sumTolerance) {
		return fmt.Errorf("a softmax vector sums to %v; it must be 1 within %v", sum, sumTolerance)
	}
	for c, entry := range row {
		v.share[c] = float64(entry) / sum
		v.log[c] = math.Log(v.share[c])
	}
	return nil
}
