package store

import (
	"fmt"
	"time"

	"go.etcd.io/bbolt"
)

// mostImages is one more than the largest number of an image that has eight digits.
const mostImages = 100_000_000

// ImageLabel is the class that somebody gave one image of a suite, or of a table of predictions.
type ImageLabel struct {
	Image int       `json:"image"`
	Class int       `json:"class"` // in the suite's numbering, or the table's
	By    string    `json:"by"`    // annotator's name; "" where it is not known
	At    time.Time `json:"at"`
}

// SetImageLabel keeps a label; it is on disk when this returns. A second label of an image
// replaces the first; class -1 takes it away. suite is a content hash or a table's id. A label
// without a time gets that of now.
func (w *Workspace) SetImageLabel(suite string, l ImageLabel) error {
	return w.SetImageLabels(suite, []ImageLabel{l})
}

// SetImageLabels keeps many labels as SetImageLabel does, all of them or, after an error, none.
func (w *Workspace) SetImageLabels(suite string, labels []ImageLabel) error {
	at := now()
	err := w.update(func(tx *bbolt.Tx) error {
		limits, err := limitsOf(tx, suite)
		if err != nil {
			return err
		}
		for _, l := range labels {
			if err := limits.check(l); err != nil {
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

func putImageLabel(tx *bbolt.Tx, suite string, l ImageLabel) error {
	key := keyOfImage(suite, l.Image)
	if l.Class < 0 {
		return bucketImageLabels.delete(tx, key)
	}
	return bucketImageLabels.put(tx, key, l)
}

// imageLimits are the numbers that labels of a suite or table may have.
type imageLimits struct {
	name            string
	images, classes int // classes is 0 where they are not known: a suite without labels
}

func limitsOf(tx *bbolt.Tx, hash string) (imageLimits, error) {
	if table, found, err := bucketPredictions.get(tx, hash); err != nil || found {
		return imageLimits{table.Name, table.Samples, table.Classes}, err
	}
	m, err := needHead(tx, "suite", hash)
	return imageLimits{m.Name, m.Images, len(m.Classes)}, err
}

func (l imageLimits) check(label ImageLabel) error {
	switch {
	case label.Image < 0 || label.Image >= min(l.images, mostImages):
		return fmt.Errorf("%s has no image %d; its images are 0 to %d", l.name, label.Image, l.images-1)
	case label.Class < -1 || l.classes > 0 && label.Class >= l.classes:
		return fmt.Errorf("%s has no class %d (image %d); its classes are 0 to %d", l.name, label.Class, label.Image,
			l.classes-1)
	}
	return nil
}

// ImageLabels are the labels of a suite's images by image. suite is a content hash or a table's id.
func (w *Workspace) ImageLabels(suite string) (map[int]ImageLabel, error) {
	labels := map[int]ImageLabel{}
	err := w.view(func(tx *bbolt.Tx) error {
		for l, err := range bucketImageLabels.index(tx, imageKey(suite+separator)) {
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
