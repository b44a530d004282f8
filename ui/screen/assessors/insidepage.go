package assessors

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// view is a way of looking inside.
type view int

// The views, in the order of the menu.
const (
	structure view = iota
	importance
	swarm
	means
)

func viewNames() []string {
	return []string{"Structure", "Permutation importance", "Shapley values: bee-swarm", "Shapley values: means"}
}

// insidePage looks inside an assessor: its tree or stumps or coefficients, and which features
// matter to it.
type insidePage struct {
	*kit.Screen[struct{}, explained]
	s      *Screen
	views  *fynewidget.Select
	number *fynewidget.Select // of the forest's tree
	choose *fyne.Container    // holds number
	zoom   *fyne.Container
	save   *fynewidget.Button
	note   *fynewidget.Label

	tree    *kit.Figure
	bars    *kit.Figure
	swarm   *kit.Figure
	stumps  *kit.Records[assess.Stump]
	boxes   []fyne.CanvasObject // tree, bars, swarm, table
	quiet   bool
	entries func() []*fyne.MenuItem // that save what is shown, nil for none
	known   explained               // of the subject that was explained last
}

// explained is what takes a while to compute of a subject.
type explained struct {
	of         *Subject
	importance assess.Importance
	summary    assess.Summary
}

func newInsidePage(s *Screen) *insidePage {
	p := &insidePage{s: s, note: widget.Wrapped("")}
	name := func(what string) func() []string { return func() []string { return []string{s.fileName(), what} } }
	p.tree = &kit.Figure{Host: s.host, Name: name("tree")}
	p.bars = &kit.Figure{Host: s.host, Name: name("features"), Command: func() string {
		if view(p.views.SelectedIndex()) == structure {
			return "" // no command prints coefficients
		}
		return s.explained("")
	}}
	p.swarm = &kit.Figure{
		Host: s.host, Name: name("shapley"), OnOpen: func(hash string) { s.widgets.judge.explainModel(hash) },
	}
	p.views = fynewidget.NewSelect(viewNames(), p.turn)
	p.number = fynewidget.NewSelect(nil, p.turn)
	p.number.PlaceHolder = " "
	p.choose = wide(150, p.number)
	p.zoom = container.NewHBox(
		s.host.IconButton(theme.ZoomOutIcon(), "Draw the tree smaller", func() { p.tree.Zoom(1 / 1.25) }),
		s.host.IconButton(theme.ZoomInIcon(), "Draw the tree larger", func() { p.tree.Zoom(1.25) }),
		s.host.IconButton(theme.ZoomFitIcon(), "Show the whole tree", func() { p.tree.Zoom(0) }))
	p.save = fynewidget.NewButtonWithIcon("Save figure…", theme.DocumentSaveIcon(), func() {
		if p.entries != nil {
			s.menuBelow(p.save, p.entries()...)
		}
	})
	p.stumps = &kit.Records[assess.Stump]{Host: s.host, Table: assess.Stumps}
	p.boxes = []fyne.CanvasObject{
		p.tree.Object(), p.bars.Object(), p.swarm.Object(), p.stumps.Object(),
	}
	head := container.NewBorder(nil, nil, container.NewHBox(wide(250, p.views), p.choose, p.zoom), p.save)
	p.quiet = true
	p.views.SetSelectedIndex(int(structure))
	p.quiet = false
	p.Screen = kit.New(kit.Screen[struct{}, explained]{
		Host: s.host, Name: "Explain the assessor", Doing: "Computing…", Key: "assessors.inside", Quiet: true,
		Load: p.load, Show: p.show,
		Body: container.NewBorder(container.NewVBox(head, p.note), nil, nil, nil, container.NewStack(p.boxes...)),
	})
	return p
}

// turn shows another view.
func (p *insidePage) turn(string) {
	if !p.quiet {
		p.Changed()
	}
}

