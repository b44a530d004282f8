package store

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store/database"
)

// Record is what a person may edit of a model: its id and its training record.
type Record struct {
	Hash   string // which model
	ID     string
	Fields []model.Field
	Curves *model.Curves // nil where the model's curves stay
}

// RecordOf is a model's record; it shares nothing with the model.
func RecordOf(m model.Model) Record {
	return Record{Hash: m.Hash, ID: m.ID, Fields: slices.Clone(m.Record)}
}

// Set gives a field a value, appending the field when it is not there.
func (r *Record) Set(name, value string) {
	for i := range r.Fields {
		if r.Fields[i].Name == name {
			r.Fields[i].Value = value
			return
		}
	}
	r.Fields = append(r.Fields, model.Field{Name: name, Value: value})
}

// PutRecords changes ids, records and curves of many models at once and returns what they were
// before, in the same order, so that PutRecords of the result takes the change back. All are
// changed or, on an error, none.
func (w *Workspace) PutRecords(records []Record) (before []Record, err error) {
	for _, r := range records {
		if err := checkRecord(r); err != nil {
			return nil, err
		}
	}
	err = w.Update(func(tx *database.Tx) (err error) {
		before, err = putRecords(tx, records)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		w.changes.tell(ModelChanged, r.Hash)
	}
	return before, nil
}

func checkRecord(r Record) error {
	if err := checkID(r.ID); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, f := range r.Fields {
		switch {
		case f.Name == "":
			return fmt.Errorf("model %s: a field of its record has no name; give it one or remove it", r.ID)
		case seen[f.Name]:
			return fmt.Errorf("model %s: its record has the field %s twice; remove one", r.ID, f.Name)
		}
		seen[f.Name] = true
	}
	return nil
}

func putRecords(tx *database.Tx, records []Record) (before []Record, err error) {
	ids := database.ModelIDs.In(tx)
	models := make([]model.Model, len(records))
	for i, r := range records {
		if slices.ContainsFunc(records[:i], func(earlier Record) bool { return earlier.Hash == r.Hash }) {
			return nil, fmt.Errorf("model %s is to be changed twice at once", r.ID)
		}
		if models[i], err = database.GetModel(tx, r.Hash); err != nil {
			return nil, err
		}
		was := RecordOf(models[i])
		if r.Curves != nil {
			was.Curves = &model.Curves{Epochs: models[i].Curves, Steps: models[i].Steps}
		}
		before = append(before, was)
		if err := ids.Delete([]byte(models[i].ID)); err != nil { // all first: ids may change places
			return nil, err
		}
	}
	for i, r := range records {
		if ids.Get([]byte(r.ID)) != nil {
			return nil, fmt.Errorf("model id %s is used by another model; choose another id", r.ID)
		}
		m := models[i]
		m.ID, m.Record = r.ID, slices.Clone(r.Fields)
		if r.Curves != nil {
			m.Curves, m.Steps = r.Curves.Epochs, r.Curves.Steps
		}
		if _, err := m.Settings(); err != nil {
			if _, earlier := models[i].Settings(); earlier == nil { // a record that was bad already may be edited
				return nil, err
			}
		}
		if err := database.PutModel(tx, m); err != nil {
			return nil, err
		}
	}
	return before, nil
}
