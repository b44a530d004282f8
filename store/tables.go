package store

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/database"
)

// maxTableName is the length of a table's name in bytes.
const maxTableName = 120

// PredictionTables are all tables by name.
func (w *Workspace) PredictionTables() ([]database.PredictionTable, error) {
	list, err := viewed(w, database.Predictions.All)
	slices.SortStableFunc(list, func(a, b database.PredictionTable) int {
		return cmp.Or(result.Natural(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	return list, err
}

// FindPredictionTable returns the table of this name or id, or ErrNotFound.
func (w *Workspace) FindPredictionTable(nameOrID string) (database.PredictionTable, error) {
	list, err := w.PredictionTables()
	if err != nil {
		return database.PredictionTable{}, err
	}
	i := slices.IndexFunc(list, func(t database.PredictionTable) bool { return t.Name == nameOrID || t.ID == nameOrID })
	if i < 0 {
		return database.PredictionTable{}, database.NotFound("table of predictions", nameOrID)
	}
	return list[i], nil
}

// RemovePredictions removes a table and returns its record, with which RestorePredictions brings
// it back. Its file stays until the workspace is closed or swept; labels of its images stay.
func (w *Workspace) RemovePredictions(id string) (database.PredictionTable, error) {
	var t database.PredictionTable
	err := w.Update(func(tx *database.Tx) (err error) {
		if t, err = getTable(tx, id); err != nil {
			return err
		}
		return database.Predictions.Delete(tx, id)
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
func (w *Workspace) RestorePredictions(t database.PredictionTable) error {
	if !database.IsULID(t.ID) {
		return database.NotFound("table of predictions", t.ID)
	}
	unlock := w.lockKey(t.ID)
	defer unlock()
	if err := w.openTable(t, func(*os.File, int64) error { return nil }); err != nil {
		return err
	}
	if err := w.Update(func(tx *database.Tx) error { return putTable(tx, t) }); err != nil {
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
		_ = w.removeUnnamed(database.TablePath(id.(string))) // what stays all the same is taken by RemoveUnusedFiles
		return true
	})
	w.removed.Clear()
}

func (w *Workspace) tableFile(id string) string {
	return filepath.Join(w.path, filepath.FromSlash(database.TablePath(id)))
}

func getTable(tx *database.Tx, id string) (database.PredictionTable, error) {
	return database.Predictions.Need(tx, id)
}

// putTable stores a record under a name that no other table may have.
func putTable(tx *database.Tx, t database.PredictionTable) error {
	if err := checkTableName(t.Name); err != nil {
		return err
	}
	list, err := database.Predictions.All(tx)
	if err != nil {
		return err
	}
	for _, other := range list {
		if other.Name == t.Name && other.ID != t.ID {
			return fmt.Errorf("table %s %w; choose another name", t.Name, ErrExists)
		}
	}
	return database.Predictions.Put(tx, t.ID, t)
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
