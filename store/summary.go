package store

import (
	"context"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store/database"
)

// Summary returns the summary of the finished set that fits the model's settings: of several the
// one with most of the default positions, then the newest; without any, what a round package
// brought. ok is false when there is none, also when the state is stale.
func (w *Workspace) Summary(m model.Model, suiteHash, family string) (s database.Summary, ok bool, err error) {
	err = w.View(func(tx *database.Tx) error {
		s, ok, err = summaryOf(tx, m, suiteHash, family)
		return err
	})
	return s, ok, err
}

// SetSummary returns the summary with this key: that of a set, or of what a round package brought.
// ok is false when there is none, as of a set that is not finished.
func (w *Workspace) SetSummary(key string) (s database.Summary, ok bool, err error) {
	err = w.View(func(tx *database.Tx) error {
		if s, ok, err = database.GetSummary(tx, key, database.WithMatrices); ok || err != nil {
			return err
		}
		s, ok, err = w.packagedSummary(tx, key)
		return err
	})
	return s, ok, err
}

// Chance is the chance level of the model behind a summary. A summary that was made before it was
// counted gets its counts from the predictions, once, and keeps them; of an older round package
// nothing is known. It may be slow then (files).
func (w *Workspace) Chance(ctx context.Context, s database.Summary) (chance.Level, error) {
	if s.Chance != nil || s.Key == "" || s.Package != "" {
		return s.Level(), nil
	}
	set, err := w.LoadSet(ctx, s.Key, Want{Predictions: true})
	if err != nil {
		return chance.Level{}, err
	}
	labels, err := w.labels(s.Suite, set.Images)
	if err != nil {
		return chance.Level{}, err
	}
	counts := assess.ChanceOf(set, labels, s.Classes)
	err = w.commit(func(tx *database.Tx) error {
		now, found, err := database.GetSummary(tx, s.Key, database.WithMatrices)
		if err != nil || !found {
			return err
		}
		now.Chance = &counts
		data, err := now.Encode()
		if err != nil {
			return err
		}
		return database.Summaries.PutBytes(tx, s.Key, data)
	})
	return counts.Level(), err
}
