package assessors

import (
	"fmt"
	"strconv"

	"github.com/variscope/variscope/engine/assess"
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

// trimZero writes a number with two decimals and no negative zero.
func trimZero(v float64) string {
	text := strconv.FormatFloat(v, 'f', 2, 64)
	if text == "-0.00" {
		return "0.00"
	}
	return text
}

// ComparisonRow is a line of the table of all assessors, as in the paper's Table IV.
type ComparisonRow struct {
	// Cells are name, accuracy with its largest deviation, standard deviation, balanced accuracy, F1, AUC, kappa.
	Cells   []string
	Problem string // why there is no assessor, "" when there is one
}

// Comparison is the table of a training.
func Comparison(l Lesson) []ComparisonRow {
	rows := make([]ComparisonRow, len(l.Entries))
	for k, e := range l.Entries {
		rows[k].Cells = make([]string, 7)
		rows[k].Cells[0] = l.named(e.Settings.Algorithm)
		if e.Problem != nil {
			rows[k].Problem = present.Sentence(e.Problem)
			for c := 1; c < len(rows[k].Cells); c++ {
				rows[k].Cells[c] = present.None
			}
			continue
		}
		v := e.Evaluation
		copy(rows[k].Cells[1:], []string{
			percent(v.Accuracy) + " ± " + percent(v.LargestDeviation), percent(v.SD), percent(v.Metrics.Balanced), percent(v.Metrics.F1),
			present.Kappa(v.Metrics.AUC), present.Kappa(v.Kappa.Mean),
		})
	}
	return rows
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
	text := present.ByCount(scheme.Repetitions, "%s, %d repetition", "%s, %d repetitions", schemeName(scheme.Kind), scheme.Repetitions)
	if tuned {
		text = fmt.Sprintf("%s, tuned by nested cross-validation", text)
	}
	text = fmt.Sprintf("%s. In percent; ± largest deviation of a repetition, SD standard deviation, kappa of the same verdicts with the labels, mean of the repetitions.", text)
	if note != "" {
		text += " " + fmt.Sprintf("Note: %s.", note)
	}
	return text
}
