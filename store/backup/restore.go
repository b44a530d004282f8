package backup

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
		path = database.WithSuffix(path)
	}
	chosen, err := Find(path, backup)
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
	if err := Check(ctx, source); err != nil {
		return err
	}
	if held.Database != nil {
		list, err := List(path)
		if err != nil {
			return err
		}
		name := After(list).Format(TimeFormat) + "-" + ReplacedMark + Suffix
		if err := durable.CopyFile(ctx, file, filepath.Join(path, database.BackupsFolder, name), nil); err != nil {
			return err
		}
	}
	if err := putDatabase(ctx, source, file, held); err != nil {
		return err
	}
	Rotate(path, KeptReplaced, true)
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
	durable.RemoveDrafts(file)
	return durable.ThroughUnless(durable.DraftOf(file), file, func(out io.Writer) error {
		_, err := io.Copy(&durable.Cancellable{Ctx: ctx, Out: out}, in)
		return err
	}, held.BeforeRename)
}
