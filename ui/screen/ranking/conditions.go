package ranking

import (
	"cmp"
	"context"
	"slices"

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

// family are the sources that belong together with one: the suite that it is made from and all
// that are made from that.
func family(list []Source, of Source) []Source {
	base := cmp.Or(of.Base, of.ID)
	return slices.DeleteFunc(slices.Clone(list), func(s Source) bool { return s.ID != base && s.Base != base })
}

// measureShifted measures LaF on every source by its true classes. Without names the models that
// take no part.
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

// impactChart is LaF's quality over the share of models and of images.
func impactChart(points []rank.ImpactPoint, m rank.Measure, note string) widget.ChartData {
	d := widget.ChartData{
		Title: "LaF on a part of models and images: " + m.Title(), Note: note, XName: "share", XUnit: " %", YName: m.Title(),
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
