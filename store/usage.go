package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
)

// looseAge is how old a file that nothing names must be before it counts as left over: a younger one may have been written
// just now and be named in a moment.
const looseAge = 10 * time.Minute

// Usage is what a workspace takes on disk, in bytes.
type Usage struct {
	Database   int64
	Models     int64 // imported model files
	Suites     int64 // copied images
	Thumbnails int64 // drawn again when they are missing
	Backups    int64
	Other      int64 // everything else in the folder
	Signals    []SignalUse
	// Stale are the sets of signals that fit no model of the workspace as it is set now, by key.
	Stale      []string
	StaleBytes int64
	// Loose are files of models, signals and suites that the database does not name, relative to the folder.
	Loose      []string
	LooseBytes int64
	// Free is what may still be written on the disk; -1 when that is unknown.
	Free int64
}

// SignalUse is what the signals of one suite and family take.
type SignalUse struct {
	Suite  string // content hash
	Name   string // of the suite, the hash where it is not in the workspace
	Family string
	Models int
	Bytes  int64
}

// SignalBytes is what all signals take.
func (u Usage) SignalBytes() int64 {
	var sum int64
	for _, s := range u.Signals {
		sum += s.Bytes
	}
	return sum
}

// Total is what the whole folder takes.
func (u Usage) Total() int64 {
	return u.Database + u.Models + u.Suites + u.Thumbnails + u.Backups + u.Other + u.SignalBytes() + u.LooseBytes
}

// SizeText is a size for people: "0 B", "12 KB", "3.4 MB", "1.2 GB", in powers of 1000.
func SizeText(bytes int64) string {
	value, unit := float64(bytes), "B"
	for _, next := range []string{"KB", "MB", "GB", "TB"} {
		if value < 999.5 {
			break
		}
		value, unit = value/1000, next
	}
	if value < 9.95 && unit != "B" {
		return fmt.Sprintf("%.1f %s", value, unit)
	}
	return fmt.Sprintf("%.0f %s", value, unit)
}

// ledger is what the database names.
type ledger struct {
	models map[string]model.Model
	suites map[string]suite.Manifest
	sets   map[string]setRecord
	bytes  map[string]int64 // of a set's units
	units  map[string]bool
}

// Usage counts what the workspace takes. It is slow (it looks at every file) and safe for many goroutines.
func (w *Workspace) Usage(ctx context.Context) (Usage, error) {
	books, err := w.ledger()
	if err != nil {
		return Usage{}, err
	}
	u := books.signals()
	if err := w.walk(ctx, books, &u); err != nil {
		return u, fmt.Errorf("count the files of workspace %s: %w", w.Name(), err)
	}
	u.Free = -1
	if free, err := FreeSpace(w.path); err == nil {
		u.Free = free
	}
	return u, nil
}

func (w *Workspace) ledger() (ledger, error) {
	l := ledger{
		models: map[string]model.Model{}, suites: map[string]suite.Manifest{}, sets: map[string]setRecord{},
		bytes: map[string]int64{}, units: map[string]bool{},
	}
	err := w.view(func(tx *bbolt.Tx) error {
		models, err := all[model.Model](tx, bucketModels)
		if err != nil {
			return err
		}
		for _, m := range models {
			if err := addDetails(tx, &m); err != nil {
				return err
			}
			l.models[m.Hash] = m
		}
		suites, err := all[suite.Manifest](tx, bucketSuites)
		if err != nil {
			return err
		}
		for _, s := range suites {
			l.suites[s.Hash] = s
		}
		return l.read(tx)
	})
	return l, err
}

func (l ledger) read(tx *bbolt.Tx) error {
	err := tx.Bucket(bucketSets).ForEach(func(key, text []byte) error {
		var set setRecord
		err := decode(bucketSets, key, text, &set)
		l.sets[string(key)] = set
		return err
	})
	if err != nil {
		return err
	}
	return tx.Bucket(bucketUnits).ForEach(func(key, text []byte) error {
		var unit unitRecord
		err := decode(bucketUnits, key, text, &unit)
		l.units[string(key)] = true
		l.bytes[unit.Set] += unit.Size
		return err
	})
}

// signals sums up the sets by suite and family and finds the stale ones.
func (l ledger) signals() Usage {
	var u Usage
	type place struct{ suite, family string }
	at, models := map[place]int{}, map[place]map[string]bool{}
	for key, set := range l.sets {
		p := place{set.Spec.Source, set.Spec.Family}
		i, known := at[p]
		if !known {
			i = len(u.Signals)
			at[p], models[p] = i, map[string]bool{}
			name := l.suites[p.suite].Name
			u.Signals = append(u.Signals, SignalUse{Suite: p.suite, Name: cmp.Or(name, p.suite), Family: p.family})
		}
		models[p][set.Spec.Model] = true
		u.Signals[i].Models = len(models[p])
		u.Signals[i].Bytes += l.bytes[key]
		if l.stale(set) {
			u.Stale = append(u.Stale, key)
			u.StaleBytes += l.bytes[key]
		}
	}
	slices.Sort(u.Stale)
	slices.SortFunc(u.Signals, func(a, b SignalUse) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), CompareNatural(a.Name, b.Name), cmp.Compare(a.Family, b.Family))
	})
	return u
}

