// Package backup has the copies of a database that a workspace keeps, and restores one of them.
package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/pages"
)

// Kept is how many databases are backed up; with a new one, the oldest goes. The databases
// that Restore has put aside are counted apart, so that a damaged one never pushes out a whole
// one.
const (
	Kept         = 5
	KeptReplaced = 2
)

// The names of backups: TIME-TRANSACTION.db, and TIME-replaced.db for what Restore has put aside.
// The transaction is that of the database, so that one that did not change is not backed up again.
const (
	Suffix       = ".db"
	TimeFormat   = "20060102T150405.000"
	ReplacedMark = "replaced"
)

// Backup is a database as it was at one moment, in the folder backups of the workspace.
type Backup struct {
	Name string // of the file
	At   time.Time
	Size int64
	// Replaced is true for a database that Restore has put aside.
	Replaced    bool
	Transaction int
}

// RestorableError says that a workspace's database cannot be read and which backup can take its
// place.
type RestorableError struct {
	Path   string // the workspace's folder
	Newest Backup
	Err    error
}

// Error names the backup and the command that restores it.
func (e *RestorableError) Error() string {
	return fmt.Sprintf("%v; its newest backup is of %s: restore it with variscope restore %s",
		e.Err, e.Newest.At.Local().Format("2006-01-02 15:04:05"), filepath.Base(e.Path))
}

// Unwrap gives the reason.
func (e *RestorableError) Unwrap() error { return e.Err }

// After is the time of a new backup: now, or after the newest one where the clock has gone back or
// stands still, because the time tells which is the newest.
func After(list []Backup) time.Time {
	at := database.Now()
	if len(list) > 0 && !at.After(list[0].At) {
		at = list[0].At.Add(time.Millisecond)
	}
	return at
}

// Rotate removes the oldest backups of one kind beyond a number. What cannot be removed is tried
// again next time.
func Rotate(workspace string, keep int, replaced bool) {
	list, err := List(workspace)
	if err != nil {
		return
	}
	list = slices.DeleteFunc(list, func(b Backup) bool { return b.Replaced != replaced })
	for _, old := range list[min(keep, len(list)):] {
		_ = durable.Delete(filepath.Join(workspace, database.BackupsFolder, old.Name))
	}
}

// List lists the backups of the workspace in a folder, newest first. The workspace need not be
// open, nor readable.
func List(path string) ([]Backup, error) {
	entries, err := os.ReadDir(filepath.Join(path, database.BackupsFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the backups of %s: %w", database.NameOf(path), database.Classify(err))
	}
	var list []Backup
	for _, entry := range entries {
		if b, ok := readBackup(entry); ok {
			list = append(list, b)
		}
	}
	slices.SortFunc(list, func(a, b Backup) int { return b.At.Compare(a.At) })
	return list, nil
}

func readBackup(entry os.DirEntry) (b Backup, ok bool) {
	stem, ok := strings.CutSuffix(entry.Name(), Suffix)
	at, what, cut := strings.Cut(stem, "-")
	if !ok || !cut {
		return b, false
	}
	when, err := time.Parse(TimeFormat, at)
	if err != nil {
		return b, false
	}
	b = Backup{Name: entry.Name(), At: when, Replaced: what == ReplacedMark}
	if !b.Replaced {
		if b.Transaction, err = strconv.Atoi(what); err != nil {
			return b, false
		}
	}
	info, err := entry.Info()
	if err != nil {
		return b, false
	}
	b.Size = info.Size()
	return b, true
}

// Newest is the newest backup that is no replaced database.
func Newest(path string) (newest Backup, ok bool) {
	list, err := List(path)
	at := slices.IndexFunc(list, func(b Backup) bool { return !b.Replaced })
	if err != nil || at < 0 {
		return newest, false
	}
	return list[at], true
}

// Table is the table of backups.
var Table = result.Table[Backup]{
	Name: "backups", Title: "Backups", Noun: "backup", ID: func(b Backup) string { return b.Name },
	Columns: []result.Column[Backup]{
		result.Texts("backup", "backup", "name of the file", func(b Backup) string { return b.Name }),
		result.Numbers("time", "time", "when it was made", result.Time,
			func(b Backup) float64 { return float64(b.At.Unix()) }),
		result.Numbers("size", "size", "bytes of the file", result.Bytes,
			func(b Backup) float64 { return float64(b.Size) }),
		result.Texts("kind", "kind", "database, or put aside by a restore", func(b Backup) string {
			if b.Replaced {
				return "put aside by a restore"
			}
			return "database"
		}),
	},
}

// Find is the backup with this name, the newest one for "".
func Find(path, name string) (Backup, error) {
	list, err := List(path)
	if err != nil {
		return Backup{}, err
	}
	if newest, ok := Newest(path); ok && name == "" {
		return newest, nil
	}
	for _, b := range list {
		if b.Name == name {
			return b, nil
		}
	}
	if name == "" {
		return Backup{}, fmt.Errorf("workspace %s has no backups", database.NameOf(path))
	}
	return Backup{}, fmt.Errorf("workspace %s: there is no backup %s; choose one of those that are listed",
		database.NameOf(path), name)
}

// Check walks a backup's pages: a damaged backup must not replace anything.
func Check(ctx context.Context, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if err := pages.Check(ctx, f, nil); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%s is damaged too (%w); choose an older backup", filepath.Base(file), err)
	}
	return nil
}
