package sections

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

// Deps is what the pane is made from. Host, Work and Window are needed.
type Deps struct {
	Host   pane.Host
	Work   *background.Group
	Window fyne.Window
	// Keys gets the keys that the pane does not use.
	Keys widget.Keys
}

// The plots, in the order of the menu after "all plots".
const (
	plotRow = iota
	plotDiagonal
	plotCourse
	plotLoss
	plots
)

func plotNames() []string {
	return []string{"all plots", "row", "diagonal", "accuracy and confidence", "loss curves"}
}

func diagonalNames() []string {
	return []string{"diagonal through the cell", "anti-diagonal"}
}

// Pane is the pane of cross-sections. All methods are called on the main goroutine.
type Pane struct {
	deps    Deps
	latest  background.Latest
	subject pane.Subject
	course  Course
	options Options
	quiet   bool // controls are being set, not used

	ground  *pane.Ground
	charts  [plots]*widget.Chart
	heads   [plots]*fynewidget.Label
	boxes   [plots]fyne.CanvasObject
	details *fyne.Container
	lines   *fynewidget.Select
	only    *fynewidget.Select
	which   *fynewidget.Select
	slider  *fynewidget.Slider
	row     *fynewidget.Label
	readOut *fynewidget.Label
	moves   *fyne.Container
}

var _ pane.Pane = (*Pane)(nil)

// New makes the pane.
func New(deps Deps) *Pane {
	p := &Pane{deps: deps}
	p.build()
	return p
}

// Title implements pane.Pane.
func (p *Pane) Title() string { return "Cross-sections" }

// Object implements pane.Pane.
func (p *Pane) Object() fyne.CanvasObject { return p.ground.Surface }

// Tall implements pane.Pane: the matrices stay in sight, since a click on them moves the sections.
func (p *Pane) Tall() bool { return false }

// Hidden implements pane.Pane.
func (p *Pane) Hidden() { p.latest.Next() }

// Close implements pane.Pane.
func (p *Pane) Close() { p.latest.Next() }

