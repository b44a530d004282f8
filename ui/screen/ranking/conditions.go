package ranking

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/ui/widget"
)

// Shifted are LaF's conditions on a suite and on those that corruptions made of it.
type Shifted struct {
	Rows []rank.Conditions
	Left []rank.LeftOut // suites on which nothing could be ranked, with the reason
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
			out.Left = append(out.Left, rank.LeftOut{Suite: source.Name, SuiteHash: source.ID, Reason: rank.Why(err)})
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
	c.SuiteHash = source.ID
	c.Corruption, c.Severity = derive.Kind(source.Change)
	return c, nil
}

// sheet is the table of conditions as people see it.
func (s Shifted) sheet() *result.Sheet { return shown(rank.ConditionsTable.Sheet(s.Rows)) }

// Scatter are the suites over mean accuracy or diversity, and LaF's quality, by corruption.
func (s Shifted) Scatter(diversity bool, m rank.Measure) widget.ScatterData {
	d := widget.ScatterData{
		Title: fmt.Sprintf("LaF over the quality of models: %s", m.Title()), XName: "mean accuracy of the models (quality)", YName: m.Title(),
		Empty: "Does LaF rank well on shifted images? Press Measure suites.",
	}
	if diversity {
		d.Title, d.XName = fmt.Sprintf("LaF over the diversity of models: %s", m.Title()), "standard deviation of the accuracies (diversity)"
	}
	groups := map[string]int{}
	for _, c := range s.Rows {
		name := "as it is"
		if c.Corruption != "" {
			name = derive.Title(c.Corruption)
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
		if spread := m.Of(c.Quality); spread.N > 0 {
			y = spread.Mean
		}
		d.Points = append(d.Points, widget.ScatterPoint{X: x, Y: y, Group: group, Name: c.Name})
	}
	return d
}

// impactChart is LaF's quality over the share of models and of images.
func impactChart(points []rank.ImpactPoint, m rank.Measure, note string) widget.ChartData {
	d := widget.ChartData{
		Title: fmt.Sprintf("LaF on a part of models and images: %s", m.Title()), Note: note, XName: "share", XUnit: " %", YName: m.Title(),
		Empty: "Is LaF good with fewer? Press Measure impact.",
	}
	for _, factor := range []struct {
		of   rank.Factor
		name string
	}{{rank.ShareOfModels, "of the models"}, {rank.ShareOfImages, "of the images"}} {
		s := widget.Series{Name: factor.name}
		for _, p := range points {
			if spread := m.Of(p.Quality); spread.N > 0 && p.Factor == factor.of {
				s.X, s.Y, s.Spread = append(s.X, 100*p.Share), append(s.Y, spread.Mean), append(s.Spread, deviation(spread))
			}
		}
		if len(s.X) > 0 {
			d.Series = append(d.Series, s)
		}
	}
	return d
}
