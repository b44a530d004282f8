package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// Backup saves a copy of the database, unless it has not changed since the newest backup, and
// removes the oldest beyond the last five. made is false when there was nothing to save. Others
// may read and write meanwhile.
func (w *Workspace) Backup(ctx context.Context) (made bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	w.backups.Lock()
	defer w.backups.Unlock()
	list, err := backup.List(w.path)
	if err != nil {
		return false, err
	}
	err = w.View(func(tx *database.Tx) error {
		there, err := w.isBackedUp(ctx, tx, list)
		if err != nil || there {
			return err
		}
		made = true
		return w.saveBackup(ctx, tx, backup.After(list))
	})
	if err != nil {
		return false, fmt.Errorf("back up the database of %s: %w", w.Name(), err)
	}
	if made {
		backup.Rotate(w.path, backup.Kept, false)
	}
	return made, nil
}

// restTime is the least time between two backups that nobody asked for: a row of short commands
// would push out everything older.
const restTime = 10 * time.Minute

// BackupNowAndThen is Backup, unless the newest backup is only minutes old. It is for every
// opening; before something that cannot be taken back, Backup is right.
func (w *Workspace) BackupNowAndThen(ctx context.Context) (made bool, err error) {
	list, err := backup.List(w.path)
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

// BackUpFirst is Backup before something that cannot be taken back. A full disk keeps nobody from
// it: removing is what makes room.
func (w *Workspace) BackUpFirst(ctx context.Context) error {
	if _, err := w.Backup(ctx); err != nil && !errors.Is(err, ErrFull) {
		return err
	}
	return ctx.Err()
}

// isBackedUp tells whether a backup has the database as a transaction sees it. As long as nothing
// was restored, the number of the transaction tells; a restored database counts on from that of
// its backup.
func (w *Workspace) isBackedUp(ctx context.Context, tx *database.Tx, list []backup.Backup) (bool, error) {
	restored := false
	for _, b := range list {
		if b.Replaced {
			restored = true
			continue
		}
		if b.Transaction != tx.ID() {
			continue
		}
		if !restored {
			return true, nil
		}
		if same, err := sameDatabase(ctx, tx, filepath.Join(w.path, database.BackupsFolder, b.Name)); err != nil ||
			same {
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

// saveBackup writes one read transaction's database into the folder of backups.
func (w *Workspace) saveBackup(ctx context.Context, tx *database.Tx, at time.Time) error {
	if free, err := FreeSpace(w.path); err == nil && free < tx.Size() {
		return fmt.Errorf("%w (a backup needs %s, %s is free)", ErrFull, SizeText(tx.Size()), SizeText(free))
	}
	folder, err := durable.Below(w.path, database.BackupsFolder)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%s-%d%s", at.Format(backup.TimeFormat), tx.ID(), backup.Suffix)
	return w.WriteFile(filepath.Join(folder, name), func(out io.Writer) error {
		_, err := database.Write(ctx, tx, out)
		return err
	})
}
