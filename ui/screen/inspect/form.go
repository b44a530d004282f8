package inspect

import (
	"reflect"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// formLayout is the settings in force of a model, with a button that opens the form in which they
// are corrected.
type formLayout struct {
	object  fyne.CanvasObject
	list    *kit.Records[inventory.Setting]
	problem *fynewidget.Label // why the settings cannot be read
	drop    *fynewidget.Button
	shown   []inventory.Setting
}

func newFormLayout(s *Screen) *formLayout {
	f := &formLayout{problem: fynewidget.NewLabel("")}
	f.list = &kit.Records[inventory.Setting]{Host: s.Host, Plain: true, Keys: s.keys(), Table: inventory.Settings}
	f.problem.Wrapping, f.problem.Importance = fyne.TextWrapWord, fynewidget.DangerImportance
	f.problem.Hide()
	correct := fynewidget.NewButton("Correct…", func() { s.AskSettings() })
	f.drop = fynewidget.NewButton("Drop corrections", func() {
		s.correct(s.data().base.Model,
			func(model.Model) (model.Correction, error) { return model.Correction{}, nil }, s.failed)
	})
	f.object = container.NewBorder(f.problem, evidence.Columns(correct, f.drop), nil, nil, f.list.Object())
	return f
}

// show fills the list.
func (f *formLayout) show(m model.Model) {
	s, err := m.Settings()
	text, list := "", []inventory.Setting(nil)
	if err != nil {
		text = present.Sentence(err)
	} else {
		list = inventory.SettingsOf(m, s)
	}
	f.problem.SetText(text)
	widget.Show(f.problem, text != "")
	widget.Enable(f.drop, !reflect.ValueOf(m.Correction).IsZero())
	if !slices.Equal(list, f.shown) {
		f.shown = list
		f.list.Set(list)
	}
}

// AskSettings opens the form in which the settings of the shown model are corrected, beside what
// the model gets of an image.
func (s *Screen) AskSettings() *settingsAsk {
	m := s.data().base.Model
	if m.Hash == "" {
		return nil
	}
	a := &settingsAsk{model: m, begun: FormOf(m), last: FormOf(m)}
	a.preview = newSight(s.Host, s.store, s.data().manifest, a.corrected)
	form := &kit.Form[Form]{
		Host: s.Host, Choices: a.choices, Hint: a.hint, Menus: a.named(), Refuse: a.refuse, OnChange: a.changed,
	}
	if m.Graph.Input.Batch > 0 {
		form.Hide = []string{"batch"}
	}
	a.ask = &kit.Ask[Form]{
		Title: "Settings of " + m.ID, Button: "Save", Size: fyne.NewSize(1180, 640), Form: form,
		Beside: a.preview.Object(),
		Start:  func(f *kit.Form[Form]) { _ = f.Take(a.begun) }, // in rows every form is taken
		Ready:  func(o Form) (string, bool) { return "Save", !reflect.DeepEqual(o, a.begun) },
		Do: func(d *kit.Dialog, o Form) {
			s.correct(a.model, o.Correction, func(err error) {
				if err != nil {
					a.ask.Refuse(err)
					return
				}
				d.Close()
			})
		},
		Closed: a.preview.Close,
	}
	a.ask.Open()
	a.preview.Shown()
	return a
}

// settingsAsk is the dialog in which the settings of a model are corrected.
type settingsAsk struct {
	model   model.Model
	begun   Form // as the dialog was opened
	last    Form // as it was before the last change
	ask     *kit.Ask[Form]
	preview *sight
}

// changed brings mean and std in line with a recipe that says them, and looks again.
func (a *settingsAsk) changed(o Form) {
	before, adopted := a.last, o.adopt()
	a.last = o
	switch {
	case reflect.DeepEqual(o, before):
	case o.Recipe != before.Recipe && !reflect.DeepEqual(adopted, o):
		_ = a.ask.Form.Take(adopted) // in rows every form is taken
	default:
		a.preview.typed()
	}
}

// corrected is the model as the form says.
func (a *settingsAsk) corrected() (m model.Model, err error) {
	m = a.model
	m.Correction, err = a.ask.Form.Options().Correction(a.model)
	return m, err
}

func (a *settingsAsk) refuse(o Form) error {
	_, err := o.Correction(a.model)
	return err
}

// named are the named recipes to begin with.
func (a *settingsAsk) named() map[string]*fyne.Menu {
	menu := fyne.NewMenu("Named…")
	for _, name := range recipe.Names() {
		menu.Items = append(menu.Items, fyne.NewMenuItem(name+" ("+recipe.About(name)+")", func() {
			_ = a.ask.Form.Take(a.ask.Form.Options().Named(name)) // in rows every form is taken
		}))
	}
	return map[string]*fyne.Menu{"recipe": menu}
}

// choices are the entries of the menus, with the one in force.
func (a *settingsAsk) choices(source string) (list []kit.Option, current string) {
	var names []string
	switch source {
	case "outputs":
		names, current = a.begun.Outputs, a.begun.Output
	case "kinds":
		for _, kind := range model.OutputKinds() {
			names = append(names, string(kind))
		}
		current = a.begun.Kind
	case "resizes":
		names, current = []string{string(model.Stretch), string(model.Crop)}, a.begun.Resize
		list = append(list, kit.Option{Name: "as the recipe says"})
	}
	if current == "" && list == nil { // the settings cannot be read
		list = append(list, kit.Option{})
	}
	for _, name := range names {
		list = append(list, kit.Option{Key: name, Name: name})
	}
	return list, current
}

// hint says who decided about a setting, where anybody did.
func (a *settingsAsk) hint(name string) string {
	by := map[string]model.Authority{"kind": a.begun.KindBy, "names": a.begun.NamesBy}[name]
	switch {
	case name == "recipe" && a.begun.RecipeBy != "":
		return "now from " + a.begun.RecipeBy
	case by != "" && by != model.ByDefault:
		return "now from " + string(by)
	}
	return ""
}
