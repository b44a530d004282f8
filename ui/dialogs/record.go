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

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// RecordStore is what editing records needs; *store.Workspace is one.
type RecordStore interface {
	Model(hash string) (model.Model, error)
	PutRecords(records []store.Record) (before []store.Record, err error)
}

// did reports a step where somebody wants to know.
func did(report func(history.Step), step history.Step) {
	if report != nil {
		report(step)
	}
}

// recordStep is the step of a change of records that was made.
func recordStep(ws RecordStore, title string, before, after []store.Record) history.Step {
	put := func(records []store.Record) func(context.Context) error {
		return func(context.Context) error {
			_, err := ws.PutRecords(records)
			return err
		}
	}
	return history.Step{Title: title, Undo: put(before), Redo: put(after)}
}

// RecordDialog edits the record of one model, its id included, or sets a field of many at once.
// Did takes the change, so that it can be taken back; it may be nil.
func RecordDialog(host *kit.Host, ws RecordStore, hashes []string, report func(history.Step)) {
	var models []model.Model
	host.Quietly("record dialog", func() error {
		for _, hash := range hashes {
			m, err := ws.Model(hash)
			if err != nil {
				return err
			}
			models = append(models, m)
		}
		return nil
	}, func() {
		d := recordChange{host: host, ws: ws, did: report}
		if len(models) == 1 {
			m := models[0]
			var fields fieldRows
			ask := &kit.Ask[recordOptions]{
				Title: fmt.Sprintf("Record of %s", m.ID), Button: "Save", Size: fyne.NewSize(620, 540),
				Form: &kit.Form[recordOptions]{Host: d.host}, Below: fields.make(d.host, m.Record),
				Start: func(f *kit.Form[recordOptions]) { put(f, "id", m.ID) },
			}
			ask.Do = func(_ *kit.Dialog, o recordOptions) {
				after := []store.Record{{Hash: m.Hash, ID: strings.TrimSpace(o.ID), Fields: fields.read()}}
				title := "change of the record of " + m.ID
				ask.Quick("save records", func() (kit.Done, error) { return d.put(title, after) })
			}
			ask.Open()
		} else if len(models) > 1 {
			d.askMany(models)
		}
	})
}

// recordChange stores what one of the dialogs asked for.
type recordChange struct {
	host *kit.Host
	ws   RecordStore
	did  func(history.Step)
}

// recordOptions are what a record has beside its fields.
type recordOptions struct {
	ID string `label:"Id" help:"What the model is called; each model has an id of its own."`
}

// fieldRows edit the fields of a record.
type fieldRows struct {
	host *kit.Host
	list []*fieldRow
	rows *fyne.Container
}

// fieldRow is one field of the record.
type fieldRow struct {
	name, value *widget.Entry
	object      fyne.CanvasObject
}

// make has a row for each field, and a button that adds one.
func (r *fieldRows) make(host *kit.Host, fields []model.Field) fyne.CanvasObject {
	r.host = host
	r.rows = container.NewVBox()
	for _, f := range fields {
		r.add(f)
	}
	scroll := container.NewVScroll(r.rows)
	scroll.SetMinSize(fyne.NewSize(0, 300))
	add := widget.NewButtonWithIcon("Add a field", theme.ContentAddIcon(), func() {
		row := r.add(model.Field{})
		r.rows.Refresh()
		scroll.ScrollToBottom()
		host.Window.Canvas().Focus(row.name)
	})
	return container.NewVBox(scroll, container.NewHBox(add))
}

func (r *fieldRows) add(f model.Field) *fieldRow {
	row := &fieldRow{name: widget.NewEntry(), value: widget.NewEntry()}
	row.name.SetPlaceHolder("field")
	row.name.SetText(f.Name)
	row.value.SetPlaceHolder("value")
	row.value.SetText(f.Value)
	drop := r.host.IconButton(theme.DeleteIcon(), "Remove the field", func() {
		r.list = slices.DeleteFunc(r.list, func(other *fieldRow) bool { return other == row })
		r.rows.Remove(row.object)
	})
	drop.Importance = widget.LowImportance
	row.object = container.NewBorder(nil, nil, nil, drop, container.NewGridWithColumns(2, row.name, row.value))
	r.list = append(r.list, row)
	r.rows.Add(row.object)
	return row
}

// read are the fields as edited; empty rows are left out.
func (r *fieldRows) read() (fields []model.Field) {
	for _, row := range r.list {
		if row.name.Text != "" || row.value.Text != "" {
			fields = append(fields, model.Field{Name: strings.TrimSpace(row.name.Text), Value: row.value.Text})
		}
	}
	return fields
}

// fieldOptions are what a field of many models becomes.
type fieldOptions struct {
	Field  string `required:"" placeholder:"choose a field or write a new one" help:"A field that is there, or the name of a new one."`
	Remove bool   `label:"remove the field from these models" help:"The models have no such field any more."`
	Value  string `help:"What all these models get." when:"remove=false"`
}

func (d recordChange) askMany(models []model.Model) {
	ask := &kit.Ask[fieldOptions]{
		Title: fmt.Sprintf("Set a field of %s", result.Counted(len(models), "model")), Button: "Save",
		Size: fyne.NewSize(560, 300), Form: &kit.Form[fieldOptions]{Host: d.host},
	}
	ask.Form.Menus = map[string]*fyne.Menu{
		"field": ask.Form.Texts("field", "Fields", own.ByName(fieldsOfRecords(models, label.Round{}).names...)),
	}
	ask.Do = func(_ *kit.Dialog, o fieldOptions) {
		after, title := SetField(models, strings.TrimSpace(o.Field), o.Value, o.Remove)
		ask.Quick("save records", func() (kit.Done, error) { return d.put(title, after) })
	}
	ask.Open()
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
	counted := result.Counted(len(after), "model")
	if remove {
		return after, fmt.Sprintf("removal of %s from %s", name, counted)
	}
	return after, fmt.Sprintf("%s = %s for %s", name, value, counted)
}

// put stores the change.
func (d recordChange) put(title string, after []store.Record) (done kit.Done, err error) {
	if len(after) == 0 {
		return kit.Done{Said: "Nothing has changed."}, nil
	}
	before, err := d.ws.PutRecords(after)
	return kit.Done{
		Said: "Saved: " + title, Then: func() { did(d.did, recordStep(d.ws, title, before, after)) },
	}, err
}
