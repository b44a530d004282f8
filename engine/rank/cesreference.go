package rank

import "math"

// reference compares a group with the samples that were chosen so far, as the published code does:
// both have bins of their own, between five even steps from the smallest to the largest of their
// probabilities; the fifth entry holds what equals the largest.
type reference[T number] struct {
	table     []T // samples x classes
	classes   int
	chosen    []int32
	low, high []float64 // per class, of the chosen samples
	counts    []float64 // classes x bins, of the chosen samples
	logs      []float64 // binary logarithms of their shares, 0 for an empty bin
	values    []float64 // of a group
}

func newReference[T number](table []T, classes int) *reference[T] {
	return &reference[T]{
		table: table, classes: classes, low: make([]float64, classes), high: make([]float64, classes),
		counts: make([]float64, classes*cesBins), logs: make([]float64, classes*cesBins),
	}
}

func (r *reference[T]) reset() { r.chosen = r.chosen[:0] }

// take counts the new samples, or all of them anew in a class whose smallest or largest value has
// changed.
func (r *reference[T]) take(samples []int32) {
	first := len(r.chosen) == 0
	r.chosen = append(r.chosen, samples...)
	for c := range r.classes {
		low, high := r.ends(samples, c)
		if !first {
			low, high = min(low, r.low[c]), max(high, r.high[c])
		}
		counts := r.counts[c*cesBins : (c+1)*cesBins]
		if !first && low == r.low[c] && high == r.high[c] {
			r.count(samples, c, counts)
		} else {
			r.low[c], r.high[c] = low, high
			clear(counts)
			r.count(r.chosen, c, counts)
		}
		for bin, n := range counts {
			r.logs[c*cesBins+bin] = 0
			if n > 0 {
				r.logs[c*cesBins+bin] = math.Log2(n / float64(len(r.chosen)))
			}
		}
	}
}

func (r *reference[T]) ends(samples []int32, class int) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, i := range samples {
		v := float64(r.table[int(i)*r.classes+class])
		low, high = min(low, v), max(high, v)
	}
	return low, high
}

// count adds the samples to the bins between the class's ends.
func (r *reference[T]) count(samples []int32, class int, into []float64) {
	edges := steps(r.low[class], r.high[class])
	for _, i := range samples {
		into[binOf(&edges, float64(r.table[int(i)*r.classes+class]))]++
	}
}

// cost is the cross entropy of the group and the chosen samples, bin by bin, whatever probabilities
// these bins stand for.
func (r *reference[T]) cost(group []int32) float64 {
	sum, size := 0.0, float64(len(group))
	for c := range r.classes {
		values := r.values[:0]
		low, high := math.Inf(1), math.Inf(-1)
		for _, i := range group {
			v := float64(r.table[int(i)*r.classes+c])
			values = append(values, v)
			if v < low {
				low = v
			}
			if v > high {
				high = v
			}
		}
		r.values = values
		var counts [cesBins]float64
		edges := steps(low, high)
		for _, v := range values {
			counts[binOf(&edges, v)]++
		}
		logs := r.logs[c*cesBins:][:cesBins]
		for bin, n := range counts {
			sum += float64(n / size * logs[bin])
		}
	}
	return -sum
}

// steps are five even steps from low to high.
func steps(low, high float64) [cesBins]float64 {
	width := (high - low) / (cesBins - 1)
	return [cesBins]float64{low, low + width, low + float64(2*width), low + float64(3*width), high}
}

// binOf is the entry b with edge b <= v < edge b+1, the last for what equals the largest: the
// number of edges after the first that v has reached. v is not below the first.
func binOf(edges *[cesBins]float64, v float64) int {
	bin := 0
	if v >= edges[1] {
		bin++
	}
	if v >= edges[2] {
		bin++
	}
	if v >= edges[3] {
		bin++
	}
	if v >= edges[4] {
		bin++
	}
	return bin
}
