package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/store/database"
)

// PutOntology keeps an ontology's making and edits; one without ID gets one, one with an ID
// replaces what is there. Its table must be in the workspace, and its thresholds in (0, 1].
func (w *Workspace) PutOntology(o database.OntologyRecord) (database.OntologyRecord, error) {
	o.Name, o.Changed = strings.TrimSpace(o.Name), database.Now()
	if o.ID == "" {
		o.ID = w.NewID()
	}
	err := w.Update(func(tx *database.Tx) error {
		if err := o.Check(tx); err != nil {
			return err
		}
		return database.Ontologies.Put(tx, o.ID, o)
	})
	if err != nil {
		return o, fmt.Errorf("keep ontology %s: %w", o.Name, err)
	}
	w.changes.tell(BackgroundChanged, o.ID)
	return o, nil
}

// Ontologies are all that are kept, oldest first.
func (w *Workspace) Ontologies() ([]database.OntologyRecord, error) {
	return viewed(w, database.Ontologies.All) // ULIDs are in the order of their times
}

// FindOntology returns the ontology of this name, the newest of several, or id; ErrNotFound where
// there is none.
func (w *Workspace) FindOntology(nameOrID string) (database.OntologyRecord, error) {
	list, err := w.Ontologies()
	if err != nil {
		return database.OntologyRecord{}, err
	}
	for _, o := range slices.Backward(list) {
		if o.Name == nameOrID || o.ID == nameOrID {
			return o, nil
		}
	}
	return database.OntologyRecord{}, database.NotFound("ontology", nameOrID)
}

// RemoveOntology removes an ontology. Selections hold what they were chosen by and stay.
func (w *Workspace) RemoveOntology(id string) error {
	return w.updateAndTell(BackgroundChanged, id, func(tx *database.Tx) error {
		if !database.Ontologies.Has(tx, id) {
			return database.NotFound("ontology", id)
		}
		return database.Ontologies.Delete(tx, id)
	})
}
