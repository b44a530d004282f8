package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/variscope/variscope/store/database"
)

// migrate checks the database's version and migrates an older one after saving a copy beside it.
func (w *Workspace) migrate(s database.Schema) error {
	version, err := viewed(w, database.Version)
	if err != nil {
		return err
	}
	if version > s.Version {
		return database.NewerSchema(version)
	}
	if version == s.Version {
		return nil
	}
	steps, err := s.Steps(version)
	if err != nil {
		return err
	}
	if w.readOnly == nil {
		if err := w.keepOlder(version); err != nil {
			return fmt.Errorf("save a copy before the migration from version %d: %w", version, err)
		}
	}
	return w.commit(func(tx *database.Tx) error {
		for _, step := range steps {
			if err := step.Run(tx); err != nil {
				return fmt.Errorf("migrate from version %d (%s): %w", step.From, step.Why, err)
			}
		}
		return database.PutSchema(tx, s.Version)
	})
}

// backupName is the file that holds the database as it was in an older version.
func backupName(version int) string { return fmt.Sprintf("%s.v%d.backup", database.File, version) }

// keepOlder copies the database beside itself before a migration; an older copy of the same
// version is kept under the next free number. These copies are none of Backups.
func (w *Workspace) keepOlder(version int) error {
	path := filepath.Join(w.path, backupName(version))
	for i := 2; ; i++ {
		if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
			break
		}
		path = filepath.Join(w.path, fmt.Sprintf("%s-%d", backupName(version), i))
	}
	return w.WriteFile(path, func(out io.Writer) error {
		return w.View(func(tx *database.Tx) error {
			_, err := tx.WriteTo(out)
			return err
		})
	})
}