// load computes importance and Shapley values of the subject once, for the views that show them.
func (p *insidePage) load(struct{}) kit.Work[explained] {
	of := p.s.subject
	if of == p.known.of || of.Assessor.Threshold != nil || view(p.views.SelectedIndex()) == structure {
		return nil
	}
	p.choose.Hide()
	p.reveal(-1)
	p.say("")
	p.entries = nil
	p.save.Disable()
	return func(ctx context.Context, _ engine.Progress) (explained, error) {
		e := explained{of: of}
		var err error
		if e.importance, err = measureImportance(ctx, *of); err != nil {
			return e, err
		}
		all := make([]int, len(of.Data.Rows))
		for k := range all {
			all[k] = k
		}
		e.summary, err = assess.Summarise(ctx, of.Assessor, of.Data, all, of.Assessor.Shown(), engine.NoProgress{})
		return e, err
	}
}

// measureImportance is the permutation importance of a subject's features.
func measureImportance(ctx context.Context, s Subject) (assess.Importance, error) {
	learned := s.learned()
	var options assess.ShuffleOptions
	option.SetDefaults(&options)
	return assess.MeasureImportance(ctx, s.Assessor, s.Data, func(row int) bool { return learned[row] }, options,
		engine.NoProgress{})
}

// reveal shows one of the boxes, none with -1.
func (p *insidePage) reveal(at int) {
	for k, box := range p.boxes {
		widget.Show(box, k == at)
	}
	widget.Show(p.zoom, at == 0)
}

// show shows the chosen view of the subject.
func (p *insidePage) show(e explained) {
	if e.of != nil {
		p.known = e
	}
	p.choose.Hide()
	p.say("")
	p.entries = nil
	subject := p.s.subject
	i := p.known
	switch at := view(p.views.SelectedIndex()); {
	case subject.Assessor.Threshold != nil:
		p.reveal(-1)
		p.say(subject.Assessor.Threshold.Rule(subject.Assessor.OfScenes()) +
			" It looks at no features, so there is nothing else inside.")
	case at == structure:
		p.showStructure()
	case at == importance:
		p.showBars(ImportanceBars(subject.Name, i.importance))
		if i.importance.Problem == nil {
			p.say("How much accuracy shuffling a feature costs, " + i.importance.String() + ".")
		}
	case at == swarm:
		p.swarm.Set(SwarmOf(subject.Name, subject.Data, i.summary))
		p.entries = p.swarm.Entries
		p.reveal(2)
		p.say(fmt.Sprintf("Each dot is a model; "+
			"right of 0 the feature speaks for %s. A double click explains the model.", string(i.summary.Class)))
	default:
		p.showBars(MeanBars(subject.Name, i.summary))
	}
	widget.Enable(p.save, p.entries != nil)
	p.Body.Refresh()
}

func (p *insidePage) say(text string) {
	p.note.SetText(text)
	p.note.Hidden = text == ""
}

func (p *insidePage) showBars(data result.Figure) {
	p.bars.Set(data)
	if data.Drawable() {
		p.entries = p.bars.Entries
	}
	p.reveal(1)
}

// showStructure shows what the assessor is made of.
func (p *insidePage) showStructure() {
	a := p.s.subject.Assessor
	switch {
	case a.Tree != nil:
		p.showTree(a.Tree, fmt.Sprintf("Decision tree, %s", p.s.subject.Name))
	case a.Forest != nil:
		p.quiet = true
		options := make([]string, len(a.Forest.Trees))
		for k := range options {
			options[k] = fmt.Sprintf("tree %d of %d", k+1, len(options))
		}
		before := max(p.number.SelectedIndex(), 0)
		p.number.SetOptions(options)
		p.number.SetSelectedIndex(min(before, len(options)-1))
		p.quiet = false
		p.choose.Show()
		at := p.number.SelectedIndex()
		p.showTree(a.Forest.Trees[at], fmt.Sprintf("Tree %d of %s", at+1, p.s.subject.Name))
	case a.Boost != nil:
		p.stumps.Set(a.BoostStumps())
		p.reveal(3)
		p.say("The trees of AdaBoost in their order. Each looks at one feature; the errors are weighted.")
	case a.Linear != nil:
		p.showBars(CoefficientBars(a))
	}
}

func (p *insidePage) showTree(t *tree.Tree, title string) {
	data := TreeFigure(p.s.subject.Assessor, t, nil)
	data.Title = title
	p.tree.Set(data)
	p.entries = p.tree.Entries
	p.reveal(0)
	p.say(fmt.Sprintf("%s. A line at a node asks; yes goes left. "+
		"Weight is how much of the training set came there.", data.Note))
}
