package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
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

// InRoundsError says that models cannot be removed because rounds have them as items: their labels stay valid.
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
	return fmt.Sprintf("%s %s in %s and cannot be removed, because labels rest on it; leave them out of what is removed", models, are, rounds)
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
	var r Removal
	err := w.view(func(tx *bbolt.Tx) (err error) {
		r, err = planRemoval(tx, hashes)
		return err
	})
	return r, err
}

func planRemoval(tx *bbolt.Tx, hashes []string) (Removal, error) {
	r := Removal{hashes: slices.Clone(hashes)}
	ids := map[string]string{}
	for _, hash := range hashes {
		var m model.Model
		found, err := getJSON(tx, bucketModels, hash, &m)
		if err != nil {
			return r, err
		}
		if !found {
			return r, missing("model", hash)
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
func (r *Removal) addSets(tx *bbolt.Tx, hash string) error {
	return eachSet(tx, hash, "", "", func(info SetInfo) {
		set := removedSet{model: hash, suite: info.Spec.Source, family: info.Spec.Family, key: info.Key}
		for chunk := range info.Chunks {
			key := info.Spec.UnitKey(chunk)
			var unit unitRecord
			found, err := getJSON(tx, bucketUnits, key, &unit)
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

func refuseInRounds(tx *bbolt.Tx, hashes []string, ids map[string]string) error {
	rounds, err := all[label.Round](tx, bucketRounds)
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

// RemoveModels removes models with their signals, for good. Busy are the models that a run has at work now; these and
// the items of rounds (*InRoundsError) refuse the whole removal. The database forgets everything in one transaction;
// only then the files go, and what a crash or an error leaves of them is taken by Sweep.
func (w *Workspace) RemoveModels(hashes, busy []string) (Removal, error) {
	var r Removal
	err := w.update(func(tx *bbolt.Tx) (err error) {
		if r, err = planRemoval(tx, hashes); err != nil {
			return err
		}
		for i, hash := range hashes {
			if slices.Contains(busy, hash) {
				return fmt.Errorf("model %s is being run; cancel the run or wait until it has ended, then remove the model", r.IDs[i])
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
func (r *Removal) forget(tx *bbolt.Tx) error {
	gone := func(bucket []byte, key []byte) error { return tx.Bucket(bucket).Delete(key) }
	for i, hash := range r.hashes {
		err := errors.Join(gone(bucketModels, []byte(hash)), gone(bucketModelDetails, []byte(hash)), gone(bucketModelIDs, []byte(r.IDs[i])))
		if err != nil {
			return err
		}
	}
	for _, set := range r.details {
		for _, unit := range set.units {
			if err := gone(bucketUnits, []byte(unit)); err != nil {
				return err
			}
		}
		err := errors.Join(gone(bucketSets, []byte(set.key)), gone(bucketSummaries, []byte(set.key)),
			gone(bucketSetIndex, indexKey(set.model, set.suite, set.family, set.key)))
		if err != nil {
			return err
		}
	}
	return nil
}

// removeFiles removes the files that the database no longer names.
func (w *Workspace) removeFiles(r Removal) error {
	var problems []error
	for _, set := range r.details {
		for _, unit := range set.units {
			w.verified.Delete(unit)
			problems = append(problems, w.removeNamed(unit, w.unitFile(unit), bucketUnits))
		}
	}
	for _, hash := range r.hashes {
		problems = append(problems, w.removeNamed(hash, w.ModelPath(hash), bucketModels))
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("the models are removed, but some of their files are still there: %w", classify(err))
	}
	return nil
}

// removeNamed removes a file unless the database names its key, with the key's place locked: who writes the file again
// at this moment keeps it. An unfinished file is nobody's once its writer has given the place free.
func (w *Workspace) removeNamed(key, path string, bucket []byte) error {
	unlock := w.lockPlace(key)
	defer unlock()
	named := false
	err := w.view(func(tx *bbolt.Tx) error {
		named = !strings.HasSuffix(path, partSuffix) && tx.Bucket(bucket).Get([]byte(key)) != nil
		return nil
	})
	if err != nil || named {
		return err
	}
	if err := w.disk.remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// leftover is a file that nothing names: a model, a signal file, or what a crash left of one.
type leftover struct {
	key, path string
	bucket    []byte
	size      int64
}

// Leftovers counts the files in the folders of models and signals that nothing names.
func (w *Workspace) Leftovers(ctx context.Context) (FileUse, error) {
	list, err := w.leftovers(ctx)
	var u FileUse
	for _, l := range list {
		u.add(l.size)
	}
	return u, err
}

// Sweep removes the files that Leftovers counts and returns what was freed.
func (w *Workspace) Sweep(ctx context.Context) (FileUse, error) {
	var freed FileUse
	list, err := w.leftovers(ctx)
	if err != nil {
		return freed, err
	}
	for _, l := range list {
		if err := ctx.Err(); err != nil {
			return freed, err
		}
		if err := w.removeNamed(l.key, l.path, l.bucket); err != nil {
			return freed, fmt.Errorf("remove %s: %w", filepath.Base(l.path), classify(err))
		}
		if _, err := os.Stat(l.path); errors.Is(err, fs.ErrNotExist) {
			freed.add(l.size)
		}
	}
	return freed, nil
}

func (w *Workspace) leftovers(ctx context.Context) ([]leftover, error) {
	var list []leftover
	for _, part := range []struct {
		folder, ending string
		bucket         []byte
	}{{modelsFolder, ".onnx", bucketModels}, {signalsFolder, ".npz", bucketUnits}} {
		found, err := w.unnamed(ctx, part.folder, part.ending, part.bucket)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// unnamed walks a folder for files whose name is no key of the bucket. Unfinished signal files count under the name of
// their unit, whose place their writer has locked; those of models have names of their own and go at the next opening.
func (w *Workspace) unnamed(ctx context.Context, folder, ending string, bucket []byte) ([]leftover, error) {
	var list []leftover
	err := filepath.WalkDir(filepath.Join(w.path, folder), func(path string, d fs.DirEntry, err error) error {
		if err := errors.Join(err, ctx.Err()); err != nil || d.IsDir() {
			return err
		}
		key, ok := strings.CutSuffix(strings.TrimSuffix(d.Name(), partSuffix), ending)
		info, err := d.Info()
		if !ok || key == "" || err != nil {
			return nil // not ours, or gone meanwhile
		}
		list = append(list, leftover{key, path, bucket, info.Size()})
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = w.view(func(tx *bbolt.Tx) error {
		list = slices.DeleteFunc(list, func(l leftover) bool {
			return tx.Bucket(bucket).Get([]byte(l.key)) != nil && !strings.HasSuffix(l.path, partSuffix)
		})
		return nil
	})
	return list, err
}
