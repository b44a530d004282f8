package invariance

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
)

// Results is the table of what was measured: means over all images and transformations. A column
// record.NAME is offered for each column NAME of the models' training records.
var Results = result.Table[Measured]{
	Name: "ei", Title: "Effective invariance", Noun: "row", ID: Measured.ID, First: result.Order{Key: "model_id"},
	Columns: slices.Concat(
		result.Lift(subject.Columns, Measured.subject),
		measures(func(m Measured) means { return means{m.Mean, m.Missing} }),
		[]result.Column[Measured]{
			result.Numbers("accuracy", "accuracy",
				"share of the labelled images that are classified rightly", result.Share,
				func(m Measured) float64 { return m.Accuracy }).Because(Measured.noLabels),
		},
		result.Lift(chance.Columns, func(m Measured) chance.Level { return m.Chance.Level() }),
		[]result.Column[Measured]{
			result.Numbers("accuracy_drop", "drop",
				"accuracy minus that on the transformed images, mean over transformations",
				result.Points, func(m Measured) float64 { return m.Drop }).Because(Measured.noLabels),
			robust(ScoreRobustAccuracy), robust(ScoreCorrectMean),
			robust(ScoreConsistencyProduct), robust(ScoreConsistencyMean),
			result.Counts("images", "images", "images of the suite", func(m Measured) int { return m.Images }),
			result.Counts("labelled", "labelled", "those with a label",
				func(m Measured) int { return m.Labelled }).In(offered),
		}),
	More: func(rows []Measured) []result.Column[Measured] {
		return append(subject.Device(rows, func(m Measured) string { return m.Device }),
			model.RecordColumns(rows, func(m Measured) model.Model { return m.Model })...)
	},
}

// Transformations is the table of Steps. OfOneRow is the same for the steps of one row: people do
// not see its model and suite again.
var (
	Transformations = result.Table[Step]{
		Name: "ei_transformations", Title: "Effective invariance per transformation", Noun: "transformation",
		ID: func(s Step) string { return s.Of.ID() + "/" + strconv.Itoa(s.Transformation) },
		Columns: slices.Concat(
			result.Lift(subject.Columns, func(s Step) subject.Subject { return s.Of.subject() }),
			[]result.Column[Step]{
				result.Texts("name", "transformation", "what is done to the images",
					func(s Step) string { return s.Name }),
				result.Counts("transformation", "number",
					"of the transformation in its family, -1 for the mean over all",
					func(s Step) int { return s.Transformation }).In(hidden),
				result.Numbers("v", "v", "value of the family's sampling variable; sets have none", result.Number,
					func(s Step) float64 { return s.V }).In(hidden),
			},
			measures(func(s Step) means { return means{s.Mean, s.Of.Missing} }),
			[]result.Column[Step]{
				result.Numbers("accuracy", "accuracy",
					"share of the labelled images that are classified rightly under it",
					result.Share, func(s Step) float64 { return s.Accuracy }).Because(Step.noLabels),
				result.Numbers("accuracy_drop", "drop", "accuracy on the images minus that under it", result.Points,
					func(s Step) float64 { return s.AccuracyDrop }).Because(Step.noLabels),
			}),
	}.Place(result.FileOnly, "family") // with which the name of a transformation begins
	OfOneRow = Transformations.Place(result.FileOnly, "model_id", "suite")
)

// Images is the table of every image under every transformation. It has many rows: it is streamed,
// and the hashes of models and suites stand in Results.
var Images = result.Table[ImageValue]{
	Name: "ei_images", Title: "Effective invariance per image", Noun: "value",
	ID: func(v ImageValue) string { return fmt.Sprint(v.Of.ID(), "/", v.Image, "/", v.Transformation) },
	Columns: slices.Concat(
		result.Lift(result.Seen(subject.Columns), func(v ImageValue) subject.Subject { return v.Of.subject() }),
		[]result.Column[ImageValue]{
			result.Counts("image", "image", "its number in the suite, from 0",
				func(v ImageValue) int { return v.Image }),
			result.Counts("transformation", "transformation", "its number in the family",
				func(v ImageValue) int { return v.Transformation }),
		},
		measures(func(v ImageValue) means { return means{v.Values, result.Reason{}} })),
}

