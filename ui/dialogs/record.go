package dialogs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// RecordDialog edits the record of one model, its id included, or sets a field of many at once.
// Did takes the change, so that it can be taken back; it may be nil.
func RecordDialog(host *kit.Host, ws RecordStore, hashes []string, report func(history.Step)) {
	var models []model.Model
	host.Work.Quiet("record dialog", func(context.Context) error {
		for _, hash := range hashes {
			m, err := ws.Model(hash)
			if err != nil {
				return err
			}
			models = append(models, m)
		}
		return nil
	}, func(err error) {
		d := &recordDialog{host: host, ws: ws, models: models, did: report}
		switch {
		case err != nil:
			host.Fail(err)
		case len(models) == 1:
			d.openOne()
		case len(models) > 1:
			d.openMany()
		}
	})
}

type recordDialog struct {
	host    *kit.Host
	ws      RecordStore
	models  []model.Model
	did     func(history.Step)
	sheet   *kit.Dialog
	save    *widget.Button
	problem *widget.Label

	id     *widget.Entry
	fields []*fieldRow
	rows   *fyne.Container

	field  *widget.SelectEntry
	value  *widget.Entry
	remove *widget.Check
}

// fieldRow is one field of the record in the form.
type fieldRow struct {
	name, value *widget.Entry
	object      fyne.CanvasObject
}

func (d *recordDialog) begin(title string, size fyne.Size, save func()) {
	d.sheet = d.host.NewDialog(title, size)
	d.problem = widget.NewLabel("")
	d.problem.Importance = widget.DangerImportance
	d.problem.Wrapping = fyne.TextWrapWord
	d.problem.Hide()
	d.save = widget.NewButton("Save", save)
	d.save.Importance = widget.HighImportance
}

func (d *recordDialog) openOne() {
	m := d.models[0]
	d.begin(fmt.Sprintf("Record of %s", m.ID), fyne.NewSize(620, 540), d.saveOne)
	d.id = widget.NewEntry()
	d.id.SetText(m.ID)
	d.rows = container.NewVBox()
	for _, f := range m.Record {
		d.addRow(f)
	}
	scroll := container.NewVScroll(d.rows)
	add := widget.NewButtonWithIcon("Add a field", theme.ContentAddIcon(), func() {
		row := d.addRow(model.Field{})
		d.rows.Refresh()
		scroll.ScrollToBottom()
		d.host.Window.Canvas().Focus(row.name)
	})
	head := widget.NewForm(widget.NewFormItem("Id", d.id))
	d.sheet.Show(container.NewBorder(head, container.NewVBox(container.NewHBox(add), d.problem), nil, nil, scroll),
		d.sheet.CloseButton("Cancel"), d.save)
	d.sheet.Present(d.id)
}

func (d *recordDialog) addRow(f model.Field) *fieldRow {
	row := &fieldRow{name: widget.NewEntry(), value: widget.NewEntry()}
	row.name.SetPlaceHolder("field")
	row.name.SetText(f.Name)
	row.value.SetPlaceHolder("value")
	row.value.SetText(f.Value)
	drop := widget.NewButtonWithIcon("", theme.DeleteIcon(), func() {
		d.fields = slices.DeleteFunc(d.fields, func(r *fieldRow) bool { return r == row })
		d.rows.Remove(row.object)
	})
	drop.Importance = widget.LowImportance
	row.object = container.NewBorder(nil, nil, nil, drop, container.NewGridWithColumns(2, row.name, row.value))
	d.fields = append(d.fields, row)
	d.rows.Add(row.object)
	return row
}

func (d *recordDialog) saveOne() {
	after := store.Record{Hash: d.models[0].Hash, ID: strings.TrimSpace(d.id.Text)}
	for _, row := range d.fields {
		if row.name.Text != "" || row.value.Text != "" {
			after.Fields = append(after.Fields, model.Field{Name: strings.TrimSpace(row.name.Text), Value: row.value.Text})
		}
	}
	d.put(fmt.Sprintf("change of the record of %s", d.models[0].ID), []store.Record{after})
}

func (d *recordDialog) openMany() {
	d.begin(fmt.Sprintf("Set a field of %s", present.Counted(int64(len(d.models)), "model")), fyne.NewSize(560, 300), d.saveMany)
	d.field = widget.NewSelectEntry(fieldsOf(d.models))
	d.field.SetPlaceHolder("choose a field or write a new one")
	d.value = widget.NewEntry()
	d.remove = widget.NewCheck("remove the field from these models", func(on bool) {
		if on {
			d.value.Disable()
		} else {
			d.value.Enable()
		}
	})
	form := widget.NewForm(
		widget.NewFormItem("Field", d.field), widget.NewFormItem("Value", d.value), widget.NewFormItem("", d.remove))
	d.sheet.Show(container.NewVBox(form, d.problem), d.sheet.CloseButton("Cancel"), d.save)
	d.sheet.Present(d.field)
}

// fieldsOf are the names of the models' fields in order of appearance.
func fieldsOf(models []model.Model) []string {
	var names []string
	for _, m := range models {
		for _, f := range m.Record {
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

func (d *recordDialog) saveMany() {
	name := strings.TrimSpace(d.field.Text)
	if name == "" {
		d.fail("Choose the field that is to be set, or write the name of a new one.")
		return
	}
	after, title := SetField(d.models, name, d.value.Text, d.remove.Checked)
	d.put(title, after)
}

// SetField is the change that gives a field of many models a value, or removes it, and its title.
// Models that would stay as they are are left out.
func SetField(models []model.Model, name, value string, remove bool) (after []store.Record, title string) {
	for _, m := range models {
		r := store.RecordOf(m)
		if remove {
			r.Fields = slices.DeleteFunc(r.Fields, func(f model.Field) bool { return f.Name == name })
		} else {
			r.Set(name, value)
		}
		if !slices.Equal(r.Fields, m.Record) {
			after = append(after, r)
		}
	}
	counted := present.Counted(int64(len(after)), "model")
	if remove {
		return after, fmt.Sprintf("removal of %s from %s", name, counted)
	}
	return after, fmt.Sprintf("%s = %s for %s", name, value, counted)
}

func (d *recordDialog) fail(text string) {
	d.problem.SetText(text)
	d.problem.Show()
}

// put stores the change in the background. When it is refused, the dialog stays open and says why.
func (d *recordDialog) put(title string, after []store.Record) {
	if len(after) == 0 {
		d.sheet.Close()
		d.host.Say("Nothing has changed.")
		return
	}
	d.save.Disable()
	var before []store.Record
	d.host.Work.Quiet("save records", func(context.Context) (err error) {
		before, err = d.ws.PutRecords(after)
		return err
	}, func(err error) {
		d.save.Enable()
		if err != nil {
			d.fail(sentence(err))
			if d.sheet.Closed() {
				d.host.Fail(err)
			}
			return
		}
		did(d.did, recordStep(d.ws, title, before, after))
		d.sheet.Close()
		d.host.Say(fmt.Sprintf("Saved: %s", title))
	})
}
