package assessors

import (
	"fmt"
	"math"
	"strconv"

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

// trimZero writes a number with two decimals and no negative zero.
func trimZero(v float64) string {
	text := strconv.FormatFloat(v, 'f', 2, 64)
	if text == "-0.00" {
		return "0.00"
	}
	return text
}

// comparison is the table of all assessors of a training, as in the paper's Table IV.
func (l Lesson) comparison() result.Table[Entry] {
	why := func(e Entry) result.Reason {
		if e.Problem == nil {
			return result.Reason{}
		}
		return result.Because("not_trained", "%s", e.Problem)
	}
	column := func(key, title, help string, format result.Format, decimals int,
		value func(assess.Evaluation) float64,
	) result.Column[Entry] {
		return result.Column[Entry]{
			Key: key, Title: title, Help: help, Format: format, Decimals: decimals, Why: why, Descending: true,
			Value: func(e Entry) float64 {
				if e.Problem != nil {
					return math.NaN()
				}
				return value(e.Evaluation)
			},
		}
	}
	return result.Table[Entry]{
		Name: "assessor_comparison", Title: "Assessors", Noun: "assessor",
		ID: func(e Entry) string { return string(e.Settings.Algorithm) },
		Columns: []result.Column[Entry]{
			{
				Key: "assessor", Title: "assessor", Text: func(e Entry) string { return l.named(e.Settings.Algorithm) },
				Help: "a click on a line shows its assessor below",
			},
			column("accuracy", "accuracy",
				"share of models, unseen in training, that are judged as they are labelled: the mean of the repetitions",
				result.Share, 2, func(v assess.Evaluation) float64 { return v.Accuracy }),
			column("largest_deviation", "±", "the largest deviation of a repetition's accuracy from the mean",
				result.Share, 2, func(v assess.Evaluation) float64 { return v.LargestDeviation }),
			column("sd", "SD",
				"standard deviation of the repetitions' accuracy: how much depends on which models happened to be trained on",
				result.Share, 2, func(v assess.Evaluation) float64 { return v.SD }),
			column("balanced_accuracy", "balanced",
				"balanced accuracy: the mean over the classes of the share that is judged rightly; guessing gives 50 % with two classes",
				result.Share, 2, func(v assess.Evaluation) float64 { return v.Metrics.Balanced }),
			column("f1", "F1", "F1 of variant: the harmonic mean of precision and recall",
				result.Share, 2, func(v assess.Evaluation) float64 { return v.Metrics.F1 }),
			column("auc", "AUC",
				"area under the ROC curve: how likely a variant model gets a higher probability of variant than an invariant one; 0.5 is guessing, 1 is best",
				result.Number, 3, func(v assess.Evaluation) float64 { return v.Metrics.AUC }),
			column("kappa", "kappa",
				"Cohen's kappa of the verdicts on unseen models against their labels: agreement beyond chance; 0 is chance, 1 is perfect",
				result.Coefficient, 3, func(v assess.Evaluation) float64 { return v.Kappa.Mean }),
		},
	}
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
	text = fmt.Sprintf("%s. ± is the largest deviation of a repetition, SD the standard deviation, kappa that of the same verdicts with the labels, mean of the repetitions.", text)
	if note != "" {
		text += " " + fmt.Sprintf("Note: %s.", note)
	}
	return text
}
