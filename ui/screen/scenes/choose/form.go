package choose

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	quiet "github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// chooser asks how scenes are chosen and shows what would come of it.
type chooser struct {
	p      *Page
	offer  Offer
	carry  Verdicts // that the new selection takes over
	vetoes vetoes
	ask    *kit.Ask[wish]
	chart  *widget.Chart
	facts  *fynewidget.Label

	begun  bool               // the form has what it begins with
	asked  *scenes.Ask        // that the plan is of, or is being made of
	plan   *scenes.Plan       // nil until it is there
	cancel context.CancelFunc // ends the preview under way
}

// askNew opens the dialog with the defaults, on the suites of the selection that is looked at.
func (p *Page) askNew() {
	w := newWish(p.view.Offer)
	if r := p.view.Record; r.Hash != "" {
		w.Targets, w.Masks, w.Backgrounds = r.Targets, r.Selection.Masks, r.Backgrounds
	}
	if p.wanted.Ontology != "" {
		w.Ontology = p.wanted.Ontology
	}
	p.open(w, vetoes{}, Verdicts{})
}

// askWithout opens it with what the selection was chosen by, without what was vetoed since.
func (p *Page) askWithout() {
	ask := p.view.Ask
	for _, image := range p.view.Verdicts.Vetoed {
		ask.Vetoed = set(ask.Vetoed, image, true)
	}
	p.again(ask)
}

// askWith opens it with what the selection was chosen by, with the edges and places that are
// previewed.
func (p *Page) askWith() {
	ask := p.view.Ask
	ask.Feather, ask.Align = p.detail.feathered(), p.detail.chosen
	p.again(ask)
}

// again opens the dialog for a choice like the one that is looked at.
func (p *Page) again(ask scenes.Ask) {
	w := wishOf(ask, p.view.Offer)
	if !p.view.Known {
		w.Ontology = p.wanted.Ontology
	}
	p.open(w, vetoes{ask.Backgrounds, ask.Vetoed}, p.view.Verdicts)
}

// factsHeight is the room for the numbers below the histogram.
const factsHeight = 140

// open opens the dialog.
func (p *Page) open(w wish, v vetoes, carry Verdicts) *chooser {
	c := &chooser{p: p, offer: p.view.Offer, vetoes: v, carry: carry, chart: widget.NewChart(), facts: fynewidget.NewLabel("")}
	c.facts.Wrapping = fyne.TextWrapWord
	facts := container.NewVScroll(c.facts)
	facts.SetMinSize(fyne.NewSize(0, factsHeight*widget.Grown()))
	form := &kit.Form[wish]{
		Host: p.Host, Forget: true,
		Named: func(name, choice string) string {
			if name == "method" {
				return MethodName(background.Method(choice))
			}
			return AlignName(background.Alignment(choice))
		},
	}
	lost := !slices.ContainsFunc(c.offer.ontologies(), func(o kit.Option) bool { return o.Key == w.Ontology })
	if lost {
		w.Ontology = "" // a person chooses another one
	}
	form.Choices = func(source string) (list []kit.Option, first string) {
		if lost && source == "ontologies" {
			list = []kit.Option{{Name: "choose an ontology"}}
		}
		return append(list, c.offer.choices(source, form.Options().Targets)...), ""
	}
	form.OnChange = func(wish) { form.Offer() } // other targets have other masks
	if len(v.images) == 0 {
		form.Hide = []string{"vetoed"}
	}
	c.ask = &kit.Ask[wish]{
		Title: "Choose testing scenes", Button: "Create", Size: fyne.NewSize(1060, 620), Form: form,
		Beside: container.NewBorder(nil, facts, nil, nil, c.chart), Line: c.look, Do: c.make,
		Start: func(f *kit.Form[wish]) {
			for _, field := range option.Fields(&w) {
				if !field.IsDefault() {
					if err := f.Put(field.Name, field.Text()); err != nil {
						p.Fail(err)
					}
				}
			}
			c.begun = true
		},
	}
	c.ask.Open()
	return c
}

