package assessors

import (
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/present"
)

// Doubted is a line of one of the two lists of doubts.
type Doubted struct {
	ID, Hash string
	// Label is empty without one.
	Label, Verdict label.Value
	// Measure orders the list: the probability of the own label, or the margin of the verdict.
	Measure float64
	Hint    string
}

// doubtTable are the columns of a list of doubts; last is of the number that orders it.
func doubtTable(name string, last result.Column[Doubted]) result.Table[Doubted] {
	last.Value = func(d Doubted) float64 { return d.Measure }
	return result.Table[Doubted]{
		Name: name, Title: "Doubts", Noun: "model", ID: func(d Doubted) string { return d.Hash },
		Columns: []result.Column[Doubted]{
			{Key: "model_id", Title: "model", Text: func(d Doubted) string { return d.ID }},
			{Key: "label", Title: "label", Format: result.Label, Text: func(d Doubted) string { return string(d.Label) }},
			{Key: "verdict", Title: "verdict", Format: result.Label, Text: func(d Doubted) string { return string(d.Verdict) }},
			last,
		},
	}
}

// secondTable are the labels in doubt, sureTable the models that the assessor is least sure of.
var (
	secondTable = doubtTable("labels_in_doubt", result.Column[Doubted]{
		Key: "own_probability", Title: "own label", Format: result.Share,
		Help: "the probability that the assessor, unseen, gives to the model's own label",
	})
	sureTable = doubtTable("least_sure", result.Column[Doubted]{
		Key: "margin", Title: "margin", Format: result.Number,
		Help: "what lies between the probabilities of the two likeliest classes; 0 is a coin's toss",
	})
)

// SecondLook lists the models whose label the assessor doubts when it has not seen it, the most doubtful first; none for a
// saved assessor, which has no folds.
func SecondLook(s Subject) []Doubted {
	if s.Evaluation == nil {
		return nil
	}
	var list []Doubted
	for _, d := range assess.Doubts(s.Data, *s.Evaluation) {
		r := s.Data.Rows[d.Row]
		list = append(list, Doubted{
			ID: r.ID, Hash: r.Hash, Label: d.Label, Verdict: d.Verdict, Measure: d.Own,
			Hint: fmt.Sprintf("%s is labelled %s; unseen, the assessor says %s and gives the label %s", r.ID, string(d.Label),
				string(d.Verdict), present.Percent(d.Own)),
		})
	}
	return list
}

// LeastSure lists the models without a label, the one that the assessor is least sure of first. Where all have a label it lists
// all models by what assessors said that had not seen them; a saved assessor has the models that it did not learn from. about
// says which of these it is.
func LeastSure(s Subject) (list []Doubted, about string, err error) {
	unsure, about, err := leastSure(s)
	for _, u := range unsure {
		r := s.Data.Rows[u.Row]
		list = append(list, Doubted{
			ID: r.ID, Hash: r.Hash, Label: r.Label, Verdict: u.Verdict.Label, Measure: u.Margin,
			Hint: fmt.Sprintf("%s is judged %s; %s is between this and the next class", r.ID, string(u.Verdict.Label), present.Number(u.Margin)),
		})
	}
	return list, about, err
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
func hashes(list []Doubted) []string {
	out := make([]string, len(list))
	for k, d := range list {
		out[k] = d.Hash
	}
	return out
}
