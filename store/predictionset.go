package store

import (
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store/database"
)

// PredictionSet is the finished set of a model on a suite from which its predictions on the images
// as they are can be read with the least effort: of those that fit the model's settings the one of
// the fewest transformations, then the newest. ok is false when there is none.
func (w *Workspace) PredictionSet(m model.Model, suite string) (info SetInfo, ok bool, err error) {
	settings, err := m.Settings()
	if err != nil {
		return info, false, err
	}
	err = w.View(func(tx *database.Tx) error {
		return eachSet(tx, m.Hash, suite, "", func(next SetInfo) {
			if !next.Finished || !fits(next.Spec, m, settings) {
				return
			}
			fewer := next.Transformations < info.Transformations
			newer := next.Transformations == info.Transformations && next.Updated.After(info.Updated)
			if !ok || fewer || newer {
				info, ok = next, true
			}
		})
	})
	return info, ok, err
}
