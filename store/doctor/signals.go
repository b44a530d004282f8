package doctor

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/database"
)

// signals checks sets, their units with the files, their summaries and their index.
func (e *exam) signals() {
	sets := map[string]database.SetRecord{}
	eachRecord(e, database.Sets, func(key string, s database.SetRecord) {
		sets[key] = s
		e.set(key, s)
	})
	eachRecord(e, database.Units, func(key string, unit database.UnitRecord) {
		if s, ok := sets[unit.Set]; ok {
			e.unit(key, unit, s)
		} else if !e.isBad(database.Sets.RawBucket, unit.Set) {
			e.strayUnit(key, unit)
		}
	})
	e.summaries(sets)
	e.setIndex(sets)
}

// strayUnit is a unit of a set that is not there: a run makes set and unit again.
func (e *exam) strayUnit(key string, unit database.UnitRecord) {
	e.claim(database.UnitPath(key))
	f := Finding{
		Kind: "unit", Where: "unit " + database.Short(key), What: "belongs to no set of signals",
		Means: "nothing can be read from it", Remedy: "repair sets it aside; a run computes it again",
		fix: func(t *repair) error { return t.dropUnit(key, "") },
	}
	if set := e.archive.whole(database.Sets.RawBucket, unit.Set); len(set) > 0 {
		f.Remedy = "repair takes the set from a backup"
		f.fix = func(t *repair) error { return t.putAll(set) }
	}
	e.found("units of signals", f)
}

func (e *exam) set(key string, s database.SetRecord) {
	what := database.Sets.Plural
	where := "signals " + database.Short(key)
	if !database.Models.Has(e.tx, s.Spec.Model) {
		e.absent(what, where, database.Models.RawBucket, s.Spec.Model, "model", "they cannot be shown",
			"import the model file again, or remove stale signals in Storage")
	}
	if !database.Suites.Has(e.tx, s.Spec.Source) {
		e.absent(what, where, database.Suites.RawBucket, s.Spec.Source, "suite",
			"they have no labels and cannot be shown",
			"import the suite again, or remove stale signals in Storage")
	}
	if !s.Finished {
		return
	}
	missing, kept := e.missingUnits(s)
	switch {
	case missing > 0:
		f := Finding{
			Kind: "set", Where: where, What: fmt.Sprintf("are called complete and lack %d units of %d", missing,
				s.Spec.Chunks()),
			Means: "the model cannot be opened", Remedy: "repair calls them incomplete; a run computes what is missing",
			fix: func(t *repair) error { return t.unfinish(key) },
		}
		if missing == len(kept) {
			f.Remedy = "repair takes their records from a backup"
			f.fix = func(t *repair) error { return t.putAll(kept) }
		}
		e.found(what, f)
	case !database.Summaries.Has(e.tx, key):
		e.found("summaries", Finding{
			Kind: "summary", Where: where, What: "have no summary", Means: "the model's matrices cannot be shown",
			Remedy: "repair computes it from the signals", fix: func(t *repair) error { return t.summarise(key) },
		})
	}
}

// missingUnits counts the units of a set that have no record, and returns the records that a
// backup has of units whose files are there.
func (e *exam) missingUnits(s database.SetRecord) (missing int, kept []database.Record) {
	for chunk := range s.Spec.Chunks() {
		key := s.Spec.UnitKey(chunk)
		if database.Units.Has(e.tx, key) {
			continue
		}
		missing++
		value := e.archive.find(database.Units.RawBucket, key)
		if _, there := e.files[database.UnitPath(key)]; there && value != nil {
			kept = append(kept, database.Record{Bucket: database.Units.RawBucket, Key: key, Value: value})
		}
	}
	return missing, kept
}

