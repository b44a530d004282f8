package training

import (
	"context"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store/export"
)

// Options of measuring the models of a workspace, as the command features takes them.
type Options struct {
	Models []string `help:"Models of the workspace, by id (default: all with signals)." source:"models" placeholder:"ID" aliases:"model"`
	Suite  string   `help:"Suite of the workspace, by name or hash (default: its current one)." source:"suites"`
	Family string   `help:"Family, such as rotation:-15:15:1 (default: the workspace's current one)." source:"families"`
	feature.VectorOptions
	variance.Choice
	variance.Resampling
	Labels     string `help:"Labels beside the features: labels_long.csv, labels_wide.csv, or a round of the workspace by name or id." placeholder:"FILE|ROUND" source:"rounds" study:"name"`
	Column     string `help:"Labels beside the features: a column of the training records, such as rule_label." source:"columns"`
	Borderline string `help:"Borderline labels: keep, leave (out), or count them as invariant or variant." enum:"keep,leave,invariant,variant" default:"keep"`
	Ties       bool   `help:"Ties of the annotators count as borderline."`
	GroupOptions
}

// GroupOptions name the groups of models within and between which features vary.
type GroupOptions struct {
	Groups string `label:"Groups by" help:"How features vary between and within groups of models, such as trainings of one recipe: a column of the training records." source:"columns" placeholder:"COLUMN"`
}

// Check says what does not go together.
func (o *Options) Check() error {
	return (&assess.DataOptions{Labels: o.Labels, Column: o.Column}).Check()
}

// Row is a model with its features and its training label: a row of Models. It is immutable.
type Row struct {
	Measured
	// Shown are the features with NaN for what the published code leaves undefined.
	Shown []float64
	// Label is empty where there is none; NoLabel then says why, where labels were asked for.
	Label   label.Value
	NoLabel result.Reason
}

// Rows join what was measured with its labels; data are of the same models in the same order.
func Rows(measured []Measured, data assess.Data) []Row {
	rows := make([]Row, len(measured))
	for i, m := range measured {
		rows[i] = Row{Measured: m, Shown: m.Vector.Shown(), Label: data.Rows[i].Label, NoLabel: data.Rows[i].NoLabel}
	}
	return rows
}

// AllLeftOut are the models without features, and those without a label that have some.
func AllLeftOut(left, unlabelled []LeftOut) []LeftOut {
	list := slices.Clone(left)
	for _, l := range unlabelled {
		if !slices.ContainsFunc(left, func(have LeftOut) bool { return have.Hash == l.Hash }) {
			list = append(list, l)
		}
	}
	return list
}

// Models is the table of models and their features by a layout of variance matrices, as
// feature.ColumnsOf has them; people see chance where one of the rows has something to say.
func Models(layout feature.Layout, matrix string, rows []Row) result.Table[Row] {
	score := func(s invariance.Score, of func(Row) float64) result.Column[Row] {
		return result.Numbers(string(s), s.Title(), s.Help(), result.Share, of).In(result.FileOnly)
	}
	product := func(r Row) float64 { return r.Scores.CorrectProduct }
	robust := score(invariance.ScoreRobustAccuracy, product).In(result.Shown)
	robust.Title = "robust" // so that it takes no more room than its numbers
	t := result.Table[Row]{
		Name: "features", Title: "Features", Noun: "model", ID: func(r Row) string { return r.Model.Hash },
		First: result.Order{Key: "model_id"},
		Columns: slices.Concat(labelled(), []result.Column[Row]{
			result.Numbers("accuracy", "accuracy",
				"share of the labelled images that are classified rightly", result.Share,
				func(r Row) float64 { return r.Accuracy }).Because(Row.noLabels),
		}, warned(), []result.Column[Row]{
			robust.Because(Row.noLabels),
			score(invariance.ScoreCorrectMean, func(r Row) float64 {
				return r.Scores.CorrectMean
			}).Because(Row.noLabels),
			score(invariance.ScoreConsistencyProduct, func(r Row) float64 { return r.Scores.ConsistencyProduct }),
			score(invariance.ScoreConsistencyMean, func(r Row) float64 { return r.Scores.ConsistencyMean }),
		}, feature.ColumnsOf(layout, matrix, func(r Row) []float64 { return r.Shown },
			func(r Row) map[string][]feature.Flag { return r.Vector.Flags }),
			feature.ScaleFreeColumns(layout, matrix,
				func(r Row) map[string]variance.Matrix { return r.Vector.Matrices })),
		More: func(rows []Row) []result.Column[Row] {
			return append(subject.Device(rows, func(r Row) string { return r.Device }),
				model.RecordColumns(rows, func(r Row) model.Model { return r.Model })...)
		},
	}
	if !slices.ContainsFunc(rows, func(r Row) bool { return r.Chance.Flagged() }) {
		t = t.Place(result.FileOnly, "chance")
	}
	return t
}

