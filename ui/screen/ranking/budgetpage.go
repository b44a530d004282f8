package ranking

import (
	"context"
	"slices"

	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
)

// budgetShown are the options of the curves.
type budgetShown struct {
	Measure string `help:"How two rankings of the models are compared." source:"measures"`
	Far     bool   `help:"Budgets beyond 180 labels, too, which stand apart by orders of magnitude." label:"up to 2,500 labels"`
	All     bool   `help:"Rankers that need no labels, too, beside LaF." label:"all rankers"`
}

// budgetPage is the quality of the rankers over the number of labels that they get, with a table of
// their averages over all budgets.
type budgetPage struct {
	*study[[]rank.Curve]
	s     *Screen
	form  *kit.Form[budgetShown]
	chart *kit.Figure
	table *kit.Records[rank.Averaged]
}

// The share of the height that curves take above the table of their averages.
const curvesShare = 0.64

func newBudget(s *Screen, host *kit.Host) *budgetPage {
	p := &budgetPage{s: s}
	command := s.command(func(a *rank.Asked) { a.Curves = true })
	p.table = &kit.Records[rank.Averaged]{
		Host: host, Command: command, Empty: "No curves were measured yet.",
		Table: rank.Averages.Place(result.FileOnly, "of", "measure", "lowest", "highest", "suites"), // it is one suite
	}
	p.chart = &kit.Figure{
		Host: host, Command: command, Name: func() []string {
			return []string{"budget", p.form.Options().Measure, s.outcome().Material.Source.Name}
		},
	}
	p.form = measureForm[budgetShown](host, "budget", func() []int { return s.outcome().Board.TopK }, p.draw)
	split := container.NewVSplit(container.NewBorder(p.form.Object(), nil, nil, nil, p.chart.Object()),
		p.table.Object())
	split.Offset = curvesShare
	p.study = newStudy(s, "Measure curves", kit.Screen[struct{}, measured[[]rank.Curve]]{
		Host: host, Name: "Measure rankings over budgets", Doing: "Measuring curves…", Key: "ranking.budget",
		Body: split,
		Show: func(measured[[]rank.Curve]) { p.form.Offer(); p.draw() },
		Line: func(measured[[]rank.Curve]) string { return "How good rankings are with 30 labels, how good with 180" },
	}, noCurves, measureBudget)
	return p
}

// noCurves says why the quality over budgets cannot be measured, "" where it can.
func noCurves(out Outcome) string {
	switch {
	case len(out.Board.Rankings) == 0:
		return "nothing was ranked yet"
	case known(out.Data) < out.Data.Samples:
		return "Curves over the budget need the true classes of all images: every sample may be drawn."
	}
	return ""
}

// measureBudget measures the rankers at the budgets of the paper.
func measureBudget(ctx context.Context, out Outcome, p engine.Progress) ([]rank.Curve, error) {
	return rank.Curves(ctx, out.Data, out.Settings.options(), rank.Budgets(len(out.Data.Models), out.Data.Samples), p)
}

// usual is the largest budget of the paper's curves.
const usual = 180

func (p *budgetPage) draw() {
	if p.study == nil {
		return // it is being made
	}
	o, curves, out := p.form.Options(), p.got(), p.s.outcome()
	if curves == nil {
		p.table.Set(nil)
		text := "How good are rankings with 30 labels, how good with 180? Press Measure curves."
		if noCurves(out) != "" {
			text = "no curves"
		}
		p.chart.Set(result.Figure{Empty: text})
		return
	}
	most := usual
	if o.Far {
		most = 0
	}
	r, m := out.Rankings(), measureOf(o.Measure, out.Board.TopK)
	r.On[0].Curves = curves
	p.table.Set(averagesBy(m, r))
	f := rank.CurvesFigure(out.Material.Source.Name, curvesShown(curves, o.All), m, most)
	f.Note = out.Caption() + "; band: one standard deviation over " +
		result.Counted(out.Board.Repetitions, "repetition")
	p.chart.Set(f)
}

// curvesShown are the curves that depend on the budget, with LaF's to compare them with; behind
// them all others, so that a ranker keeps its colour, where all are wanted or there are no such.
func curvesShown(curves []rank.Curve, all bool) []rank.Curve {
	var list, others []rank.Curve
	for _, c := range curves {
		if c.Method.Sampled() || c.Method == rank.LaFMethod {
			list = append(list, c)
		} else {
			others = append(others, c)
		}
	}
	if all || len(list) == 0 {
		return slices.Concat(list, others)
	}
	return list
}
