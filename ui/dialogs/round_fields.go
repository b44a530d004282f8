package dialogs

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
)

// fieldTicks is the page of the round dialog on which the fields of the models' records are
// ticked that annotators see.
type fieldTicks struct {
	names  []string // in the order of their first appearance
	ticks  *widget.CheckGroup
	texts  map[string]string // of the ticks, by name
	warned *widget.Label
	object fyne.CanvasObject
}

// newFieldTicks offers the fields of all models. Those are ticked that base shows; changed is
// called after every change.
func newFieldTicks(models []model.Model, base label.Round, changed func()) *fieldTicks {
	f := &fieldTicks{texts: map[string]string{}}
	telling, allowed := map[string]bool{}, map[string]bool{}
	for _, m := range models {
		for _, field := range m.Record {
			if _, known := f.texts[field.Name]; !known {
				f.names = append(f.names, field.Name)
				f.texts[field.Name], allowed[field.Name] = field.Name, true
			}
			telling[field.Name] = telling[field.Name] || label.TellsAnswer(field.Name, field.Value)
			allowed[field.Name] = allowed[field.Name] && base.Allows(field.Name, field.Value)
		}
	}
	f.ticks = widget.NewCheckGroup(nil, nil)
	for _, name := range f.names {
		if telling[name] {
			f.texts[name] = fmt.Sprintf("%s (tells the answer)", name)
		}
		f.ticks.Append(f.texts[name])
		if allowed[name] {
			f.ticks.Selected = append(f.ticks.Selected, f.texts[name])
		}
	}
	f.ticks.OnChanged = func([]string) { changed() }
	f.warned = widget.NewLabel("")
	f.warned.Wrapping, f.warned.Importance = fyne.TextWrapWord, widget.WarningImportance
	f.warned.Hide()
	about := widget.NewLabel("Annotators see the ticked fields of the models' training records beside the matrices; packages and reports of the round hold no others. " +
		"Labels, their reasons and judgements by others tell the answer.")
	about.Wrapping = fyne.TextWrapWord
	if len(f.names) == 0 {
		about.SetText("The models have no training records.")
	}
	f.object = container.NewBorder(container.NewVBox(about, f.warned), nil, nil, nil, container.NewVScroll(f.ticks))
	return f
}

// fields are the ticked fields; nil where the models have no records.
func (f *fieldTicks) fields() []string {
	if len(f.names) == 0 {
		return nil
	}
	list := []string{}
	for _, name := range f.names {
		if slices.Contains(f.ticks.Selected, f.texts[name]) {
			list = append(list, name)
		}
	}
	return list
}

// warn says which ticked fields make a blind round none.
func (f *fieldTicks) warn(blind bool) {
	var telling []string
	for _, name := range f.fields() {
		if f.texts[name] != name {
			telling = append(telling, name)
		}
	}
	if !blind || len(telling) == 0 {
		f.warned.Hide()
		return
	}
	f.warned.SetText(fmt.Sprintf("The round is blind, and annotators would see %s, which tells them the answer. Their labels would not be independent of it.", strings.Join(telling, ", ")))
	f.warned.Show()
}
