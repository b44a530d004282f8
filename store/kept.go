package store

import (
	"fmt"

	"github.com/variscope/variscope/store/database"
)

// maxKept bounds the bytes of all kept values, names and packed values together.
const maxKept = 64 << 20

// KeepValue stores, as JSON, a value that can be computed again, under a name that says what it
// depends on; KeptValue reads it. Sweeping kept values away loses nothing. All of them together
// take at most 64 MiB: a value for which there is no room removes the others, and one that is
// larger by itself is an error.
func (w *Workspace) KeepValue(name string, v any) error {
	data, err := database.Pack(v)
	if err != nil {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	size := uint64(len(name) + len(data))
	if name == "" || size > maxKept {
		return fmt.Errorf("keep %q: a value of %s cannot be kept; at most %s can, and the name must not be empty", name,
			SizeText(int64(size)), SizeText(maxKept))
	}
	return w.commit(func(tx *database.Tx) error {
		return putBounded(tx, database.Kept.RawBucket, maxKept, map[string][]byte{name: data})
	})
}

// putBounded stores values in a bucket whose sequence is the number of bytes in it, keys included.
// Where they have no room below limit, everything else in the bucket is swept away first.
func putBounded(tx *database.Tx, b *database.RawBucket, limit uint64, values map[string][]byte) error {
	size, old := uint64(0), uint64(0)
	for key, data := range values {
		size += uint64(len(key) + len(data))
		if there := b.Bytes(tx, key); there != nil {
			old += uint64(len(key) + len(there))
		}
	}
	used := b.In(tx).Sequence() + size - old
	if used > limit {
		if err := tx.DeleteBucket([]byte(b.Name)); err != nil {
			return err
		}
		if _, err := tx.CreateBucket([]byte(b.Name)); err != nil {
			return err
		}
		used = size
	}
	for key, data := range values {
		if err := b.PutBytes(tx, key, data); err != nil {
			return err
		}
	}
	return b.In(tx).SetSequence(used)
}

// KeptValue reads what KeepValue stored; found is false where there is nothing.
func (w *Workspace) KeptValue(name string, into any) (found bool, err error) {
	err = w.View(func(tx *database.Tx) error {
		found, err = database.Kept.Into(tx, name, into)
		return err
	})
	return found && err == nil, err
}
