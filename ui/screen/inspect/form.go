package inspect

import (
	"fmt"
	"reflect"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// formFace is the form in which the settings in force are seen and corrected.
type formFace struct {
	form    *kit.Form[Form]
	object  fyne.CanvasObject
	problem *fynewidget.Label
	shown   Form
	model   model.Model
}

func newFormFace(s *Screen) *formFace {
	f := &formFace{}
	f.form = &kit.Form[Form]{
		Host: s.Host, Rows: true, Hint: f.hint,
		Choices: func(source string) (list []kit.Option, first string) {
			names, current := f.shown.Outputs, f.shown.Output
			switch source {
			case "kinds":
				names, current = nil, f.shown.Kind
				for _, kind := range model.OutputKinds() {
					names = append(names, string(kind))
				}
			case "resizes":
				names, current = []string{string(model.Stretch), string(model.Crop)}, f.shown.Resize
			}
			if current == "" { // the settings cannot be read
				list = append(list, kit.Option{})
			}
			for _, name := range names {
				list = append(list, kit.Option{Key: name, Name: name})
			}
			return list, current
		},
	}
	f.form.Make()
	f.problem = fynewidget.NewLabel("")
	f.problem.Wrapping = fyne.TextWrapWord
	f.problem.Importance = fynewidget.DangerImportance
	f.problem.Hide()
	save := fynewidget.NewButton("Save as correction", func() { s.Correct(f.form.Options()); s.focus() })
	drop := fynewidget.NewButton("Drop corrections", func() { s.Correct(f.bare()); s.focus() })
	f.object = container.NewBorder(nil, container.NewVBox(f.problem, container.NewGridWithColumns(2, save, drop)), nil, nil,
		container.NewVScroll(f.form.Object()))
	return f
}

// hint says who decided about a setting.
func (f *formFace) hint(name string) string {
	by := map[string]model.Authority{
		"kind": f.shown.KindBy, "mean": f.shown.NormBy, "std": f.shown.NormBy, "names": f.shown.NamesBy,
	}[name]
	switch {
	case name == "recipe" && f.shown.RecipeBy != "":
		return "from " + f.shown.RecipeBy
	case by != "":
		return fmt.Sprintf("from %s", by)
	case name == "positions":
		return "assigned by hand"
	}
	return ""
}

// show fills the form, unless the person is editing it and nothing else changed.
func (f *formFace) show(m model.Model) {
	form := FormOf(m)
	if m.Hash == f.model.Hash && reflect.DeepEqual(form, f.shown) {
		f.model = m
		return
	}
	f.model, f.shown = m, form
	f.say(form.Problem)
	if err := f.form.Take(form); err != nil {
		f.say(err.Error())
	}
}

// bare is the form without any correction.
func (f *formFace) bare() Form {
	m := f.model
	m.Correction = model.Correction{}
	return FormOf(m)
}

func (f *formFace) say(problem string) {
	f.problem.SetText(problem)
	widget.Show(f.problem, problem != "")
}

// formProblem shows why a correction was refused.
func (f *face) formProblem(text string) { f.form.say(text) }
