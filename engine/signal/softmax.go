package signal

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/model"
)

// Softmax turns one row of class outputs into class shares that sum to 1 (DESIGN.md section 4), in
// float64, rounded once. Probabilities are divided by their sum, never softmaxed again.
// Log-probabilities are exponentiated and normalised, logits softmaxed; both with the largest entry
// subtracted first, which changes nothing but keeps large values from overflowing. dst and output
// have the same length and may be the same slice. A row without a sum (all zero probabilities, NaN,
// infinite logits) gives NaN.
//
// Two kinds are other: model.Sigmoid is kept as it is, C numbers that need not sum to 1; the one
// number p of a binary kind, or its logit, becomes the shares 1-p and p of two classes, so that
// dst has twice the length of output.
func Softmax(dst, output []float32, kind model.OutputKind) {
	if want := len(output) * Shares(kind); len(dst) != want {
		panic(fmt.Sprintf("signal: softmax of %d entries into %d", len(output), len(dst)))
	}
	switch kind {
	case model.Sigmoid:
		copy(dst, output)
		return
	case model.BinaryProbability:
		p := output[0]
		dst[0], dst[1] = 1-p, p
		return
	case model.BinaryLogit:
		z := float64(output[0])
		dst[0], dst[1] = float32(1/(1+math.Exp(z))), float32(1/(1+math.Exp(-z)))
		return
	}
	sum := 0.0
	if kind == model.Probabilities {
		for _, v := range output {
			sum += float64(v)
		}
		for i, v := range output {
			dst[i] = float32(float64(v) / sum)
		}
		return
	}
	top := float64(output[Argmax(output)])
	var kept [FullSoftmaxClasses]float64 // an exponential costs more than all the rest
	for i, v := range output {
		e := math.Exp(float64(v) - top)
		if sum += e; i < len(kept) {
			kept[i] = e
		}
	}
	for i, v := range output {
		if i < len(kept) {
			dst[i] = float32(kept[i] / sum)
		} else {
			dst[i] = float32(math.Exp(float64(v)-top) / sum)
		}
	}
}

// Shares is the number of class shares that one number of an output gives: two of a binary kind,
// else one.
func Shares(kind model.OutputKind) int {
	if kind.Binary() {
		return 2
	}
	return 1
}

// Argmax is the index of the largest entry, the first of equal ones; -1 for an empty row. A NaN
// never wins over a number, whatever its place.
func Argmax(row []float32) int {
	best := -1
	for i, v := range row {
		if best < 0 || v > row[best] || (row[best] != row[best] && v == v) {
			best = i
		}
	}
	return best
}

// Distance is the distance of order p between two flattened tensors of the same size
// (spec/variance.md section 4): p = 1, 2, 3, ... or +Inf for the largest absolute difference. It
// sums in float64.
func Distance[T float32 | float64](a, b []T, p float64) float64 {
	b = b[:len(a)]
	switch {
	case math.IsInf(p, 1):
		return distanceInf(a, b)
	case p == 1:
		return distance1(a, b)
	case p == 2:
		return distance2(a, b)
	}
	// Scaled by the largest difference, so that high orders neither overflow nor vanish.
	largest := distanceInf(a, b)
	if largest == 0 || math.IsNaN(largest) || math.IsInf(largest, 0) {
		return largest
	}
	sum := 0.0
	for i, v := range a {
		sum += math.Pow(math.Abs(float64(v)-float64(b[i]))/largest, p)
	}
	return largest * math.Pow(sum, 1/p)
}

func distance1[T float32 | float64](a, b []T) float64 {
	var s0, s1 float64
	i := 0
	for ; i+2 <= len(a); i += 2 {
		s0 += math.Abs(float64(a[i]) - float64(b[i]))
		s1 += math.Abs(float64(a[i+1]) - float64(b[i+1]))
	}
	if i < len(a) {
		s0 += math.Abs(float64(a[i]) - float64(b[i]))
	}
	return s0 + s1
}

func distance2[T float32 | float64](a, b []T) float64 {
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		v, w := a[i:i+4:i+4], b[i:i+4:i+4]
		d, e, f, g := float64(v[0])-float64(w[0]), float64(v[1])-float64(w[1]), float64(v[2])-float64(w[2]),
			float64(v[3])-float64(w[3])
		s0, s1, s2, s3 = s0+float64(d*d), s1+float64(e*e), s2+float64(f*f), s3+float64(g*g)
	}
	for ; i < len(a); i++ {
		d := float64(a[i]) - float64(b[i])
		s0 += float64(d * d)
	}
	return math.Sqrt((s0 + s1) + (s2 + s3))
}

// distanceInf keeps a NaN once it has met one.
func distanceInf[T float32 | float64](a, b []T) float64 {
	largest := 0.0
	for i, v := range a {
		if d := math.Abs(float64(v) - float64(b[i])); d > largest || d != d {
			largest = d
			if d != d {
				return d
			}
		}
	}
	return largest
}
