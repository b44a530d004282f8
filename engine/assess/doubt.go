package assess

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/label"
)

// Votes are the verdicts of an evaluation by row of the data: the most frequent one over
// repetitions, the more variant one among equals, "" for rows that were never tested.
func (e Evaluation) Votes(d Data) []label.Value {
	counts := make([][]int, len(d.Rows))
	for _, p := range e.Predictions {
		if counts[p.Row] == nil {
			counts[p.Row] = make([]int, len(d.Classes))
		}
		counts[p.Row][p.Class]++
	}
	votes := make([]label.Value, len(d.Rows))
	for i, count := range counts {
		most := 0
		for class, n := range count {
			if n > 0 && n >= most {
				votes[i], most = d.Classes[class], n
			}
		}
	}
	return votes
}

// Doubt is a model whose label the assessor doubts when it has not seen it.
type Doubt struct {
	Row     int
	Label   label.Value
	Verdict label.Value // most frequent out-of-fold verdict
	// Own is the mean out-of-fold probability of the model's label; for the baseline the share of
	// verdicts that agree.
	Own float64
}

// Doubts lists the labelled rows whose most frequent out-of-fold verdict differs from their label,
// least own probability first, lower rows first among equals: the list for a second look at the
// labels.
func Doubts(d Data, e Evaluation) []Doubt {
	own, tests := make([]float64, len(d.Rows)), make([]int, len(d.Rows))
	for _, p := range e.Predictions {
		own[p.Row] += p.of(p.Truth)
		tests[p.Row]++
	}
	var list []Doubt
	for i, vote := range e.Votes(d) {
		if vote != "" && vote != d.Rows[i].Label {
			list = append(list, Doubt{Row: i, Label: d.Rows[i].Label, Verdict: vote, Own: own[i] / float64(tests[i])})
		}
	}
	slices.SortStableFunc(list, func(a, b Doubt) int { return cmp.Compare(a.Own, b.Own) })
	return list
}

// of is the verdict's probability of a class; of the baseline 1 for the class it names, 0 for
// others.
func (v Verdict) of(class int) float64 {
	if v.Probability != nil {
		return v.Probability[class]
	}
	if v.Class == class {
		return 1
	}
	return 0
}

// Unsure is a model with how sure an assessor is of it.
type Unsure struct {
	Row     int
	Verdict Verdict
	Margin  float64 // between the two likeliest classes; 0 is a coin's toss
}

// LeastSure orders rows by the margin of the assessor's verdict, smallest first, lower rows first
// among equals: the suggested order of the next round (active learning). The baseline orders by the
// distance to its nearest threshold, +Inf when all are infinite. Errors: rows that are not there,
// and those of Assessor.Judge.
func LeastSure(d Data, rows []int, a *Assessor) ([]Unsure, error) {
	list := make([]Unsure, 0, len(rows))
	for _, i := range rows {
		if i < 0 || i >= len(d.Rows) {
			return nil, fmt.Errorf("row %d is not among the %d models", i, len(d.Rows))
		}
		v, err := a.Judge(d.Rows[i])
		if err != nil {
			return nil, err
		}
		list = append(list, Unsure{Row: i, Verdict: v, Margin: a.margin(v)})
	}
	slices.SortFunc(list, func(x, y Unsure) int {
		return cmp.Or(cmp.Compare(x.Margin, y.Margin), cmp.Compare(x.Row, y.Row))
	})
	return list, nil
}

// LeastSureUnseen orders the rows that an evaluation tested by the margin of their mean out-of-fold
// probabilities, smallest first, lower rows first among equals. An assessor that has learned from a
// model is sure of it, whatever it is like; these verdicts come from assessors that had not seen
// it. Verdict has the mean probabilities by class, and the likeliest class, the more variant one
// among equals; for the baseline they are the shares of its verdicts.
func LeastSureUnseen(d Data, e Evaluation) []Unsure {
	mean, tests := make([][]float64, len(d.Rows)), make([]float64, len(d.Rows))
	for _, p := range e.Predictions {
		if mean[p.Row] == nil {
			mean[p.Row] = make([]float64, len(d.Classes))
		}
		for class := range d.Classes {
			mean[p.Row][class] += p.of(class)
		}
		tests[p.Row]++
	}
	var list []Unsure
	for i, probability := range mean {
		if probability == nil {
			continue
		}
		v := Verdict{Probability: probability}
		for class := range probability {
			probability[class] /= tests[i]
			if probability[class] >= probability[v.Class] {
				v.Class = class
			}
		}
		v.Label = d.Classes[v.Class]
		list = append(list, Unsure{Row: i, Verdict: v, Margin: lead(probability)})
	}
	slices.SortStableFunc(list, func(x, y Unsure) int { return cmp.Compare(x.Margin, y.Margin) })
	return list
}

func (a *Assessor) margin(v Verdict) float64 {
	if a.Threshold != nil {
		return a.Threshold.margin(-v.Score)
	}
	return lead(v.Probability)
}

// lead is what lies between the two largest probabilities.
func lead(probability []float64) float64 {
	first, second := math.Inf(-1), math.Inf(-1)
	for _, p := range probability {
		if p > first {
			first, second = p, first
		} else {
			second = max(second, p)
		}
	}
	return first - second
}
