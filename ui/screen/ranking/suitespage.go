package ranking

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// suitesPage compares rankers over shifted suites: tables of their averages over suites and
// budgets, of each two of them beside each other, and of all on every suite.
type suitesPage struct {
	*study[rank.Rankings]
	form        *kit.Form[measureShown]
	tables      *container.AppTabs // of what follows
	averages    *kit.Records[rank.Averaged]
	differences *kit.Records[rank.Rivals]
	shifts      *kit.Records[rank.Shift]
}

func newSuites(s *Screen, host *kit.Host) *suitesPage {
	p := &suitesPage{}
	const empty = "No suite was measured yet."
	command := s.onBase(overSuites)
	uneven := func(rows int) string {
		if rows == 0 {
			return ""
		}
		return rank.Uneven(p.got().On)
	}
	p.averages = &kit.Records[rank.Averaged]{
		Host: host, Table: rank.Averages.Place(result.FileOnly, "measure"), Command: command, Empty: empty,
		Note: func(shown []rank.Averaged) string { return uneven(len(shown)) },
	}
	p.differences = &kit.Records[rank.Rivals]{
		Host: host, Table: rank.Differences.Place(result.FileOnly, "of", "measure"), Command: command, Empty: empty,
		Note: func(shown []rank.Rivals) string {
			if len(shown) == 0 {
				return ""
			}
			return strings.TrimSpace("Suites that are shifted by one corruption resemble each other: p says how " +
				"consistent a " +
				"difference is on these suites, and is too small for a statement about others. " + uneven(len(shown)))
		},
	}
	p.shifts = &kit.Records[rank.Shift]{
		Host: host, Table: rank.Shifts.Place(result.FileOnly, "measure"), Command: command, Empty: empty,
		Note: func(shown []rank.Shift) string { return uneven(len(shown)) },
	}
	p.form = measureForm[measureShown](host, "over", func() []int { return s.outcome().Board.TopK },
		func() { p.show(s.outcome()) })
	p.tables = container.NewAppTabs(widget.NewTab("Averages", p.averages.Object()),
		widget.NewTab("Two by two", p.differences.Object()), widget.NewTab("On each suite", p.shifts.Object()))
	p.study = newStudy(s, "Rank on suites", kit.Screen[struct{}, measured[rank.Rankings]]{
		Host: host, Name: "Rank on shifted suites", Doing: "Ranking on suites…", Key: "ranking.over",
		Body: container.NewBorder(p.form.Object(), nil, nil, nil, p.tables), Keys: p.averages.Focus,
		Show: func(measured[rank.Rankings]) {
			p.form.Offer()
			p.show(s.outcome())
		},
		Line: func(m measured[rank.Rankings]) string {
			if m.of == "" {
				return "All rankers on the suites that are made from this one, over all budgets"
			}
			ranked := slices.DeleteFunc(slices.Clone(m.d.On), func(on *rank.OnSuite) bool { return on.Rankings == nil })
			return measuredText(m.d.LeftOut, len(ranked))
		},
	}, func(out Outcome) string {
		if base, ok := baseOf(out); !ok || !base.Labels {
			return "Suites are compared by the true classes of their images, which are not known here."
		}
		return ""
	}, func(ctx context.Context, out Outcome, progress engine.Progress) (rank.Rankings, error) {
		list := family(out.Sources, out.Material.Source)
		return rankOn(ctx, s.store, list, out.Settings,
			predictions.Ask{Given: true, Family: out.Material.Family}, progress)
	})
	return p
}

// overSuites asks for what the page measures.
func overSuites(a *rank.Asked) { a.Curves, a.Shifted = true, true }

// baseOf is the suite that is ranked on or, where that one is made from another, this one; ok is
// false for a table and where the suite is not there.
func baseOf(out Outcome) (base Source, ok bool) {
	list := family(out.Sources, out.Material.Source)
	if len(list) == 0 || list[0].Base != "" || list[0].Table {
		return base, false
	}
	return list[0], true
}

// onBase is the command that goes from the suite that others are made from, "" where that is not
// there.
func (s *Screen) onBase(also func(*rank.Asked)) func() string {
	return func() string {
		if _, ok := baseOf(s.outcome()); !ok {
			return ""
		}
		return s.command(func(a *rank.Asked) {
			*a = s.outcome().askedOnBase()
			also(a)
		})()
	}
}

// askedOnBase is what is asked, of the suite that others are made from and by its true classes.
func (out Outcome) askedOnBase() rank.Asked {
	base, _ := baseOf(out)
	asked := out.asked()
	asked.Suite, asked.Truth = base.Command, string(predictions.OfSuite)
	return asked
}

// show shows what was measured by the chosen measure.
func (p *suitesPage) show(out Outcome) {
	if p.study == nil {
		return // it is being made
	}
	var averages []rank.Averaged
	var differences []rank.Rivals
	var shifts []rank.Shift
	if r := p.got(); len(r.On) > 1 {
		m := measureOf(p.form.Options().Measure, out.Board.TopK)
		averages = averagesBy(m, r)
		differences = slices.DeleteFunc(rank.RivalsOf(r.Groups()[1:]),
			func(r rank.Rivals) bool { return r.Measure != m })
		shifts = slices.DeleteFunc(rank.ShiftsOf(r.On), func(s rank.Shift) bool { return s.Measure != m })
	}
	p.averages.Set(averages)
	p.differences.Set(differences)
	p.shifts.Set(shifts)
}

// averagesBy are the averages of rankers by one measure.
func averagesBy(m rank.Measure, r rank.Rankings) []rank.Averaged {
	return slices.DeleteFunc(rank.AveragesOf(r.Groups()), func(a rank.Averaged) bool { return a.Measure != m })
}

// rankOn ranks on every source, and measures the rankers at the budgets of the paper. The first
// source is that of the first of Rankings.On, also where nothing can be ranked on it. Progress
// counts sources.
func rankOn(
	ctx context.Context, from Store, list []Source, s Settings, ask predictions.Ask, p engine.Progress,
) (out rank.Rankings, err error) {
	base := list[0]
	out.On, out.ClassNames = []*rank.OnSuite{{Suite: base.Name, SuiteHash: base.ID}}, base.Classes
	if out.SampleNames, err = sampleNames(from, base); err != nil {
		return out, err
	}
	out.LeftOut, err = eachSource(ctx, from, list, s, ask, p, func(source Source, d rank.Data) (err error) {
		on := &rank.OnSuite{Suite: source.Name, SuiteHash: source.ID}
		on.Corruption, on.Severity = derive.Kind(source.Change)
		if on.Leaderboard, err = rank.MakeLeaderboard(ctx, d, s.options(), nil); err == nil {
			on.Curves, err = rank.Curves(ctx, d, s.options(), rank.Budgets(len(d.Models), d.Samples), nil)
		}
		switch {
		case err != nil:
		case source.ID == base.ID:
			out.On[0], out.Data = on, d
		default:
			out.On = append(out.On, on)
		}
		return err
	})
	return out, err
}
