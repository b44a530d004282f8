package background

import (
	"fmt"
	"math"
)

// Counts are, per element, the number of the pixels outside of the foreground at which the
// element's logit is the largest (the first of equal ones). logits is elements x height x width.
// mask may be nil; otherwise it has the size of the logits.
func Counts(logits []float32, elements, height, width int, mask *Mask) []int {
	area := height * width
	if elements < 1 || len(logits) != elements*area {
		panic(fmt.Sprintf("background: %d logits in place of %d x %d x %d", len(logits), elements, height, width))
	}
	if mask != nil && (mask.Height != height || mask.Width != width || len(mask.Set) != area) {
		panic(fmt.Sprintf("background: a mask of %d x %d pixels for logits of %d x %d",
			mask.Height, mask.Width, height, width))
	}
	counts := make([]int, elements)
	for p, k := range argMaxima(logits, elements, area) {
		if mask == nil || !mask.Set[p] {
			counts[k]++
		}
	}
	return counts
}

// argMaxima is the element with the largest logit per pixel, the first of equal ones. NaN is never
// the largest.
func argMaxima(logits []float32, elements, area int) []int32 {
	best := make([]float32, area)
	at := make([]int32, area)
	for p := range best {
		best[p] = float32(math.Inf(-1))
	}
	for k := range elements {
		for p, v := range logits[k*area : (k+1)*area] {
			if v > best[p] {
				best[p], at[p] = v, int32(k)
			}
		}
	}
	return at
}

// SharesOf makes shares of counts of pixels, and the number of all of them.
func SharesOf(counts []int) (shares []float64, visible int) {
	for _, n := range counts {
		visible += n
	}
	shares = make([]float64, len(counts))
	if visible == 0 {
		return shares, 0
	}
	for k, n := range counts {
		shares[k] = float64(n) / float64(visible)
	}
	return shares, visible
}

// Scores are the softmax of a scene network's logits, in float64, with the largest logit subtracted
// first.
func Scores(logits []float32) []float64 {
	scores := make([]float64, len(logits))
	if len(logits) == 0 {
		return scores
	}
	largest := math.Inf(-1)
	for _, v := range logits {
		largest = math.Max(largest, float64(v))
	}
	sum := 0.0
	for k, v := range logits {
		scores[k] = math.Exp(float64(v) - largest)
		sum += scores[k]
	}
	for k := range scores {
		scores[k] /= sum
	}
	return scores
}
