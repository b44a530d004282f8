package saved

import (
	"fmt"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/result"
)

// Remarks say what to know of the assessor's verdicts on models that were measured on a suite:
// labels that are otherwise, models that it learned from, another suite than its own.
func (f File) Remarks(on Suite, list []assess.Judgement) (lines []string) {
	labelled, disagree, learned := 0, 0, 0
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
	}
	if labelled > 0 {
		lines = append(lines, fmt.Sprintf("%d of %s disagree with the assessor", disagree, result.Counted(labelled, "label")))
	}
	if learned > 0 {
		lines = append(lines, fmt.Sprintf("%d of these %s are among the %d that the assessor learned from",
			learned, result.Counted(len(list), "model"), len(f.Training)))
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

// LearnedFrom tells of each row of d whether the assessor learned from that model.
func (f File) LearnedFrom(d assess.Data) func(row int) bool {
	return func(row int) bool { return f.Learned(d.Rows[row].Hash) }
}
