package ranking

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Shifted are LaF's conditions on a suite and on those that corruptions made of it.
type Shifted struct {
	Rows []rank.Conditions
	Left []predictions.LeftOut // suites on which nothing could be ranked, with the reason
}

// family are the sources that belong together with one: the suite that it is made from and all that are made from that.
func family(list []Source, of Source) []Source {
	base := cmp.Or(of.Base, of.ID)
	return slices.DeleteFunc(slices.Clone(list), func(s Source) bool { return s.ID != base && s.Base != base })
}

// measureShifted measures LaF on every source by its true classes. Without names the models that take no part.
func measureShifted(ctx context.Context, from Store, list []Source, s Settings, p engine.Progress) (Shifted, error) {
	var out Shifted
	p.SetTotal(int64(len(list)))
	for _, source := range list {
		row, err := conditionsOf(ctx, from, source, s)
		switch {
		case ctx.Err() != nil:
			return out, ctx.Err()
		case err != nil:
			out.Left = append(out.Left, predictions.LeftOut{ID: source.Name, Hash: source.ID, Reason: err.Error()})
		default:
			out.Rows = append(out.Rows, row)
		}
		p.Add(1)
	}
	return out, nil
}

func conditionsOf(ctx context.Context, from Store, source Source, s Settings) (rank.Conditions, error) {
	ask := predictions.Ask{Suite: source.ID, Truth: predictions.OfSuite}
	d, _, err := from.Gather(ctx, ask, engine.NoProgress{})
	if err != nil {
		return rank.Conditions{}, err
	}
	d = Material{Data: d}.chosen(s.Without)
	if err := d.Check(); err != nil {
		return rank.Conditions{}, err
	}
	c, err := rank.ConditionsOf(ctx, source.Name, d, s.options())
	if err != nil {
		return c, err
	}
	c.Corruption, c.Severity = derive.Kind(source.Change)
	return c, nil
}

// conditionTitles are the columns of the table of conditions.
func conditionTitles() []widget.Column {
	return []widget.Column{
		{Title: "suite", Width: 190},
		{Title: "corruption", Width: 120},
		{Title: "severity", Width: 70, Right: true},
		{Title: "lowest", Width: 80, Right: true, Hint: "the accuracy of the worst model"},
		{Title: "highest", Width: 80, Right: true, Hint: "the accuracy of the best model"},
		{Title: "quality", Width: 80, Right: true, Hint: "the mean accuracy of the models"},
		{Title: "diversity", Width: 80, Right: true, Hint: "the standard deviation of the models' accuracies"},
		{Title: "Spearman's ρ", Width: 100, Right: true, Hint: "of LaF's ranking and the true accuracies"},
		{Title: "Kendall's τ-b", Width: 100, Right: true, Hint: "of LaF's ranking and the true accuracies"},
	}
}

// conditionCell is the text of a cell of the table of conditions.
func conditionCell(c rank.Conditions, col int) string {
	switch col {
	case 0:
		return c.Name
	case 1:
		if c.Corruption == "" {
			return ""
		}
		return present.Corruption(c.Corruption)
	case 2:
		if c.Severity == 0 {
			return ""
		}
		return strconv.Itoa(c.Severity)
	case 3:
		return present.Percent(c.Lowest)
	case 4:
		return present.Percent(c.Highest)
	case 5:
		return present.Percent(c.MeanAccuracy)
	case 6:
		return scoreText(c.Diversity)
	}
	return present.Kappa(conditionValue(c, col))
}

// conditionValue is what a column is sorted by; those of words are sorted by their text.
func conditionValue(c rank.Conditions, col int) float64 {
	switch col {
	case 2:
		return float64(c.Severity)
	case 3:
		return c.Lowest
	case 4:
		return c.Highest
	case 5:
		return c.MeanAccuracy
	case 6:
		return c.Diversity
	case 7:
		return meanOf(c.Quality.Spearman)
	case 8:
		return meanOf(c.Quality.Kendall)
	}
	return math.NaN()
}

// meanOf is a spread's mean, NaN where it is undefined.
func meanOf(s rank.Spread) float64 {
	if s.N == 0 {
		return math.NaN()
	}
	return s.Mean
}

// sortConditions sorts rows by a column, numbers from the largest; turned turns the order round.
func sortConditions(rows []rank.Conditions, col int, turned bool) {
	slices.SortStableFunc(rows, func(a, b rank.Conditions) int {
		order := 0
		if x, y := conditionValue(a, col), conditionValue(b, col); col < 2 {
			order = result.Natural(conditionCell(a, col), conditionCell(b, col))
		} else if math.IsNaN(x) || math.IsNaN(y) {
			return cmp.Compare(bit(math.IsNaN(x)), bit(math.IsNaN(y)))
		} else {
			order = cmp.Compare(y, x)
		}
		if turned {
			return -order
		}
		return order
	})
}

// Scatter are the suites over mean accuracy or diversity, and LaF's quality, by corruption.
func (s Shifted) Scatter(diversity bool, m Measure) widget.ScatterData {
	d := widget.ScatterData{
		Title: fmt.Sprintf("LaF over the quality of models: %s", m.Name()), XName: "mean accuracy of the models (quality)", YName: m.Name(),
		Empty: "Does LaF rank well on shifted images? Press Measure suites.",
	}
	if diversity {
		d.Title, d.XName = fmt.Sprintf("LaF over the diversity of models: %s", m.Name()), "standard deviation of the accuracies (diversity)"
	}
	groups := map[string]int{}
	for _, c := range s.Rows {
		name := "as it is"
		if c.Corruption != "" {
			name = present.Corruption(c.Corruption)
		}
		group, ok := groups[name]
		if !ok {
			group = len(d.Groups)
			groups[name] = group
			d.Groups = append(d.Groups, widget.Group{Name: name, Look: widget.Category(group)})
		}
		x := c.MeanAccuracy
		if diversity {
			x = c.Diversity
		}
		y := math.NaN()
		if spread, ok := m.of(c.Quality, nil); ok {
			y = spread.Mean
		}
		d.Points = append(d.Points, widget.ScatterPoint{X: x, Y: y, Group: group, Name: c.Name})
	}
	return d
}

// impactChart is LaF's quality over the share of models and of images.
func impactChart(points []rank.ImpactPoint, m Measure, topK []int, note string) widget.ChartData {
	d := widget.ChartData{
		Title: fmt.Sprintf("LaF on a part of models and images: %s", m.Name()), Note: note, XName: "share", XUnit: " %", YName: m.Name(),
		Empty: "Is LaF good with fewer? Press Measure impact.",
	}
	for _, factor := range []struct {
		of   rank.Factor
		name string
	}{{rank.ShareOfModels, "of the models"}, {rank.ShareOfSamples, "of the images"}} {
		s := widget.Series{Name: factor.name}
		for _, p := range points {
			if spread, ok := m.of(p.Quality, topK); ok && p.Factor == factor.of {
				s.X, s.Y, s.Spread = append(s.X, 100*p.Share), append(s.Y, spread.Mean), append(s.Spread, deviation(spread))
			}
		}
		if len(s.X) > 0 {
			d.Series = append(d.Series, s)
		}
	}
	return d
}
