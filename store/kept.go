package store

import (
	"fmt"

	"go.etcd.io/bbolt"
)

// maxKept bounds the bytes of all kept values, names and packed values together.
const maxKept = 64 << 20

// Kept are values that can be computed again, by a name that says what they depend on: measured invariance. KeepValue stores one
// as JSON, KeptValue reads it; sweeping them away loses nothing. All of them together take at most 64 MiB: a value for
// which there is no room sweeps the others away, and one that is larger by itself is an error.
func (w *Workspace) KeepValue(name string, v any) error {
	data, err := pack(v)
	if err != nil {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	size := uint64(len(name) + len(data))
	if name == "" || size > maxKept {
		return fmt.Errorf("keep %q: a value of %s cannot be kept; at most %s can, and the name must not be empty", name, SizeText(int64(size)), SizeText(maxKept))
	}
	return w.update(func(tx *bbolt.Tx) error {
		kept := tx.Bucket(bucketKept)
		used := kept.Sequence() + size // the bucket's sequence is the number of bytes in it
		if old := kept.Get([]byte(name)); old != nil {
			used -= uint64(len(name) + len(old))
		}
		if used > maxKept {
			if err := tx.DeleteBucket(bucketKept); err != nil {
				return err
			}
			if kept, err = tx.CreateBucket(bucketKept); err != nil {
				return err
			}
			used = size
		}
		if err := kept.SetSequence(used); err != nil {
			return err
		}
		return kept.Put([]byte(name), data)
	})
}

// KeptValue reads what KeepValue stored; found is false where there is nothing.
func (w *Workspace) KeptValue(name string, into any) (found bool, err error) {
	err = w.view(func(tx *bbolt.Tx) error {
		found = tx.Bucket(bucketKept).Get([]byte(name)) != nil
		return getPacked(tx, bucketKept, name, into)
	})
	return found && err == nil, err
}
