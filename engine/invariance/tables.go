package invariance

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
)

// Results is the table of what was measured: means over all images and transformations. A column
// record.NAME is offered for each column NAME of the models' training records.
var Results = result.Table[Measured]{
	Name: "ei", Title: "Effective invariance", Noun: "row", ID: Measured.ID, First: result.Order{Key: "model_id"},
	Columns: join(
		result.Lift(names, Measured.subject), quantities(tableScores, func(m Measured) means { return means{m.Mean, m.Missing} }),
		[]result.Column[Measured]{
			ofLabels("accuracy", "accuracy", "the share of the labelled images, unchanged, that are classified rightly", result.Share,
				func(m Measured) float64 { return m.Accuracy }),
		},
		result.Lift(chance.Columns, func(m Measured) chance.Level { return m.Chance.Level() }),
		[]result.Column[Measured]{
			ofLabels("accuracy_drop", "drop", "accuracy on the images minus that on the transformed ones, mean over the transformations",
				result.Points, func(m Measured) float64 { return m.Drop }),
			robust(ScoreRobustAccuracy), robust(ScoreCorrectMean), robust(ScoreConsistencyProduct), robust(ScoreConsistencyMean),
			{
				Key: "images", Title: "images", Help: "images of the suite", Format: result.Count, Descending: true,
				Value: func(m Measured) float64 { return float64(m.Images) },
			},
			{
				Key: "labelled", Title: "labelled", Help: "images of the suite with a label", Format: result.Count, Descending: true,
				Show: result.Offered, Value: func(m Measured) float64 { return float64(m.Labelled) },
			},
		}),
	More: func(rows []Measured) []result.Column[Measured] {
		models := make([]model.Model, len(rows))
		for k, m := range rows {
			models[k] = m.Model
		}
		return recorded(models)
	},
}

// Transformations is the table of Steps, for rows of several models. OfOneRow is the same table for
// the steps of one row, without the names of model, suite and family for people.
var Transformations, OfOneRow = steps(result.Shown), steps(result.FileOnly)

func steps(show result.Show) result.Table[Step] {
	var about []result.Column[Step]
	for _, c := range result.Lift(names, func(s Step) subject { return s.Of.subject() }) {
		if c.Show == result.Shown {
			c.Show = show
		}
		if c.Key == "family" {
			c.Show = result.FileOnly // the name of a transformation begins with it
		}
		about = append(about, c)
	}
	return result.Table[Step]{
		Name: "ei_transformations", Title: "Effective invariance per transformation", Noun: "transformation",
		ID: func(s Step) string { return s.Of.ID() + "/" + strconv.Itoa(s.Transformation) },
		Columns: join(
			about,
			[]result.Column[Step]{
				{Key: "name", Title: "transformation", Help: "what is done to the images", Text: func(s Step) string { return s.Name }},
				{
					Key: "transformation", Title: "number", Help: "of the transformation in its family, -1 for the mean over all", Format: result.Count,
					Show: result.FileOnly, Value: func(s Step) float64 { return float64(s.Transformation) },
				},
				{
					Key: "v", Title: "v", Help: "value of the family's sampling variable; sets have none", Format: result.Number, Show: result.FileOnly,
					Value: func(s Step) float64 { return s.V },
				},
			},
			quantities(tableScores, func(s Step) means { return means{s.Mean, s.Of.Missing} }),
			[]result.Column[Step]{
				{
					Key: "accuracy", Title: "accuracy", Help: "the share of the labelled images that are classified rightly under the transformation",
					Format: result.Share, Descending: true, Value: func(s Step) float64 { return s.Accuracy }, Why: func(s Step) result.Reason { return s.Of.noLabels() },
				},
				{
					Key: "accuracy_drop", Title: "drop", Help: "accuracy on the images minus that under the transformation", Format: result.Points,
					Descending: true, Value: func(s Step) float64 { return s.AccuracyDrop }, Why: func(s Step) result.Reason { return s.Of.noLabels() },
				},
			}),
	}
}

// Images is the table of every image under every transformation. It has many rows: it is streamed,
// and the hashes of models and suites stand in Results.
var Images = result.Table[ImageValue]{
	Name: "ei_images", Title: "Effective invariance per image", Noun: "value",
	ID: func(v ImageValue) string { return fmt.Sprint(v.Of.ID(), "/", v.Image, "/", v.Transformation) },
	Columns: join(
		result.Lift(visible(names), func(v ImageValue) subject { return v.Of.subject() }),
		[]result.Column[ImageValue]{
			{
				Key: "image", Title: "image", Help: "number of the image in the suite, from 0", Format: result.Count,
				Value: func(v ImageValue) float64 { return float64(v.Image) },
			},
			{
				Key: "transformation", Title: "transformation", Help: "number of the transformation in its family", Format: result.Count,
				Value: func(v ImageValue) float64 { return float64(v.Transformation) },
			},
		},
		quantities(tableScores, func(v ImageValue) means { return means{v.Values, result.Reason{}} })),
}

// LeftOuts is the table of what was not measured, a row per model.
var LeftOuts = result.Table[LeftOut]{
	Name: "left_out", Title: "Left out", Noun: "row", ID: func(l LeftOut) string { return l.Hash + "/" + l.Suite + "/" + l.Family },
	Columns: join(result.Lift(names, LeftOut.subject), reasons),
}