// unit checks a unit's place in its set, and its file: size, hash, and every array that the set's
// spec asks for.
func (e *exam) unit(key string, unit database.UnitRecord, s database.SetRecord) {
	file := database.UnitPath(key)
	size, there := e.files[file]
	e.claim(file)
	f := Finding{
		Kind: "signal-file", Where: file, Means: "its images count as missing",
		Remedy: "repair sets it aside; run the model again: only this part is computed anew",
		fix:    func(t *repair) error { return t.dropUnit(key, unit.Set) },
	}
	what := "signal files"
	if there {
		e.count(what, 1)
	}
	switch {
	case unit.Chunk >= s.Spec.Chunks() || s.Spec.UnitKey(unit.Chunk) != key:
		f.Kind, f.Where, f.What, what = "unit", "unit "+database.Short(key), "is not one of the set that it names",
			"units of signals"
	case !there:
		f.What = "is gone"
	default:
		var err error
		if f.What, err = e.unitDiffers(key, unit, s, size); err != nil {
			f.Remedy, f.fix = untouched, nil
		}
	}
	if f.What != "" {
		e.found(what, f)
	}
}

// unitDiffers says what is wrong with a unit's file, "" when nothing is; err as that of differs.
func (e *exam) unitDiffers(key string, unit database.UnitRecord, s database.SetRecord, size int64) (reason string,
	err error,
) {
	if size != unit.Size {
		return fmt.Sprintf("has %d bytes in place of %d", size, unit.Size), nil
	}
	data, err := os.ReadFile(filepath.Join(e.Path, filepath.FromSlash(database.UnitPath(key))))
	if err != nil {
		return unreadable(err), err
	}
	if !unit.Matches(data) {
		return "is damaged: its content does not match its hash", nil
	}
	if err := store.CheckUnit(s, unit.Chunk, data); err != nil {
		return "has not the form of its set (" + err.Error() + ")", nil
	}
	return "", nil
}

// summaries checks that each belongs to a finished set.
func (e *exam) summaries(sets map[string]database.SetRecord) {
	for key := range database.Summaries.From(e.tx, "") {
		if s, ok := sets[key]; ok && s.Finished || e.isBad(database.Summaries, key) ||
			e.isBad(database.Sets.RawBucket, key) {
			continue
		}
		e.found("summaries", Finding{
			Kind: "summary", Where: "summary " + database.Short(key), What: "belongs to no complete set of signals",
			Means: "nothing shows it", Remedy: "repair sets it aside", Litter: true,
			fix: func(t *repair) error { return t.drop(database.Summaries, key) },
		})
	}
}

// setIndex checks that every set is in the index, and nothing else.
func (e *exam) setIndex(sets map[string]database.SetRecord) {
	if database.SetIndex.In(e.tx) == nil {
		return
	}
	const what = "index of signals"
	for key, s := range sets {
		entry := database.IndexKey(s.Spec.Model, s.Spec.Source, s.Spec.Family, key)
		if !database.SetIndex.Has(e.tx, entry) {
			e.found(what, Finding{
				Kind: "index", Where: "signals " + database.Short(key), What: "are not in the index",
				Means: "they are not found", Remedy: "repair enters them",
				fix: func(t *repair) error { return t.put(database.SetIndex, entry, []byte{}) },
			})
		}
	}
	for entry := range database.SetIndex.From(e.tx, "") {
		model, suite, family, key, ok := database.SplitIndexKey(entry)
		s, there := sets[key]
		if !ok || e.isBad(database.Sets.RawBucket, key) || there &&
			database.IndexKey(s.Spec.Model, s.Spec.Source, s.Spec.Family, key) == entry {
			continue
		}
		e.found(what, Finding{
			Kind: "index", Where: "the index of signals",
			What: fmt.Sprintf("names signals %s, which are not those of model %s, suite %s and %s", database.Short(key),
				database.Short(model), database.Short(suite), family), Means: "the model cannot be opened",
			Remedy: "repair removes the entry",
			fix:    func(t *repair) error { return t.drop(database.SetIndex, entry) },
		})
	}
}
