package tree

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// Boosting is the algorithm of AdaBoost.
type Boosting string

// The algorithms; SAMME.R is scikit-learn 1.2's default.
const (
	SAMMER Boosting = "SAMME.R"
	SAMME  Boosting = "SAMME"
)

// DefaultRounds is how many stumps are boosted.
const DefaultRounds = 50

// leastWeight is what weights of rows and shares of classes are raised to before their logarithm is
// taken.
const leastWeight = 0x1p-52

// maxLearningRate keeps the weights of stumps far from overflow.
const maxLearningRate = 1e9

// ErrNoStump says that the first stump is no better than chance.
var ErrNoStump = errors.New("no stump beats chance")

// BoostOptions are scikit-learn's defaults when zero.
type BoostOptions struct {
	Algorithm    Boosting // "" for SAMME.R
	Rounds       int      // 0 for 50
	LearningRate float64  // 0 for 1
	Depth        int      // of each tree, 0 for 1
}

func (o BoostOptions) resolved() (BoostOptions, error) {
	o.Algorithm = cmp.Or(o.Algorithm, SAMMER)
	if o.Algorithm != SAMMER && o.Algorithm != SAMME {
		return o, fmt.Errorf("no boosting algorithm %q; use %s or %s", o.Algorithm, SAMMER, SAMME)
	}
	if o.Rounds < 0 || o.Depth < 0 || !(o.LearningRate >= 0 && o.LearningRate <= maxLearningRate) {
		return o, fmt.Errorf("boosting of %d rounds, depth %d and learning rate %v: each must be positive, or 0 for "+
			"the default, and the rate at most %v", o.Rounds, o.Depth, o.LearningRate, maxLearningRate)
	}
	o.Rounds = cmp.Or(o.Rounds, DefaultRounds)
	o.LearningRate = cmp.Or(o.LearningRate, 1)
	o.Depth = cmp.Or(o.Depth, 1)
	return o, nil
}

// Boost is AdaBoost over stumps.
type Boost struct {
	Algorithm Boosting  `json:"algorithm"`
	Stumps    []*Tree   `json:"stumps"`
	Weights   []float64 `json:"weights"` // of the stumps; all 1 for SAMME.R
	Errors    []float64 `json:"errors"`  // weighted training error of each
}

// GrowBoost boosts as spec/assessors.md says; for K > 2 classes as scikit-learn 1.2 does (Zhu et
// al., Multi-class AdaBoost, algorithms 2 and 4): SAMME adds ln(K-1) to a stump's weight and stops
// at an error of 1 - 1/K, SAMME.R scales by (K-1)/K. An error wraps ErrNoStump where SAMME's first
// stump does not beat chance; the others are those of Sample.Validate and options out of range.
func GrowBoost(s Sample, opts BoostOptions) (*Boost, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	opts, err := opts.resolved()
	if err != nil {
		return nil, err
	}
	d := newColumns(s)
	b := &booster{
		Boost: &Boost{Algorithm: opts.Algorithm}, opts: opts, sample: s,
		grower: newGrower(d, Options{MaxDepth: opts.Depth}),
		leaf:   make([]int, d.rows), weight: slices.Repeat([]float64{1 / float64(d.rows)}, d.rows),
	}
	for range opts.Rounds {
		if done := b.round(); done {
			break
		}
	}
	if len(b.Stumps) == 0 {
		return nil,
			fmt.Errorf("AdaBoost (%s): %w: the first one has weighted error %s; use other columns or another algorithm",
				opts.Algorithm, ErrNoStump, result.Digits(b.failed, 3))
	}
	return b.Boost, nil
}

// booster is a boosting under way.
type booster struct {
	*Boost
	opts   BoostOptions
	sample Sample
	grower *grower
	weight []float64 // of the rows
	leaf   []int     // of the newest stump, by row
	failed float64   // error of the stump that was dropped
}

// round adds a stump. done says that no other one may follow.
func (b *booster) round() (done bool) {
	for i, w := range b.weight {
		b.weight[i] = max(w, leastWeight)
	}
	t := b.grower.grow(b.weight, nil)
	wrong := b.errorOf(t)
	k := float64(t.Classes)
	switch {
	case wrong <= 0:
		b.keep(t, 1, 0)
		return true
	case b.Algorithm == SAMMER:
		b.keep(t, 1, wrong)
		b.reweigh(func(leaf, class int) float64 {
			// (K-1)/K times (ln P_own - mean of the other classes' ln P)
			return -b.opts.LearningRate * (logShare(t, leaf, class) - meanLogShare(t, leaf))
		})
	case wrong >= b.chance():
		b.failed = wrong
		return true
	default:
		weight := b.opts.LearningRate * (math.Log((1-wrong)/wrong) + math.Log(k-1))
		b.keep(t, weight, wrong)
		b.reweigh(func(leaf, class int) float64 {
			if stats.Largest(t.Counts[leaf]) == class {
				return 0
			}
			return weight
		})
	}
	return !b.normalise()
}