// labelled are the columns of model and label.
func labelled() []result.Column[Row] {
	return append(result.Lift(subject.Columns[:2], func(r Row) subject.Subject {
		return subject.Subject{Model: r.Model.ID, ModelHash: r.Model.Hash}
	}), result.Column[Row]{
		Key: "final", Title: "label", Help: "training label", Format: result.Label,
		Text: func(r Row) string { return string(r.Label) }, Why: func(r Row) result.Reason { return r.NoLabel },
	})
}

// warned are the columns of accuracy beside chance.
func warned() []result.Column[Row] {
	return result.Lift(chance.Columns, func(r Row) chance.Level { return r.Chance })
}

func (r Row) noLabels() result.Reason { return result.Because("no_labels", "the suite has no labels") }

// Correlate correlates the features of a matrix, or of all for "", with robust accuracy and
// accuracy over rows.
func Correlate(ctx context.Context, layout feature.Layout, rows []Row, matrix string) ([]feature.Correlation, error) {
	series := func(of func(Row) float64) []float64 {
		list := make([]float64, len(rows))
		for i, r := range rows {
			list[i] = of(r)
		}
		return list
	}
	var list []feature.Series
	for k, name := range layout.Names() {
		if title, ours := strings.CutPrefix(name, matrix+"."); ours || matrix == "" {
			list = append(list, feature.Series{
				Key: name, Title: title, X: series(func(r Row) float64 { return r.Shown[k] }),
			})
		}
	}
	return feature.Correlate(ctx, list, series(func(r Row) float64 { return r.Scores.CorrectProduct }),
		series(func(r Row) float64 { return r.Accuracy }))
}

// MatrixOf is a matrix of a row: a row of Matrices.
type MatrixOf struct {
	Row
	feature.OfMatrix
}

// Matrices is Models with a row per matrix.
var Matrices = result.Table[MatrixOf]{
	Name: feature.Matrices.Name, Title: feature.Matrices.Title, Noun: "matrix",
	ID: func(m MatrixOf) string { return m.Row.Model.Hash + "/" + m.Matrix },
	Columns: slices.Concat(
		result.Lift(append(labelled(), warned()[0]), func(m MatrixOf) Row { return m.Row }),
		result.Lift(feature.MatrixColumns, func(m MatrixOf) feature.OfMatrix { return m.OfMatrix })),
}

// MatricesOf are the matrices of rows, in the order of a layout of variance matrices.
func MatricesOf(layout feature.Layout, rows []Row) []MatrixOf {
	list := make([]MatrixOf, 0, len(rows)*len(layout.Modalities))
	for _, r := range rows {
		for k, name := range layout.Modalities {
			list = append(list, MatrixOf{r, feature.OfMatrix{
				Matrix: name, Values: r.Shown[k*feature.Count:][:feature.Count], Flags: r.Vector.Flags[name],
			}})
		}
	}
	return list
}

// Files are rows as a table of features for files, which names the suite and the family.
func Files(layout feature.Layout, of subject.Subject, rows []Row) export.FeatureTable {
	t := export.FeatureTable{Names: layout.Names(), Layout: &layout, Of: of}
	for _, r := range rows {
		t.Rows = append(t.Rows, export.FeatureRow{
			ModelID: r.Model.ID, ModelHash: r.Model.Hash, Values: r.Shown, Final: r.Label,
		})
	}
	return t
}
