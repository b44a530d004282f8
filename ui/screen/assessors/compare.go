package assessors

import (
	"fmt"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/present"
)

// familyName is the family as people read it.
func (p Place) familyName() string {
	if p.Scened() {
		return fmt.Sprintf("scenes of %s", p.Selection.Name)
	}
	if family, err := transform.ParseAny(p.Family); err == nil {
		return family.Short()
	}
	return p.Family
}

// comparison is assess.Comparison of the entries of a training.
var comparison = result.Table[Entry]{
	Name: assess.Comparison.Name, Title: assess.Comparison.Title, Noun: assess.Comparison.Noun,
	ID:      func(e Entry) string { return assess.Comparison.ID(e.Compared) },
	Columns: result.Lift(assess.Comparison.Columns, func(e Entry) assess.Compared { return e.Compared }),
}

// Note says how the figures of the table came about.
func (l Lesson) Note() string {
	scheme := assess.Scheme{}
	note, tuned := "", false
	for _, e := range l.Entries {
		if e.Problem == nil {
			scheme, note, tuned = e.Evaluation.Scheme, e.Evaluation.Note, e.Evaluation.Tuned
			break
		}
	}
	text := present.ByCount(scheme.Repetitions, "%s, %d repetition", "%s, %d repetitions", scheme.Kind.Title(), scheme.Repetitions)
	if tuned {
		text = fmt.Sprintf("%s, tuned by nested cross-validation", text)
	}
	text = fmt.Sprintf("%s. ± is the largest deviation of a repetition, SD the standard deviation, kappa that of the same verdicts with the labels, mean of the repetitions.", text)
	if note != "" {
		text += " " + fmt.Sprintf("Note: %s.", note)
	}
	return text
}
