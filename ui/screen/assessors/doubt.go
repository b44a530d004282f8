package assessors

import (
	"errors"

	"github.com/variscope/variscope/engine/assess"
)

// SecondLook lists the models whose label the assessor doubts when it has not seen it, the most
// doubtful first; none for a saved assessor, which has no folds.
func SecondLook(s Subject) []assess.Doubted {
	if s.Evaluation == nil {
		return nil
	}
	return assess.DoubtsOf([]assess.Compared{{Settings: s.Assessor.Settings, Evaluation: *s.Evaluation, Data: &s.Data}})
}

// LeastSure lists the models without a label, the one that the assessor is least sure of first.
// Where all have a label it lists all models by what assessors said that had not seen them; a
// saved assessor has the models that it did not learn from. about says which of these it is.
func LeastSure(s Subject) (list []assess.Doubted, about string, err error) {
	unsure, about, err := leastSure(s)
	return assess.UnsureOf(s.Data, unsure), about, err
}

func leastSure(s Subject) ([]assess.Unsure, string, error) {
	learned, _ := s.learned()
	var unlabelled, fresh []int
	for k, r := range s.Data.Rows {
		if learned[k] {
			continue
		}
		fresh = append(fresh, k)
		if r.Label == "" {
			unlabelled = append(unlabelled, k)
		}
	}
	switch {
	case len(unlabelled) > 0:
		list, err := assess.LeastSure(s.Data, unlabelled, s.Assessor)
		return list, "Models without a label, the least sure first: the order in which new labels teach the assessor most.", err
	case len(fresh) > 0:
		list, err := assess.LeastSure(s.Data, fresh, s.Assessor)
		return list, "Models that the assessor did not learn from, the least sure first.", err
	case s.Evaluation != nil:
		about := "Every model has a label. These verdicts are of assessors that had not seen the model; the least sure first."
		return assess.LeastSureUnseen(s.Data, *s.Evaluation), about, nil
	}
	return nil, "", errors.New("the assessor has learned from all of these models, so it is sure of them; train anew to see which are hard to judge unseen")
}

// hashes are the models of a list in its order.
func hashes(list []assess.Doubted) []string {
	out := make([]string, len(list))
	for k, d := range list {
		out[k] = d.Hash
	}
	return out
}
