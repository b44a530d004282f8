package doctor

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// ExamineOpen checks a workspace that this process has open, as Examine checks one that is closed.
// It reads a copy of the database as it is at the beginning; the copy lies in the folder and goes
// with the examination. Others may read and write meanwhile, but files that come or go then may be
// told as loose or missing. changed says that the database was written to since the copy.
func ExamineOpen(ctx context.Context, w *store.Workspace, p engine.Progress) (e Examination, changed bool, err error) {
	file := filepath.Join(w.Path(), database.File)
	durable.RemoveDrafts(file)
	place := durable.DraftOf(file)
	copied, err := w.CopyDatabase(ctx, place)
	if err != nil {
		return Examination{}, false, fmt.Errorf("examine workspace %s: %w", w.Name(), err)
	}
	defer func() {
		if gone := durable.Delete(place); err == nil && gone != nil {
			err = fmt.Errorf("examine workspace %s: %w", w.Name(), gone)
		}
	}()
	live := newExam(ctx, w.Path(), p)
	live.source, live.live = filepath.Base(place), true
	if e, err = live.examine(); err != nil {
		return e, false, err
	}
	err = w.View(func(tx *database.Tx) error {
		changed = tx.ID() != copied
		return nil
	})
	return e, changed, err
}
