package agreement

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine"
	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
)

// planPage tells how many more labels a wanted half-width takes, and draws the half-widths of the
// chosen measure.
type planPage struct {
	*kit.Screen[measure.Planning, measure.Plan]
	needs   *kit.Records[measure.Need]
	figure  *kit.Figure
	drawn   map[string]result.Figure // by measure
	measure string                   // whose figure is shown
}

func newPlan(s *Screen, host *kit.Host) *planPage {
	p := &planPage{}
	form := &kit.Form[measure.Planning]{Hide: []string{"seed"}, Command: func(o measure.Planning) ([]string, any) {
		var asked struct {
			measure.RoundOptions
			measure.PlanOptions
		}
		asked.Round, asked.Plan, asked.Planning = s.view().Round.Name, true, o
		return []string{"variscope", "agreement", s.store.Path()}, &asked
	}}
	p.needs = &kit.Records[measure.Need]{
		Host: host, Table: measure.Needs.Place(result.FileOnly, "round", "wanted"), Command: form.CommandLine,
		OnSelect: func(n measure.Need, ok bool) {
			if ok {
				p.draw(n)
			}
		},
	}
	p.figure = &kit.Figure{Host: host, Headed: true, Command: form.CommandLine, Values: func() *result.Sheet {
		plan, _ := p.Data()
		other := func(w measure.Width) bool { return w.Measure != p.measure }
		return measure.Widths.Sheet(slices.DeleteFunc(slices.Clone(plan.Widths), other))
	}}
	split := container.NewHSplit(p.needs.Object(), p.figure.Object())
	p.Screen = kit.New(kit.Screen[measure.Planning, measure.Plan]{
		Host: host, Name: "Plan labels", Doing: "Simulating rounds…", Key: "agreement.plan", Form: form, Body: split,
		Load: func(o measure.Planning) kit.Work[measure.Plan] {
			v := s.view()
			if v.few(v.rated()) {
				return nil
			}
			return func(ctx context.Context, progress engine.Progress) (measure.Plan, error) {
				return measure.PlanOf(ctx, v.Measured, o, progress)
			}
		},
		Empty: func(plan measure.Plan) (kit.Empty, bool) {
			text := "Nothing to plan from yet: no model has labels of two annotators."
			if v := s.view(); v.few(v.rated()) {
				text = "A plan is " + hideSmallCounts.Text + "."
			}
			return kit.Empty{Text: text}, len(plan.Needs) == 0
		},
		Show: p.show, Keys: p.needs.Focus,
		Below: true, Line: func(measure.Plan) string {
			return "Rounds are simulated from the labels that there are. Models count from the second label on. " +
				"The shade holds 95 % of the simulated rounds with the annotators that there are."
		},
	})
	return p
}

// show keeps the row that was chosen, or shows Fleiss' kappa of the annotators that there are.
func (p *planPage) show(plan measure.Plan) {
	p.drawn = map[string]result.Figure{}
	for _, d := range plan.Figures() {
		p.drawn[d.Name] = d.Figure
	}
	p.needs.Set(plan.Needs)
	chosen, ok := p.needs.Selected()
	if !ok {
		first := slices.IndexFunc(plan.Needs, func(n measure.Need) bool {
			return strings.HasPrefix(n.Measure, "fleiss") && n.Annotators == len(n.Of.Ratings)
		})
		chosen = plan.Needs[max(first, 0)]
		p.needs.Select(measure.Needs.ID(chosen))
	}
	p.draw(chosen)
}

// draw draws the half-widths of the measure of a row.
func (p *planPage) draw(n measure.Need) {
	p.measure = n.Measure
	p.figure.Head(p.drawn[n.Measure].Title)
	p.figure.Set(p.drawn[n.Measure])
}
