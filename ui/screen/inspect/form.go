package inspect

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/model"
)

// formFace is the form in which the settings in force are seen and corrected.
type formFace struct {
	s                              *Screen
	object                         fyne.CanvasObject
	kind, output, resize           *fynewidget.Select
	mean, std, names, positions    *fynewidget.Entry
	kindBy, normBy, stdBy, namesBy *fynewidget.FormItem
	problem                        *fynewidget.Label
	shown                          Form
	model                          model.Model
	form                           *fynewidget.Form
}

func newFormFace(s *Screen) *formFace {
	f := &formFace{s: s}
	f.kind = fynewidget.NewSelect([]string{string(model.Logits), string(model.Probabilities), string(model.LogProbabilities)}, nil)
	f.output = fynewidget.NewSelect(nil, nil)
	f.resize = fynewidget.NewSelect([]string{string(model.Stretch), string(model.Crop)}, nil)
	f.mean, f.std, f.names = fynewidget.NewEntry(), fynewidget.NewEntry(), fynewidget.NewEntry()
	f.names.SetPlaceHolder("unnamed; write a;b;c")
	f.positions = fynewidget.NewMultiLineEntry()
	f.positions.SetMinRowsVisible(2)
	f.positions.SetPlaceHolder("CONV-2=NAME of a tensor")
	item := func(text string, w fyne.CanvasObject, hint string) *fynewidget.FormItem {
		i := fynewidget.NewFormItem(text, w)
		i.HintText = hint
		return i
	}
	f.kindBy = item("output kind", f.kind, " ")
	f.normBy = item("mean", f.mean, " ")
	f.stdBy = item("std", f.std, " ")
	f.namesBy = item("classes", f.names, " ")
	f.form = fynewidget.NewForm(f.kindBy, item("output", f.output, ""), f.normBy, f.stdBy, item("resize", f.resize, ""),
		f.namesBy, item("positions", f.positions, "assigned by hand"))
	f.problem = fynewidget.NewLabel("")
	f.problem.Wrapping = fyne.TextWrapWord
	f.problem.Importance = fynewidget.DangerImportance
	f.problem.Hide()
	save := fynewidget.NewButton("Save as correction", func() { s.Correct(f.read()); s.focus() })
	drop := fynewidget.NewButton("Drop corrections", func() { s.Correct(f.bare()); s.focus() })
	f.object = container.NewBorder(nil, container.NewVBox(f.problem, container.NewGridWithColumns(2, save, drop)), nil, nil,
		container.NewVScroll(f.form))
	return f
}

// show fills the form, unless the person is editing it and nothing else changed.
func (f *formFace) show(m model.Model) {
	form := FormOf(m)
	if m.Hash == f.model.Hash && sameForm(form, f.shown) {
		f.model = m
		return
	}
	f.model, f.shown = m, form
	f.kind.SetSelected(form.Kind)
	f.output.SetOptions(form.Outputs)
	f.output.SetSelected(form.Output)
	f.mean.SetText(form.Mean)
	f.std.SetText(form.Std)
	f.resize.SetSelected(form.Resize)
	f.names.SetText(form.Names)
	f.positions.SetText(form.Positions)
	f.kindBy.HintText = fmt.Sprintf("from %s", string(form.KindBy))
	f.normBy.HintText = fmt.Sprintf("from %s", string(form.NormBy))
	f.stdBy.HintText = fmt.Sprintf("from %s", string(form.NormBy))
	f.namesBy.HintText = fmt.Sprintf("from %s", string(form.NamesBy))
	f.form.Refresh()
	f.say(form.Problem)
}

func sameForm(a, b Form) bool {
	a.Outputs, b.Outputs = nil, nil
	return strings.Join([]string{a.Kind, a.Output, a.Mean, a.Std, a.Resize, a.Names, a.Positions, string(a.KindBy), string(a.NormBy), string(a.NamesBy)}, "\x00") ==
		strings.Join([]string{b.Kind, b.Output, b.Mean, b.Std, b.Resize, b.Names, b.Positions, string(b.KindBy), string(b.NormBy), string(b.NamesBy)}, "\x00")
}

// read is the form as edited.
func (f *formFace) read() Form {
	form := f.shown
	form.Kind, form.Output, form.Resize = f.kind.Selected, f.output.Selected, f.resize.Selected
	form.Mean, form.Std, form.Names, form.Positions = f.mean.Text, f.std.Text, f.names.Text, f.positions.Text
	return form
}

// bare is the form without any correction.
func (f *formFace) bare() Form {
	m := f.model
	m.Correction = model.Correction{}
	return FormOf(m)
}

func (f *formFace) say(problem string) {
	f.problem.SetText(problem)
	if problem == "" {
		f.problem.Hide()
	} else {
		f.problem.Show()
	}
}

// formProblem shows why a correction was refused.
func (f *face) formProblem(text string) { f.form.say(text) }
