package findings

import (
	"context"
	"fmt"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	store "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

// coveragePart is what ways of choosing scenes are worth: neuron coverage, kappa and F1 of all
// selections (the paper's Table 4).
type coveragePart struct {
	kit.Panel
	p        *Page
	list     *kit.Records[store.Worth]
	selected string // hash of a selection
	compute  *task
	run      *fynewidget.Button
	round    *fynewidget.Button
	line     *fynewidget.Label
	head     *fyne.Container
	bars     *kit.Figure
}

func newCoveragePart(p *Page) *coveragePart {
	c := &coveragePart{p: p, line: note(""), bars: p.figure("coverage")}
	c.list = &kit.Records[store.Worth]{
		Host: c.p.Host, Table: store.WorthTable,
		OnSelect: func(choice store.Worth, ok bool) {
			if ok {
				c.selected = choice.Record.Hash
				c.follow()
			}
		},
		OnOpen: func(choice store.Worth) { // looks at the models in these scenes
			subject := c.p.subject
			subject.Selection = choice.Record.Hash
			c.p.site.Choose(subject)
		},
		OnShown: func(shown []store.Worth) { c.bars.Set(coverageBars(shown)) },
	}
	c.compute = newTask(p, "Compute coverage", c.cover)
	c.run = fynewidget.NewButtonWithIcon("Run models", theme.MediaPlayIcon(), c.runModels)
	c.round = fynewidget.NewButtonWithIcon("New round…", theme.ContentAddIcon(), func() { p.site.NewRound(c.selected) })
	more := fynewidget.NewButtonWithIcon("Choose scenes…", theme.NavigateNextIcon(),
		func() { p.site.Open(page.Scenes, p.subject) })
	c.head = container.NewBorder(nil, nil, nil, container.NewHBox(c.compute.object(), c.run, c.round, more,
		p.MenuButton("Export…", theme.DocumentSaveIcon(), c.entries)), c.line)
	split := container.NewHSplit(c.list.Object(), titled("Worth of the scenes", c.bars.Object()))
	split.Offset = 0.68
	foot := caption("Table 4 of the background paper [2] compares N = 32, 50 and 100 scenes per target chosen in one " +
		"way: choose these on the page Scenes, then compute their coverage here. " +
		"All composites go through the models once more for it; what was computed is kept.")
	c.Panel = kit.Panel{
		Body: container.NewBorder(c.head, foot, nil, nil, split), Show: c.show, Keys: c.list.Focus,
		OnClosed: c.compute.drop,
	}
	return c
}

// choice is the selection that is looked at.
func (c *coveragePart) choice() (store.Worth, bool) { return c.list.Selected() }

func (c *coveragePart) cover() {
	choice, ok := c.choice()
	if !ok {
		return
	}
	c.compute.start(fmt.Sprintf("Compute neuron coverage in the scenes of %s", choice.Record.Name),
		func(ctx context.Context, p *jobs.Progress) error {
			return choice.Cover(ctx, c.p.site.Workspace, c.p.site.Runtime, p)
		}, c.p.Refresh) // what was kept is read anew, also after a cancel
}

// runModels runs the models that the selection lacks.
func (c *coveragePart) runModels() {
	choice, ok := c.choice()
	if !ok {
		return
	}
	c.p.AskMissing(page.Missing(choice.Record, choice.Without))
}

func (c *coveragePart) entries() []*fyne.MenuItem {
	return with(c.list.FileItems(), "Chart", c.bars.Entries())
}

// show brings the part up to date.
func (c *coveragePart) show() {
	c.list.Set(c.p.view.Choices)
	if c.list.Select(c.selected); c.selected == "" {
		c.list.Select(c.p.view.Selection.Hash)
	}
	c.follow()
}

// follow says what is known of the selection that is looked at, and what can be done about it.
func (c *coveragePart) follow() {
	choice, ok := c.choice()
	c.line.SetText("")
	if ok {
		c.line.SetText(choice.Line())
	}
	text := "Compute coverage"
	if n := len(choice.Missing); n > 0 {
		text = fmt.Sprintf("Compute coverage of %s", result.Counted(n, "model"))
	}
	can := ok && len(choice.Missing) > 0
	if can && c.p.site.Runtime == nil {
		c.line.SetText(fmt.Sprintf("Coverage cannot be computed: %s", c.p.site.Problem))
	}
	c.compute.name(text, can && c.p.site.Runtime != nil)
	c.run.Hidden = c.p.Start == nil || !ok || len(choice.Without) == 0
	c.round.Hidden = c.p.site.NewRound == nil || !ok || len(choice.Ran) == 0 || choice.Round != ""
	c.head.Refresh()
}

// coverageBars are coverage, kappa and F1 of the selections that have one of them.
func coverageBars(list []store.Worth) result.Figure {
	d := result.Figure{
		Title: "Worth of the scenes", Empty: "neither coverage nor kappa is known of any selection yet",
		X: result.Axis{Name: "coverage (recall), kappa (precision) and F1", Format: result.Number},
		Groups: []result.Group{
			{Name: "coverage", Look: result.Category(0)},
			{Name: "kappa", Look: result.Category(1)},
			{Name: "F1", Look: result.Category(2)},
		},
	}
	for _, c := range list {
		for k, m := range []struct {
			value  float64
			format result.Format
		}{{c.Coverage, result.Share}, {c.Kappa(), result.Coefficient}, {c.F1, result.Number}} {
			if !math.IsNaN(m.value) {
				name, text := c.Record.Name+": "+d.Groups[k].Name, m.format.Say(m.value, 0)
				d.AddBar(name, text, name+" "+text, 0, m.value, k)
			}
		}
	}
	return d
}
