package findings

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/scenes/page"
	"github.com/variscope/variscope/ui/widget"
)

// coveragePart is what ways of choosing scenes are worth: neuron coverage, kappa and F1 of all selections (the paper's Table 4).
type coveragePart struct {
	p        *Page
	made     Coverages
	selected string // hash of a selection
	compute  *errand
	run      *fynewidget.Button
	round    *fynewidget.Button
	line     *fynewidget.Label
	head     *fyne.Container
	list     *widget.Table
	fitted   *fyne.Container
	bars     *widget.Bars
	content  fyne.CanvasObject
}

func newCoveragePart(p *Page) *coveragePart {
	c := &coveragePart{p: p, line: note(""), bars: widget.NewBars(), made: Coverages{sorted: "n"}}
	c.buildTable()
	c.fitted = evidence.Fit(c.list, coverageWidths)
	c.compute = newErrand(p, "Compute coverage", c.cover)
	c.run = fynewidget.NewButtonWithIcon("Run models", theme.MediaPlayIcon(), c.runModels)
	c.round = fynewidget.NewButtonWithIcon("New round…", theme.ContentAddIcon(), func() { p.deps.NewRound(c.selected) })
	more := fynewidget.NewButtonWithIcon("Choose scenes…", theme.NavigateNextIcon(), func() { p.deps.Open(page.Scenes, p.subject) })
	c.bars.OnHover = p.deps.Host.Say
	c.bars.Menu = func() []*fyne.MenuItem { return p.saver.Entries(barsFigure(c.bars, "coverage")) }
	c.head = container.NewBorder(nil, nil, nil, container.NewHBox(c.compute.object(), c.run, c.round, more, p.exportButton(c)), c.line)
	split := container.NewHSplit(c.fitted, container.NewBorder(heading("Worth of the scenes"), nil, nil, nil, container.NewVScroll(c.bars)))
	split.Offset = 0.68
	foot := caption("Table 4 of the background paper [2] compares N = 32, 50 and 100 scenes per target chosen in one way: choose these on the page Scenes, then compute their coverage here. " +
		"All composites go through the models once more for it; what was computed is kept.")
	c.content = container.NewBorder(c.head, foot, nil, nil, split)
	return c
}

func (c *coveragePart) buildTable() {
	c.list = widget.NewTable(nil, func() int { return len(c.made.Rows) }, c.made.Cell)
	c.list.StickyColumnCount = 1
	c.list.OnHint = c.p.deps.Host.Say
	c.list.OnRow = func(row int) {
		if row >= 0 && row < len(c.made.Rows) {
			c.selected = c.made.Rows[row].Record.Hash
			c.follow()
		}
	}
	c.list.OnOpen = func(row int) { // looks at the models in these scenes
		subject := c.p.subject
		subject.Selection = c.made.Rows[row].Record.Hash
		c.p.deps.Choose(subject)
	}
	c.list.OnSort = func(col int) {
		c.made.SortBy(coverageColumns()[col].key)
		c.arranged()
	}
}

func coverageWidths() []widget.Column {
	var list []widget.Column
	for _, c := range coverageColumns() {
		width := float32(numberWidth)
		switch c.key {
		case "selection":
			width = 130
		case "method", "round":
			width = 96
		case "n":
			width = 50
		}
		list = append(list, widget.Column{Title: c.title, Hint: c.hint, Width: width, Right: c.value != nil})
	}
	return list
}

// choice is the selection that is looked at.
func (c *coveragePart) choice() (Choice, bool) {
	at := c.index()
	if at < 0 {
		return Choice{}, false
	}
	return c.made.Rows[at], true
}

func (c *coveragePart) index() int {
	return slices.IndexFunc(c.made.Rows, func(r Choice) bool { return r.Record.Hash == c.selected })
}

func (c *coveragePart) cover() {
	choice, ok := c.choice()
	if !ok {
		return
	}
	c.compute.start(fmt.Sprintf("Compute neuron coverage in the scenes of %s", choice.Record.Name), func(ctx context.Context, p *background.Progress) error {
		return cover(ctx, c.p.deps.Workspace, c.p.deps.Runtime, choice, p)
	}, c.p.renewal.Changed) // what was kept is read anew, also after a cancel
}

// runModels runs the models that the selection lacks.
func (c *coveragePart) runModels() {
	choice, ok := c.choice()
	if !ok {
		return
	}
	c.p.run(choice.Record, choice.Without)
}

func (c *coveragePart) object() fyne.CanvasObject { return c.content }
func (c *coveragePart) table() *widget.Table      { return c.list }
func (c *coveragePart) moved()                    { c.selected = "" }
func (c *coveragePart) close()                    { c.compute.drop() }

func (c *coveragePart) entries() []*fyne.MenuItem {
	return with(c.p.tableEntries("coverage", c.made.Table), "Chart", c.bars.Menu())
}

// show implements part.
func (c *coveragePart) show() {
	c.made.Rows = slices.Clone(c.p.view.Choices)
	c.made.arrange()
	if c.index() < 0 {
		c.selected = c.p.view.Selection.Hash
	}
	c.fitted.Refresh()
	c.arranged()
}

func (c *coveragePart) arranged() {
	columns := coverageColumns()
	c.list.SetSort(slices.IndexFunc(columns, func(k coverageColumn) bool { return k.key == c.made.sorted }), c.made.descending)
	c.list.Reload()
	c.list.SelectRow(c.index())
	c.bars.SetData(c.made.Bars())
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
		text = fmt.Sprintf("Compute coverage of %s", present.Counted(int64(n), "model"))
	}
	can := ok && len(choice.Missing) > 0
	if can && c.p.deps.Runtime == nil {
		c.line.SetText(fmt.Sprintf("Coverage cannot be computed: %s", c.p.deps.Problem))
	}
	c.compute.name(text, can && c.p.deps.Runtime != nil)
	c.run.Hidden = c.p.deps.Start == nil || !ok || len(choice.Without) == 0
	c.round.Hidden = c.p.deps.NewRound == nil || !ok || len(choice.Ran) == 0 || choice.Round != ""
	c.head.Refresh()
}

// Bars are coverage, kappa and F1 of the selections that have one of them.
func (v *Coverages) Bars() widget.BarsData {
	d := widget.BarsData{Empty: "neither coverage nor kappa is known of any selection yet"}
	d.Title, d.XName = "Worth of the scenes", "coverage (recall), kappa (precision) and F1"
	for _, c := range v.Rows {
		for k, column := range coverageColumns()[4:7] {
			v := column.value(c)
			if math.IsNaN(v) {
				continue
			}
			name := fmt.Sprintf("%s: %s", c.Record.Name, column.title)
			d.Bars.Bars = append(d.Bars.Bars, render.Bar{Name: name, To: v, Text: present.Kappa(v), Tone: render.Tone(k)})
			d.Hints = append(d.Hints, fmt.Sprintf("%s %s", name, present.Kappa(v)))
		}
	}
	return d
}
