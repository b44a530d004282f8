package invariance

import (
	"fmt"
	"math"
	"strconv"

	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/ui/present"
)

// Column is a column of the table. Text is nil for numbers, Value for texts.
type Column struct {
	Key   string // also in files
	Title string
	Hint  string // what the column tells, with its formula in words
	Value func(r Row) float64
	Text  func(r Row) string
}

// The keys of the columns that are texts.
const (
	keyModel  = "model"
	keySuite  = "suite"
	keyFamily = "family"
	keyChance = "chance"
)

// Columns are the table's columns: what was measured, then the measures, then what needs labels.
func Columns() []Column {
	list := []Column{
		{Key: keyModel, Title: "model", Text: func(r Row) string { return r.Model.ID }},
		{Key: keySuite, Title: "suite", Text: func(r Row) string { return r.SuiteName }},
		{Key: keyFamily, Title: "transformations", Text: func(r Row) string { return r.FamilyName }},
	}
	for _, m := range tableMeasures {
		list = append(list, Column{Key: m.String(), Title: MeasureTitle(m), Hint: measureHint(m), Value: func(r Row) float64 { return r.Mean[m] }})
	}
	list = append(list,
		Column{Key: "accuracy", Title: "accuracy", Hint: "accuracy: the share of the labelled images, unchanged, that are classified rightly", Value: func(r Row) float64 { return r.Accuracy }},
		Column{Key: keyChance, Title: "chance", Hint: "models whose accuracy is not above chance, or nearly all of whose predictions are one class", Text: func(r Row) string { return r.Chance.Level().Code.Word() }},
		Column{Key: "accuracy_drop", Title: "drop", Hint: "accuracy drop: accuracy on the images minus that on the transformed ones, mean over the transformations", Value: func(r Row) float64 { return r.Drop }})
	for _, s := range robustScores {
		list = append(list, Column{Key: string(s), Title: ScoreTitle(s), Hint: scoreHint(s), Value: func(r Row) float64 { return s.Of(r.Result) }})
	}
	return append(list, Column{Key: "images", Title: "images", Hint: "images of the suite", Value: func(r Row) float64 { return float64(r.Images) }})
}

// tableMeasures are the measures in the order of the table, robustScores the scores that need many transformations.
var (
	tableMeasures = []measure.Measure{measure.EI, measure.Product, measure.Consistent, measure.JS, measure.KL, measure.KLReverse, measure.L2}
	robustScores  = []measure.Score{
		measure.ScoreRobustAccuracy, measure.ScoreCorrectMean, measure.ScoreConsistencyProduct, measure.ScoreConsistencyMean,
	}
)

// MeasureTitle is a measure's name for people.
func MeasureTitle(m measure.Measure) string {
	switch m {
	case measure.EI:
		return "EI"
	case measure.Product:
		return "EI product"
	case measure.JS:
		return "JS"
	case measure.L2:
		return "L2"
	case measure.KL:
		return "KL"
	case measure.KLReverse:
		return "KL reverse"
	}
	return "consistent"
}

// measureHint says how a measure is computed.
func measureHint(m measure.Measure) string {
	switch m {
	case measure.EI:
		return "effective invariance: square root of the two confidences' product where both predictions agree, else 0; 0..1, mean over images and transformations"
	case measure.Product:
		return "EI product: the two confidences' product without the square root where both predictions agree, else 0; for comparison only"
	case measure.JS:
		return "Jensen-Shannon divergence of the two softmax vectors, natural logarithm: 0 for equal ones, at most ln 2 = 0.693"
	case measure.L2:
		return "L2: Euclidean distance of the two softmax vectors, 0 for equal ones, at most 1.41"
	case measure.KL:
		return "Kullback-Leibler divergence of the transformed image's softmax from the image's: sum of p ln(p/q)"
	case measure.KLReverse:
		return "Kullback-Leibler divergence of the image's softmax from the transformed image's: sum of q ln(q/p)"
	}
	return "prediction consistency: share of the images whose prediction stays the same under the transformation"
}

// ScoreTitle is a score's name for people.
func ScoreTitle(s measure.Score) string {
	switch s {
	case measure.ScoreEI:
		return "EI"
	case measure.ScoreProduct:
		return "EI product"
	case measure.ScoreJS:
		return "JS"
	case measure.ScoreL2:
		return "L2"
	case measure.ScoreKL:
		return "KL"
	case measure.ScoreConsistent:
		return "consistent"
	case measure.ScoreRobustAccuracy:
		return "correct product"
	case measure.ScoreCorrectMean:
		return "correct mean"
	case measure.ScoreConsistencyProduct:
		return "consistency product"
	}
	return "consistency mean"
}

func scoreHint(s measure.Score) string {
	switch s {
	case measure.ScoreRobustAccuracy:
		return "correct product, also called robust accuracy: share of the images that are classified rightly under all transformations"
	case measure.ScoreCorrectMean:
		return "correct mean: accuracy, mean over all transformations and the images as they are"
	case measure.ScoreConsistencyProduct:
		return "consistency product: share of the images whose prediction stays the same under all transformations; needs no labels"
	}
	return "consistency mean: share of predictions that equal the one for the image as it is, mean over all transformations; needs no labels"
}

// cell is the text of a cell.
func (c Column) cell(r Row) string {
	switch {
	case c.Text != nil:
		return c.Text(r)
	case c.Key == "images":
		return present.Count(int64(r.Images))
	}
	return present.Number(c.Value(r))
}

// whole is the cell in a file, with all digits; empty where there is no value.
func (c Column) whole(r Row) string {
	if c.Key == keyChance {
		return string(r.Chance.Level().Code)
	}
	if c.Text != nil {
		return c.Text(r)
	}
	return number(c.Value(r))
}

func number(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// reason says why a number of a row is missing, "" where it is there.
func (c Column) reason(r Row) string {
	if c.Value == nil || !math.IsNaN(c.Value(r)) {
		return ""
	}
	if r.Labelled == 0 && (c.Key == "accuracy" || c.Key == "accuracy_drop" || c.Key == string(measure.ScoreRobustAccuracy) || c.Key == string(measure.ScoreCorrectMean)) {
		return fmt.Sprintf("the suite %s has no labels", r.SuiteName)
	}
	if !r.Missing.None() {
		return r.Missing.Text
	}
	return "undefined for this model and suite"
}
