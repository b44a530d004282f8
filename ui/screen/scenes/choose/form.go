package choose

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/history"
	quiet "github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// formValues is what the dialog asks for: what the command does, without what was vetoed by hand.
type formValues struct {
	background.SceneOptions
	Vetoed bool `help:"Leave out the backgrounds that were vetoed." label:"Leave out vetoed" default:"true"`
}

// madeOf begins the key of an ontology that is made for the selection; the hash of its table
// follows.
const madeOf = "made of "

// options are those of the command: it names the table of an ontology that is to be made.
func (w formValues) options() background.SceneOptions {
	o := w.SceneOptions
	if table, made := strings.CutPrefix(o.Ontology, madeOf); made {
		o.Ontology, o.Table = "", table
	}
	return o
}

// vetoes are images of a suite of backgrounds that may be left out.
type vetoes struct {
	backgrounds string // hash
	images      []int
}

// chooser asks how scenes are chosen and shows what would come of it.
type chooser struct {
	p      *Page
	offer  Choices
	carry  Verdicts // that the new selection takes over
	vetoes vetoes
	ask    *kit.Ask[formValues]
	chart  *kit.Figure
	facts  *fynewidget.Label
	lost   bool // the ontology to begin with is gone: a person chooses another one
	begun  bool // the form has what it begins with
	last   atomic.Pointer[chosen]
}

// chosen are scenes that were chosen, and the name that a selection of them has.
type chosen struct {
	ask  scenes.Ask
	plan scenes.Plan
	name string
}

