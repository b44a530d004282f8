// Package rank ranks models from their predictions alone: LaF, its baselines that label a few
// images, and what compares rankings (spec/laf.md).
//
// Data are given, Options say which rankers are asked (MakeLeaderboard), Curves, Impact and
// ConditionsOf study them further. All of these are slow: they are called off the window's main
// goroutine, report to a Progress and end with their context. A ranker that cannot answer is no
// error; its Ranking has a Reason. Who has made boards puts them, with the suites that they are
// about, into Rankings, whose Sheets and Document are what is shown, printed and written; single
// tables (Qualities, LeftOuts, ...) and figures serve a screen's kit.Records and kit.Figure.
// Nothing is changed after it was returned, but by who puts another Ranking into a Leaderboard and
// calls Correlate or ByHand.
//
// Index order everywhere: models j = 0..n-1, samples (images) i = 0..m-1, classes 0..C-1. Larger
// scores are better.
package rank

import (
	"math"
	"slices"
)

// Method names a ranker.
type Method string

// The rankers. Sampled ones need true labels of some samples; oracle marks what the paper reports
// for CES.
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
	// TruthMethod is the name of the true accuracies among what is compared.
	TruthMethod Method = "truth"
)

// said is what people read of a ranker: its name, the name where there is little room, such as
// over the columns of a matrix, and what its score is and what it needs.
var said = []struct {
	method             Method
	title, short, help string
}{
	{
		LaFMethod, "LaF", "LaF",
		"LaF: the model's specialty, estimated together with each image's difficulty from predictions alone; needs " +
			"no labels",
	},
	{
		LaFReference, "LaF, published code", "LaF code",
		"LaF as the published code computes it: few rounds of conjugate gradient; agrees with LaF to about 0.01",
	},
	{
		LaFUnpruned, "LaF without pruning", "LaF −prune",
		"LaF that keeps the images on which all models agree; an ablation",
	},
	{
		LaFUnoptimised, "LaF without optimising", "LaF −opt.",
		"the share of images on which the model agrees with the majority: LaF before it optimises; an ablation",
	},
	{CRC, "CRC", "CRC", "CRC: the mean largest probability; needs probabilities, no labels"},
	{Random, "random", "random", "accuracy on images drawn at random, whose labels are needed"},
	{
		SDS, "SDS", "SDS",
		"SDS: accuracy on images drawn among those on which good and bad models differ most; their labels are needed",
	},
	{
		CES, "CES", "CES",
		"CES: accuracy on images chosen to be like the whole suite for each model; needs probabilities and the " +
			"images' labels",
	},
	{CESReference, "CES, published code", "CES code", "CES with the choice of images of the published code"},
	{
		CESOracle, "CES oracle", "oracle",
		"CES by the one model whose images rank best: it needs the true ranking, so nobody can know it beforehand",
	},
	{
		EI, "effective invariance", "EI",
		"effective invariance: how little predictions change under a transformation; needs signals for the set, no " +
			"labels",
	},
	{
		DScore, "D-Score", "D-Score",
		"D-Score: how well the model looks where the suite's features lie; needs labels and signals under masks " +
			"and padded translations",
	},
	{
		RobustAccuracy, "robust accuracy", "robust",
		"the share of images that are right under all transformations of the current family; needs all labels",
	},
	{
		MeanVariance, "mean variance", "variance",
		"the mean of the model's variance matrix max@CONF under the current family, the smaller the better; needs " +
			"no labels",
	},
	{
		TruthMethod, "true accuracy", "truth",
		"true accuracy: the share of images with a known class that the model predicts rightly",
	},
}

// Methods returns all rankers in the order of tables, without TruthMethod. The slice is the
// caller's.
func Methods() []Method {
	list := make([]Method, len(said)-1)
	for k := range list {
		list[k] = said[k].method
	}
	return list
}

// Usual returns the rankers that are no variants of others, in the order of tables. The slice is
// the caller's.
func Usual() []Method {
	return slices.DeleteFunc(Methods(), func(m Method) bool {
		return slices.Contains([]Method{LaFReference, LaFUnpruned, LaFUnoptimised, CESReference, CESOracle}, m)
	})
}

// names are methods as flags and files have them.
func names(methods []Method) []string {
	list := make([]string, len(methods))
	for k, m := range methods {
		list[k] = string(m)
	}
	return list
}

// Sampled tells whether the ranker needs true labels of some samples, which a labelling budget
// pays for.
func (m Method) Sampled() bool {
	return slices.Contains([]Method{Random, SDS, CES, CESReference, CESOracle}, m)
}

// Title is the ranker's name for people: "LaF without pruning". A method that is not known is its
// own title.
func (m Method) Title() string { return m.saying(0) }

// Short is the name where there is little room: "LaF −prune".
func (m Method) Short() string { return m.saying(1) }

// Help says what the ranker's score is and what it needs.
func (m Method) Help() string { return m.saying(2) }

func (m Method) saying(k int) string {
	for _, s := range said {
		if s.method == m {
			return [3]string{s.title, s.short, s.help}[k]
		}
	}
	return string(m)
}

// Tie is how near two scores count as equal.
const Tie = 1e-9

// Competition ranks scores, largest first, "1224": 1 + the number of models with a score larger by
// more than Tie. NaN has no rank: 0.
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

// clearlyAbove tells whether a score is larger than another by more than Tie; false when one is
// NaN. Infinite scores equal themselves: their difference is NaN.
func clearlyAbove(score, other float64) bool { return score-other > Tie }

// undefined is what stands in lists for a number that does not exist.
var undefined = math.NaN()
