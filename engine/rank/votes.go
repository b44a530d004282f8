package rank

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// point is what LaF looks for.
type point struct {
	specialty []float64 // a_j per model
	easiness  []float64 // b_i per kept sample, logarithmic
}

func newPoint(v *votes) point {
	return point{specialty: make([]float64, v.models()), easiness: make([]float64, len(v.kept))}
}

func (p point) clone() point {
	return point{specialty: slices.Clone(p.specialty), easiness: slices.Clone(p.easiness)}
}

// votes are the predictions with what the majority makes of them, which stays the same while LaF
// optimises, and what is believed.
type votes struct {
	data     Data
	kept     []int   // samples
	pseudo   []int32 // v_i per kept sample
	prior    point   // A and E
	disputed bool    // whether any sample is not unanimous
	beliefs  *beliefs
	workers  int
}

// checkEvery is how many samples are looked at between two looks at a context.
const checkEvery = 4096

// newVotes prunes the samples, if so wanted, and takes the majority.
func newVotes(ctx context.Context, d Data, prune bool) (*votes, error) {
	v := &votes{data: d, kept: []int{}, pseudo: []int32{}, prior: point{easiness: []float64{}}}
	counts := make([]int, d.Classes)
	hits := make([]int, len(d.Models))
	for i := range d.Samples {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row := d.row(i)
		same := unanimous(row)
		v.disputed = v.disputed || !same
		if same && prune {
			continue
		}
		label, agree := majority(row, counts)
		for j := range row {
			if row[j] == label {
				hits[j]++
			}
		}
		v.kept, v.pseudo = append(v.kept, i), append(v.pseudo, label)
		v.prior.easiness = append(v.prior.easiness, float64(agree)/float64(len(row)))
	}
	v.prior.specialty = make([]float64, len(hits))
	for j, count := range hits {
		v.prior.specialty[j] = float64(count) / float64(max(len(v.kept), 1))
	}
	return v, nil
}

// majority is the most frequent label, the smallest of equally frequent ones, and how many models
// predict it. counts has a zero per class, and has them again afterwards.
func majority(row []int32, counts []int) (label int32, agree int) {
	for _, class := range row {
		counts[class]++
	}
	label = row[0]
	for _, class := range row {
		if counts[class] > counts[label] || counts[class] == counts[label] && class < label {
			label = class
		}
	}
	agree = counts[label]
	for _, class := range row {
		counts[class] = 0
	}
	return label, agree
}

func (v *votes) models() int { return len(v.data.Models) }

// row holds the predictions for the i-th kept sample.
func (v *votes) row(i int) []int32 { return v.data.row(v.kept[i]) }

const (
	// stripes is into how many parts, at most, the kept samples are cut. Sums are made per part and
	// then over the parts in their order, so that they have the same bits for any number of
	// workers.
	stripes     = 64
	leastStripe = 64 // samples of a part
	// blockWork bounds models x models x samples that are worked on between two looks at a context:
	// some 50 ms.
	blockWork  = 1 << 26
	mostBlocks = 1024 // samples of a block
)

// span is some of a stripe's kept samples.
type span struct{ stripe, from, to int }

// stripeSize is the number of kept samples of each stripe but the last.
func (v *votes) stripeSize() int {
	return max(leastStripe, (len(v.kept)+stripes-1)/stripes)
}

func (v *votes) stripeCount() int {
	size := v.stripeSize()
	return (len(v.kept) + size - 1) / size
}

// each visits all kept samples, stripes on several goroutines at a time, the spans of one stripe
// one after the other. Every goroutine has a visitor of its own. It ends early with the error of
// ctx.
func (v *votes) each(ctx context.Context, visitor func() func(span)) error {
	count := v.stripeCount()
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(v.workers, count) {
		group.Go(func() {
			visit := visitor()
			for ctx.Err() == nil {
				stripe := int(next.Add(1)) - 1
				if stripe >= count {
					return
				}
				v.stripe(ctx, stripe, visit)
			}
		})
	}
	group.Wait()
	return ctx.Err()
}

func (v *votes) stripe(ctx context.Context, stripe int, visit func(span)) {
	block := min(mostBlocks, max(1, blockWork/(v.models()*v.models())))
	end := min((stripe+1)*v.stripeSize(), len(v.kept))
	for from := stripe * v.stripeSize(); from < end && ctx.Err() == nil; from += block {
		visit(span{stripe: stripe, from: from, to: min(from+block, end)})
	}
}
