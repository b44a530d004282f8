package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/journal"
)

// Usage is what a workspace takes on disk, in bytes.
type Usage struct {
	Database   int64 // with the journal
	Models     int64 // imported model files
	Suites     int64 // copied images, and masks that are kept inside
	Thumbnails int64 // drawn again when they are missing
	Assessors  int64 // saved assessors
	// Predictions are the tables of predictions that were made elsewhere.
	Predictions int64
	Tables      map[string]int64 // each of them by id
	Backups     int64
	Other       int64 // everything else in the folder
	Signals     []SignalUse
	// Stale are the sets of signals that fit no model of the workspace as it is set now, by key.
	Stale      []string
	StaleBytes int64
	// Loose are the files that RemoveUnusedFiles removes: of models, signals, suites, masks and
	// predictions that the database does not name.
	Loose FileUse
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
	return u.Database + u.Models + u.Suites + u.Thumbnails + u.Assessors + u.Predictions + u.Backups + u.Other +
		u.SignalBytes() + u.Loose.Bytes
}

// SizeText is a size for people: "0 B", "12.0 kB", "3.4 MB", "1.2 GB", in powers of 1000.
func SizeText(bytes int64) string { return result.Bytes.Say(float64(bytes), 0) }

// ledger is what the database names.
type ledger struct {
	models map[string]model.Model
	suites map[string]suite.Manifest // without labels and files
	sets   map[string]database.SetRecord
	bytes  map[string]int64 // of a set's units
}

// Usage counts what the workspace takes. It is slow (it looks at every file) and safe for many
// goroutines.
func (w *Workspace) Usage(ctx context.Context) (Usage, error) {
	files, err := database.ListFiles(ctx, w.path, "")
	if err != nil {
		return Usage{}, fmt.Errorf("count the files of workspace %s: %w", w.Name(), err)
	}
	books, err := w.ledger() // after the files: what was written meanwhile is named by now
	if err != nil {
		return Usage{}, err
	}
	loose, err := w.unnamed(files)
	if err != nil {
		return Usage{}, err
	}
	u := books.signals()
	u.Tables = map[string]int64{}
	for _, f := range files {
		if len(loose) > 0 && loose[0] == f {
			u.Loose.add(f.Size)
			loose = loose[1:]
		} else {
			u.count(f)
		}
	}
	u.Free = -1
	if free, err := FreeSpace(w.path); err == nil {
		u.Free = free
	}
	return u, nil
}

func (w *Workspace) ledger() (ledger, error) {
	l := ledger{
		models: map[string]model.Model{}, suites: map[string]suite.Manifest{}, sets: map[string]database.SetRecord{},
		bytes: map[string]int64{},
	}
	err := w.View(func(tx *database.Tx) error {
		models, err := database.Models.All(tx)
		if err != nil {
			return err
		}
		for _, m := range models {
			if err := database.AddDetails(tx, &m); err != nil {
				return err
			}
			l.models[m.Hash] = m
		}
		suites, err := database.AllSuites(tx)
		if err != nil {
			return err
		}
		for _, s := range suites {
			l.suites[s.Hash] = s
		}
		sets, err := database.Sets.All(tx)
		for _, set := range sets {
			l.sets[set.Spec.Key()] = set
		}
		units, err2 := database.Units.All(tx)
		for _, unit := range units {
			l.bytes[unit.Set] += unit.Size
		}
		return errors.Join(err, err2)
	})
	return l, err
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
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), result.Natural(a.Name, b.Name), cmp.Compare(a.Family, b.Family))
	})
	return u
}

// stale tells whether no model of the workspace, as it is set now, asks for these signals.
func (l ledger) stale(set database.SetRecord) bool {
	m, known := l.models[set.Spec.Model]
	if !known {
		return true
	}
	settings, err := m.Settings()
	return err == nil && !fits(set.Spec, m, settings)
}

// count adds one file that the database names, or that is not its own, to what it belongs to;
// signals that the database names were counted from their records.
func (u *Usage) count(f database.ListedFile) {
	folder, _, _ := strings.Cut(f.Name, "/")
	owner, ours := database.FileKeyOf(f.Name)
	switch {
	case f.Name == database.File, f.Name == journal.File:
		u.Database += f.Size
	case ours && owner.Folder == database.ModelsFolder:
		u.Models += f.Size
	case ours && (owner.Folder == database.SuitesFolder || owner.Folder == database.MasksFolder):
		u.Suites += f.Size
	case ours && owner.Folder == database.PredictionsFolder:
		u.Predictions += f.Size
		u.Tables[owner.Key] += f.Size
	case folder == database.ThumbsFolder:
		u.Thumbnails += f.Size
	case folder == database.AssessorsFolder:
		u.Assessors += f.Size
	case folder == database.BackupsFolder, strings.HasPrefix(f.Name, database.File+"."):
		u.Backups += f.Size
	case !ours:
		u.Other += f.Size
	}
}

// RemoveBackup removes one backup.
func (w *Workspace) RemoveBackup(name string) error {
	w.backups.Lock()
	defer w.backups.Unlock()
	if _, err := backup.Find(w.path, name); err != nil || name == "" {
		return err
	}
	if err := durable.Delete(filepath.Join(w.path, database.BackupsFolder, name)); err != nil {
		return fmt.Errorf("remove backup %s: %w", name, database.Classify(err))
	}
	return nil
}
