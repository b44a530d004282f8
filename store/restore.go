package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/store/database"
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
	if _, err := os.Stat(path); err != nil && !strings.HasSuffix(path, database.Suffix) {
		path = withSuffix(path)
	}
	chosen, err := findBackup(path, backup)
	if err != nil {
		return Backup{}, err
	}
	err = replaceDatabase(ctx, path, chosen)
	var elsewhere *database.OpenElsewhereError
	if err != nil && !errors.As(err, &elsewhere) {
		err = fmt.Errorf("restore %s of workspace %s: %w", chosen.Name, database.NameOf(path), database.Classify(err))
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
		return Backup{}, fmt.Errorf("workspace %s has no backups", database.NameOf(path))
	}
	return Backup{}, fmt.Errorf("workspace %s: there is no backup %s; choose one of those that are listed",
		database.NameOf(path), name)
}

// replaceDatabase checks the backup, keeps the database that is there, and renames a copy of the
// backup over it.
func replaceDatabase(ctx context.Context, path string, chosen Backup) error {
	file := filepath.Join(path, database.File)
	held, err := database.LockClosed(path)
	if err != nil {
		return err
	}
	defer held.Unlock()
	source := filepath.Join(path, database.BackupsFolder, chosen.Name)
	if err := checkBackup(ctx, source); err != nil {
		return err
	}
	if held.Database != nil {
		list, err := Backups(path)
		if err != nil {
			return err
		}
		name := after(list).Format(backupTime) + "-" + backupReplaced + backupSuffix
		if err := durable.CopyFile(ctx, file, filepath.Join(path, database.BackupsFolder, name), nil); err != nil {
			return err
		}
	}
	if err := putDatabase(ctx, source, file, held); err != nil {
		return err
	}
	rotate(path, keptReplaced, true)
	return nil
}

// putDatabase copies a backup over the database, unless another program has written that
// meanwhile. The draft is this process's own: a database that is not there has no lock, so two may
// be restoring it.
func putDatabase(ctx context.Context, source, file string, held *database.ClosedLock) error {
	in, err := os.Open(source)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	durable.SweepDrafts(file)
	return durable.ThroughUnless(durable.DraftOf(file), file, func(out io.Writer) error {
		_, err := io.Copy(&durable.Cancellable{Ctx: ctx, Out: out}, in)
		return err
	}, held.Last)
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
