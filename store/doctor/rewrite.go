package doctor

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/journal"
)

// rebuild puts a new database in the place of one that cannot be read or contradicts itself, and
// the old one aside. kept is where that lies.
func (t *repair) rebuild(ctx context.Context) (kept string, err error) {
	file := filepath.Join(t.path, database.File)
	held, err := database.LockClosed(t.path)
	if err != nil {
		return "", err
	}
	defer held.Unlock()
	a := newArchive(ctx, t.path)
	defer a.close()
	defer func() {
		if err != nil && kept != "" {
			_ = durable.Delete(t.file(kept))
		}
	}()
	if held.Database != nil {
		if kept, err = t.keepDatabase(ctx); err != nil {
			return "", err
		}
		a.add(t.file(kept)) // before the backups
	}
	durable.RemoveDrafts(file)
	draft := durable.DraftOf(file)
	if err := a.write(draft); err != nil {
		_ = durable.Delete(draft)
		return kept, err
	}
	return kept, durable.PlaceUnless(draft, file, held.BeforeRename)
}

// write makes a database of the first one that can be copied, else an empty one, and of the
// journal.
func (a *archive) write(draft string) error {
	c, err := a.journal()
	if err != nil {
		return err
	}
	for _, from := range append(a.open(), nil) {
		if err = a.ctx.Err(); err != nil {
			return err
		}
		if err = durable.DeleteAll(draft); err != nil {
			return err
		}
		err = database.Guard(func() error { return compose(draft, from, c) })
		if err == nil || errors.Is(err, database.ErrNewer) {
			return err
		}
	}
	return err
}

// compose makes a database of another one, nil for none, and a journal.
func compose(file string, from *database.DB, c journal.Content) (err error) {
	db, err := database.OpenNew(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if from != nil {
		if err := database.Compact(db, from); err != nil {
			return err
		}
	}
	return db.Update(func(tx *database.Tx) error {
		if from == nil {
			if err := database.Initialise(tx); err != nil {
				return err
			}
		}
		if version, _ := database.Version(tx); version > database.SchemaVersion {
			return database.NewerSchema(version)
		}
		t := repair{tx: tx}
		if err := t.basics(); err != nil {
			return err
		}
		return t.putAll(database.Compare(tx, c).Records)
	})
}
