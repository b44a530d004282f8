package rank

import (
	"math"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// significance is the level below which a rank correlation counts as significant (the paper's
// section 5.1).
const significance = 0.05

// Spread is a mean with its standard deviation (divisor N-1) over the N repetitions in which the
// number was defined, of Of. N is 1 and SD 0 for rankers that are not sampled.
type Spread struct {
	Mean, SD float64 // NaN when N is 0
	N, Of    int
	Reason   result.Reason // why N is 0
}

// Quality of a ranking against the truth.
type Quality struct {
	Spearman, Kendall Spread
	// Rho and Tau are the correlations of rankers that are not sampled, with p-values and intervals
	// over resamples of the models. For the others, whose values are means over repetitions, they
	// are undefined.
	Rho, Tau stats.Correlation
	// Significant is the share of repetitions whose Spearman correlation has p < 0.05 (for CES of
	// all their rankings); 0 or 1 for rankers that are not sampled.
	Significant float64
	Top         []int    // the numbers of best models that Jaccard compares
	Jaccard     []Spread // in the order of Top
	// Draws are the values of a sampled ranker by repetition, in the order of Measures(Top); nil
	// for other rankers, and for the points of curves.
	Draws [][]float64
}

// SpearmanP is the two-sided p-value of Rho, NaN where that is undefined.
func (q Quality) SpearmanP() float64 { return pOf(q.Rho) }

// Comparison of two lists of scores (spec/laf.md section 4). Spearman and Kendall are undefined
// with a reason when a side is constant or there are fewer than 2 models. Two models always have a
// Spearman correlation of 1 or -1, which says nothing: its P is 1.
type Comparison struct {
	Spearman, Kendall stats.Correlation
	Pairs             stats.PairCounts
	Jaccard           []float64 // in the order of ks
}

// Compare compares estimated scores with the truth; equal within Tie counts as tied only for ranks
// and Jaccard. Models whose score or truth is NaN are left out. The correlations have no
// intervals.
func Compare(truth, scores []float64, ks []int) Comparison {
	c := compareOrders(truth, scores, ks)
	c.Kendall, c.Pairs = stats.Kendall(stats.CompletePairs(truth, scores))
	c.fewModels()
	return c
}

// compareOrders is Compare without Pairs and the p-value of Kendall, of which the sampled rankers
// need none in thousands of comparisons.
func compareOrders(truth, scores []float64, ks []int) Comparison {
	truth, scores = stats.CompletePairs(truth, scores)
	c := Comparison{
		Spearman: spearman(truth, scores), Kendall: stats.KendallValue(truth, scores),
		Jaccard: make([]float64, len(ks)),
	}
	c.fewModels()
	first, second := Competition(truth), Competition(scores)
	for at, k := range ks {
		c.Jaccard[at] = overlap(first, second, k)
	}
	return c
}

// fewModels gives Kendall's correlation the reason that Spearman's has.
func (c *Comparison) fewModels() {
	if c.Kendall.N < 2 {
		c.Kendall.Reason = fewModels.Text
	}
}

// spearman is defined from two models on, where stats.Spearman asks for three pairs.
func spearman(truth, scores []float64) stats.Correlation {
	switch {
	case len(truth) < 2:
		return stats.Correlation{N: len(truth), Reason: fewModels.Text}
	case len(truth) > 2:
		return stats.Spearman(truth, scores)
	case truth[0] == truth[1]:
		return stats.Correlation{N: 2, Reason: stats.FirstFixed}
	case scores[0] == scores[1]:
		return stats.Correlation{N: 2, Reason: stats.SecondFixed}
	case (truth[0] < truth[1]) == (scores[0] < scores[1]):
		return stats.Correlation{N: 2, Value: 1, P: 1, PBy: stats.Exact}
	}
	return stats.Correlation{N: 2, Value: -1, P: 1, PBy: stats.Exact}
}

// overlap is |A and B| / |A or B| of the models with competition rank <= k; without any such model
// it is NaN.
func overlap(first, second []int, k int) float64 {
	common, either := 0, 0
	for j := range first {
		in, also := first[j] <= k, second[j] <= k
		if in && also {
			common++
		}
		if in || also {
			either++
		}
	}
	if either == 0 {
		return undefined
	}
	return float64(common) / float64(either)
}

// qualityOf is the quality of a ranker that is not sampled. The intervals rest on resamples of the
// models by the leaderboard's seed.
func qualityOf(truth, scores []float64, o Options) Quality {
	c := compareOrders(truth, scores, o.Top)
	truth, scores = stats.CompletePairs(truth, scores)
	q := Quality{Rho: c.Spearman, Tau: c.Kendall, Top: o.Top, Jaccard: make([]Spread, len(o.Top))}
	if len(truth) > 2 {
		q.Rho = stats.SpearmanInterval(truth, scores, o.Seed)
	}
	if len(truth) > 1 {
		q.Tau, _ = stats.KendallInterval(truth, scores, o.Seed)
	}
	q.Spearman, q.Kendall = single(q.Rho), single(q.Tau)
	if q.SpearmanP() < significance {
		q.Significant = 1
	}
	for at, v := range c.Jaccard {
		q.Jaccard[at] = spread([]float64{v}, noScores)
	}
	return q
}

func single(c stats.Correlation) Spread { return spread([]float64{valueOf(c)}, because(c)) }

func valueOf(c stats.Correlation) float64 {
	if !c.Defined() {
		return undefined
	}
	return c.Value
}

func pOf(c stats.Correlation) float64 {
	if !c.Defined() {
		return undefined
	}
	return c.P
}

// noQuality is that of a ranking that cannot be compared, over so many repetitions.
func noQuality(reason result.Reason, of int, ks []int) Quality {
	none := Spread{Mean: undefined, SD: undefined, Of: of, Reason: reason}
	q := Quality{
		Spearman: none, Kendall: none, Rho: stats.Correlation{Reason: reason.Text},
		Tau: stats.Correlation{Reason: reason.Text}, Top: ks, Jaccard: make([]Spread, len(ks)),
	}
	for at := range q.Jaccard {
		q.Jaccard[at] = none
	}
	return q
}

// spread is taken over the values that are not NaN; reason is why there is none.
func spread(values []float64, reason result.Reason) Spread {
	s := Spread{Of: len(values)}
	sum := 0.0
	for _, v := range values {
		if !math.IsNaN(v) {
			s.N++
			sum += v
		}
	}
	if s.N == 0 {
		s.Mean, s.SD, s.Reason = undefined, undefined, reason
		return s
	}
	s.Mean = sum / float64(s.N)
	if s.N == 1 {
		return s
	}
	squares := 0.0
	for _, v := range values {
		if !math.IsNaN(v) {
			squares += float64((v - s.Mean) * (v - s.Mean))
		}
	}
	s.SD = math.Sqrt(squares / float64(s.N-1))
	return s
}

// mean of the values that are not NaN, NaN without any.
func mean(values []float64) float64 { return spread(values, result.Reason{}).Mean }
