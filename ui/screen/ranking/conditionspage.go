package ranking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// Shifted are LaF's conditions on a suite and on those that corruptions made of it.
type Shifted struct {
	Rows []rank.Conditions
	Left []rank.LeftOut // suites on which nothing could be ranked, and models without predictions on others
}

// suitesShown are the options of LaF's quality on suites.
type suitesShown struct {
	Measure string `help:"How two rankings of the models are compared." source:"measures"`
	Over    string `help:"What stands along the axis: the mean accuracy of the models, or its deviation." enum:"quality,diversity" default:"quality"`
}

// conditionsPage is when LaF ranks well: on a part of the models and images, and over the quality
// and diversity of the models on all suites that belong together, whose accuracy ranges are a
// table. Both are measured apart.
type conditionsPage struct {
	kit.Panel
	s      *Screen
	impact *study[[]rank.ImpactPoint]
	suites *study[Shifted]
	factor *kit.Form[measureShown] // of impact
	form   *kit.Form[suitesShown]  // of suites
	chart  *kit.Figure             // of impact
	figure *kit.Figure             // of suites
	table  *kit.Records[rank.Conditions]
}

func newConditions(s *Screen, host *kit.Host) *conditionsPage {
	p := &conditionsPage{s: s}
	name := func(what string, measure func() string) func() []string {
		return func() []string { return []string{what, measure(), s.outcome().Material.Source.Name} }
	}
	p.factor = measureForm[measureShown](host, "impact", func() []int { return s.outcome().Board.TopK }, p.drawImpact)
	p.chart = &kit.Figure{
		Host: host, Name: name("impact", func() string { return p.factor.Options().Measure }),
		Command: s.command(func(a *rank.Asked) { a.Impact = true }),
	}
	p.impact = newStudy(s, "Measure impact", kit.Screen[struct{}, measured[[]rank.ImpactPoint]]{
		Host: host, Name: "Measure the impact of models and images", Doing: "Measuring impact…", Key: "ranking.impact",
		Body: container.NewBorder(p.factor.Object(), nil, nil, nil, p.chart.Object()),
		Show: func(measured[[]rank.ImpactPoint]) { p.factor.Offer(); p.drawImpact() },
		Line: func(measured[[]rank.ImpactPoint]) string { return "LaF on 20 to 100 %" },
	}, func(out Outcome) string {
		if out.Board.Truth == nil {
			return "This study compares rankings with true accuracies, which are not known here."
		}
		return ""
	}, func(ctx context.Context, out Outcome, progress engine.Progress) ([]rank.ImpactPoint, error) {
		return rank.Impact(ctx, out.Data, out.Settings.options(), progress)
	})

	p.form = measureForm[suitesShown](host, "conditions", func() []int { return nil }, p.draw)
	p.table = &kit.Records[rank.Conditions]{
		Host: host, Table: rank.ConditionsTable, OnOpen: p.open, OnShown: func([]rank.Conditions) { p.draw() },
		Empty: "No suite was measured yet.", Command: s.onBase(func(a *rank.Asked) { a.Conditions = true }),
		OnSelect: func(c rank.Conditions, _ bool) { p.figure.Select(rank.ConditionsTable.ID(c)) },
	}
	p.figure = &kit.Figure{
		Host: host, Name: name("conditions", func() string { return p.form.Options().Measure }), OnTap: p.table.Select,
		Command: s.onBase(func(a *rank.Asked) { a.Conditions = true }),
		OnOpen: func(id string) {
			for _, c := range p.suites.got().Rows {
				if rank.ConditionsTable.ID(c) == id {
					p.open(c)
				}
			}
		},
	}
	p.suites = newStudy(s, "Measure suites", kit.Screen[struct{}, measured[Shifted]]{
		Host: host, Name: "Measure LaF on shifted suites", Doing: "Measuring suites…", Key: "ranking.suites",
		Body: container.NewBorder(p.form.Object(), nil, nil, nil, p.figure.Object()),
		Show: func(m measured[Shifted]) { p.form.Offer(); p.table.Set(m.d.Rows); p.draw() },
		Line: func(m measured[Shifted]) string {
			if m.of == "" {
				return "LaF on the suite and its shifted forms"
			}
			return measuredText(m.d.Left, len(m.d.Rows))
		},
	}, func(out Outcome) string {
		if out.Material.Source.Table || !out.Material.Source.Labels {
			return "Suites are compared by the true classes of their images, which are not known here."
		}
		return ""
	}, func(ctx context.Context, out Outcome, progress engine.Progress) (Shifted, error) {
		return measureShifted(ctx, s.store, family(out.Sources, out.Material.Source), out.Settings, progress)
	})
	charts := container.NewHSplit(p.suites.Object(), p.impact.Object())
	split := container.NewVSplit(charts, p.table.Object())
	split.Offset = 0.6
	p.Panel = kit.Panel{
		Body: split, Keys: p.table.Focus, Parts: []kit.Page{p.suites, p.impact},
		Show: func() {
			p.suites.Changed()
			p.impact.Changed()
		},
	}
	return p
}

