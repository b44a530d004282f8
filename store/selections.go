package store

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/transform"
)

// SelectionRecord names a selection of the workspace.
type SelectionRecord struct {
	Hash        string               `json:"hash"`
	Name        string               `json:"name"`
	Also        []string             `json:"also,omitempty"` // further names
	Added       time.Time            `json:"added"`
	Selection   background.Selection `json:"-"` // stored packed, apart
	Targets     string               `json:"targets"`
	Backgrounds string               `json:"backgrounds"`
	N           int                  `json:"n"`
	Method      background.Method    `json:"method"`
}

// Called tells whether this is one of the selection's names.
func (r SelectionRecord) Called(name string) bool {
	return r.Name == name || slices.Contains(r.Also, name)
}

// Family is the canonical text of the transformation set under which the selection's composites
// are run.
func (r SelectionRecord) Family() (string, error) {
	f, err := transform.Scenes(r.Hash, r.N)
	return f.String(), err
}

// AddSelection keeps a selection under a name; one with the same hash is there already and is
// returned. Targets, masks and backgrounds must be in the workspace, and the scenes must be images
// of the backgrounds, as many lists as there are targets.
func (w *Workspace) AddSelection(name string, s background.Selection) (SelectionRecord, error) {
	r, err := newSelection(name, s)
	if err != nil {
		return r, fmt.Errorf("add selection %s: %w", name, err)
	}
	added := false
	err = w.update(func(tx *bbolt.Tx) error {
		there, found, err := getSelection(tx, r.Hash)
		if err != nil || found {
			r = there
			return err
		}
		if err := selectable(tx, s); err != nil {
			return err
		}
		added = true
		if err := bucketSelectionDetails.put(tx, r.Hash, s); err != nil {
			return err
		}
		return bucketSelections.put(tx, r.Hash, r)
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
	err := w.update(func(tx *bbolt.Tx) error {
		r, err := bucketSelections.need(tx, hash)
		if err != nil || r.Called(name) {
			return err
		}
		r.Also = append(r.Also, name)
		return bucketSelections.put(tx, hash, r)
	})
	if err != nil {
		return fmt.Errorf("name selection %.12s: %w", hash, err)
	}
	w.changes.tell(BackgroundChanged, hash)
	return nil
}

func newSelection(name string, s background.Selection) (SelectionRecord, error) {
	if err := s.Check(); err != nil {
		return SelectionRecord{}, err
	}
	r := SelectionRecord{
		Hash: s.Hash(), Name: strings.TrimSpace(name), Added: now(), Selection: s,
		Targets: s.Targets, Backgrounds: s.Backgrounds, N: s.N(), Method: s.Choice.Method,
	}
	if r.Name == "" {
		r.Name = fmt.Sprintf("%s x%d", s.Choice.Method, r.N)
	}
	_, err := r.Family()
	return r, err
}

// selectable holds a selection to what it is made of.
func selectable(tx *bbolt.Tx, s background.Selection) error {
	targets, err := needHead(tx, "suite of targets", s.Targets)
	if err != nil {
		return err
	}
	backgrounds, err := needHead(tx, "suite of backgrounds", s.Backgrounds)
	if err != nil {
		return err
	}
	masks, err := bucketMasks.need(tx, s.Masks)
	switch {
	case err != nil:
		return err
	case masks.Suite != s.Targets:
		return fmt.Errorf("the masks %.12s belong to another suite than the targets %s", s.Masks, targets.Name)
	case len(s.Chosen) != targets.Images:
		return fmt.Errorf("there are scenes for %d targets, and suite %s has %d images",
			len(s.Chosen), targets.Name, targets.Images)
	}
	for t, scenes := range s.Chosen {
		for _, scene := range scenes {
			if scene.Background >= backgrounds.Images {
				return fmt.Errorf("target %d has background %d, and suite %s has %d images", t, scene.Background,
					backgrounds.Name, backgrounds.Images)
			}
		}
	}
	return nil
}

// Selections are all selections without their scenes, oldest first.
func (w *Workspace) Selections() ([]SelectionRecord, error) {
	list, err := viewed(w, bucketSelections.all)
	slices.SortStableFunc(list, func(a, b SelectionRecord) int { return a.Added.Compare(b.Added) })
	return list, err
}

// Selection reads one whole, by its hash. ErrNotFound where there is none.
func (w *Workspace) Selection(hash string) (SelectionRecord, error) {
	var r SelectionRecord
	err := w.view(func(tx *bbolt.Tx) error {
		found := false
		var err error
		if r, found, err = getSelection(tx, hash); err == nil && !found {
			err = bucketSelections.missing(hash)
		}
		return err
	})
	return r, err
}

// FindSelection returns the selection with this name, the newest of several, or with the only hash
// that starts with these (six or more) digits, whole. ErrNotFound where there is none.
func (w *Workspace) FindSelection(nameOrHash string) (SelectionRecord, error) {
	list, err := w.Selections()
	if err != nil {
		return SelectionRecord{}, err
	}
	for _, r := range slices.Backward(list) {
		if r.Called(nameOrHash) {
			return w.Selection(r.Hash)
		}
	}
	hash := ""
	err = w.view(func(tx *bbolt.Tx) error {
		hash = bucketSelections.only(tx, strings.ToLower(nameOrHash))
		return nil
	})
	if err == nil && hash == "" {
		err = bucketSelections.missing(nameOrHash)
	}
	if err != nil {
		return SelectionRecord{}, err
	}
	return w.Selection(hash)
}

func getSelection(tx *bbolt.Tx, hash string) (r SelectionRecord, found bool, err error) {
	if r, found, err = bucketSelections.get(tx, hash); err != nil || !found {
		return r, found, err
	}
	if r.Selection, _, err = bucketSelectionDetails.get(tx, hash); err != nil {
		return r, true, err
	}
	if err := r.Selection.Check(); err != nil {
		return r, true, fmt.Errorf("%w (selection %s: %w)", ErrDamaged, r.Name, err)
	}
	if r.Selection.Hash() != hash {
		return r, true, fmt.Errorf("%w (the scenes of selection %s are not those that it was kept with)",
			ErrDamaged, r.Name)
	}
	return r, true, nil
}

// RemoveSelection removes a selection. One that signals were computed with stays until these are
// removed, one that a round has for good: its labels rest on it.
func (w *Workspace) RemoveSelection(hash string) error {
	err := w.update(func(tx *bbolt.Tx) error {
		r, err := bucketSelections.need(tx, hash)
		if err != nil {
			return err
		}
		if err := spareSelection(tx, r); err != nil {
			return err
		}
		return bucketSelections.forget(tx, hash)
	})
	if err != nil {
		return fmt.Errorf("remove selection %.12s: %w", hash, err)
	}
	w.changes.tell(BackgroundChanged, hash)
	return nil
}

// spareSelection says what rests on a selection: rounds and signals.
func spareSelection(tx *bbolt.Tx, r SelectionRecord) error {
	rounds, err := bucketRounds.all(tx)
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
	list, err := bucketSets.all(tx)
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