func (b *booster) keep(t *Tree, weight, wrong float64) {
	b.Stumps = append(b.Stumps, t)
	b.Weights = append(b.Weights, weight)
	b.Errors = append(b.Errors, wrong)
}

// chance is the error from which on a stump is useless: 1 - 1/K, less what rounding takes from a
// sum over the rows. Without that a stump as good as a coin would count or not by the last bit of
// its error, and could be the only one.
func (b *booster) chance() float64 {
	return (1 - 1/float64(b.sample.Classes)) * (1 - float64(len(b.weight))*leastWeight)
}

// errorOf is the weighted share of wrong predictions of a stump on the training rows; it notes
// their leaves.
func (b *booster) errorOf(t *Tree) float64 {
	wrong, all := 0.0, 0.0
	for i, x := range b.sample.X {
		b.leaf[i] = t.Leaf(x)
		if stats.Largest(t.Counts[b.leaf[i]]) != b.sample.Y[i] {
			wrong += b.weight[i]
		}
		all += b.weight[i]
	}
	return wrong / all
}

// reweigh multiplies the rows' weights by exp(change), which depends on a row's leaf and class
// only.
func (b *booster) reweigh(change func(leaf, class int) float64) {
	t := b.Stumps[len(b.Stumps)-1]
	factors := make([]float64, t.Nodes()*t.Classes)
	for node := range t.Nodes() {
		for class := range t.Classes {
			factors[node*t.Classes+class] = math.Exp(change(node, class))
		}
	}
	for i, leaf := range b.leaf {
		b.weight[i] *= factors[leaf*t.Classes+b.sample.Y[i]]
	}
}

// normalise makes the rows' weights sum to 1; ok is false where they overflowed and boosting has to
// end.
func (b *booster) normalise() (ok bool) {
	sum := 0.0
	for _, w := range b.weight {
		sum += w
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return false
	}
	for i := range b.weight {
		b.weight[i] /= sum
	}
	return true
}

// logShare is the logarithm of a leaf's share of a class, which counts as leastWeight at least.
func logShare(t *Tree, leaf, class int) float64 {
	return math.Log(max(t.share(leaf, class), leastWeight))
}

// meanLogShare is the mean of logShare over the classes.
func meanLogShare(t *Tree, leaf int) float64 {
	sum := 0.0
	for class := range t.Classes {
		sum += logShare(t, leaf, class)
	}
	return sum / float64(t.Classes)
}

// term is what a leaf of stump m adds to the decision value of a class.
func (b *Boost) term(m, leaf, class int, total float64) float64 {
	t := b.Stumps[m]
	k := float64(t.Classes)
	value := 0.0
	switch {
	case b.Algorithm == SAMMER && t.Classes == 2:
		value = logShare(t, leaf, class) - logShare(t, leaf, 1-class)
	case b.Algorithm == SAMMER:
		value = (k - 1) * (logShare(t, leaf, class) - meanLogShare(t, leaf))
	case stats.Largest(t.Counts[leaf]) == class:
		value = b.Weights[m]
	case t.Classes == 2:
		value = -b.Weights[m]
	}
	return value / total
}

// Terms are what a leaf of a stump adds to the decision value of each class: the sum over the
// stumps, in order, is Decision to the last bit.
func (b *Boost) Terms(stump, leaf int) []float64 {
	terms := make([]float64, b.Stumps[stump].Classes)
	total := b.totalWeight()
	for class := range terms {
		terms[class] = b.term(stump, leaf, class, total)
	}
	return terms
}

// totalWeight of the stumps.
func (b *Boost) totalWeight() float64 {
	total := 0.0
	for _, w := range b.Weights {
		total += w
	}
	return total
}

// Decision is the decision value per class (K long). For two classes entry 1 is spec/assessors.md's
// decision value and entry 0 its negative.
func (b *Boost) Decision(x []float64) []float64 {
	decision := make([]float64, b.Stumps[0].Classes)
	total := b.totalWeight()
	for m, t := range b.Stumps {
		leaf := t.Leaf(x)
		for class := range decision {
			decision[class] += b.term(m, leaf, class, total)
		}
	}
	return decision
}

// SharesOf makes class probabilities of decision values, in their place: 1 / (1 + exp(-decision))
// for two classes, the softmax of decision / (K-1) for more.
func SharesOf(dst []float64) []float64 {
	spread := float64(len(dst) - 1)
	if len(dst) == 2 {
		spread = 2 // the two decision values are their difference and its negative
	}
	top := slices.Max(dst)
	sum := 0.0
	for c, v := range dst {
		dst[c] = math.Exp((v - top) / spread)
		sum += dst[c]
	}
	for c := range dst {
		dst[c] /= sum
	}
	return dst
}

// Explain are the Shapley values of a class's decision value; base + sum phi = Decision(x)[class].
func (b *Boost) Explain(x []float64, class int) (base float64, phi []float64) {
	phi = make([]float64, len(x))
	e := newExplainer(x, phi, b.Stumps)
	total := b.totalWeight()
	for m, t := range b.Stumps {
		base += e.add(t, func(leaf int) float64 { return b.term(m, leaf, class, total) })
	}
	return base, phi
}
