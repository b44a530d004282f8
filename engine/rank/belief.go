package rank

import (
	"context"
	"math"
	"slices"
)

// beliefs are the posteriors of the kept samples' true labels, P_ic (the E-step of spec/laf.md
// section 2).
//
// A model that predicts c is sigma(x) likely if c is true and (1 - sigma(x))/(C-1) otherwise; the
// quotient of the two is (C-1) exp(x). So log P_ic is the sum of x_ij + ln(C-1) over the models
// that predict c, up to a constant that all classes share. Classes that no model predicts have the
// sum 0 and one probability in common; only the others' are kept.
type beliefs struct {
	first  []int     // per kept sample, and the end: where its predicted classes begin in class and share
	class  []int32   // that any model predicts, in the order of the models
	share  []float64 // their probabilities
	unseen []float64 // per kept sample: the probability of each other class
	others float64   // ln(C-1)
	// wrong is sum_j (1 - c_ij) ln(C-1) per kept sample: what Q pays for guessing among the other
	// classes.
	wrong []float64
}

func newBeliefs(v *votes) *beliefs {
	m := len(v.kept)
	b := &beliefs{
		first:  make([]int, 1, m+1),
		unseen: make([]float64, m),
		wrong:  make([]float64, m),
		others: math.Log(float64(v.data.Classes - 1)),
	}
	known := make([]bool, v.data.Classes)
	for i := range v.kept {
		for _, class := range v.row(i) {
			if !known[class] {
				known[class] = true
				b.class = append(b.class, class)
			}
		}
		for _, class := range b.class[b.first[i]:] {
			known[class] = false
		}
		b.first = append(b.first, len(b.class))
	}
	b.share = make([]float64, len(b.class))
	return b
}

// of are the predicted classes of the i-th kept sample and their probabilities.
func (b *beliefs) of(i int) (class []int32, share []float64) {
	from, to := b.first[i], b.first[i+1]
	return b.class[from:to], b.share[from:to]
}

// believe is the E-step at a point.
func (v *votes) believe(ctx context.Context, at point) error {
	return v.each(ctx, func() func(span) {
		sums := make([]float64, v.data.Classes)
		return func(s span) {
			for i := s.from; i < s.to; i++ {
				easiness := math.Exp(at.easiness[i])
				row, b := v.row(i), v.beliefs
				for j, class := range row {
					sums[class] += easiness*at.specialty[j] + b.others
				}
				classes, share := b.of(i)
				for k, class := range classes {
					share[k] = sums[class]
				}
				b.unseen[i] = toProbabilities(share, v.data.Classes-len(classes))
				for k, class := range classes {
					sums[class] = share[k]
				}
				b.wrong[i] = 0
				for _, class := range row {
					b.wrong[i] += (1 - sums[class]) * b.others
				}
				for _, class := range classes {
					sums[class] = 0
				}
			}
		}
	})
}

// toProbabilities turns logarithms into probabilities of 1 in total, together with a number of
// further classes whose logarithm is 0 and of which it returns the probability of one. The largest
// logarithm is subtracted first, so that many models do not underflow.
func toProbabilities(logs []float64, further int) float64 {
	largest := math.Inf(-1)
	if further > 0 {
		largest = 0
	}
	for _, value := range logs {
		largest = max(largest, value)
	}
	unseen, total := 0.0, 0.0
	if further > 0 {
		unseen = math.Exp(-largest)
		total = float64(further) * unseen
	}
	for k, value := range logs {
		logs[k] = math.Exp(value - largest)
		total += logs[k]
	}
	for k := range logs {
		logs[k] /= total
	}
	return unseen / total
}

// best is the most probable class of the i-th kept sample, the smallest of equally probable ones.
func (b *beliefs) best(i int) (class int32, sure float64) {
	classes, share := b.of(i)
	for slices.Contains(classes, class) {
		class++ // the smallest class that no model predicts
	}
	sure = b.unseen[i] // 0 where there is no such class
	for k, p := range share {
		if p > sure || p == sure && classes[k] < class {
			class, sure = classes[k], p
		}
	}
	return class, sure
}

// write fills in the probabilities of all classes of the i-th kept sample.
func (b *beliefs) write(i int, dst []float64) {
	for class := range dst {
		dst[class] = b.unseen[i]
	}
	classes, share := b.of(i)
	for k, class := range classes {
		dst[class] = share[k]
	}
}