func (p *Pane) build() {
	saver := &figures.Saver{
		Window: p.deps.Window, Work: p.deps.Work, Status: p.deps.Host.Status, ShowError: p.deps.Host.ShowError, Closed: func() { p.ground.TakeBack() },
	}
	for k := range p.charts {
		p.charts[k] = widget.NewChart()
		p.charts[k].OnHover = func(_ float64, text string) { p.readOut.SetText(text) }
		p.charts[k].OnTapped = func(x float64) { p.tapped(k, x) }
		saver.Connect(p.charts[k], func() []string { return []string{p.subject.Model.ID, plotNames()[k+1]} })
		p.heads[k] = fynewidget.NewLabelWithStyle("", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
		p.heads[k].Truncation = fyne.TextTruncateEllipsis
		p.boxes[k] = container.NewBorder(p.heads[k], nil, nil, nil, p.charts[k])
	}
	p.details = evidence.Columns(p.boxes[:]...)
	p.ground = pane.NewGround(container.NewBorder(p.buildBar(), nil, nil, nil, p.details), p.deps.Keys)
}

// menu makes a menu that does something only when a person chose.
func (p *Pane) menu(options []string, chosen func(at int)) *fynewidget.Select {
	m := fynewidget.NewSelect(options, nil)
	m.SetSelectedIndex(0)
	m.OnChanged = func(string) {
		if !p.quiet {
			chosen(m.SelectedIndex())
			p.ground.TakeBack()
		}
	}
	return m
}

func (p *Pane) buildBar() fyne.CanvasObject {
	p.only = p.menu(plotNames(), func(int) { p.arrange() })
	p.lines = p.menu(linesNames(), func(at int) { p.options.Lines = Lines(at); p.draw() })
	p.which = p.menu(diagonalNames(), func(at int) { p.options.Anti = at == 1; p.draw() })
	p.slider = fynewidget.NewSlider(0, 1)
	p.slider.OnChanged = func(v float64) {
		if !p.quiet {
			p.moveTo(int(math.Round(v)))
		}
	}
	p.slider.OnChangeEnded = func(float64) { p.ground.TakeBack() }
	p.row = fynewidget.NewLabel("")
	p.readOut = fynewidget.NewLabel("")
	p.readOut.Truncation = fyne.TextTruncateEllipsis
	step := func(icon fyne.Resource, by int) *fynewidget.Button {
		b := fynewidget.NewButtonWithIcon("", icon, func() { p.Move(by); p.ground.TakeBack() })
		b.Importance = fynewidget.LowImportance
		return b
	}
	slider := container.NewGridWrap(fyne.NewSize(110, p.slider.MinSize().Height), p.slider)
	p.moves = container.NewHBox(step(theme.MoveDownIcon(), -1), container.NewCenter(slider), step(theme.MoveUpIcon(), 1), p.row)
	menus := container.NewHBox(wide(p.only, 165), wide(p.lines, 150), wide(p.which, 200), p.moves)
	return container.NewBorder(nil, nil, menus, nil, p.readOut)
}

// wide gives a menu a width at which its words are whole.
func wide(m *fynewidget.Select, width float32) fyne.CanvasObject {
	return container.NewGridWrap(fyne.NewSize(width, m.MinSize().Height), m)
}

// Show implements pane.Pane.
func (p *Pane) Show(s pane.Subject) {
	p.ground.Shown()
	same := s.Set == p.subject.Set && s.First == p.subject.First && s.Last == p.subject.Last &&
		slices.Equal(s.Chosen, p.subject.Chosen) && slices.Equal(s.Mapping, p.subject.Mapping)
	if s.Set != p.subject.Set {
		p.course = Course{} // another model's must not be seen meanwhile
	}
	p.subject = s
	if same && p.course.Confidence != nil {
		p.draw()
		return
	}
	background.Load(p.deps.Work, &p.latest, "accuracy over V", func(context.Context) (Course, error) {
		return CourseOf(s), nil
	}, func(c Course, err error) {
		if err != nil {
			p.deps.Host.ShowError(err)
			return
		}
		p.course = c
		p.draw()
	})
	p.draw()
}

// draw shows what the subject and the options say.
func (p *Pane) draw() {
	s := p.subject
	data := [plots]widget.ChartData{p.options.Row(s), p.options.Diagonal(s), p.course.Chart(s), evidence.LossChart(s.Evidence)}
	heads := [plots]string{"Row", p.options.diagonalTitle(s), "Accuracy and mean confidence", "Loss curves"}
	cell, ok := CellOf(s)
	if ok {
		in, _ := spanOf(s)
		heads[plotRow] = fmt.Sprintf("Row V_i = %s", result.Digits(in.value(cell.I), 6)+s.Evidence.Unit)
		p.charts[plotRow].SetMark(in.value(cell.J))
		p.charts[plotDiagonal].SetMark(in.value(cell.I))
		p.charts[plotCourse].SetMark(in.value(cell.I))
	}
	if p.options.Lines == Focused && ok {
		heads[plotRow] += ", " + cell.Modality
	}
	for k, c := range p.charts {
		p.heads[k].SetText(heads[k])
		c.SetData(data[k])
	}
	p.showRow(cell, ok)
	p.arrange()
}

// showRow sets the controls that move the row.
func (p *Pane) showRow(c Cell, ok bool) {
	if !ok {
		p.moves.Hide()
		return
	}
	in, _ := spanOf(p.subject)
	p.quiet = true
	p.slider.Min, p.slider.Max = float64(in.from), float64(in.to)
	p.slider.SetValue(float64(c.I))
	p.quiet = false
	p.row.SetText(fmt.Sprintf("V_i = %s", result.Digits(in.value(c.I), 6)+p.subject.Evidence.Unit))
	p.moves.Show()
}

// arrange shows the plots that the menu names; one that has nothing to show leaves its room to the
// others.
func (p *Pane) arrange() {
	only := p.only.SelectedIndex() - 1
	for k, box := range p.boxes {
		shown := only < 0 || k == only
		if only < 0 && k == plotLoss && len(p.charts[k].Data().Series) == 0 {
			shown = false
		}
		if shown {
			box.Show()
		} else {
			box.Hide()
		}
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
	if !ok {
		return
	}
	in, _ := spanOf(p.subject)
	if i = in.hold(i); i != c.I {
		p.deps.Host.Focus(pane.Focus{Modality: c.Modality, I: i, J: c.J})
	}
}

// tapped moves the focus to what was clicked in a plot.
func (p *Pane) tapped(plot int, x float64) {
	defer p.ground.TakeBack()
	c, ok := CellOf(p.subject)
	if !ok || plot == plotLoss {
		return
	}
	in, _ := spanOf(p.subject)
	at := in.at(x)
	if at < 0 {
		return
	}
	f := pane.Focus{Modality: c.Modality, I: at, J: c.J}
	switch plot {
	case plotRow:
		f.I, f.J = c.I, at
	case plotDiagonal:
		f.J = in.hold(p.options.partner(p.subject, c, at))
	}
	p.deps.Host.Focus(f)
}
