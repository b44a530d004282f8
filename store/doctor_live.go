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

// Examine checks this workspace, which is open, as the function Examine checks one that is closed. It reads a copy of the database as it is at
// the beginning; the copy lies in the folder and goes with the examination. Others may read and write meanwhile, but files that come or
// go then may be told as loose or missing. changed says that the database was written to since the copy.
func (w *Workspace) Examine(ctx context.Context, p engine.Progress) (e Examination, changed bool, err error) {
	database := filepath.Join(w.path, databaseFile)
	durable.SweepDrafts(database)
	place := durable.DraftOf(database)
	if err := w.copyDatabase(ctx, place); err != nil {
		return Examination{}, false, fmt.Errorf("examine workspace %s: %w", w.Name(), err)
	}
	live := newExam(ctx, w.path, p)
	live.database, live.live = filepath.Base(place), true
	e, err = live.examine()
	if gone := durable.Delete(place); err == nil && gone != nil {
		err = fmt.Errorf("examine workspace %s: %w", w.Name(), gone)
	}
	if err != nil {
		return e, false, err
	}
	err = w.view(func(tx *bbolt.Tx) error {
		changed = tx.ID() != e.transaction
		return nil
	})
	return e, changed, err
}

// copyDatabase writes the database, as one read transaction sees it, into a file; on an error there is none.
func (w *Workspace) copyDatabase(ctx context.Context, place string) error {
	var failed error // of the transaction, whose errors have their own words
	err := durable.Fill(place, func(out io.Writer) error {
		failed = w.view(func(tx *bbolt.Tx) error {
			if free, err := FreeSpace(w.path); err == nil && free < tx.Size() {
				return fmt.Errorf("%w (a copy of the database needs %s, %s is free)", ErrFull, SizeText(tx.Size()), SizeText(free))
			}
			_, err := writeDatabase(ctx, tx, out)
			return err
		})
		return failed
	})
	if failed != nil {
		return failed
	}
	return classify(err)
}
