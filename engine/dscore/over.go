package dscore

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// Over is a score of a model at the number that a column of its training record has, such as the
// p of the augmentation that it was trained with: a row of OverTable.
type Over struct {
	Diagnosis
	At float64
}

// OverColumns are the columns of training records in which models differ and one has a number.
func OverColumns(models []model.Model) []string {
	return slices.DeleteFunc(model.RecordNames(models, 2, math.MaxInt), func(name string) bool {
		return !slices.ContainsFunc(models, func(m model.Model) bool {
			_, ok := result.Decimal(strings.TrimSpace(m.Value(name)))
			return ok
		})
	})
}

// OverOf are the scores of models whose record has a number in a column, by suite and grid, then
// by the number. It is an error where none has one.
func OverOf(scores []Diagnosis, column string) (list []Over, err error) {
	var models []model.Model
	for _, d := range scores {
		models = append(models, d.Model)
		if v, ok := result.Decimal(strings.TrimSpace(d.Model.Value(column))); ok {
			list = append(list, Over{d, v})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no training record has a number in a column %s; the columns are %s", column,
			cmp.Or(strings.Join(model.RecordNames(models, 0, math.MaxInt), ", "), "none"))
	}
	slices.SortStableFunc(list, func(a, b Over) int {
		return cmp.Or(strings.Compare(a.Suite, b.Suite), CompareGrids(a.Grid, b.Grid), cmp.Compare(a.At, b.At))
	})
	return list, nil
}

// OverTable has the scores of models over a column of their training records.
func OverTable(column string) result.Table[Over] {
	kept := slices.DeleteFunc(slices.Clone(Scores.Columns), func(c result.Column[Diagnosis]) bool {
		return !slices.Contains([]string{
			"model_id", "model_hash", "suite", "suite_hash", "n", "t",
			"baseline_accuracy", "v_robust", "v_fitness", "d_score", "p",
		}, c.Key)
	})
	at := smallest(result.Numbers(result.RecordKey(column), column, column+", of the training record", result.Number,
		func(o Over) float64 { return o.At }))
	return result.Table[Over]{
		Name: "over", Title: "D-Scores over " + column, Noun: "score", ID: func(o Over) string { return o.ID() },
		Columns: append([]result.Column[Over]{at}, result.Lift(kept, func(o Over) Diagnosis { return o.Diagnosis })...),
	}
}

// OverFigures are D-Score and accuracy over a column, a figure for each suite and grid: a point
// per model, and lines through the means of models with the same number (the paper's Fig. 7).
func OverFigures(rows []Over, column string) (figures []result.Figure) {
	same := func(a, b Over) bool { return a.Suite == b.Suite && a.Grid == b.Grid }
	for len(rows) > 0 {
		end := slices.IndexFunc(rows, func(o Over) bool { return !same(o, rows[0]) })
		if end < 0 {
			end = len(rows)
		}
		figures = append(figures, overFigure(rows[:end], column))
		rows = rows[end:]
	}
	return figures
}

func overFigure(rows []Over, column string) result.Figure {
	f := result.Figure{
		Title: fmt.Sprintf("D-Score and accuracy over %s, %s, %s", column, rows[0].SuiteName, rows[0].Grid),
		X:     result.Axis{Name: column, Format: result.Number},
		Y:     result.Axis{Name: "D-Score, accuracy", Format: result.Number},
	}
	for k, part := range []struct {
		name string
		of   func(Diagnosis) float64
		in   func(Intervals) Interval
	}{
		{
			"D-Score", func(d Diagnosis) float64 { return d.Score.DScore },
			func(i Intervals) Interval { return i.DScore },
		},
		{
			"accuracy", func(d Diagnosis) float64 { return d.Accuracies.Original },
			func(i Intervals) Interval { return i.Original },
		},
	} {
		f.Groups = append(f.Groups, result.Group{Name: part.name, Look: result.Category(k)})
		line, values := result.Line{Name: "mean " + part.name}, map[float64][]float64{}
		for _, o := range rows {
			y := part.of(o.Diagnosis)
			p := result.Point{Name: o.Model.ID, ID: o.Model.Hash, X: o.At, Y: y, Group: k}
			if in := asked(part.in)(o.Diagnosis); in.Reason == "" {
				p.Low, p.High = in.Low, in.High
			}
			f.Points = append(f.Points, p)
			if len(values[o.At]) == 0 {
				line.X = append(line.X, o.At)
			}
			values[o.At] = append(values[o.At], y)
		}
		for _, x := range line.X {
			mean, _ := stats.Moments(values[x])
			line.Y = append(line.Y, mean)
		}
		f.Lines = append(f.Lines, line)
	}
	return f
}
