package choose

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	quiet "github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// outlook is what would come of a choice of scenes.
type outlook struct {
	plan  scenes.Plan
	facts string // the numbers below the histogram
	chart widget.ChartData
}

// look chooses scenes without keeping them. It is slow.
func look(ctx context.Context, ws *store.Workspace, ask scenes.Ask) (o outlook, err error) {
	if o.plan, err = scenes.Select(ctx, ws, ask, engine.NoProgress{}); err != nil {
		return o, err
	}
	s := o.plan.Selection
	targets, err := ws.Suite(s.Targets)
	if err != nil {
		return o, err
	}
	o.facts = planFacts(o.plan, targets)
	o.chart = histogram(s.Far(), group{"all targets", s.Distances()})
	return o, nil
}

// planText is the line about what would be made.
func planText(p scenes.Plan) string {
	s := p.Selection
	text := fmt.Sprintf("%s for each of %s.", present.Counted(int64(s.N()), "scene"), present.Counted(int64(len(s.Chosen)), "target"))
	if n := len(s.Vetoed); n > 0 {
		text += " " + present.ByCount(n, "%d background is left out.", "%d backgrounds are left out.", n)
	}
	return text + " " + "Nothing is kept before you press Create."
}

// fewNames is how many targets without keywords are named.
const fewNames = 5

// planFacts are the numbers below the histogram.
func planFacts(p scenes.Plan, targets suite.Manifest) string {
	d := p.Selection.Diversity(p.Selection.Far())
	lines := []string{
		fmt.Sprintf("Distances from %s to %s, mean %s.", present.Number(d.Distance.Least), present.Number(d.Distance.Far), present.Number(d.Distance.Mean)),
		fmt.Sprintf("Diversity: %s different backgrounds of %s, the most used one for %s; %s of the intervals filled, evenness %s.",
			present.Count(int64(d.Different)), present.Count(int64(len(p.Scenes))), present.Counted(int64(d.MostUsed), "target"),
			present.Percent(d.Filled), present.Number(d.Even)),
	}
	plausible := plausibilityOf(p)
	lines = append(lines, fmt.Sprintf("Plausibility: %s of the scenes have a keyword of their target, %s one of its expansion.",
		present.Percent(plausible.Share(0)), present.Percent(plausible.Share(len(plausible.ByLevel)))))
	if len(p.Bare) > 0 {
		lines = append(lines, bareText(p, targets))
	}
	return strings.Join(lines, "\n")
}

// bareText names the targets without keywords.
func bareText(p scenes.Plan, targets suite.Manifest) string {
	var names []string
	for k, t := range p.Bare {
		if k == fewNames {
			names = append(names, fmt.Sprintf("%s more", present.Count(int64(len(p.Bare)-k))))
			break
		}
		names = append(names, targets.ImageName(t))
	}
	return present.ByCount(len(p.Bare), "%d target has no keyword and takes the nearest scenes: %s.", "%d targets have no keyword and take the nearest scenes: %s.",
		len(p.Bare), strings.Join(names, ", "))
}

// plausibilityOf says how near a plan's scenes are to the keywords of their targets.
func plausibilityOf(p scenes.Plan) (all background.Plausibility) {
	from := background.Scenes{Table: p.Table, Keywords: p.Keywords}
	for t, chosen := range p.Selection.Chosen {
		rows := make([]background.Scene, len(chosen))
		for k, scene := range chosen {
			scene.Background = p.Scenes[scene.Background]
			rows[k] = scene
		}
		all.Add(from, p.Expansions[t], rows)
	}
	return all
}

// make keeps the selection and looks at it.
func (f *form) make() {
	if f.plan == nil {
		return
	}
	name, err := f.wish.named(*f.asked, f.offer)
	if err != nil {
		f.show()
		return
	}
	p, selection, carry := f.p, f.plan.Selection, f.carry
	from := p.view.Record
	f.dialog.Hide()
	var record store.SelectionRecord
	p.deps.Host.Work.Quiet("keep testing scenes", func(context.Context) error {
		record, err = p.deps.Workspace.AddSelection(name, selection)
		if err != nil || from.Targets != record.Targets || from.Backgrounds != record.Backgrounds || from.Hash == record.Hash {
			return err
		}
		record.Selection = selection
		return hand(p.deps.Workspace, carry, record)
	}, func(err error) {
		if err != nil {
			if !errors.Is(err, quiet.ErrClosed) {
				p.deps.Host.Fail(err)
			}
			return
		}
		p.created(name, record, selection)
	})
}

// created tells of a new selection and looks at it.
func (p *Page) created(name string, record store.SelectionRecord, s background.Selection) {
	if record.Name != name {
		p.deps.Host.Say(fmt.Sprintf("These very scenes are there already: %s.", record.Name))
	} else {
		p.deps.Host.Say(fmt.Sprintf("The selection %s is there. Models can run in its scenes.", name))
		ws := p.deps.Workspace
		p.deps.Did(history.Step{
			Title: fmt.Sprintf("selection of scenes %s", name),
			Undo:  func(context.Context) error { return ws.RemoveSelection(record.Hash) },
			Redo: func(context.Context) error {
				_, err := ws.AddSelection(name, s)
				return err
			},
		})
	}
	next := p.wanted
	next.Selection = record.Hash
	p.deps.Choose(next)
}
