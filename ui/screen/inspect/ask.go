package inspect

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// chooser is the dialog in which the matrices are chosen: a grid of positions and reducers, the
// vector modalities that were computed, and a line that adds any other tensor as a position.
type chooser struct {
	s       *Screen
	places  []place
	checks  map[string]*fynewidget.Check
	vectors []string
	grid    *fyne.Container
	tensor  *fynewidget.SelectEntry
	problem *fynewidget.Label
}

// AskModalities opens the chooser.
func (s *Screen) AskModalities() {
	if len(s.data().models) == 0 {
		return
	}
	c := &chooser{s: s, checks: map[string]*fynewidget.Check{}}
	c.places = places(s.data().base.Model, s.computed(), s.kept.modalities)
	if x := s.data().session; x != nil {
		c.vectors = x.set.Spec.Vectors
	}
	c.grid = container.NewStack()
	c.build(s.kept.modalities)
	usual := fynewidget.NewButton("The five of the ML4ML paper [1]", func() { c.choose(evidence.DefaultModalities()) })
	reference := fynewidget.NewButton("As the reference assessor", func() { c.choose(referenceAssessor()) })
	content := container.NewBorder(nil, container.NewVBox(c.adder(), container.NewHBox(usual, reference)), nil, nil,
		container.NewVScroll(c.grid))
	s.Focus() // has the keyboard again after the dialog
	d := s.NewDialog("Matrices", fyne.NewSize(900, 430))
	show := fynewidget.NewButton("Show", func() {
		d.Close()
		s.Modalities(c.chosen())
	})
	show.Importance = fynewidget.HighImportance
	d.Show(content, d.CloseButton("Cancel"), show)
	d.Present(nil)
}

// referenceAssessor are the modalities of the published code's assessor.
func referenceAssessor() []string {
	var names []string
	for _, m := range signal.ReferenceAssessor() {
		names = append(names, m.String())
	}
	return names
}

// build fills the grid anew with these modalities checked.
func (c *chooser) build(chosen []string) {
	reducers := reducerNames()
	bold := func(text string) fyne.CanvasObject {
		return widget.Bold(text)
	}
	var head []fyne.CanvasObject
	for _, r := range reducers {
		head = append(head, bold(r))
	}
	lines := container.NewVBox(chooserRow(bold("position"), head))
	for _, p := range c.places {
		var row []fyne.CanvasObject
		for _, r := range reducers {
			row = append(row, c.check(r+"@"+p.Name, "", p.Absent, chosen))
		}
		lines.Add(chooserRow(c.name(p), row))
	}
	if len(c.vectors) > 0 {
		row := container.NewHBox(bold("whole tensors"))
		for _, name := range c.vectors {
			row.Add(c.check(name, name, false, chosen))
		}
		lines.Add(row)
	}
	c.grid.Objects = []fyne.CanvasObject{lines}
	c.grid.Refresh()
}

func (c *chooser) name(p place) fyne.CanvasObject {
	text := p.Name
	if p.Reason != "" {
		text += ": " + p.Reason
	}
	l := fynewidget.NewLabel(text)
	l.Truncation = fyne.TextTruncateEllipsis
	if p.Reason != "" {
		l.Importance = fynewidget.LowImportance
	}
	return l
}

func (c *chooser) check(name, text string, disabled bool, chosen []string) *fynewidget.Check {
	check := fynewidget.NewCheck(text, nil)
	check.SetChecked(slices.Contains(chosen, name))
	if disabled && !check.Checked {
		check.Disable()
	}
	c.checks[name] = check
	return check
}

// choose checks exactly these modalities.
func (c *chooser) choose(names []string) {
	for name, check := range c.checks {
		check.SetChecked(slices.Contains(names, name))
	}
}

func (c *chooser) chosen() []string {
	var names []string
	for name, check := range c.checks {
		if check.Checked {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// adder is the line that makes any tensor of the model a position.
func (c *chooser) adder() fyne.CanvasObject {
	c.tensor = fynewidget.NewSelectEntry(c.s.data().base.Model.Graph.Tensors)
	c.tensor.SetPlaceHolder("any other tensor of the model")
	c.problem = fynewidget.NewLabel("")
	c.problem.Importance = fynewidget.DangerImportance
	c.problem.Hide()
	add := fynewidget.NewButton("Add position", func() { c.add(c.tensor.Text) })
	return container.NewVBox(c.problem, container.NewBorder(nil, nil, nil, add, c.tensor))
}

// add puts a tensor into the grid with its maximum and mean checked.
func (c *chooser) add(tensor string) {
	if !slices.Contains(c.s.data().base.Model.Graph.Tensors, tensor) {
		c.problem.SetText(fmt.Sprintf("The model has no tensor %q; choose one from the list.", tensor))
		c.problem.Show()
		return
	}
	c.problem.Hide()
	chosen := shownWith(c.chosen(), tensor)
	c.places = places(c.s.data().base.Model, c.s.computed(), chosen)
	c.build(chosen)
}

// chooserRow is a position, or the word for them, before equal columns for the reducers.
func chooserRow(name fyne.CanvasObject, columns []fyne.CanvasObject) fyne.CanvasObject {
	return container.NewBorder(nil, nil, picture.Wide(nameWidth, name), nil,
		container.NewGridWithColumns(len(columns), columns...))
}

// nameWidth is the room for a position and why it is absent.
const nameWidth = 230

// AskExcluded shows the images that are left out of the model's matrices, each with a button that
// takes it back in.
func (s *Screen) AskExcluded() {
	if len(s.excluded) == 0 {
		return
	}
	s.Focus() // has the keyboard again after the dialog
	d := s.NewDialog(fmt.Sprintf("Excluded images of %s", s.data().base.Model.ID), fyne.NewSize(460, 360))
	list := container.NewVBox()
	var fill func()
	fill = func() {
		list.RemoveAll()
		for _, k := range s.excluded {
			back := fynewidget.NewButton("Include again", func() {
				s.Include([]int{k})
				if fill(); len(s.excluded) == 0 {
					d.Close()
				}
			})
			list.Add(container.NewBorder(nil, nil, nil, back, fynewidget.NewLabel(s.imageName(k))))
		}
	}
	fill()
	all := fynewidget.NewButton("Include all again", func() {
		s.exclude(nil)
		d.Close()
	})
	d.Show(container.NewBorder(nil, all, nil, nil, container.NewVScroll(list)), d.CloseButton("Close"))
	d.Present(nil)
}

// imageName is an image's number in the suite and its class.
func (s *Screen) imageName(k int) string {
	text := fmt.Sprintf("image %s", result.Whole(k))
	m := s.data().manifest
	if k < len(m.Labels) && m.Labels[k] >= 0 && m.Labels[k] < len(m.Classes) {
		text = fmt.Sprintf("%s, class %s", text, m.Classes[m.Labels[k]])
	}
	return text
}
