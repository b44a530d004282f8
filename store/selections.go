package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/store/database"
)

// AddSelection keeps a selection under a name; one with the same hash is there already and is
// returned. Targets, masks and backgrounds must be in the workspace, and the scenes must be images
// of the backgrounds, as many lists as there are targets.
func (w *Workspace) AddSelection(name string, s background.Selection) (database.SelectionRecord, error) {
	r, err := newSelection(name, s)
	if err != nil {
		return r, fmt.Errorf("add selection %s: %w", name, err)
	}
	added := false
	err = w.Update(func(tx *database.Tx) error {
		there, found, err := database.GetSelection(tx, r.Hash)
		if err != nil || found {
			r = there
			return err
		}
		if err := database.Selectable(tx, s); err != nil {
			return err
		}
		added = true
		if err := database.SelectionDetails.Put(tx, r.Hash, s); err != nil {
			return err
		}
		return database.Selections.Put(tx, r.Hash, r)
	})
	if err != nil {
		return r, fmt.Errorf("add selection %s: %w", name, err)
	}
	if added {
		w.changes.tell(BackgroundChanged, r.Hash)
	}
	return r, nil
}

// NameSelection gives a selection a further name.
func (w *Workspace) NameSelection(hash, name string) error {
	err := w.Update(func(tx *database.Tx) error {
		r, err := database.Selections.Need(tx, hash)
		if err != nil || r.Called(name) {
			return err
		}
		r.Also = append(r.Also, name)
		return database.Selections.Put(tx, hash, r)
	})
	if err != nil {
		return fmt.Errorf("name selection %.12s: %w", hash, err)
	}
	w.changes.tell(BackgroundChanged, hash)
	return nil
}

func newSelection(name string, s background.Selection) (database.SelectionRecord, error) {
	if err := s.Check(); err != nil {
		return database.SelectionRecord{}, err
	}
	r := database.SelectionRecord{
		Hash: s.Hash(), Name: strings.TrimSpace(name), Added: database.Now(), Selection: s,
		Targets: s.Targets, Backgrounds: s.Backgrounds, N: s.N(), Method: s.Choice.Method,
	}
	if r.Name == "" {
		r.Name = fmt.Sprintf("%s x%d", s.Choice.Method, r.N)
	}
	_, err := r.Family()
	return r, err
}

// Selections are all selections without their scenes, oldest first.
func (w *Workspace) Selections() ([]database.SelectionRecord, error) {
	list, err := viewed(w, database.Selections.All)
	slices.SortStableFunc(list, func(a, b database.SelectionRecord) int { return a.Added.Compare(b.Added) })
	return list, err
}

// Selection reads one whole, by its hash. ErrNotFound where there is none.
func (w *Workspace) Selection(hash string) (database.SelectionRecord, error) {
	var r database.SelectionRecord
	err := w.View(func(tx *database.Tx) error {
		found := false
		var err error
		if r, found, err = database.GetSelection(tx, hash); err == nil && !found {
			err = database.Selections.Missing(hash)
		}
		return err
	})
	return r, err
}

// FindSelection returns the selection with this name, the newest of several, or with the only hash
// that starts with these (six or more) digits, whole. ErrNotFound where there is none.
func (w *Workspace) FindSelection(nameOrHash string) (database.SelectionRecord, error) {
	list, err := w.Selections()
	if err != nil {
		return database.SelectionRecord{}, err
	}
	for _, r := range slices.Backward(list) {
		if r.Called(nameOrHash) {
			return w.Selection(r.Hash)
		}
	}
	hash := ""
	err = w.View(func(tx *database.Tx) error {
		hash = database.Selections.Only(tx, strings.ToLower(nameOrHash))
		return nil
	})
	if err == nil && hash == "" {
		err = database.Selections.Missing(nameOrHash)
	}
	if err != nil {
		return database.SelectionRecord{}, err
	}
	return w.Selection(hash)
}

// RemoveSelection removes a selection. One that signals were computed with stays until these are
// removed, one that a round has for good: its labels rest on it.
func (w *Workspace) RemoveSelection(hash string) error {
	err := w.Update(func(tx *database.Tx) error {
		r, err := database.Selections.Need(tx, hash)
		if err != nil {
			return err
		}
		if err := spareSelection(tx, r); err != nil {
			return err
		}
		return database.Selections.Forget(tx, hash)
	})
	if err != nil {
		return fmt.Errorf("remove selection %.12s: %w", hash, err)
	}
	w.changes.tell(BackgroundChanged, hash)
	return nil
}

// spareSelection says what rests on a selection: rounds and signals.
func spareSelection(tx *database.Tx, r database.SelectionRecord) error {
	rounds, err := database.Rounds.All(tx)
	if err != nil {
		return err
	}
	for _, round := range rounds {
		if round.Selection == r.Hash {
			return fmt.Errorf("round %q has it, and labels rest on it", round.Name)
		}
	}
	family, err := r.Family()
	if err != nil {
		return err
	}
	list, err := database.Sets.All(tx)
	if err != nil {
		return err
	}
	models := map[string]bool{} // one may have several sets, of other settings
	for _, set := range list {
		if set.Spec.Family == family {
			models[set.Spec.Model] = true
		}
	}
	if len(models) > 0 {
		return fmt.Errorf("the signals of %d models rest on it; remove these signals first", len(models))
	}
	return nil
}
