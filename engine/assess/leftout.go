package assess

import (
	"fmt"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
)

// The codes of why a model takes no part, has no label or no verdict. Those of engine/signal stand
// beside them.
const (
	NotMeasured     = "not_measured"     // no features, for another reason, which the sentence says
	Tie             = "tie"              // labels tie
	NoMajority      = "no_majority"      // no label has more than half of the votes
	Unlabelled      = "unlabelled"       // nobody has labelled the model
	NotInLabels     = "not_in_labels"    // the source of the labels does not have the model
	BorderlineLeft  = "borderline_left"  // a borderline label, which two classes leave out
	WithoutFeatures = "without_features" // labelled, but there are no features
	NotTrained      = "not_trained"      // the assessor could not be trained, for the reason that the sentence says
	NotJudged       = "not_judged"       // the assessor cannot judge the model, for the reason that the sentence says
	NoProbability   = "no_probability"   // the baseline gives none
)

// LeftOut is a model that takes no part: a row of LeftOuts.
type LeftOut struct {
	ID, Hash string // one of them may be ""
	// Reason has a code of this package or of engine/signal.
	Reason result.Reason
}

// LeftOuts is the table of the models that take no part.
var LeftOuts = result.Table[LeftOut]{
	Name: "left_out", Title: "Left out", Noun: "model",
	ID: func(l LeftOut) string { return l.ID + "/" + l.Hash + "/" + l.Reason.Code },
	Columns: append(modelColumns(func(l LeftOut) (string, string) { return l.ID, l.Hash }),
		result.Column[LeftOut]{
			Key: "reason", Title: "reason", Help: "why the model takes no part",
			Text: func(l LeftOut) string { return l.Reason.Text },
		},
		result.Column[LeftOut]{
			Key: "code", Title: "code", Help: "the reason for programs", Show: result.FileOnly,
			Text: func(l LeftOut) string { return l.Reason.Code },
		}),
}

// Lines say which models take no part, a line per reason in the order in which they are met.
func Lines(left []LeftOut) []string {
	var reasons []string
	ids := map[string][]string{}
	for _, l := range left {
		text := l.Reason.Text
		if ids[text] == nil {
			reasons = append(reasons, text)
		}
		ids[text] = append(ids[text], l.ID)
	}
	lines := make([]string, len(reasons))
	for k, reason := range reasons {
		lines[k] = fmt.Sprintf("%d of the models take no part: %s (%s)", len(ids[reason]), reason,
			result.Some(ids[reason]))
	}
	return lines
}

// modelColumns are the columns that say of which model a record is.
func modelColumns[R any](of func(R) (id, hash string)) []result.Column[R] {
	return result.Lift(subject.Columns[:2], func(r R) subject.Subject {
		id, hash := of(r)
		return subject.Subject{Model: id, ModelHash: hash}
	})
}
