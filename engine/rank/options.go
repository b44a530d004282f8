package rank

import (
	"context"
	"slices"
)

// BoardOptions say which rankers are asked and how.
type BoardOptions struct {
	Methods     []Method // nil for all that the data allow
	Budget      int      // labels for the sampled rankers; 0 for max(30, models), or all samples where there are fewer
	Repetitions int      // of sampled rankers; 0 for 50
	Seed        uint64
	TopK        []int // of Jaccard; nil for 1, 3, 5, 10
	Workers     int   // goroutines; 0 for one per processor. The result has the same bits for any number.
}

// The options that stand for 0 and nil.
const (
	minBudget          = 30
	usualRepetitions   = 50
	usualImpactRepeats = 10
)

var usualTopK = []int{1, 3, 5, 10}

// filled replaces what is not set.
func (o BoardOptions) filled(d Data) BoardOptions {
	if o.Methods == nil {
		o.Methods = slices.DeleteFunc(Methods(), func(m Method) bool { return !d.Allows(m) })
	}
	if o.Budget < 1 {
		o.Budget = min(max(minBudget, len(d.Models)), d.Samples)
	}
	if o.Repetitions < 1 {
		o.Repetitions = usualRepetitions
	}
	if o.TopK == nil {
		o.TopK = usualTopK
	}
	o.TopK = slices.Clone(o.TopK)
	return o
}

// Allows tells whether the data have what a ranker needs at all.
func (d Data) Allows(m Method) bool {
	switch {
	case m == CRC:
		return d.Confidence != nil || d.Softmax != nil
	case m.entropy():
		return d.Truth != nil && d.Softmax != nil
	case m.Sampled():
		return d.Truth != nil
	case m.laf():
		return true
	}
	return slices.ContainsFunc(d.Given, func(g Given) bool { return g.Method == m })
}

// laf tells whether the ranker is LaF or one of its ablations.
func (m Method) laf() bool {
	return m == LaFMethod || m == LaFReference || m == LaFUnpruned || m == LaFUnoptimised
}

// lafOptions are those of LaF and its ablations.
func (m Method) lafOptions(workers int) LaFOptions {
	return LaFOptions{Reference: m == LaFReference, NoPruning: m == LaFUnpruned, NoOptimising: m == LaFUnoptimised, Workers: workers}
}

// lafScores runs a kind of LaF; reason is why there are no scores.
func lafScores(ctx context.Context, d Data, m Method, workers int) (scores []float64, result LaFResult, err error) {
	result, err = LaF(ctx, d, m.lafOptions(workers))
	if err != nil || result.Reason != "" {
		return nil, result, err
	}
	return result.Scores(), result, nil
}

// noTruth and littleTruth are why rankings are not compared with true accuracies.
const (
	noTruth     = "no sample has a true label"
	littleTruth = "no more than half of the samples have a true label"
)

// accuracies are the true accuracies that rankings are compared with. Labels of half of the samples or fewer do not make a truth:
// they may be just those that a ranker asked for, and comparing it with its own scores would show nothing.
func (d Data) accuracies() (truth []float64, reason string) {
	missing := d.unlabelled(nil)
	switch {
	case missing == d.Samples:
		return nil, noTruth
	case 2*missing >= d.Samples:
		return nil, littleTruth
	}
	return d.Accuracy(), ""
}

// unlabelled is the number of samples without a true label, of the given ones or, for nil, of all.
func (d Data) unlabelled(samples []int32) int {
	if d.Truth == nil {
		if samples == nil {
			return d.Samples
		}
		return len(samples)
	}
	count := 0
	if samples == nil {
		for _, class := range d.Truth {
			if class < 0 {
				count++
			}
		}
		return count
	}
	for _, i := range samples {
		if d.Truth[i] < 0 {
			count++
		}
	}
	return count
}
