package inspect

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/ui/screen/evidence"
	parts "github.com/variscope/variscope/ui/widget"
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
	if s.deps.Window == nil || s.answer.at < 0 {
		return
	}
	c := &chooser{s: s, checks: map[string]*fynewidget.Check{}}
	c.places = places(s.answer.base.Model, s.computed(), s.kept.modalities)
	if s.session != nil {
		c.vectors = s.session.set.Spec.Vectors
	}
	c.grid = container.NewStack()
	c.build(s.kept.modalities)
	usual := fynewidget.NewButton("The five of the ML4ML paper [1]", func() { c.choose(evidence.DefaultModalities()) })
	reference := fynewidget.NewButton("As the reference assessor", func() { c.choose(referenceAssessor()) })
	content := container.NewBorder(nil, container.NewVBox(c.adder(), container.NewHBox(usual, reference)), nil, nil, container.NewVScroll(c.grid))
	d := dialog.NewCustomConfirm("Matrices", "Show", "Cancel", parts.Fitting(content, s.deps.Window), func(yes bool) {
		if yes {
			s.Modalities(c.chosen())
		}
	}, s.deps.Window)
	d.SetOnClosed(s.focus)
	d.Resize(fyne.NewSize(900, 430))
	d.Show()
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
	head := []fyne.CanvasObject{fynewidget.NewLabelWithStyle("position", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})}
	for _, r := range reducers {
		head = append(head, fynewidget.NewLabelWithStyle(r, fyne.TextAlignLeading, fyne.TextStyle{Bold: true}))
	}
	lines := container.NewVBox(container.New(chooserLayout{}, head...))
	for _, p := range c.places {
		row := []fyne.CanvasObject{c.name(p)}
		for _, r := range reducers {
			row = append(row, c.check(r+"@"+p.Name, "", p.Absent, chosen))
		}
		lines.Add(container.New(chooserLayout{}, row...))
	}
	if len(c.vectors) > 0 {
		row := container.NewHBox(fynewidget.NewLabelWithStyle("whole tensors", fyne.TextAlignLeading, fyne.TextStyle{Bold: true}))
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
	c.tensor = fynewidget.NewSelectEntry(c.s.answer.base.Model.Graph.Tensors)
	c.tensor.SetPlaceHolder("any other tensor of the model")
	c.problem = fynewidget.NewLabel("")
	c.problem.Importance = fynewidget.DangerImportance
	c.problem.Hide()
	add := fynewidget.NewButton("Add position", func() { c.add(c.tensor.Text) })
	return container.NewVBox(c.problem, container.NewBorder(nil, nil, nil, add, c.tensor))
}

// add puts a tensor into the grid with its maximum and mean checked.
func (c *chooser) add(tensor string) {
	if !slices.Contains(c.s.answer.base.Model.Graph.Tensors, tensor) {
		c.problem.SetText(fmt.Sprintf("The model has no tensor %q; choose one from the list.", tensor))
		c.problem.Show()
		return
	}
	c.problem.Hide()
	chosen := shownWith(c.chosen(), tensor)
	c.places = places(c.s.answer.base.Model, c.s.computed(), chosen)
	c.build(chosen)
}

// chooserLayout gives the first child a third of the width and the others equal parts of the rest.
type chooserLayout struct{}

// Layout implements fyne.Layout.
func (chooserLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	first := size.Width * 0.27
	rest := (size.Width - first) / float32(max(len(objects)-1, 1))
	for k, o := range objects {
		if k == 0 {
			o.Move(fyne.NewPos(0, 0))
			o.Resize(fyne.NewSize(first, size.Height))
			continue
		}
		o.Move(fyne.NewPos(first+float32(k-1)*rest, 0))
		o.Resize(fyne.NewSize(rest, size.Height))
	}
}

// MinSize implements fyne.Layout.
func (chooserLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var widest, height float32
	for k, o := range objects {
		size := o.MinSize()
		if height = max(height, size.Height); k > 0 {
			widest = max(widest, size.Width)
		}
	}
	return fyne.NewSize(widest*float32(max(len(objects)-1, 1))/0.73, height)
}

// AskExcluded shows the images that are left out of the model's matrices, each with a button that
// takes it back in.
func (s *Screen) AskExcluded() {
	if s.deps.Window == nil || len(s.excluded) == 0 {
		return
	}
	var d *dialog.CustomDialog
	list := container.NewVBox()
	var fill func()
	fill = func() {
		list.RemoveAll()
		for _, k := range s.excluded {
			back := fynewidget.NewButton("Include again", func() {
				host{s}.Include([]int{k})
				if fill(); len(s.excluded) == 0 {
					d.Hide()
				}
			})
			list.Add(container.NewBorder(nil, nil, nil, back, fynewidget.NewLabel(s.imageName(k))))
		}
	}
	fill()
	all := fynewidget.NewButton("Include all again", func() {
		s.exclude(nil)
		d.Hide()
	})
	d = dialog.NewCustom(fmt.Sprintf("Excluded images of %s", s.answer.base.Model.ID), "Close", parts.Fitting(container.NewBorder(nil, all, nil, nil, container.NewVScroll(list)), s.deps.Window), s.deps.Window)
	d.SetOnClosed(s.focus)
	d.Resize(fyne.NewSize(460, 360))
	d.Show()
}

// imageName is an image's number in the suite and its class.
func (s *Screen) imageName(k int) string {
	text := fmt.Sprintf("image %s", result.Whole(k))
	m := s.answer.manifest
	if k < len(m.Labels) && m.Labels[k] >= 0 && m.Labels[k] < len(m.Classes) {
		text = fmt.Sprintf("%s, class %s", text, m.Classes[m.Labels[k]])
	}
	return text
}
