package store

import (
	"errors"
	"fmt"

	"github.com/variscope/variscope/store/database"
)

// maxContext bounds the bytes of all context vectors together: those of 20,000 images under 150
// elements and 365 scenes.
const maxContext = 128 << 20

// Context vectors are the keyword vectors of single images, by a key that says what they depend
// on: networks, image and mask. They can be computed again; the next ones for which there is no
// room removes the others, so that they take at most 128 MiB.

// ContextVector reads a vector; found is false where there is none.
func (w *Workspace) ContextVector(key string) (vector []float64, found bool, err error) {
	err = w.View(func(tx *database.Tx) error {
		vector, found, err = database.ContextVectors.Get(tx, key)
		return err
	})
	return vector, found && err == nil, err
}

// PutContextVectors keeps vectors by their keys, all of them in one transaction. Those of one call
// must take less than 128 MiB, and no key may be empty.
func (w *Workspace) PutContextVectors(vectors map[string][]float64) error {
	packed, size := make(map[string][]byte, len(vectors)), uint64(0)
	for key, v := range vectors {
		data, err := database.PackNumbers(v)
		if err != nil {
			return fmt.Errorf("keep context vector %s: %w", key, err)
		}
		if key == "" {
			return errors.New("keep context vectors: one has no key")
		}
		packed[key], size = data, size+uint64(len(key)+len(data))
	}
	if size > maxContext {
		return fmt.Errorf("keep context vectors: %s are too many at once; at most %s can be kept",
			SizeText(int64(size)), SizeText(maxContext))
	}
	return w.commit(func(tx *database.Tx) error {
		return putBounded(tx, database.ContextVectors.RawBucket, maxContext, packed)
	})
}