// Lacks is LeftOuts with a row for all models that lack the same for the same reason.
var Lacks = result.Table[Lack]{
	Name: "left_out_together", Title: "Left out", Noun: "line", ID: func(l Lack) string { return l.Suite + "/" + l.Family + "/" + l.Reason.Text },
	Columns: join(
		[]result.Column[Lack]{
			{
				Key: "models", Title: "models", Help: "models that were not measured", Text: func(l Lack) string { return strings.Join(l.IDs, ", ") },
				Said: func(l Lack) string { return some(l.IDs) },
			},
			{
				Key: "count", Title: "count", Help: "number of these models", Format: result.Count, Show: result.Offered, Descending: true,
				Value: func(l Lack) float64 { return float64(len(l.IDs)) },
			},
		},
		result.Lift(visible(names)[1:], func(l Lack) subject { return l.subject() }),
		result.Lift(reasons, func(l Lack) LeftOut { return l.LeftOut })),
}

var reasons = []result.Column[LeftOut]{
	{Key: "reason", Title: "why", Help: "why there is no result", Text: func(l LeftOut) string { return l.Reason.Text }},
	{Key: "code", Title: "code", Help: "the reason in a word, for programs", Show: result.FileOnly, Text: func(l LeftOut) string { return l.Reason.Code }},
}

// subject is what a row of any table here is about.
type subject struct{ id, hash, suite, suiteHash, family, familyName string }

func (m Measured) subject() subject {
	return subject{m.Model.ID, m.Model.Hash, m.SuiteName, m.Suite, m.Family, m.FamilyName}
}

func (l LeftOut) subject() subject {
	return subject{l.ID, l.Hash, l.SuiteName, l.Suite, l.Family, l.FamilyName}
}

var names = []result.Column[subject]{
	{Key: "model_id", Title: "model", Help: "name of the model", Text: func(s subject) string { return s.id }},
	{
		Key: "model_hash", Title: "model hash", Help: "SHA-256 of the model's file", Format: result.ID, Show: result.FileOnly,
		Text: func(s subject) string { return s.hash },
	},
	{Key: "suite", Title: "suite", Help: "name of the test suite", Text: func(s subject) string { return s.suite }},
	{
		Key: "suite_hash", Title: "suite hash", Help: "content hash of the suite", Format: result.ID, Show: result.FileOnly,
		Text: func(s subject) string { return s.suiteHash },
	},
	{
		Key: "family", Title: "transformations", Help: "family of transformations or set; files have its canonical text",
		Text: func(s subject) string { return s.family }, Said: func(s subject) string { return s.familyName },
	},
}

// visible are the columns that people see.
func visible[R any](columns []result.Column[R]) []result.Column[R] {
	var list []result.Column[R]
	for _, c := range columns {
		if c.Show == result.Shown {
			list = append(list, c)
		}
	}
	return list
}

func join[R any](parts ...[]result.Column[R]) []result.Column[R] {
	var list []result.Column[R]
	for _, p := range parts {
		list = append(list, p...)
	}
	return list
}

// means are values of the measures, and why those of whole softmax vectors are missing.
type means struct {
	values  Values
	missing result.Reason
}

// quantities are columns of measures.
func quantities[R any](scores []Score, of func(R) means) []result.Column[R] {
	var list []result.Column[means]
	for _, s := range scores {
		c := column[means](s)
		m := s.measure()
		c.Value = func(v means) float64 { return v.values[m] }
		c.Why = func(v means) result.Reason { return v.missing }
		list = append(list, c)
	}
	return result.Lift(list, of)
}

// column is a score's column without its values.
func column[R any](s Score) result.Column[R] {
	q := s.said()
	c := result.Column[R]{Key: string(s), Title: q.title, Help: q.help, Format: result.Number, Descending: true}
	if q.share {
		c.Format = result.Share
	}
	return c
}

// robust is a column of one of the scores that need all transformations.
func robust(s Score) result.Column[Measured] {
	c := column[Measured](s)
	c.Value = func(m Measured) float64 { return s.Of(m.Result) }
	c.Why = func(m Measured) result.Reason { return m.noScore(s) }
	return c
}

// ofLabels is a column that needs labels.
func ofLabels(key, title, help string, format result.Format, value func(Measured) float64) result.Column[Measured] {
	return result.Column[Measured]{Key: key, Title: title, Help: help, Format: format, Descending: true, Value: value, Why: Measured.noLabels}
}

// noLabels says why there is no accuracy.
func (m Measured) noLabels() result.Reason {
	if m.Labelled > 0 {
		return result.Because(Undefined, "undefined for this model and suite")
	}
	return result.Because(NoLabels, "the suite %s has no labels", m.SuiteName)
}

// noScore says why a row has no value of a score.
func (m Measured) noScore(s Score) result.Reason {
	switch {
	case s == ScoreRobustAccuracy || s == ScoreCorrectMean:
		return m.noLabels()
	case (s == ScoreJS || s == ScoreL2 || s == ScoreKL) && !m.Missing.None():
		return m.Missing
	}
	return result.Because(Undefined, "undefined for this model and suite")
}

// recorded are the columns record.NAME of training records, in the order in which they are met.
func recorded(models []model.Model) []result.Column[Measured] {
	var list []result.Column[Measured]
	for _, name := range RecordColumns(models, 0, math.MaxInt) {
		list = append(list, result.Column[Measured]{
			Key: result.RecordKey(name), Title: name, Help: name + ", of the training record", Show: result.Offered,
			Text: func(m Measured) string { return m.Model.Value(name) },
		})
	}
	return list
}
