package store

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/oklog/ulid/v2"
	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/result"
)

// maxTableName is the length of a table's name in bytes.
const maxTableName = 120

// PredictionTable is the record of a table of predictions that was made elsewhere; its numbers lie
// in predictions/ID.npz.
type PredictionTable struct {
	ID          string    `json:"id"` // ULID
	Name        string    `json:"name"`
	Suite       string    `json:"suite,omitempty"` // whose images these are; "" for a table that stands for itself
	Models      []string  `json:"models"`
	Samples     int       `json:"samples"`
	Classes     int       `json:"classes"`
	ClassNames  []string  `json:"class_names,omitempty"`
	SampleNames []string  `json:"sample_names,omitempty"`
	Soft        []bool    `json:"soft"`  // per model: whether probabilities are kept
	Truth       bool      `json:"truth"` // whether true classes are kept
	SHA256      string    `json:"sha256"`
	Added       time.Time `json:"added"`
}

// PredictionTables are all tables by name.
func (w *Workspace) PredictionTables() ([]PredictionTable, error) {
	list, err := viewed(w, bucketPredictions.all)
	slices.SortStableFunc(list, func(a, b PredictionTable) int {
		return cmp.Or(result.Natural(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	return list, err
}

// FindPredictionTable returns the table of this name or id, or ErrNotFound.
func (w *Workspace) FindPredictionTable(nameOrID string) (PredictionTable, error) {
	list, err := w.PredictionTables()
	if err != nil {
		return PredictionTable{}, err
	}
	i := slices.IndexFunc(list, func(t PredictionTable) bool { return t.Name == nameOrID || t.ID == nameOrID })
	if i < 0 {
		return PredictionTable{}, missing("table of predictions", nameOrID)
	}
	return list[i], nil
}

// RemovePredictions removes a table and returns its record, with which RestorePredictions brings
// it back. Its file stays until the workspace is closed or swept; labels of its images stay.
func (w *Workspace) RemovePredictions(id string) (PredictionTable, error) {
	var t PredictionTable
	err := w.update(func(tx *bbolt.Tx) (err error) {
		if t, err = getTable(tx, id); err != nil {
			return err
		}
		return bucketPredictions.delete(tx, id)
	})
	if err != nil {
		return t, fmt.Errorf("remove a table of predictions: %w", err)
	}
	w.removed.Store(id, true)
	w.changes.tell(PredictionsChanged, id)
	return t, nil
}

// RestorePredictions brings back a table that RemovePredictions removed. It is an error when its
// file was swept away meanwhile or its name is used again.
func (w *Workspace) RestorePredictions(t PredictionTable) error {
	if !isULID(t.ID) {
		return missing("table of predictions", t.ID)
	}
	unlock := w.lockPlace(t.ID)
	defer unlock()
	if err := w.verifyTable(t); err != nil {
		return err
	}
	if err := w.update(func(tx *bbolt.Tx) error { return putTable(tx, t) }); err != nil {
		return fmt.Errorf("restore table %s: %w", t.Name, err)
	}
	w.removed.Delete(t.ID)
	w.changes.tell(PredictionsChanged, t.ID)
	return nil
}

// dropRemovedPredictions removes the files of tables that were removed and not brought back:
// nobody can undo that any more.
func (w *Workspace) dropRemovedPredictions() {
	w.removed.Range(func(id, _ any) bool {
		_ = w.removeUnnamed(tablePath(id.(string))) // what stays all the same is taken by Sweep
		return true
	})
	w.removed.Clear()
}

// tablePath is the file of a table inside the workspace, with slashes.
func tablePath(id string) string { return path.Join(predictionsFolder, id+unitSuffix) }

func (w *Workspace) tableFile(id string) string {
	return filepath.Join(w.path, filepath.FromSlash(tablePath(id)))
}

func getTable(tx *bbolt.Tx, id string) (PredictionTable, error) {
	return bucketPredictions.need(tx, id)
}

// putTable stores a record under a name that no other table may have.
func putTable(tx *bbolt.Tx, t PredictionTable) error {
	if err := checkTableName(t.Name); err != nil {
		return err
	}
	list, err := bucketPredictions.all(tx)
	if err != nil {
		return err
	}
	for _, other := range list {
		if other.Name == t.Name && other.ID != t.ID {
			return fmt.Errorf("table %s %w; choose another name", t.Name, ErrExists)
		}
	}
	return bucketPredictions.put(tx, t.ID, t)
}

func checkTableName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("a table of predictions needs a name")
	case strings.TrimSpace(name) != name || strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("%q is no name for a table: leave out control characters, and spaces at its ends", name)
	case len(name) > maxTableName:
		return fmt.Errorf("%.20q... is no name for a table: it is longer than %d bytes", name, maxTableName)
	}
	return nil
}

// isULID tells whether text is a ULID as this program writes them.
func isULID(text string) bool {
	id, err := ulid.ParseStrict(text)
	return err == nil && id.String() == text
}
