package rank

import (
	"slices"

	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/result"
)

// CurvesFigure is the quality of the rankers by a measure over the labelling budget.
func (r Rankings) CurvesFigure(m Measure) result.Figure {
	f := result.Figure{
		Title: m.Title() + " over the budget, " + r.On[0].Suite,
		X:     result.Axis{Name: "labelled images", Format: result.Number},
		Y:     result.Axis{Name: m.Title(), Format: result.Coefficient}, Empty: "no ranker has a quality at any " +
			"budget",
	}
	for _, c := range r.Curves {
		line := result.Line{Name: c.Method.Title()}
		for k, labels := range c.Budgets {
			if s := m.Of(c.Quality[k]); s.N > 0 {
				line.X, line.Y = append(line.X, float64(labels)), append(line.Y, s.Mean)
			}
		}
		if len(line.X) > 0 {
			f.Lines = append(f.Lines, line)
		}
	}
	return f
}

// ConditionsFigure is LaF's quality by a measure on suites over the mean accuracy of the models
// or, with diversity, its standard deviation; suites are grouped by corruption. A point's ID is
// that of its row.
func ConditionsFigure(rows []Conditions, m Measure, diversity bool) result.Figure {
	f := result.Figure{
		Title: "LaF over the quality of models: " + m.Title(), Empty: "Does LaF rank well on shifted images? Nothing was measured yet.",
		X: result.Axis{Name: "mean accuracy of the models", Format: result.Share},
		Y: result.Axis{Name: m.Title(), Format: result.Coefficient},
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
