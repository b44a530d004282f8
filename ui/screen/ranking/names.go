package ranking

import (
	"fmt"

	"github.com/variscope/variscope/engine/rank"
)

// rankerName is a ranker's name for people.
func rankerName(m rank.Method) string {
	switch m {
	case rank.TruthMethod:
		return "true accuracy"
	case rank.LaFMethod:
		return "LaF"
	case rank.LaFReference:
		return "LaF, published code"
	case rank.LaFUnpruned:
		return "LaF without pruning"
	case rank.LaFUnoptimised:
		return "LaF without optimising"
	case rank.CRC:
		return "CRC"
	case rank.Random:
		return "random"
	case rank.SDS:
		return "SDS"
	case rank.CES:
		return "CES"
	case rank.CESReference:
		return "CES, published code"
	case rank.CESOracle:
		return "CES oracle"
	}
	return measuredName(m)
}

// measuredName is the name of a ranker whose scores are measured elsewhere.
func measuredName(m rank.Method) string {
	switch m {
	case rank.EI:
		return "effective invariance"
	case rank.DScore:
		return "D-Score"
	case rank.RobustAccuracy:
		return "robust accuracy"
	case rank.MeanVariance:
		return "mean variance"
	}
	return m.Title()
}

// rankerShort is a ranker's name where there is little room: the columns of a matrix.
func rankerShort(m rank.Method) string {
	switch m {
	case rank.TruthMethod:
		return "truth"
	case rank.LaFReference:
		return "LaF code"
	case rank.LaFUnpruned:
		return "LaF −prune"
	case rank.LaFUnoptimised:
		return "LaF −opt."
	case rank.CESReference:
		return "CES code"
	case rank.CESOracle:
		return "oracle"
	case rank.EI:
		return "EI"
	case rank.RobustAccuracy:
		return "robust"
	case rank.MeanVariance:
		return "variance"
	}
	return rankerName(m)
}

// rankerHint says what a ranker's score is and what it needs.
func rankerHint(m rank.Method) string {
	switch m {
	case rank.TruthMethod:
		return "true accuracy: the share of images with a known class that the model predicts rightly"
	case rank.LaFMethod:
		return "LaF: the model's specialty, estimated together with each image's difficulty from predictions alone; needs no labels"
	case rank.LaFReference:
		return "LaF as the published code computes it: few rounds of conjugate gradient; agrees with LaF to about 0.01"
	case rank.LaFUnpruned:
		return "LaF that keeps the images on which all models agree; an ablation"
	case rank.LaFUnoptimised:
		return "the share of images on which the model agrees with the majority: LaF before it optimises; an ablation"
	case rank.CRC:
		return "CRC: the mean largest probability; needs probabilities, no labels"
	case rank.Random:
		return "accuracy on images drawn at random, whose labels are needed"
	case rank.SDS:
		return "SDS: accuracy on images drawn among those on which good and bad models differ most; their labels are needed"
	case rank.CES:
		return "CES: accuracy on images chosen to be like the whole suite for each model; needs probabilities and the images' labels"
	case rank.CESReference:
		return "CES with the choice of images of the published code"
	case rank.CESOracle:
		return "CES by the one model whose images rank best: it needs the true ranking, so nobody can know it beforehand"
	}
	return measuredHint(m)
}

func measuredHint(m rank.Method) string {
	switch m {
	case rank.EI:
		return "effective invariance: how little predictions change under a transformation; needs signals for the set, no labels"
	case rank.DScore:
		return "D-Score: how well the model looks where the suite's features lie; needs labels and signals for the sets mask:3 and shift:3:5 (or others of this kind): run both, or open D-Score"
	case rank.RobustAccuracy:
		return "the share of images that are right under all transformations of the current family; needs all labels"
	case rank.MeanVariance:
		return "the mean of the model's variance matrix max@CONF under the current family, the smaller the better; needs no labels"
	}
	return ""
}

// Measure is how two rankings are compared.
type Measure struct {
	Kind string // "spearman", "kendall" or "jaccard"
	K    int    // of Jaccard
}

// measures are all that are offered for these numbers of best models.
func measures(topK []int) []Measure {
	list := []Measure{{Kind: "spearman"}, {Kind: "kendall"}}
	for _, k := range topK {
		list = append(list, Measure{Kind: "jaccard", K: k})
	}
	return list
}

// Name is the measure's name for people.
func (m Measure) Name() string {
	switch m.Kind {
	case "spearman":
		return "Spearman's ρ"
	case "kendall":
		return "Kendall's τ-b"
	}
	return fmt.Sprintf("Jaccard of the %d best", m.K)
}

// measureNames are the names of measures.
func measureNames(list []Measure) []string {
	names := make([]string, len(list))
	for k, m := range list {
		names[k] = m.Name()
	}
	return names
}

// of is the measure in a quality whose Jaccard values are in the order of topK; ok is false where there is none.
func (m Measure) of(q rank.Quality, topK []int) (s rank.Spread, ok bool) {
	switch m.Kind {
	case "spearman":
		s = q.Spearman
	case "kendall":
		s = q.Kendall
	default:
		for k, top := range topK {
			if top == m.K && k < len(q.Jaccard) {
				s = q.Jaccard[k]
			}
		}
	}
	return s, s.N > 0
}