// askNew opens the dialog with the defaults, on the suites of the selection that is looked at.
func (p *Page) askNew() {
	r := p.view.Record
	p.open(func(w *formValues) {
		if r.Hash != "" {
			w.Targets, w.Masks, w.Backgrounds = r.Targets, r.Selection.Masks, r.Backgrounds
		}
		if p.wanted.Ontology != "" {
			w.Ontology = p.wanted.Ontology
		}
	}, vetoes{}, Verdicts{})
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
func (p *Page) again(ask scenes.Ask) *chooser {
	return p.open(func(w *formValues) {
		w.SceneOptions = ask.Options()
		if w.Table != "" {
			w.Ontology, w.Table = madeOf+w.Table, ""
		}
		if !p.view.Known {
			w.Ontology = p.wanted.Ontology
		}
	}, vetoes{ask.Backgrounds, ask.Vetoed}, p.view.Verdicts)
}

// factsHeight is the room for the numbers below the histogram.
const factsHeight = 140

// open opens the dialog; begin changes what it begins with.
func (p *Page) open(begin func(*formValues), v vetoes, carry Verdicts) *chooser {
	c := &chooser{p: p, offer: p.view.Offer, vetoes: v, carry: carry}
	c.chart = &kit.Figure{Host: p.Host, Command: func() string { return c.ask.Form.CommandLine() }}
	c.facts = fynewidget.NewLabel("")
	c.facts.Wrapping = fyne.TextWrapWord
	facts := container.NewVScroll(c.facts)
	facts.SetMinSize(fyne.NewSize(0, factsHeight*widget.Grown()))
	form := &kit.Form[formValues]{
		Host: p.Host, Forget: true, Hide: []string{"min-support", "min-confidence", "rule", "exclude-words"},
		Named: func(_, choice string) string { return choiceName(choice) }, Command: c.command,
	}
	form.Choices = func(source string) ([]kit.Option, string) {
		list, first := c.offer.choices(source, form.Options().Targets)
		if c.lost && source == "ontologies" {
			list = slices.Insert(list, 0, kit.Option{Name: "choose an ontology"})
		}
		return list, first
	}
	form.OnChange = func(formValues) { form.Offer() } // other targets have other masks
	if len(v.images) == 0 {
		form.Hide = append(form.Hide, "vetoed")
	}
	c.ask = &kit.Ask[formValues]{
		Title: "Choose testing scenes", Button: "Create", Size: fyne.NewSize(1060, 620), Form: form,
		Beside: container.NewBorder(nil, facts, nil, nil, c.chart.Object()), Line: c.look, Do: c.make,
		Start: func(f *kit.Form[formValues]) {
			w := f.Options()
			begin(&w)
			list, _ := c.offer.choices("ontologies", "")
			if c.lost = !slices.ContainsFunc(list, func(o kit.Option) bool { return o.Key == w.Ontology }); c.lost {
				w.Ontology = ""
			}
			if err := f.Take(w); err != nil {
				p.Fail(err)
			}
			c.begun = true
		},
	}
	c.ask.Open()
	return c
}

// choices are what a source of the dialog offers for a suite of targets, and the usual one: the
// newest masks, table and ontology, and the newest suites with masks and without.
func (o Choices) choices(source, targets string) (list []kit.Option, first string) {
	switch source {
	case "masks":
		for _, m := range slices.Backward(o.Masks[targets]) {
			name := m.Made
			switch {
			case name == "files" && m.Inside != "":
				name = "files in the workspace"
			case name == "files":
				name = fmt.Sprintf("files in %s", m.Root)
			}
			list = append(list, kit.Option{Key: m.Hash, Name: name})
		}
		return list, ""
	case "ontologies": // those that are kept, then for each table one that is made of it
		for _, r := range slices.Backward(o.Ontologies) {
			list = append(list, kit.Option{Key: r.ID, Name: r.Name})
		}
		for _, t := range slices.Backward(o.Tables) {
			name := fmt.Sprintf("made of %s with the usual thresholds", t.Name)
			list = append(list, kit.Option{Key: madeOf + t.Hash, Name: name})
		}
		return list, ""
	}
	for _, s := range o.Suites {
		if masked := len(o.Masks[s.Hash]) > 0; masked == (source == "targets") && (masked || s.Derived == nil) {
			first = s.Hash
		}
	}
	names, hashes := dialogs.SuiteNames(o.Suites)
	for _, name := range names {
		if source == "backgrounds" || len(o.Masks[hashes[name]]) > 0 {
			list = append(list, kit.Option{Key: hashes[name], Name: name})
		}
	}
	return list, first
}

// command is the command that chooses the same scenes; none says which ones were vetoed here.
func (c *chooser) command(w formValues) ([]string, any) {
	o := w.options()
	if len(c.vetoed(w)) > 0 {
		return nil, nil
	}
	return c.p.command(o)
}

// command is the command that chooses scenes.
func (p *Page) command(o background.SceneOptions) (words []string, options any) {
	return []string{"variscope", "background", "scenes", p.site.Workspace.Path()}, &o
}

// vetoed are the images of the backgrounds that are left out.
func (c *chooser) vetoed(w formValues) []int {
	if !w.Vetoed || c.vetoes.backgrounds != w.Backgrounds {
		return nil
	}
	return c.vetoes.images
}

// choose chooses scenes without keeping them. Those that were chosen last for the same are not
// chosen again. It may be called on any goroutine.
func (c *chooser) choose(ctx context.Context, w formValues) (*chosen, error) {
	ws, o := c.p.site.Workspace, w.options()
	switch {
	case o.Masks == "":
		return nil, errors.New("choose a suite of targets that has masks")
	case o.Ontology+o.Table == "":
		return nil, errors.New("choose an ontology")
	}
	ask, err := scenes.AskOf(ws, o)
	if err != nil {
		return nil, err
	}
	ask.Vetoed = c.vetoed(w)
	next := &chosen{ask: ask}
	if next.name, err = ask.Name(ws, w.Name); err != nil {
		return nil, err
	}
	if last := c.last.Load(); last != nil && reflect.DeepEqual(last.ask, ask) {
		next.plan = last.plan
	} else if next.plan, err = scenes.Select(ctx, ws, ask, engine.NoProgress{}); err != nil {
		return nil, err
	}
	c.last.Store(next)
	return next, nil
}

// look chooses scenes for what is asked for and says what would be made.
func (c *chooser) look(w formValues) kit.Work[string] {
	if !c.begun {
		return nil
	}
	return func(ctx context.Context, _ engine.Progress) (string, error) {
		next, err := c.choose(ctx, w)
		if err != nil {
			return "", err
		}
		targets, err := c.p.site.Workspace.Suite(w.Targets)
		if err != nil {
			return "", err
		}
		s, facts := next.plan.Selection, next.plan.Facts(targets)
		c.p.Work.Post(func() {
			if c.last.Load() == next {
				all := scenes.Distance{Name: "all targets", Of: s.Distances()}
				c.chart.Set(scenes.DistanceFigure("Distances of "+next.name, all))
				c.facts.SetText(strings.Join(facts, "\n"))
			}
		})
		text := fmt.Sprintf("%s: %s for each of %s.", next.name, result.Counted(s.N(), "scene"),
			result.Counted(len(s.Chosen), "target"))
		if n := len(s.Vetoed); n > 0 {
			text += " " + present.ByCount(n, "%d background is left out.", "%d backgrounds are left out.", n)
		}
		return text + " Nothing is kept before you press Create.", nil
	}
}

// make keeps the selection and looks at it.
func (c *chooser) make(d *kit.Dialog, w formValues) {
	d.Close()
	p, ws, from := c.p, c.p.site.Workspace, c.p.view.Record
	var next *chosen
	var record store.SelectionRecord
	p.Work.Quiet("keep testing scenes", func(ctx context.Context) (err error) {
		if next, err = c.choose(ctx, w); err != nil {
			return err
		}
		record, err = ws.AddSelection(next.name, next.plan.Selection)
		if err != nil || from.Targets != record.Targets || from.Backgrounds != record.Backgrounds ||
			from.Hash == record.Hash {
			return err
		}
		record.Selection = next.plan.Selection
		return hand(ws, c.carry, record)
	}, func(err error) {
		switch {
		case err == nil:
			p.created(next.name, record, next.plan.Selection)
		case !errors.Is(err, quiet.ErrClosed):
			p.Fail(err)
		}
	})
}

// created tells of a new selection and looks at it.
func (p *Page) created(name string, record store.SelectionRecord, s background.Selection) {
	if record.Name != name {
		p.Say(fmt.Sprintf("These very scenes are there already: %s.", record.Name))
	} else {
		p.Say(fmt.Sprintf("The selection %s is there. Models can run in its scenes.", name))
		p.did(fmt.Sprintf("selection of scenes %s", name), p.keeps(name, s), p.removes(record.Hash))
	}
	next := p.wanted
	next.Selection = record.Hash
	p.site.Choose(next)
}

// keeps keeps a selection, and removes removes it: for Undo and Redo.
func (p *Page) keeps(name string, s background.Selection) func(context.Context) error {
	return func(context.Context) error {
		_, err := p.site.Workspace.AddSelection(name, s)
		return err
	}
}

func (p *Page) removes(hash string) func(context.Context) error {
	return func(context.Context) error { return p.site.Workspace.RemoveSelection(hash) }
}

// did notes what was done, and what takes it back.
func (p *Page) did(title string, do, undo func(context.Context) error) {
	p.site.Did(history.Step{Title: title, Undo: undo, Redo: do})
}
