package feature

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// Series are the values of a feature, one per model, NaN where it has none.
type Series struct {
	Key, Title string // "max@CONF.svm", and what a table calls it
	X          []float64
}

// Correlation is how a feature goes with accuracy and robust accuracy over some models: a row of
// Correlations.
type Correlation struct {
	Key, Title string
	// By are Pearson's and Spearman's with robust accuracy, then with accuracy; Q their q-values
	// (Benjamini and Hochberg) among all tests of both tables, NaN where there is no correlation.
	By [4]stats.Correlation
	Q  [4]float64
	// Holm are their p-values by Holm, which hold the chance of any false finding among these
	// tests.
	Holm [4]float64
}

// With says which accuracy a table of correlations is about: the place of its first correlation in
// Correlation.By.
type With int

// The accuracies.
const (
	WithRobust   With = 0
	WithAccuracy With = 2
)

// CorrelationSeed is that of the resamples behind the intervals of rank correlations.
const CorrelationSeed = 1

// Correlate correlates features with robust accuracy and accuracy of the same models, in their
// order. It takes seconds for hundreds of models and features: 2000 resamples for each interval.
// The error is that of an ended ctx.
func Correlate(ctx context.Context, features []Series, robust, accuracy []float64) ([]Correlation, error) {
	list := make([]Correlation, len(features))
	var p []float64
	for k, f := range features {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list[k] = Correlation{Key: f.Key, Title: f.Title, By: [4]stats.Correlation{
			stats.Pearson(f.X, robust), stats.SpearmanInterval(f.X, robust, CorrelationSeed),
			stats.Pearson(f.X, accuracy), stats.SpearmanInterval(f.X, accuracy, CorrelationSeed),
		}}
		for _, by := range list[k].By {
			if by.Defined() {
				p = append(p, by.P)
			} else {
				p = append(p, math.NaN())
			}
		}
	}
	for at, q := range stats.BenjaminiHochberg(p) {
		list[at/4].Q[at%4] = q
	}
	for at, holm := range stats.Holm(p) {
		list[at/4].Holm[at%4] = holm
	}
	return list, nil
}

// Correlations is the table of the correlations with one of the accuracies: r and rho, each with
// its interval, p and q. The strongest come first.
func Correlations(w With) result.Table[Correlation] {
	with := map[With]string{WithRobust: "robust accuracy", WithAccuracy: "accuracy"}[w]
	t := result.Table[Correlation]{
		Name: "correlations_" + strings.ReplaceAll(with, " ", "_"), Title: "Correlations with " + with, Noun: "feature",
		ID:    func(c Correlation) string { return c.Key },
		First: result.Order{Key: "strength", Descending: true},
		Columns: []result.Column[Correlation]{result.Texts("feature", "feature", "",
			func(c Correlation) string { return c.Title })},
	}
	for k, m := range [][2]string{{"pearson", "r"}, {"spearman", "ρ"}} {
		at := int(w) + k
		why := func(c Correlation) result.Reason {
			return result.Because(c.By[at].Reason, "%s", undefined(c.By[at].Reason))
		}
		t.Columns = append(t.Columns, stats.Columns(m[0], m[1], m[0]+"_p",
			func(c Correlation) stats.Correlation { return c.By[at] }, why)...)
		t.Columns = append(t.Columns, result.Numbers(m[0]+"_q", "q",
			"the p-value for all tests together, features × measures × both accuracies (Benjamini and Hochberg)",
			result.P, func(c Correlation) float64 { return c.Q[at] }),
			result.Numbers(m[0]+"_holm", "Holm",
				"the p-value by Holm for all these tests: the chance of any false finding among them",
				result.P, func(c Correlation) float64 { return c.Holm[at] }).In(result.Offered))
	}
	t.Columns = append(t.Columns,
		result.Counts("n", "n", "models with both numbers", func(c Correlation) int { return c.By[w].N }),
		result.Numbers("strength", "strength", "r without its sign", result.Coefficient, func(c Correlation) float64 {
			if by := c.By[w]; by.Defined() {
				return math.Abs(by.Value)
			}
			return math.NaN()
		}).In(result.Offered))
	return t
}

// CorrelationFigure is Pearson's r of features with one of the accuracies, a row per feature and a
// column per matrix, as in Table V of the ML4ML paper. colours run from -1 to 1.
func CorrelationFigure(list []Correlation, w With, colours result.Colours) result.Figure {
	f := result.Figure{
		Title: Correlations(w).Title + " (Pearson's r)", X: result.Axis{Name: "matrix"}, Y: result.Axis{Down: true},
		Matrix: &result.Matrix{
			Colours: colours, Value: result.Axis{Name: "r", Format: result.Coefficient}, Barless: true,
			Text: func(v float64) string { return result.Coefficient.Say(v, 2) },
		},
	}
	values := map[[2]string]float64{}
	for _, c := range list {
		row := short(c.Key)
		column := strings.TrimSuffix(c.Key, "."+row)
		if !slices.Contains(f.Y.Names, row) {
			f.Y.Names = append(f.Y.Names, row)
		}
		if !slices.Contains(f.X.Names, column) {
			f.X.Names = append(f.X.Names, column)
		}
		if values[[2]string{row, column}] = math.NaN(); c.By[w].Defined() {
			values[[2]string{row, column}] = c.By[w].Value
		}
	}
	for _, row := range f.Y.Names {
		for _, column := range f.X.Names {
			v, there := values[[2]string{row, column}]
			if !there {
				v = math.NaN()
			}
			f.Matrix.Values = append(f.Matrix.Values, v)
		}
	}
	f.Matrix.Rows, f.Matrix.Columns = len(f.Y.Names), len(f.X.Names)
	return f
}

// Detail is all that is known of a correlation in a line, with the reason where one is undefined.
func (c Correlation) Detail() string {
	text := c.Key
	for k, name := range []string{
		"Pearson with robust accuracy", "Spearman with robust accuracy", "Pearson with accuracy",
		"Spearman with accuracy",
	} {
		by := c.By[k]
		if by.Defined() {
			text += fmt.Sprintf("; %s, q %s, n %d", by.Say(name), result.P.Say(c.Q[k], 0), by.N)
		} else {
			text += fmt.Sprintf("; %s undefined: %s", name, undefined(by.Reason))
		}
	}
	return text
}

// undefined says in words of models why stats has no correlation.
func undefined(reason string) string {
	switch reason {
	case stats.FewPairs:
		return "fewer than 3 models"
	case stats.FirstFixed:
		return "the feature is constant"
	case stats.SecondFixed:
		return "the accuracy is constant"
	case stats.NotFinite:
		return "a value is infinite"
	}
	return reason
}
