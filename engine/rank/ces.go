package rank

import (
	"context"
	"math"
	"math/rand/v2"
)

// The sizes of CES (spec/laf.md section 3): it starts with 10 random samples and adds the best of
// 30 random groups of 5.
const (
	cesStart  = 10
	cesGroup  = 5
	cesGroups = 30
	cesBins   = 5 // per class
)

// cesSize is the number of samples that CES selects with a budget of at least 10 labels.
func cesSize(budget int) int { return cesStart + (budget-cesStart)/cesGroup*cesGroup }

// picker judges groups of samples by one model's probabilities.
type picker interface {
	reset()
	// take adds samples to the selection.
	take(samples []int32)
	// cost of adding a group, the smallest is the best.
	cost(group []int32) float64
}

// costRounding is the share of a cost that rounding may add: the same terms in another order make
// no group cheaper.
const costRounding = 1e-12

// cheaper tells whether a cost, which is never negative, is below another by more than rounding, so
// that the first of groups of equal cost is taken.
func cheaper(cost, than float64) bool { return cost < than*(1-costRounding) }

// cesOrder selects samples in the order in which CES takes them. Its start for a smaller budget is
// the selection of that budget, because no draw depends on the budget.
func cesOrder(ctx context.Context, random *rand.Rand, samples, budget int, p picker) ([]int32, error) {
	p.reset()
	left := rest(upTo(samples))
	places := make([]int, cesStart)
	chosen := make([]int32, 0, budget)
	left.places(random, places)
	for _, at := range places {
		chosen = append(chosen, left[at])
	}
	p.take(chosen)
	left = left.without(places)
	var best, drawn [cesGroup]int
	var group [cesGroup]int32
	for len(chosen)+cesGroup <= budget {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		lowest := math.Inf(1)
		for range cesGroups {
			left.places(random, drawn[:])
			left.pick(drawn[:], group[:])
			if c := p.cost(group[:]); cheaper(c, lowest) {
				lowest, best = c, drawn
			}
		}
		left.pick(best[:], group[:])
		p.take(group[:])
		chosen = append(chosen, group[:]...)
		left = left.without(best[:])
	}
	return chosen, nil
}

// whole compares a selection with the whole suite: per class 5 equal bins between the smallest and
// the largest probability of the suite, one bin where these are equal.
type whole struct {
	classes int
	bins    []uint8   // samples x classes: the bin of each probability
	suite   []float64 // classes x bins: share of the suite's samples
	counts  []int32   // classes x bins: selected samples
	size    int       // selected samples
	logs    []float64 // binary logarithms of 1..budget
}

// nothing stands for the share of an empty bin.
var nothing = math.Log2(1e-10)

func newWhole[T number](table []T, classes, budget int) *whole {
	samples := len(table) / classes
	w := &whole{
		classes: classes, bins: make([]uint8, len(table)), suite: make([]float64, classes*cesBins),
		counts: make([]int32, classes*cesBins), logs: make([]float64, budget+1),
	}
	low, high := ends(table, classes)
	for from := 0; from < len(table); from += classes {
		for c, v := range table[from : from+classes] {
			bin := 0
			if high[c] > low[c] {
				bin = min(cesBins-1, int(cesBins*(float64(v)-low[c])/(high[c]-low[c])))
			}
			w.bins[from+c] = uint8(bin)
			w.suite[c*cesBins+bin]++
		}
	}
	for cell := range w.suite {
		w.suite[cell] /= float64(samples)
	}
	for k := range w.logs {
		w.logs[k] = math.Log2(float64(k))
	}
	return w
}

// ends are the smallest and the largest probability of every class.
func ends[T number](table []T, classes int) (low, high []float64) {
	low, high = make([]float64, classes), make([]float64, classes)
	for c, v := range table[:classes] {
		low[c], high[c] = float64(v), float64(v)
	}
	for from := classes; from < len(table); from += classes {
		for c, v := range table[from : from+classes] {
			if p := float64(v); p < low[c] {
				low[c] = p
			} else if p > high[c] {
				high[c] = p
			}
		}
	}
	return low, high
}

func (w *whole) reset() {
	clear(w.counts)
	w.size = 0
}

func (w *whole) take(samples []int32) {
	w.add(samples, 1)
	w.size += len(samples)
}

func (w *whole) add(samples []int32, times int32) {
	for _, i := range samples {
		for c, bin := range w.bins[int(i)*w.classes : (int(i)+1)*w.classes] {
			w.counts[c*cesBins+int(bin)] += times
		}
	}
}

// cost is the cross entropy of the suite and the selection with the group, summed over classes and
// bins.
func (w *whole) cost(group []int32) float64 {
	w.add(group, 1)
	size := w.logs[w.size+len(group)]
	sum := 0.0
	for cell, share := range w.suite {
		share2 := nothing
		if n := w.counts[cell]; n > 0 {
			share2 = w.logs[n] - size
		}
		sum += float64(share * share2)
	}
	w.add(group, -1)
	return -sum
}
