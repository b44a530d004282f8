package sections

import (
	"context"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// The plots, in the order of the menu after allPlots.
const (
	plotRow = iota
	plotDiagonal
	plotCourse
	plotLoss
	plots
)

const allPlots, antiDiagonal = "all plots", "anti-diagonal"

var plotNames = [plots]string{"row", "diagonal", "accuracy and confidence", "loss curves"}

// Pane is the pane of cross-sections. All methods are called on the main goroutine.
type Pane struct {
	*pane.Base
	subject    pane.Subject
	confidence []float64
	options    Options
	plot       string // the one that is shown, or allPlots

	figures            [plots]*kit.Figure
	details            *fyne.Container
	lines, only, which *widget.Picker
	slider             *fynewidget.Slider
	row, readOut       *fynewidget.Label
	moves              *fyne.Container
}

var _ pane.Pane = (*Pane)(nil)

// New makes the pane. The matrices stay in sight, since a click on them moves the sections.
func New(site pane.Site) *Pane {
	p := &Pane{Base: pane.NewBase(site, "Cross-sections", false), plot: allPlots, options: Options{Lines: Focused}}
	p.readOut = fynewidget.NewLabel("")
	p.readOut.Truncation = fyne.TextTruncateEllipsis
	var boxes []fyne.CanvasObject
	for k := range p.figures {
		p.figures[k] = &kit.Figure{
			Host: p.Host, Headed: true, OnHover: p.readOut.SetText, OnX: func(x float64) { p.tapped(k, x) },
			Name: func() []string { return []string{p.subject.Model.ID, plotNames[k]} },
		}
		boxes = append(boxes, p.figures[k].Object())
	}
	p.details = evidence.Columns(boxes...)
	p.Lay(container.NewBorder(p.buildBar(), nil, nil, nil, p.details), nil, nil)
	return p
}

func (p *Pane) buildBar() fyne.CanvasObject {
	p.only = p.Menu(func(name string) { p.plot = name; p.arrange() })
	p.only.Offer(widget.ByName(append([]string{allPlots}, plotNames[:]...)...), allPlots)
	p.lines = p.Menu(func(name string) { p.options.Lines = name; p.draw() })
	p.lines.Offer(widget.ByName(Focused, All, Shares), Focused)
	p.which = p.Menu(func(name string) { p.options.Anti = name == antiDiagonal; p.draw() })
	p.which.Offer(widget.ByName("diagonal through the cell", antiDiagonal), "diagonal through the cell")
	p.slider = fynewidget.NewSlider(0, 1)
	p.slider.OnChanged = func(v float64) { p.moveTo(int(math.Round(v))) }
	p.slider.OnChangeEnded = func(float64) { p.TakeBack() }
	p.row = fynewidget.NewLabel("")
	slider := container.NewCenter(container.NewGridWrap(fyne.NewSize(110, p.slider.MinSize().Height), p.slider))
	p.moves = container.NewHBox(p.Button("", theme.MoveDownIcon(), func() { p.Move(-1) }), slider,
		p.Button("", theme.MoveUpIcon(), func() { p.Move(1) }), p.row)
	menus := container.NewHBox(picture.Wide(165, p.only.Object()), picture.Wide(150, p.lines.Object()),
		picture.Wide(200, p.which.Object()), p.moves)
	return container.NewBorder(nil, nil, menus, nil, p.readOut)
}

// Show implements pane.Pane.
func (p *Pane) Show(s pane.Subject) {
	same := s.Set == p.subject.Set && s.First == p.subject.First && s.Last == p.subject.Last &&
		slices.Equal(s.Chosen, p.subject.Chosen)
	if s.Set != p.subject.Set {
		p.confidence = nil // another model's must not be seen meanwhile
	}
	p.subject = s
	p.draw()
	if same && p.confidence != nil {
		return
	}
	background.Load(p.Work, &p.Latest, "confidence over V", func(context.Context) ([]float64, error) {
		return Confidence(s), nil
	}, func(mean []float64, err error) {
		if err != nil {
			p.Fail(err)
			return
		}
		p.confidence = mean
		p.draw()
	})
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
		p.figures[plotCourse].Mark(c.value(c.I))
		p.slider.Min, p.slider.Max = float64(c.first), float64(c.last)
		p.slider.SetValue(float64(c.I))
		p.row.SetText(vi(s, c))
	}
	p.figures[plotRow].Set(p.options.Row(s))
	p.figures[plotDiagonal].Set(p.options.Diagonal(s))
	p.figures[plotCourse].Set(Course(s, p.confidence))
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
		p.Screen.Focus(pane.Focus{Modality: c.Modality, I: i, J: c.J})
	}
}

// tapped moves the focus to what was clicked in a plot.
func (p *Pane) tapped(plot int, x float64) {
	defer p.TakeBack()
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
	p.Screen.Focus(f)
}
