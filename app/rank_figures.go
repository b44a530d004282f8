package app

import (
	"image/color"
	"io"
	"math"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/store/export"
)

// namedFigure is a figure with the name of its file.
type namedFigure struct {
	name   string
	figure interface {
		Write(w io.Writer, format string) error
	}
}

// rankFigures are the curves over the budget, and LaF's quality against mean and deviation of the accuracies.
func rankFigures(r export.Rankings) []namedFigure {
	var list []namedFigure
	if len(r.Curves) > 0 {
		list = append(
			list,
			namedFigure{"curves_spearman.svg", budgetCurves(r, "Spearman", func(q rank.Quality) float64 { return q.Spearman.Mean })},
			namedFigure{"curves_kendall.svg", budgetCurves(r, "Kendall", func(q rank.Quality) float64 { return q.Kendall.Mean })},
		)
	}
	if len(r.Conditions) > 0 {
		list = append(
			list,
			namedFigure{"conditions_accuracy.svg", conditionDots(r, "Mean accuracy", func(c rank.Conditions) float64 { return c.MeanAccuracy })},
			namedFigure{"conditions_diversity.svg", conditionDots(r, "Standard deviation of the accuracies", func(c rank.Conditions) float64 { return c.Diversity })},
		)
	}
	return list
}

func budgetCurves(r export.Rankings, measure string, of func(rank.Quality) float64) render.Curves {
	f := render.Curves{
		Title: r.Source, X: render.AxisRange{Name: "Labels"}, Y: render.AxisRange{Name: measure + " with true accuracy"},
	}
	for _, c := range r.Curves {
		one := render.Curve{Name: c.Method.Title()}
		for k, labels := range c.Budgets {
			one.X, one.Y = append(one.X, float64(labels)), append(one.Y, of(c.Quality[k]))
		}
		f.Curves = append(f.Curves, one)
	}
	return f
}

func conditionDots(r export.Rankings, name string, of func(rank.Conditions) float64) render.Scatter {
	f := render.Scatter{
		Title: r.Source + ": LaF on the suite and its shifted suites", X: render.AxisRange{Name: name},
		Y:      render.AxisRange{Name: "Spearman with true accuracy"},
		Groups: []render.Group{{Name: "suite", Colour: color.RGBA{0xd5, 0x5e, 0x00, 0xff}}, {Name: "shifted suite", Colour: color.RGBA{0x00, 0x72, 0xb2, 0xff}}},
	}
	for _, c := range r.Conditions {
		group := 1
		if c.Corruption == "" {
			group = 0
		}
		y := math.NaN()
		if c.Quality.Spearman.N > 0 {
			y = c.Quality.Spearman.Mean
		}
		f.Dots = append(f.Dots, render.Dot{X: of(c), Y: y, Group: group})
	}
	return f
}
