package saved

import (
	"fmt"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/result"
)

// Remarks say what to know of the assessor's verdicts on models that were measured on a suite:
// labels that are otherwise, models that it learned from, models that lie outside of what it has
// seen or of which that is not known, another suite than its own.
func (f File) Remarks(on Suite, list []assess.Judgement) (lines []string) {
	labelled, disagree, learned := 0, 0, 0
	var outside []string
	for _, j := range list {
		if j.Label != "" {
			labelled++
			if j.Label != j.Verdict.Label {
				disagree++
			}
		}
		if j.Learned > 0 {
			learned++
		}
		if says := j.Distance.String(); says != "" {
			outside = append(outside, j.ID+" lies "+says)
		}
	}
	if labelled > 0 {
		lines = append(lines, fmt.Sprintf("%d of %s disagree with the assessor", disagree,
			result.Counted(labelled, "label")))
	}
	if learned > 0 {
		lines = append(lines, fmt.Sprintf("%d of these %s are among the %d that the assessor learned from",
			learned, result.Counted(len(list), "model"), len(f.Training)))
	}
	lines = append(lines, outside...)
	if unknown := f.Unknown(); unknown != "" {
		lines = append(lines, unknown)
	}
	if elsewhere := f.Elsewhere(on); elsewhere != "" {
		lines = append(lines, elsewhere)
	}
	return lines
}

// LeastSure orders the rows of d by how unsure the assessor is of them, the least sure first.
// Models that it learned from come last, since their labels teach it nothing new.
func (f File) LeastSure(d assess.Data) ([]int, error) {
	unsure, err := assess.LeastSure(d, d.Places(), f.Assessor)
	if err != nil {
		return nil, err
	}
	var fresh, learned []int
	for _, u := range unsure {
		if f.Learned(d.Rows[u.Row].Hash) {
			learned = append(learned, u.Row)
		} else {
			fresh = append(fresh, u.Row)
		}
	}
	return append(fresh, learned...), nil
}

// keepsFeatures tells whether the file has the features of the models that were learned from.
func (f File) keepsFeatures() bool { return len(f.Training) > 0 && len(f.Training[0].Features) > 0 }

// Unknown says that the file does not tell which models lie outside of what the assessor has seen,
// "" where it does and for the baseline, to which that means nothing.
func (f File) Unknown() string {
	if f.keepsFeatures() || f.Assessor != nil && f.Assessor.Threshold != nil {
		return ""
	}
	return "whether a model lies outside of what the assessor has seen is not known: it was saved without the " +
		"features of the models that it learned from; train it again"
}

// From is what the assessor learned from, for judging rows of d.
func (f File) From(d assess.Data) assess.Training {
	from := assess.Training{Models: len(f.Training), Learned: f.LearnedFrom(d)}
	if !f.keepsFeatures() {
		return from
	}
	models, rows := make([]string, len(f.Training)), make([][]float64, len(f.Training))
	for k, e := range f.Training {
		models[k], rows[k] = e.ID, e.Features
	}
	from.Seen = assess.NewSeen(f.Assessor.Names, models, rows)
	return from
}

// LearnedFrom tells of each row of d whether the assessor learned from that model.
func (f File) LearnedFrom(d assess.Data) func(row int) bool {
	return func(row int) bool { return f.Learned(d.Rows[row].Hash) }
}