// open ranks on the suite of a row.
func (p *conditionsPage) open(c rank.Conditions) {
	p.s.tabs.Select("ranking")
	p.s.Rank(c.SuiteHash)
}

// measuredText says which suites could not be measured, and on which of the others models are
// missing, with the reason of the first, and what to do where there is nothing to compare.
func measuredText(left []rank.LeftOut, suites int) string {
	list := []string{}
	if whole := slices.DeleteFunc(slices.Clone(left), func(l rank.LeftOut) bool { return l.ID != "" }); len(whole) > 0 {
		why := present.Sentence(errors.New(whole[0].Reason.Text))
		list = append(list, fmt.Sprintf("%s left out: %s: %s",
			result.Counted(len(whole), "suite"), whole[0].Suite, why))
	}
	if partly := rank.Partly(left); len(partly) > 0 {
		list = append(list, fmt.Sprintf("Models left out on %s: %s.", result.Counted(len(partly), "suite"), partly[0]))
	}
	if suites <= 1 {
		list = append(list,
			"There is nothing to compare with yet: make shifted suites (File, Shifted suites…) and run the "+
				"models on them with the set plain.")
	}
	return strings.Join(list, " ")
}

func (p *conditionsPage) drawImpact() {
	if p.impact == nil {
		return // it is being made
	}
	f := rank.ImpactFigure(p.impact.got(), measureOf(p.factor.Options().Measure, p.s.outcome().Board.TopK))
	f.Note = p.s.outcome().Caption()
	p.chart.Set(f)
}

// draw shows the rows of the table, in its order.
func (p *conditionsPage) draw() {
	if p.suites == nil {
		return // it is being made
	}
	o := p.form.Options()
	f := rank.ConditionsFigure(p.table.Shown(), measureOf(o.Measure, nil), o.Over == "diversity")
	f.Note = p.s.outcome().Caption()
	p.figure.Set(f)
}

// family are the sources that belong together with one: the suite that it is made from and all
// that are made from that.
func family(list []Source, of Source) []Source {
	base := cmp.Or(of.Base, of.ID)
	return slices.DeleteFunc(slices.Clone(list), func(s Source) bool { return s.ID != base && s.Base != base })
}

// measureShifted measures LaF on every source by its true classes.
func measureShifted(
	ctx context.Context, from Store, list []Source, s Settings, p engine.Progress,
) (out Shifted, err error) {
	out.Left, err = eachSource(ctx, from, list, s, predictions.Ask{}, p, func(source Source, d rank.Data) error {
		row, err := rank.ConditionsOf(ctx, source.Name, d, s.options())
		if err == nil {
			row.SuiteHash = source.ID
			row.Corruption, row.Severity = derive.Kind(source.Change)
			out.Rows = append(out.Rows, row)
		}
		return err
	})
	return out, err
}

// eachSource gathers what is asked for of every source, with its true classes and without the
// models that the settings leave out, and measures it. Sources that cannot be gathered or measured
// are left out, and of the others the models without predictions; an error is the end of ctx.
// Progress counts sources.
func eachSource(
	ctx context.Context, from Store, list []Source, s Settings, ask predictions.Ask, p engine.Progress,
	measure func(Source, rank.Data) error,
) (left []rank.LeftOut, err error) {
	p.SetTotal(int64(len(list)))
	for _, source := range list {
		ask.Suite, ask.Truth = source.ID, predictions.OfSuite
		d, missing, err := from.Gather(ctx, ask, engine.NoProgress{})
		d = Material{Data: d}.chosen(s.Without)
		if err = cmp.Or(err, d.Check()); err == nil {
			err = measure(source, d)
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			left = append(left, rank.LeftOut{Suite: source.Name, SuiteHash: source.ID, Reason: rank.Why(err)})
		default:
			left = append(left, slices.DeleteFunc(slices.Clone(missing), func(l rank.LeftOut) bool {
				return slices.Contains(s.Without, cmp.Or(l.Hash, l.ID))
			})...)
		}
		p.Add(1)
	}
	return left, nil
}
