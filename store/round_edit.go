package store

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store/database"
)

// CloseRound closes a round or opens it again, and keeps when and at which desk. A closed round
// takes adjudications and notes only. Whoever calls it for people asks them first.
func (w *Workspace) CloseRound(id string, closed bool) error {
	return w.changeRound(id, func(_ *database.Tx, r *label.Round) error {
		w.setClosed(r, closed)
		return nil
	})
}

// setClosed closes a round or opens it again where it is not so already.
func (w *Workspace) setClosed(r *label.Round, closed bool) {
	if r.Closed != closed {
		r.Closed = closed
		r.Closings = append(slices.Clip(r.Closings), label.Closing{At: database.Now(), By: w.desk, Open: !closed})
	}
}

// AppendModels adds those of the models to a round that are not in it, at the end, and returns
// them.
func (w *Workspace) AppendModels(id string, hashes []string) (added []string, err error) {
	err = w.changeRound(id, func(tx *database.Tx, r *label.Round) error {
		added = nil
		for _, hash := range hashes {
			if !slices.Contains(r.Models, hash) {
				r.Models = append(r.Models, hash)
				added = append(added, hash)
			}
		}
		if len(added) == 0 {
			return fmt.Errorf("round %q has all of these models already", r.Name)
		}
		return needRoundParts(tx, *r)
	})
	return added, err
}

// RemoveAppended takes models out of a round again. They must be its last ones, and nobody may
// have labelled, skipped or noted anything about them; else the round stays as it is.
func (w *Workspace) RemoveAppended(id string, hashes []string) error {
	return w.changeRound(id, func(tx *database.Tx, r *label.Round) error {
		first := len(r.Models) - len(hashes)
		if first < 1 || !slices.Equal(r.Models[first:], hashes) {
			return fmt.Errorf("round %q: these are not its last %d models, so they stay", r.Name, len(hashes))
		}
		judged := false
		if err := database.EachEvent(tx, id, func(ev label.Event) bool {
			judged = slices.Contains(hashes, ev.Model)
			return !judged
		}); err != nil {
			return err
		}
		if judged {
			return fmt.Errorf("round %q: somebody has labelled or noted one of these %d models, so they stay", r.Name,
				len(hashes))
		}
		r.Models = r.Models[:first]
		return nil
	})
}

// changeRound applies a change to a round in one transaction and tells of it; the change checks
// what it needs.
func (w *Workspace) changeRound(id string, change func(*database.Tx, *label.Round) error) error {
	return w.updateAndTell(RoundChanged, id, func(tx *database.Tx) error {
		r, err := getRound(tx, id)
		if err != nil {
			return err
		}
		r.Models = slices.Clone(r.Models)
		if err := change(tx, &r); err != nil {
			return err
		}
		if err := r.Validate(); err != nil {
			return err
		}
		return w.putRound(tx, r)
	})
}

// DeleteRound removes a round in which nobody has labelled, skipped or noted anything, and returns
// it for RestoreRound.
func (w *Workspace) DeleteRound(id string) (label.Round, error) {
	var r label.Round
	err := w.updateAndTell(RoundChanged, id, func(tx *database.Tx) (err error) {
		if r, err = getRound(tx, id); err != nil {
			return err
		}
		used := false
		if err := database.EachEvent(tx, id, func(label.Event) bool { used = true; return false }); err != nil {
			return err
		}
		if used {
			return fmt.Errorf("round %q has labels or notes, which are never deleted; close it instead", r.Name)
		}
		return w.removeRound(tx, id)
	})
	return r, err
}

// RestoreRound puts a round back that was deleted, with its id.
func (w *Workspace) RestoreRound(r label.Round) error {
	if !database.IsULID(r.ID) {
		return fmt.Errorf("round %q: its id %.30q is no ULID; make a new round", r.Name, r.ID)
	}
	if err := r.Validate(); err != nil {
		return err
	}
	return w.updateAndTell(RoundChanged, r.ID, func(tx *database.Tx) error {
		if database.Rounds.Has(tx, r.ID) {
			return fmt.Errorf("round %q is in the workspace already", r.Name)
		}
		if err := needRoundParts(tx, r); err != nil {
			return fmt.Errorf("round %q: %w", r.Name, err)
		}
		return w.putRound(tx, r)
	})
}