// LeftOuts is the table of what was not measured, a row per model.
var LeftOuts = result.Table[LeftOut]{
	Name: "left_out", Title: "Left out", Noun: "row",
	ID:      func(l LeftOut) string { return l.Hash + "/" + l.Suite + "/" + l.Family },
	Columns: append(result.Lift(subject.Columns, LeftOut.subject), reasons...),
}

// Lacks is LeftOuts with a row for all models that lack the same for the same reason.
var Lacks = result.Table[Lack]{
	Name: "left_out_together", Title: "Left out", Noun: "line",
	ID: func(l Lack) string { return l.Suite + "/" + l.Family + "/" + l.Reason.Text },
	Columns: slices.Concat(
		[]result.Column[Lack]{
			result.Texts("models", "models", "models that were not measured",
				func(l Lack) string { return strings.Join(l.IDs, ", ") }).Told(func(l Lack) string {
				return result.Some(l.IDs)
			}),
			result.Counts("count", "count", "their number", func(l Lack) int { return len(l.IDs) }).In(offered),
		},
		result.Lift(result.Seen(subject.Columns)[1:], func(l Lack) subject.Subject { return l.subject() }),
		result.Lift(reasons, func(l Lack) LeftOut { return l.LeftOut })),
}

var reasons = []result.Column[LeftOut]{
	result.Texts("reason", "why", "why there is no result", func(l LeftOut) string { return l.Reason.Text }),
	result.Texts("code", "code", "the reason for programs", func(l LeftOut) string { return l.Reason.Code }).In(hidden),
}

func (m Measured) subject() subject.Subject {
	return subject.Subject{
		Model: m.Model.ID, ModelHash: m.Model.Hash, Suite: m.SuiteName, SuiteHash: m.Suite,
		Family: m.Family, FamilyName: m.FamilyName,
	}
}

func (l LeftOut) subject() subject.Subject {
	return subject.Subject{
		Model: l.ID, ModelHash: l.Hash, Suite: l.SuiteName, SuiteHash: l.Suite, Family: l.Family,
		FamilyName: l.FamilyName,
	}
}

// means are values of the measures, and why those of whole softmax vectors are missing.
type means struct {
	values  Values
	missing result.Reason
}

// measures are the columns of the measures.
func measures[R any](of func(R) means) []result.Column[R] {
	var list []result.Column[means]
	for _, s := range tableScores {
		m := s.measure()
		c := column(s, func(v means) float64 { return v.values[m] })
		list = append(list, c.Because(func(v means) result.Reason { return v.missing }))
	}
	return result.Lift(list, of)
}

// column is a score's column.
func column[R any](s Score, value func(R) float64) result.Column[R] {
	q, format := sayings[s], result.Number
	if q.share {
		format = result.Share
	}
	return result.Numbers(string(s), q.title, q.help, format, value)
}

// robust is a column of one of the scores that need all transformations.
func robust(s Score) result.Column[Measured] {
	c := column(s, func(m Measured) float64 { return s.Of(m.Result) })
	return c.Because(func(m Measured) result.Reason { return m.noScore(s) })
}

// noLabels says why there is no accuracy.
func (m Measured) noLabels() result.Reason {
	return result.Because(NoLabels, "the suite %s has no labels", m.SuiteName)
}

func (s Step) noLabels() result.Reason { return s.Of.noLabels() }

// noScore says why a row has no value of a score.
func (m Measured) noScore(s Score) result.Reason {
	switch s {
	case ScoreRobustAccuracy, ScoreCorrectMean:
		return m.noLabels()
	case ScoreJS, ScoreL2, ScoreKL:
		return m.Missing
	}
	return result.Because(Undefined, "undefined for this model and suite")
}
