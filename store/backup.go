package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// keptBackups is how many databases are backed up; with a new one, the oldest goes. The databases
// that Restore has put aside are counted apart, so that a damaged one never pushes out a whole
// one.
const (
	keptBackups  = 5
	keptReplaced = 2
)

// The names of backups: TIME-TRANSACTION.db, and TIME-replaced.db for what Restore has put aside.
// The transaction is that of the database, so that one that did not change is not backed up again.
const (
	backupSuffix   = ".db"
	backupTime     = "20060102T150405.000"
	backupReplaced = "replaced"
)

// Backup is a database as it was at one moment, in the folder backups of the workspace.
type Backup struct {
	Name string // of the file
	At   time.Time
	Size int64
	// Replaced is true for a database that Restore has put aside.
	Replaced    bool
	transaction int
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

// Backup saves a copy of the database, unless it has not changed since the newest backup, and
// removes the oldest beyond the last five. made is false when there was nothing to save. Others
// may read and write meanwhile.
func (w *Workspace) Backup(ctx context.Context) (made bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	w.backups.Lock()
	defer w.backups.Unlock()
	list, err := Backups(w.path)
	if err != nil {
		return false, err
	}
	err = w.View(func(tx *database.Tx) error {
		there, err := w.isBackedUp(ctx, tx, list)
		if err != nil || there {
			return err
		}
		made = true
		return w.saveBackup(ctx, tx, after(list))
	})
	if err != nil {
		return false, fmt.Errorf("back up the database of %s: %w", w.Name(), err)
	}
	if made {
		rotate(w.path, keptBackups, false)
	}
	return made, nil
}

// restTime is the least time between two backups that nobody asked for: a row of short commands
// would push out everything older.
const restTime = 10 * time.Minute

// BackupNowAndThen is Backup, unless the newest backup is only minutes old. It is for every
// opening; before something that cannot be taken back, Backup is right.
func (w *Workspace) BackupNowAndThen(ctx context.Context) (made bool, err error) {
	list, err := Backups(w.path)
	if err != nil {
		return false, err
	}
	for _, b := range list {
		if age := time.Since(b.At); !b.Replaced && age >= 0 && age < restTime {
			return false, nil
		}
	}
	return w.Backup(ctx)
}

// isBackedUp tells whether a backup has the database as a transaction sees it. As long as nothing
// was restored, the number of the transaction tells; a restored database counts on from that of
// its backup.
func (w *Workspace) isBackedUp(ctx context.Context, tx *database.Tx, list []Backup) (bool, error) {
	restored := false
	for _, b := range list {
		if b.Replaced {
			restored = true
			continue
		}
		if b.transaction != tx.ID() {
			continue
		}
		if !restored {
			return true, nil
		}
		if same, err := sameDatabase(ctx, tx, filepath.Join(w.path, database.BackupsFolder, b.Name)); err != nil || same {
			return same, err
		}
	}
	return false, nil
}

// sameDatabase compares the database as a transaction sees it with a file, byte by byte.
func sameDatabase(ctx context.Context, tx *database.Tx, path string) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }()
	here, there := sha256.New(), sha256.New()
	if _, err := io.Copy(there, file); err != nil {
		return false, err
	}
	if _, err := database.Write(ctx, tx, here); err != nil {
		return false, err
	}
	return bytes.Equal(here.Sum(nil), there.Sum(nil)), nil
}

// after is the time of a new backup: now, or after the newest one where the clock has gone back or
// stands still, because the time tells which is the newest.
func after(list []Backup) time.Time {
	at := database.Now()
	if len(list) > 0 && !at.After(list[0].At) {
		at = list[0].At.Add(time.Millisecond)
	}
	return at
}

// saveBackup writes one read transaction's database into the folder of backups.
func (w *Workspace) saveBackup(ctx context.Context, tx *database.Tx, at time.Time) error {
	if free, err := FreeSpace(w.path); err == nil && free < tx.Size() {
		return fmt.Errorf("%w (a backup needs %s, %s is free)", ErrFull, SizeText(tx.Size()), SizeText(free))
	}
	folder, err := durable.Below(w.path, database.BackupsFolder)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%s-%d%s", at.Format(backupTime), tx.ID(), backupSuffix)
	return w.WriteFile(filepath.Join(folder, name), func(out io.Writer) error {
		_, err := database.Write(ctx, tx, out)
		return err
	})
}

// rotate removes the oldest backups of one kind beyond a number. What cannot be removed is tried
// again next time.
func rotate(workspace string, keep int, replaced bool) {
	list, err := Backups(workspace)
	if err != nil {
		return
	}
	list = slices.DeleteFunc(list, func(b Backup) bool { return b.Replaced != replaced })
	for _, old := range list[min(keep, len(list)):] {
		_ = durable.Delete(filepath.Join(workspace, database.BackupsFolder, old.Name))
	}
}

// Backups lists the backups of the workspace in a folder, newest first. The workspace need not be
// open, nor readable.
func Backups(path string) ([]Backup, error) {
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
	stem, ok := strings.CutSuffix(entry.Name(), backupSuffix)
	at, what, cut := strings.Cut(stem, "-")
	if !ok || !cut {
		return b, false
	}
	when, err := time.Parse(backupTime, at)
	if err != nil {
		return b, false
	}
	b = Backup{Name: entry.Name(), At: when, Replaced: what == backupReplaced}
	if !b.Replaced {
		if b.transaction, err = strconv.Atoi(what); err != nil {
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

// newestBackup is the newest backup that is no replaced database.
func newestBackup(path string) (newest Backup, ok bool) {
	list, err := Backups(path)
	at := slices.IndexFunc(list, func(b Backup) bool { return !b.Replaced })
	if err != nil || at < 0 {
		return newest, false
	}
	return list[at], true
}
