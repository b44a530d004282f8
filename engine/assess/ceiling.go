package assess

import (
	"math"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// The judges of a ceiling beside the assessors.
const (
	PerfectJudge   = "training label"
	OtherMajority  = "majority of the other annotators"
	fewestRatings  = 2 // annotators of a model that say anything of their disagreement
	intervalBounds = (1 - agreement.Confidence) / 2
)

// Ceiling is how often a judge says what single annotators say: a row of Ceilings. The annotators
// disagree with one another, so that no judge is always right; a perfect judge of the training
// label reaches the value of PerfectJudge, and no assessor that learns from these labels can be
// expected to do better.
//
// The value is the share of the annotators' labels that the judge says, too: a majority label of
// each model has the largest one. OtherMajority says what most of the others say and where several
// labels have most of their votes one of these at random, which counts as right in a share of 1 /
// number of these. The models are those that were tested and that two annotators or more have rated
// with one of the classes.
type Ceiling struct {
	Judge              string
	Of                 *Compared // whose most frequent verdicts are judged; nil for the others
	Raters             int       // annotators with a rating among these models
	Ratings            int
	agreement.Estimate // with the interval over models: the jackknife's with Student's t
}

// CeilingsOf are the ceilings of what was compared, and what the assessors reach below them; none
// without two annotators, or where nothing was compared.
func CeilingsOf(list []Compared) (all []Ceiling) {
	found := made(list)
	if len(found) == 0 {
		return nil
	}
	d := *found[0].Data
	votes := make([][]label.Value, len(found))
	for k, c := range found {
		votes[k] = c.Evaluation.Votes(d)
	}
	ratings := d.ratings()
	var models []int
	for i := range d.Rows {
		n := 0
		for _, own := range ratings {
			if own[i] != agreement.Missing {
				n++
			}
		}
		if n >= fewestRatings && votes[0][i] != "" {
			models = append(models, i)
		}
	}
	if len(models) == 0 {
		return nil
	}
	// says is a judge whose verdict on a model has nothing to do with who is asked.
	says := func(of func(i int) label.Value) func(r, i int) float64 {
		return func(r, i int) float64 {
			if class, ok := of(i).Index(len(d.Classes)); ok && class == ratings[r][i] {
				return 1
			}
			return 0
		}
	}
	add := func(name string, of *Compared, credit func(r, i int) float64) {
		c := Ceiling{Judge: name, Of: of}
		c.measure(ratings, models, credit)
		all = append(all, c)
	}
	add(PerfectJudge, nil, says(func(i int) label.Value { return d.Rows[i].Label }))
	add(OtherMajority, nil, func(r, i int) float64 { return ofOthers(ratings, len(d.Classes), r, i) })
	for k, c := range found {
		add(c.Title(), c, says(func(i int) label.Value { return votes[k][i] }))
	}
	return all
}

// ofOthers is how likely the majority of the other annotators is annotator r's label of model i.
func ofOthers(ratings [][]int, classes, r, i int) float64 {
	counts := make([]int, classes)
	for other, own := range ratings {
		if other != r && own[i] != agreement.Missing {
			counts[own[i]]++
		}
	}
	most, ties := counts[stats.Largest(counts)], 0
	for _, n := range counts {
		if n == most {
			ties++
		}
	}
	if counts[ratings[r][i]] < most {
		return 0
	}
	return 1 / float64(ties)
}

// measure fills in the value and its interval over models.
func (c *Ceiling) measure(ratings [][]int, models []int, credit func(r, i int) float64) {
	right, asked := make([]float64, len(models)), make([]int, len(models)) // by model
	hits := 0.0
	for r := range ratings {
		own := 0
		for k, i := range models {
			if ratings[r][i] != agreement.Missing {
				right[k] += credit(r, i)
				asked[k]++
				own++
			}
		}
		c.Ratings += own
		c.Raters += min(own, 1)
	}
	for _, v := range right {
		hits += v
	}
	n := len(models)
	c.N, c.Value, c.Interval = n, agreement.Value{Value: min(1, hits/float64(c.Ratings))}, &stats.Interval{}
	if n < agreement.MinItems {
		c.Interval.Reason = agreement.TooFewItems
		return
	}
	without, times := make([]float64, n), make([]int, n)
	for k := range models {
		without[k], times[k] = (hits-right[k])/float64(c.Ratings-asked[k]), 1
	}
	low, high, ok := stats.Jackknife(c.Value.Value, without, times, n, float64(n-1), agreement.Confidence, stats.Logit)
	bound := math.Pow(intervalBounds, 1/float64(n))
	switch { // of all or none: the exact interval over the models (Clopper and Pearson 1934)
	case ok:
	case c.Value.Value == 1:
		low, high = bound, 1
	case c.Value.Value == 0:
		low, high = 0, 1-bound
	default:
		c.Interval.Reason = agreement.NoVariance
		return
	}
	c.Interval.Low, c.Interval.High = low, high
}

// Ceilings is the table of what judges reach against single annotators.
var Ceilings = result.Table[Ceiling]{
	Name: "ceiling", Title: "Ceiling by the annotators' disagreement", Noun: "judge",
	ID: func(c Ceiling) string { return c.Judge },
	Columns: []result.Column[Ceiling]{
		result.Texts("judge", "judge",
			"who says something of the models: the training label itself is the best that an assessor can say; the "+
				"majority of the other annotators is what people reach; "+
				"an assessor is asked of models that it has not seen", func(c Ceiling) string { return c.Judge }),
		result.Texts("algorithm", "assessor", "", func(c Ceiling) string {
			if c.Of == nil {
				return ""
			}
			return string(c.Of.Settings.Algorithm)
		}).In(result.FileOnly),
		agreement.Estimated("agreement", "agrees with single annotators",
			"the share of the annotators' labels of these models "+
				"that the judge says, too, with its 95 % interval over models", result.Share,
			func(c Ceiling) agreement.Estimate { return c.Estimate }),
		result.Counts("n", "models", "models that were tested and that two annotators or more have rated",
			func(c Ceiling) int { return c.N }),
		result.Counts("annotators", "annotators", "annotators that have rated some of these",
			func(c Ceiling) int { return c.Raters }),
		result.Counts("ratings", "ratings", "their labels of these models", func(c Ceiling) int { return c.Ratings }).
			In(result.Offered),
		result.Texts("no_interval", "no interval", "why the value has no interval",
			func(c Ceiling) string { return c.NoInterval() }).In(result.Offered),
	},
}
