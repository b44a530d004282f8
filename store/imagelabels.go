package store

import (
	"fmt"

	"github.com/variscope/variscope/store/database"
)

// SetImageLabel keeps a label; it is on disk when this returns. A second label of an image
// replaces the first; class -1 takes it away. suite is a content hash or a table's id. A label
// without a time gets that of now.
func (w *Workspace) SetImageLabel(suite string, l database.ImageLabel) error {
	return w.SetImageLabels(suite, []database.ImageLabel{l})
}

// SetImageLabels keeps many labels as SetImageLabel does, all of them or, after an error, none.
func (w *Workspace) SetImageLabels(suite string, labels []database.ImageLabel) error {
	at := database.Now()
	err := w.Update(func(tx *database.Tx) error {
		limits, err := database.LimitsOf(tx, suite)
		if err != nil {
			return err
		}
		for _, l := range labels {
			if err := limits.Check(l); err != nil {
				return err
			}
			if l.At.IsZero() {
				l.At = at
			}
			if err := putImageLabel(tx, suite, l); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("label images: %w", err)
	}
	w.changes.tell(ImageLabelsChanged, suite)
	return nil
}

func putImageLabel(tx *database.Tx, suite string, l database.ImageLabel) error {
	key := database.KeyOfImage(suite, l.Image)
	if l.Class < 0 {
		return database.ImageLabels.Delete(tx, key)
	}
	return database.ImageLabels.Put(tx, key, l)
}

// ImageLabels are the labels of a suite's images by image. suite is a content hash or a table's id.
func (w *Workspace) ImageLabels(suite string) (map[int]database.ImageLabel, error) {
	labels := map[int]database.ImageLabel{}
	err := w.View(func(tx *database.Tx) error {
		for l, err := range database.ImageLabels.Index(tx, database.ImageKey(suite+database.Separator)) {
			if err != nil {
				return err
			}
			labels[l.Image] = l
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("labels of images of suite %.12s: %w", suite, err)
	}
	return labels, nil
}
