package store

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store/database"
)

// Removal names what goes with models that are removed.
type Removal struct {
	IDs   []string // of the models, in the order asked for
	Sets  int      // sets of signals
	Units int      // signal files
	// SignalBytes and ModelBytes are the sizes of these files.
	SignalBytes, ModelBytes int64

	hashes  []string
	details []removedSet
}

// removedSet is one set with the keys of its units.
type removedSet struct {
	model, suite, family, key string
	units                     []string
}

// InRoundsError says that models cannot be removed because rounds have them as items: their labels
// stay valid.
type InRoundsError struct {
	IDs    []string // of the models
	Rounds []string // names
}

// Error names models and rounds and says what to do.
func (e *InRoundsError) Error() string {
	models, are := "model "+e.IDs[0], "is"
	if len(e.IDs) > 1 {
		models, are = fmt.Sprintf("models %s", firstOf(e.IDs)), "are"
	}
	rounds := fmt.Sprintf("round %q", e.Rounds[0])
	if len(e.Rounds) > 1 {
		rounds = "rounds " + firstOf(quoted(e.Rounds))
	}
	return fmt.Sprintf("%s %s in %s and cannot be removed, "+
		"because labels rest on it; leave them out of what is removed", models, are, rounds)
}

func quoted(names []string) []string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = fmt.Sprintf("%q", n)
	}
	return list
}

