package store

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store/durable"
)

// Examine checks this workspace, which is open, as the function Examine checks one that is closed.
// It reads a copy of the database as it is at the beginning; the copy lies in the folder and goes
// with the examination. Others may read and write meanwhile, but files that come or go then may be
// told as loose or missing. changed says that the database was written to since the copy.
func (w *Workspace) Examine(ctx context.Context, p engine.Progress) (e Examination, changed bool, err error) {
	database := filepath.Join(w.path, databaseFile)
	durable.SweepDrafts(database)
	place := durable.DraftOf(database)
	copied, err := w.copyDatabase(ctx, place)
	if err != nil {
		return Examination{}, false, fmt.Errorf("examine workspace %s: %w", w.Name(), err)
	}
	defer func() {
		if gone := durable.Delete(place); err == nil && gone != nil {
			err = fmt.Errorf("examine workspace %s: %w", w.Name(), gone)
		}
	}()
	live := newExam(ctx, w.path, p)
	live.database, live.live = filepath.Base(place), true
	if e, err = live.examine(); err != nil {
		return e, false, err
	}
	err = w.view(func(tx *bbolt.Tx) error {
		changed = tx.ID() != copied
		return nil
	})
	return e, changed, err
}

// copyDatabase writes the database, as one read transaction sees it, into a file and returns that
// transaction; on an error there is none.
func (w *Workspace) copyDatabase(ctx context.Context, place string) (transaction int, err error) {
	var failed error // of the transaction, whose errors have their own words
	err = durable.Scratch(place, func(out io.Writer) error {
		failed = w.view(func(tx *bbolt.Tx) error {
			if free, err := FreeSpace(w.path); err == nil && free < tx.Size() {
				return fmt.Errorf("%w (a copy of the database needs %s, %s is free)", ErrFull, SizeText(tx.Size()),
					SizeText(free))
			}
			transaction = tx.ID()
			_, err := writeDatabase(ctx, tx, out)
			return err
		})
		return failed
	})
	if failed != nil {
		return 0, failed
	}
	return transaction, classify(err)
}