// stale tells whether no model of the workspace, as it is set now, asks for these signals.
func (l ledger) stale(set setRecord) bool {
	m, known := l.models[set.Spec.Model]
	if !known {
		return true
	}
	settings, err := m.Settings()
	return err == nil && !fits(set.Spec, m, settings)
}

// walk sums up the files. A file that disappears meanwhile does not count.
func (w *Workspace) walk(ctx context.Context, books ledger, u *Usage) error {
	return filepath.WalkDir(w.path, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case entry.IsDir():
			return nil
		}
		name, err := filepath.Rel(w.path, path)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		u.count(books, filepath.ToSlash(name), info)
		return nil
	})
}

// count adds one file to what it belongs to; signals that the database names were counted from their records.
func (u *Usage) count(books ledger, name string, info fs.FileInfo) {
	folder, rest, _ := strings.Cut(name, "/")
	named := books.names(folder, rest)
	switch {
	case !named && time.Since(info.ModTime()) > looseAge:
		u.Loose = append(u.Loose, name)
		u.LooseBytes += info.Size()
	case !named:
		u.Other += info.Size()
	case name == databaseFile:
		u.Database += info.Size()
	case folder == modelsFolder:
		u.Models += info.Size()
	case folder == suitesFolder:
		u.Suites += info.Size()
	case folder == thumbsFolder:
		u.Thumbnails += info.Size()
	case folder == backupsFolder, strings.HasPrefix(name, databaseFile+"."):
		u.Backups += info.Size()
	case folder != signalsFolder:
		u.Other += info.Size()
	}
}

// names tells whether the database names a file of models, signals or suites; other files are not its business.
func (l ledger) names(folder, rest string) bool {
	switch folder {
	case modelsFolder:
		_, known := l.models[strings.TrimSuffix(rest, ".onnx")]
		return known
	case suitesFolder:
		hash, _, _ := strings.Cut(rest, "/")
		return l.suites[hash].Copied
	case signalsFolder:
		_, unit, _ := strings.Cut(rest, "/")
		return l.units[strings.TrimSuffix(unit, ".npz")]
	}
	return true
}

// RemoveSets removes sets of signals with everything derived from them. Each set goes whole or not at all; the database
// forgets it before its files go. Nothing must run on their models meanwhile. Progress counts sets.
func (w *Workspace) RemoveSets(ctx context.Context, keys []string, p engine.Progress) error {
	p.SetTotal(int64(len(keys)))
	for _, key := range keys {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.removeSet(key); err != nil {
			return fmt.Errorf("remove signals: %w", err)
		}
		p.Add(1)
	}
	return nil
}

func (w *Workspace) removeSet(key string) error {
	var set setRecord
	var units []string
	err := w.update(func(tx *bbolt.Tx) error {
		found, err := getJSON(tx, bucketSets, key, &set)
		if err != nil || !found {
			return err
		}
		spec := set.Spec
		for chunk := range spec.Chunks() {
			units = append(units, spec.UnitKey(chunk))
		}
		for _, unit := range units {
			err = errors.Join(err, tx.Bucket(bucketUnits).Delete([]byte(unit)))
		}
		return errors.Join(err, tx.Bucket(bucketSummaries).Delete([]byte(key)), tx.Bucket(bucketSets).Delete([]byte(key)),
			tx.Bucket(bucketSetIndex).Delete(indexKey(spec.Model, spec.Source, spec.Family, key)))
	})
	if err != nil {
		return err
	}
	for _, unit := range units {
		w.verified.Delete(unit)
		_ = w.disk.remove(w.unitFile(unit)) // one that stays is loose and goes with the next sweep
	}
	w.changes.tell(SignalsChanged, set.Spec.Model)
	return nil
}

// RemoveLoose removes the files of models, signals and suites that the database does not name, and returns how many bytes
// went.
func (w *Workspace) RemoveLoose(ctx context.Context) (int64, error) {
	before, err := w.Usage(ctx)
	if err != nil {
		return 0, err
	}
	var gone int64
	for _, name := range before.Loose {
		path := filepath.Join(w.path, filepath.FromSlash(name))
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		if err := w.disk.remove(path); err != nil {
			return gone, fmt.Errorf("remove %s: %w", name, classify(err))
		}
		gone += info.Size()
		w.dropEmpty(filepath.Dir(path))
	}
	return gone, nil
}

// dropEmpty removes a folder and those above it as far as they are empty, below the workspace's own folders.
func (w *Workspace) dropEmpty(folder string) {
	for strings.Count(strings.TrimPrefix(folder, w.path), string(filepath.Separator)) > 1 {
		if os.Remove(folder) != nil {
			return
		}
		folder = filepath.Dir(folder)
	}
}

// RemoveThumbnails removes the pictures that are drawn again when they are missing.
func (w *Workspace) RemoveThumbnails() error {
	if err := os.RemoveAll(filepath.Join(w.path, thumbsFolder)); err != nil {
		return fmt.Errorf("remove the thumbnails of %s: %w", w.Name(), classify(err))
	}
	return nil
}

// RemoveBackup removes one backup.
func (w *Workspace) RemoveBackup(name string) error {
	w.backups.Lock()
	defer w.backups.Unlock()
	if _, err := findBackup(w.path, name); err != nil || name == "" {
		return err
	}
	if err := w.disk.remove(filepath.Join(w.path, backupsFolder, name)); err != nil {
		return fmt.Errorf("remove backup %s: %w", name, classify(err))
	}
	return nil
}