// look chooses scenes without keeping them, in place of a preview under way. A wish that asks for
// the same scenes is not previewed again.
func (c *chooser) look(w wish) kit.Work[string] {
	if !c.begun {
		return nil
	}
	ask, err := w.ask(c.offer, c.vetoes)
	name := ""
	if err == nil {
		name, err = w.named(ask, c.offer)
	}
	if err != nil {
		return func(context.Context, engine.Progress) (string, error) { return "", err }
	}
	if c.plan != nil && reflect.DeepEqual(*c.asked, ask) {
		text := planText(*c.plan, name)
		return func(context.Context, engine.Progress) (string, error) { return text, nil }
	}
	if c.cancel != nil {
		c.cancel()
	}
	ended, cancel := context.WithCancel(context.Background())
	c.asked, c.plan, c.cancel = &ask, nil, cancel
	asked, ws := c.asked, c.p.deps.Workspace
	return func(ctx context.Context, _ engine.Progress) (string, error) {
		ctx, end := context.WithCancel(ctx)
		defer end()
		defer context.AfterFunc(ended, end)()
		plan, err := scenes.Select(ctx, ws, ask, engine.NoProgress{})
		if err != nil {
			return "", err
		}
		targets, err := ws.Suite(ask.Targets)
		if err != nil {
			return "", err
		}
		facts, chart := plan.Facts(targets), histogram(plan.Selection.Far(), group{"all targets", plan.Selection.Distances()})
		c.p.Work.Post(func() {
			if c.asked == asked {
				c.plan = &plan
				c.chart.SetData(chart)
				c.facts.SetText(strings.Join(facts, "\n"))
			}
		})
		return planText(plan, name), nil
	}
}

// planText is the line about what would be made.
func planText(p scenes.Plan, name string) string {
	s := p.Selection
	text := fmt.Sprintf("%s: %s for each of %s.", name, result.Counted(s.N(), "scene"), result.Counted(len(s.Chosen), "target"))
	if n := len(s.Vetoed); n > 0 {
		text += " " + present.ByCount(n, "%d background is left out.", "%d backgrounds are left out.", n)
	}
	return text + " Nothing is kept before you press Create."
}

// make keeps the selection and looks at it.
func (c *chooser) make(d *kit.Dialog, w wish) {
	ask, err := w.ask(c.offer, c.vetoes)
	if err != nil {
		return // the dialog says why
	}
	name, err := w.named(ask, c.offer)
	if err != nil {
		return
	}
	p, carry, ws, from, plan := c.p, c.carry, c.p.deps.Workspace, c.p.view.Record, c.plan
	d.Close()
	var record store.SelectionRecord
	var selection background.Selection
	p.Work.Quiet("keep testing scenes", func(ctx context.Context) error {
		if plan == nil { // the preview had not ended
			made, err := scenes.Select(ctx, ws, ask, engine.NoProgress{})
			if err != nil {
				return err
			}
			plan = &made
		}
		selection = plan.Selection
		record, err = ws.AddSelection(name, selection)
		if err != nil || from.Targets != record.Targets || from.Backgrounds != record.Backgrounds || from.Hash == record.Hash {
			return err
		}
		record.Selection = selection
		return hand(ws, carry, record)
	}, func(err error) {
		if err != nil {
			if !errors.Is(err, quiet.ErrClosed) {
				p.Fail(err)
			}
			return
		}
		p.created(name, record, selection)
	})
}

// created tells of a new selection and looks at it.
func (p *Page) created(name string, record store.SelectionRecord, s background.Selection) {
	if record.Name != name {
		p.Say(fmt.Sprintf("These very scenes are there already: %s.", record.Name))
	} else {
		p.Say(fmt.Sprintf("The selection %s is there. Models can run in its scenes.", name))
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
