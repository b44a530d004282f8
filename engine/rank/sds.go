package rank

import (
	"cmp"
	"context"
	"slices"
)

// discrimination is what SDS knows of all samples before anything is labelled (spec/laf.md section
// 3).
type discrimination struct {
	pseudo      []int32 // majority label of every sample, the smallest of equal ones
	hits        []int   // per model: agreements with them
	order       []int   // models by hits, largest first
	top, bottom []int   // the models that are compared
	share       []float64
	pool        []int32 // samples to draw from, the most discriminating first
}

// discriminate compares the models that agree most with the majority with those that agree least.
// Groups of models and the pool are counted in whole numbers: 27 n/100, 73 n/100, 25 m/100. The
// error is the end of ctx.
func discriminate(ctx context.Context, d Data) (discrimination, error) {
	n := len(d.Models)
	s := discrimination{
		pseudo: make([]int32, d.Samples), hits: make([]int, n), order: make([]int, n),
		share: make([]float64, d.Samples),
	}
	counts := make([]int, d.Classes)
	for i := range s.pseudo {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return s, ctx.Err()
		}
		label, _ := majority(d.row(i), counts)
		s.pseudo[i] = label
		for j, given := range d.row(i) {
			if given == label {
				s.hits[j]++
			}
		}
	}
	for j := range s.order {
		s.order[j] = j
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(s.hits[b], s.hits[a]) })
	s.top, s.bottom = s.order[:max(1, 27*n/100)], s.order[min(73*n/100, n-1):]
	return s, s.choose(ctx, d)
}

// choose orders samples by the difference of the groups' shares, which is kept as a whole number so
// that equal ones are equal.
func (s *discrimination) choose(ctx context.Context, d Data) error {
	difference := make([]int, d.Samples)
	for i, label := range s.pseudo {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row := d.row(i)
		above, below := agreeing(row, s.top, label), agreeing(row, s.bottom, label)
		difference[i] = above*len(s.bottom) - below*len(s.top)
		s.share[i] = float64(above)/float64(len(s.top)) - float64(below)/float64(len(s.bottom))
	}
	order := upTo(d.Samples)
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(difference[b], difference[a]) })
	s.pool = slices.Clone(order[:poolSize(d.Samples)])
	return nil
}

// poolSize is the number of samples that SDS draws from.
func poolSize(samples int) int { return 25 * samples / 100 }

func agreeing(row []int32, models []int, label int32) int {
	count := 0
	for _, j := range models {
		if row[j] == label {
			count++
		}
	}
	return count
}
