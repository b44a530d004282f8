// Package rank ranks models from their predictions alone: LaF, its baselines that label a few images, and what compares
// rankings (spec/laf.md).
//
// Index order everywhere: models j = 0..n-1, samples (images) i = 0..m-1, classes 0..C-1. Larger scores are better.
package rank

import (
	"math"
	"slices"
)

// Method names a ranker.
type Method string

// The rankers. Sampled ones need true labels of some samples; oracle marks what the paper reports for CES.
const (
	LaFMethod      Method = "laf"
	LaFReference   Method = "laf-reference" // M-step as in the published code
	LaFUnpruned    Method = "laf-no-pruning"
	LaFUnoptimised Method = "laf-no-optimising"
	CRC            Method = "crc"
	Random         Method = "random"
	SDS            Method = "sds"
	CES            Method = "ces"
	CESReference   Method = "ces-reference" // selection as in the published code
	CESOracle      Method = "ces-oracle"
	EI             Method = "ei"
	DScore         Method = "d-score"
	RobustAccuracy Method = "robust-accuracy" // needs labels of all samples
	MeanVariance   Method = "mean-variance"   // negated: less variance is better
)

// titles are the rankers in the order of tables with their names for people.
var titles = []struct {
	method Method
	title  string
}{
	{LaFMethod, "LaF"},
	{LaFReference, "LaF, reference mode"},
	{LaFUnpruned, "LaF without pruning"},
	{LaFUnoptimised, "LaF without optimising"},
	{CRC, "CRC"},
	{Random, "Random"},
	{SDS, "SDS"},
	{CES, "CES"},
	{CESReference, "CES, reference mode"},
	{CESOracle, "CES, best model (oracle)"},
	{EI, "Effective invariance"},
	{DScore, "D-Score"},
	{RobustAccuracy, "Robust accuracy"},
	{MeanVariance, "Mean variance"},
}

// Methods returns all rankers in the order of tables. The slice is the caller's.
func Methods() []Method {
	list := make([]Method, len(titles))
	for k, t := range titles {
		list[k] = t.method
	}
	return list
}

// Sampled tells whether the ranker needs true labels of some samples, which a labelling budget pays for.
func (m Method) Sampled() bool {
	return slices.Contains([]Method{Random, SDS, CES, CESReference, CESOracle}, m)
}

// Title is the ranker's name for people: "LaF without pruning". A method that is not known is its own title.
func (m Method) Title() string {
	for _, t := range titles {
		if t.method == m {
			return t.title
		}
	}
	return string(m)
}

// Tie is how near two scores count as equal.
const Tie = 1e-9

// Competition ranks scores, largest first, "1224": 1 + the number of models with a score larger by more than Tie. NaN has no
// rank: 0.
func Competition(scores []float64) []int {
	ranks := make([]int, len(scores))
	for j, score := range scores {
		if math.IsNaN(score) {
			continue
		}
		ranks[j] = 1
		for _, other := range scores {
			if clearlyAbove(other, score) {
				ranks[j]++
			}
		}
	}
	return ranks
}

// clearlyAbove tells whether a score is larger than another by more than Tie; false when one is NaN. Infinite scores equal
// themselves: their difference is NaN.
func clearlyAbove(score, other float64) bool { return score-other > Tie }

// undefined is what stands in lists for a number that does not exist.
var undefined = math.NaN()
