package sections

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

// The plots, in the order of the menu after allPlots.
const (
	plotRow = iota
	plotDiagonal
	plotOverV
	plotLoss
	plots
)

const allPlots, antiDiagonal = "all plots", "anti-diagonal"

var plotNames = [plots]string{"row", "diagonal", "accuracy and confidence", "loss curves"}

// Pane is the tab of cross-sections. All methods are called on the main goroutine.
type Pane struct {
	pane.Tab
	site       pane.Site
	subject    pane.Subject
	confidence []float64 // of subject
	options    Options
	plot       string // the one that is shown, or allPlots

	figures [plots]*kit.Figure
	details *fyne.Container
	slider  *widget.Slider
	row     *fynewidget.Label
	moves   *fyne.Container
}

// New makes the tab. The matrices stay in sight, since a click on them moves the sections.
func New(site pane.Site) *Pane {
	p := &Pane{site: site, plot: allPlots, options: Options{Lines: Focused}}
	var boxes []fyne.CanvasObject
	for k := range p.figures {
		p.figures[k] = &kit.Figure{
			Host: site.Host, Headed: true, OnX: func(x float64) { p.tapped(k, x) },
			Name: func() []string { return []string{p.subject.Model.ID, plotNames[k]} },
		}
		boxes = append(boxes, p.figures[k].Object())
	}
	p.figures[plotRow].Command, p.figures[plotDiagonal].Command = p.command, p.command
	p.details = evidence.Flow(leastPlot, boxes...)
	body := container.NewBorder(p.buildBar(), nil, nil, nil, p.details)
	p.Tab.Tab = kit.Tab{
		Key: "sections", Title: "Cross-sections", Page: &kit.Panel{Body: body, Show: p.show, Keys: site.Refocus},
	}
	return p
}

// command is the command that makes the matrices which the sections run through.
func (p *Pane) command() string {
	names := p.subject.Evidence.Modalities()
	if c, ok := CellOf(p.subject); ok && p.options.Lines == Focused {
		names = []string{c.Modality}
	}
	return p.subject.Matrices([]string{p.subject.Model.ID}, names...)
}

// leastPlot is the least width of a plot beside others.
const leastPlot = 260

func (p *Pane) buildBar() fyne.CanvasObject {
	menu := func(chosen func(name string), names ...string) fyne.CanvasObject {
		m := p.site.Menu(chosen)
		m.Offer(widget.ByName(names...), names[0])
		return widget.Named(nil, m.Object())
	}
	p.slider = widget.NewSlider(0, 1, p.site.Keys, func(v float64) { p.moveTo(int(v)) }, p.site.Refocus)
	p.row = fynewidget.NewLabel("")
	down := p.site.IconButton(theme.MoveDownIcon(), "The section below", func() { p.Move(-1) })
	up := p.site.IconButton(theme.MoveUpIcon(), "The section above", func() { p.Move(1) })
	down.Importance, up.Importance = fynewidget.LowImportance, fynewidget.LowImportance
	p.moves = container.NewBorder(nil, nil, down, container.NewHBox(up, p.row), p.slider)
	menus := evidence.Columns(
		menu(func(name string) { p.plot = name; p.arrange() }, append([]string{allPlots}, plotNames[:]...)...),
		menu(func(name string) { p.options.Lines = name; p.draw() }, Focused, All, Shares),
		menu(func(name string) { p.options.Anti = name == antiDiagonal; p.draw() },
			"diagonal through the cell", antiDiagonal))
	return container.NewVBox(menus, p.moves)
}

func (p *Pane) show() {
	s := p.site.Screen.Subject()
	if p.confidence == nil || s.Set != p.subject.Set || s.First != p.subject.First || s.Last != p.subject.Last ||
		!slices.Equal(s.Chosen, p.subject.Chosen) {
		p.confidence = Confidence(s)
	}
	p.subject = s
	p.draw()
}

// draw shows what the subject and the options say.
func (p *Pane) draw() {
	s := p.subject
	heads := [plots]string{RowName(s), p.options.DiagonalName(s), "Accuracy and mean confidence", "Loss curves"}
	c, ok := CellOf(s)
	if widget.Show(p.moves, ok); ok {
		if p.options.Lines == Focused {
			heads[plotRow] += ", " + c.Modality
		}
		p.figures[plotRow].Mark(c.value(c.J))
		p.figures[plotDiagonal].Mark(c.value(c.I))
		p.figures[plotOverV].Mark(c.value(c.I))
		p.slider.Min = float64(c.first)
		p.slider.Put(c.I, c.last)
		p.row.SetText(vi(s, c))
	}
	p.figures[plotRow].Set(p.options.Row(s))
	p.figures[plotDiagonal].Set(p.options.Diagonal(s))
	p.figures[plotOverV].Set(OverV(s, p.confidence))
	p.figures[plotLoss].Set(inventory.Curves(s.Evidence.Model, "loss"))
	for k, f := range p.figures {
		f.Head(heads[k])
	}
	p.arrange()
}

// arrange shows the plots that the menu names; one that has nothing to show leaves its room to the
// others.
func (p *Pane) arrange() {
	for k, f := range p.figures {
		empty := k == plotLoss && len(f.Data().Lines) == 0
		widget.Show(f.Object(), p.plot == plotNames[k] || p.plot == allPlots && !empty)
	}
	p.details.Refresh()
}

// Move moves the row by that many transformations. (The arrow keys of the screen move the whole
// cell in focus.)
func (p *Pane) Move(by int) {
	if c, ok := CellOf(p.subject); ok {
		p.moveTo(c.I + by)
	}
}

// moveTo moves the row to transformation i, the column stays.
func (p *Pane) moveTo(i int) {
	c, ok := CellOf(p.subject)
	if i = c.hold(i); ok && i != c.I {
		p.site.Screen.Mark(pane.Focus{Modality: c.Modality, I: i, J: c.J})
	}
}

// tapped moves the focus to what was clicked in a plot.
func (p *Pane) tapped(plot int, x float64) {
	c, ok := CellOf(p.subject)
	if !ok || plot == plotLoss {
		return
	}
	at := c.at(x)
	if at < 0 {
		return
	}
	f := pane.Focus{Modality: c.Modality, I: at, J: c.J}
	switch plot {
	case plotRow:
		f.I, f.J = c.I, at
	case plotDiagonal:
		f.J = c.hold(p.options.partner(p.subject, c, at))
	}
	p.site.Screen.Mark(f)
}