// firstOf lists names, at most eight of them.
func firstOf(names []string) string {
	const most = 8
	text := strings.Join(names[:min(most, len(names))], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// PlanRemoval says what RemoveModels would remove, and refuses what it would refuse.
func (w *Workspace) PlanRemoval(hashes []string) (Removal, error) {
	return viewed(w, func(tx *database.Tx) (Removal, error) { return planRemoval(tx, hashes) })
}

func planRemoval(tx *database.Tx, hashes []string) (Removal, error) {
	r := Removal{hashes: slices.Clone(hashes)}
	ids := map[string]string{}
	for _, hash := range hashes {
		m, err := database.Models.Need(tx, hash)
		if err != nil {
			return r, err
		}
		if _, twice := ids[hash]; twice {
			return r, fmt.Errorf("model %s is listed twice", m.ID)
		}
		ids[hash] = m.ID
		r.IDs = append(r.IDs, m.ID)
		r.ModelBytes += m.Size
		if err := r.addSets(tx, hash); err != nil {
			return r, err
		}
	}
	return r, refuseInRounds(tx, hashes, ids)
}

// addSets adds what the database has of a model's signals.
func (r *Removal) addSets(tx *database.Tx, hash string) error {
	return eachSet(tx, hash, "", "", func(info SetInfo) {
		set := removedSet{model: hash, suite: info.Spec.Source, family: info.Spec.Family, key: info.Key}
		for chunk := range info.Chunks {
			key := info.Spec.UnitKey(chunk)
			unit, found, err := database.Units.Get(tx, key)
			if !found {
				continue
			}
			set.units = append(set.units, key)
			r.Units++
			if err == nil { // a record that cannot be read goes too
				r.SignalBytes += unit.Size
			}
		}
		r.Sets++
		r.details = append(r.details, set)
	})
}

func refuseInRounds(tx *database.Tx, hashes []string, ids map[string]string) error {
	rounds, err := database.Rounds.All(tx)
	if err != nil {
		return err
	}
	var refused InRoundsError
	used := map[string]bool{}
	for _, round := range rounds {
		found := false
		for _, hash := range round.Models {
			if _, asked := ids[hash]; asked {
				used[hash], found = true, true
			}
		}
		if found {
			refused.Rounds = append(refused.Rounds, round.Name)
		}
	}
	for _, hash := range hashes {
		if used[hash] {
			refused.IDs = append(refused.IDs, ids[hash])
		}
	}
	if len(refused.IDs) > 0 {
		return &refused
	}
	return nil
}

// RemoveModels removes models with their signals, for good. Busy are the models that a run has at
// work now; these and the items of rounds (*InRoundsError) refuse the whole removal. The database
// forgets everything in one transaction; only then the files go, and what a crash or an error
// leaves of them is taken by RemoveUnusedFiles.
func (w *Workspace) RemoveModels(hashes, busy []string) (Removal, error) {
	var r Removal
	err := w.Update(func(tx *database.Tx) (err error) {
		if r, err = planRemoval(tx, hashes); err != nil {
			return err
		}
		for i, hash := range hashes {
			if slices.Contains(busy, hash) {
				return fmt.Errorf("model %s is being run; "+
					"cancel the run or wait until it has ended, then remove the model", r.IDs[i])
			}
		}
		return r.forget(tx)
	})
	if err != nil {
		return r, fmt.Errorf("remove models: %w", err)
	}
	err = w.removeFiles(r)
	for _, hash := range hashes {
		w.changes.tell(ModelChanged, hash)
	}
	return r, err
}

// forget takes everything out of the database.
func (r *Removal) forget(tx *database.Tx) error {
	for i, hash := range r.hashes {
		if err := errors.Join(database.Models.Forget(tx, hash), database.ModelIDs.Delete(tx, r.IDs[i])); err != nil {
			return err
		}
	}
	for _, set := range r.details {
		if err := set.forget(tx); err != nil {
			return err
		}
	}
	return nil
}

// forget takes a set with everything derived from it out of the database.
func (s removedSet) forget(tx *database.Tx) error {
	return errors.Join(database.Units.Delete(tx, s.units...), database.Sets.Delete(tx, s.key),
		database.Summaries.Delete(tx, s.key),
		database.SetIndex.Delete(tx, database.IndexKey(s.model, s.suite, s.family, s.key)))
}

// removeFiles removes the files that the database no longer names.
func (w *Workspace) removeFiles(r Removal) error {
	var problems []error
	for _, set := range r.details {
		problems = append(problems, w.removeUnits(set))
	}
	for _, hash := range r.hashes {
		problems = append(problems, w.removeUnnamed(path.Join(database.ModelsFolder, hash+database.ModelSuffix)))
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("the models are removed, but some of their files are still there: %w", database.Classify(err))
	}
	return nil
}

// removeUnits removes the files of a set that the database has forgotten.
func (w *Workspace) removeUnits(set removedSet) error {
	var problems []error
	for _, unit := range set.units {
		w.verified.Delete(unit)
		problems = append(problems, w.removeUnnamed(database.UnitPath(unit)))
	}
	return errors.Join(problems...)
}

// RemoveSets removes sets of signals with everything derived from them. Each set goes whole or not
// at all; the database forgets it before its files go, and one that stays all the same is taken by
// RemoveUnusedFiles. Nothing must run on their models meanwhile. Progress counts sets.
func (w *Workspace) RemoveSets(ctx context.Context, keys []string, p engine.Progress) error {
	p.SetTotal(int64(len(keys)))
	for _, key := range keys {
		if err := ctx.Err(); err != nil {
			return err
		}
		set, err := w.forgetSet(key)
		if err != nil {
			return fmt.Errorf("remove signals: %w", err)
		}
		_ = w.removeUnits(set)
		w.changes.tell(SignalsChanged, set.model)
		p.Add(1)
	}
	return nil
}

// forgetSet takes one set out of the database; a set that is not there is empty.
func (w *Workspace) forgetSet(key string) (removedSet, error) {
	set := removedSet{key: key}
	err := w.Update(func(tx *database.Tx) error {
		record, found, err := database.Sets.Get(tx, key)
		if err != nil || !found {
			return err
		}
		spec := record.Spec
		set.model, set.suite, set.family = spec.Model, spec.Source, spec.Family
		for chunk := range spec.Chunks() {
			set.units = append(set.units, spec.UnitKey(chunk))
		}
		return set.forget(tx)
	})
	return set, err
}
