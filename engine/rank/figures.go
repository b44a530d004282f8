package rank

import (
	"math"
	"slices"

	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/result"
)

// CurvesFigure is the quality of rankers on a suite by a measure over the labelling budget, with
// deviations over the repetitions; up to a budget, 0 for all.
func CurvesFigure(suite string, curves []Curve, m Measure, most int) result.Figure {
	f := result.Figure{
		Title: m.Title() + " over the budget, " + suite,
		X:     result.Axis{Name: "labelled images", Format: result.Number},
		Y:     result.Axis{Name: m.Title(), Format: result.Coefficient}, Empty: "no ranker has a quality at any " +
			"budget",
	}
	for _, c := range curves {
		line := result.Line{Name: c.Method.Title()}
		for k, labels := range c.Budgets {
			if most == 0 || labels <= most {
				addSpread(&line, float64(labels), m.Of(c.Quality[k]))
			}
		}
		addLine(&f, line)
	}
	return f
}

// ImpactFigure is LaF's quality by a measure over the share of the models and of the images, with
// deviations over the draws.
func ImpactFigure(points []ImpactPoint, m Measure) result.Figure {
	f := result.Figure{
		Title: "LaF on a part of models and images: " + m.Title(),
		Empty: "Is LaF good with fewer? Press Measure impact.", X: result.Axis{Name: "share", Format: result.Share},
		Y: result.Axis{Name: m.Title(), Format: result.Coefficient},
	}
	for _, factor := range []Factor{ShareOfModels, ShareOfImages} {
		line := result.Line{Name: "of the " + string(factor)}
		for _, p := range points {
			if p.Factor == factor {
				addSpread(&line, p.Share, m.Of(p.Quality))
			}
		}
		addLine(&f, line)
	}
	return f
}

// addSpread adds a mean with its deviation, 0 for what was measured once; nothing without one.
func addSpread(l *result.Line, x float64, s Spread) {
	if s.N == 0 {
		return
	}
	sd := s.SD
	if math.IsNaN(sd) {
		sd = 0
	}
	l.X, l.Y, l.SD = append(l.X, x), append(l.Y, s.Mean), append(l.SD, sd)
}

// addLine adds a line that is not empty, without a band where nothing deviates.
func addLine(f *result.Figure, l result.Line) {
	if !slices.ContainsFunc(l.SD, func(v float64) bool { return v > 0 }) {
		l.SD = nil
	}
	if len(l.X) > 0 {
		f.Lines = append(f.Lines, l)
	}
}

// ConditionsFigure is LaF's quality by a measure on suites over the mean accuracy of the models
// or, with diversity, its standard deviation; suites are grouped by corruption. A point's ID is
// that of its row.
func ConditionsFigure(rows []Conditions, m Measure, diversity bool) result.Figure {
	f := result.Figure{
		Title: "LaF over the quality of models: " + m.Title(),
		Empty: "Does LaF rank well on shifted images? Nothing was measured yet.",
		X:     result.Axis{Name: "mean accuracy of the models", Format: result.Share},
		Y:     result.Axis{Name: m.Title(), Format: result.Coefficient},
	}
	if diversity {
		f.Title, f.X.Name = "LaF over the diversity of models: "+m.Title(), "standard deviation of the accuracies"
	}
	for _, c := range rows {
		name := "as it is"
		if c.Corruption != "" {
			name = derive.Title(c.Corruption)
		}
		s := m.Of(c.Quality)
		if s.N == 0 {
			continue
		}
		at := slices.IndexFunc(f.Groups, func(g result.Group) bool { return g.Name == name })
		if at < 0 {
			at = len(f.Groups)
			f.Groups = append(f.Groups, result.Group{Name: name, Look: result.Category(at)})
		}
		p := result.Point{Name: c.Name, ID: ConditionsTable.ID(c), X: c.MeanAccuracy, Y: s.Mean, Group: at}
		if diversity {
			p.X = c.Diversity
		}
		f.Points = append(f.Points, p)
	}
	return f
}
