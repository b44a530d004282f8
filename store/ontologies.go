package store

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
)

// OntologyRecord is an ontology that a workspace keeps: what it is made of, and the edits by hand.
// The graph is made of these again.
type OntologyRecord struct {
	ID            string          `json:"id"` // ULID
	Name          string          `json:"name"`
	Table         string          `json:"table"`
	Rule          background.Rule `json:"rule"`
	MinSupport    float64         `json:"min_support"`
	MinConfidence float64         `json:"min_confidence"`
	Edits         []itemset.Edit  `json:"edits,omitempty"`
	Changed       time.Time       `json:"changed"`
}

// PutOntology keeps an ontology's making and edits; one without ID gets one, one with an ID
// replaces what is there. Its table must be in the workspace, and its thresholds in (0, 1].
func (w *Workspace) PutOntology(o OntologyRecord) (OntologyRecord, error) {
	o.Name, o.Changed = strings.TrimSpace(o.Name), now()
	if o.ID == "" {
		o.ID = w.NewID()
	}
	err := w.update(func(tx *bbolt.Tx) error {
		if err := o.check(tx); err != nil {
			return err
		}
		return bucketOntologies.put(tx, o.ID, o)
	})
	if err != nil {
		return o, fmt.Errorf("keep ontology %s: %w", o.Name, err)
	}
	w.changes.tell(BackgroundChanged, o.ID)
	return o, nil
}

func (o OntologyRecord) check(tx *bbolt.Tx) error {
	switch {
	case !isULID(o.ID):
		return missing("ontology", o.ID)
	case o.Name == "":
		return fmt.Errorf("it needs a name")
	case !(o.MinSupport > 0 && o.MinSupport <= 1) || !(o.MinConfidence > 0 && o.MinConfidence <= 1):
		return fmt.Errorf("support %v and confidence %v must lie above 0 and at most at 1",
			o.MinSupport, o.MinConfidence)
	case !bucketKeywords.has(tx, o.Table):
		return missing("keyword table", o.Table)
	}
	return nil
}

// Ontologies are all that are kept, oldest first.
func (w *Workspace) Ontologies() ([]OntologyRecord, error) {
	return viewed(w, bucketOntologies.all) // ULIDs are in the order of their times
}

// FindOntology returns the ontology of this name, the newest of several, or id; ErrNotFound where
// there is none.
func (w *Workspace) FindOntology(nameOrID string) (OntologyRecord, error) {
	list, err := w.Ontologies()
	if err != nil {
		return OntologyRecord{}, err
	}
	for _, o := range slices.Backward(list) {
		if o.Name == nameOrID || o.ID == nameOrID {
			return o, nil
		}
	}
	return OntologyRecord{}, missing("ontology", nameOrID)
}

// RemoveOntology removes an ontology. Selections hold what they were chosen by and stay.
func (w *Workspace) RemoveOntology(id string) error {
	return w.updateAndTell(BackgroundChanged, id, func(tx *bbolt.Tx) error {
		if !bucketOntologies.has(tx, id) {
			return missing("ontology", id)
		}
		return bucketOntologies.delete(tx, id)
	})
}
