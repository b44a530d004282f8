package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/pages"
)

// Restore puts a backup in the place of the database of a workspace that nobody has open; "" is
// the newest. The database that was there is kept among the backups. After an error, also after a
// kill at any moment, the folder has the database that it had or the restored one, whole.
func Restore(ctx context.Context, path, backup string) (Backup, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Backup{}, err
	}
	if _, err := os.Stat(path); err != nil && !strings.HasSuffix(path, suffix) {
		path = withSuffix(path)
	}
	chosen, err := findBackup(path, backup)
	if err != nil {
		return Backup{}, err
	}
	err = replaceDatabase(ctx, path, chosen)
	var elsewhere *OpenElsewhereError
	if err != nil && !errors.As(err, &elsewhere) {
		err = fmt.Errorf("restore %s of workspace %s: %w", chosen.Name, nameOf(path), classify(err))
	}
	return chosen, err
}

func findBackup(path, name string) (Backup, error) {
	list, err := Backups(path)
	if err != nil {
		return Backup{}, err
	}
	if newest, ok := newestBackup(path); ok && name == "" {
		return newest, nil
	}
	for _, b := range list {
		if b.Name == name {
			return b, nil
		}
	}
	if name == "" {
		return Backup{}, fmt.Errorf("workspace %s has no backups", nameOf(path))
	}
	return Backup{}, fmt.Errorf("workspace %s: there is no backup %s; choose one of those that are listed",
		nameOf(path), name)
}

// replaceDatabase checks the backup, keeps the database that is there, and renames a copy of the
// backup over it.
func replaceDatabase(ctx context.Context, path string, chosen Backup) error {
	database := filepath.Join(path, databaseFile)
	held, err := lockClosed(path)
	if err != nil {
		return err
	}
	defer held.unlock()
	source := filepath.Join(path, backupsFolder, chosen.Name)
	if err := checkBackup(ctx, source); err != nil {
		return err
	}
	if held.database != nil {
		list, err := Backups(path)
		if err != nil {
			return err
		}
		name := after(list).Format(backupTime) + "-" + backupReplaced + backupSuffix
		if err := copyFile(ctx, database, filepath.Join(path, backupsFolder, name), nil); err != nil {
			return err
		}
	}
	if err := putDatabase(ctx, source, database, held); err != nil {
		return err
	}
	rotate(path, keptReplaced, true)
	return nil
}

// putDatabase copies a backup over the database, unless another program has written that
// meanwhile. The draft is this process's own: a database that is not there has no lock, so two may
// be restoring it.
func putDatabase(ctx context.Context, source, database string, held *closedLock) error {
	in, err := os.Open(source)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	durable.SweepDrafts(database)
	return durable.ThroughUnless(durable.DraftOf(database), database, func(out io.Writer) error {
		_, err := io.Copy(&cancellable{ctx: ctx, out: out}, in)
		return err
	}, held.last)
}

// checkBackup walks a backup's pages: a damaged backup must not replace anything.
func checkBackup(ctx context.Context, file string) error {
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

// copyFile copies a file so that it is there whole or not at all; count, which may be nil, gets
// the number of bytes.
func copyFile(ctx context.Context, from, to string, count func(n int64)) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	return durable.Through(to+durable.PartSuffix, to, func(out io.Writer) error {
		n, err := io.Copy(&cancellable{ctx: ctx, out: out}, in)
		if count != nil {
			count(n)
		}
		return err
	})
}
