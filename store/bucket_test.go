package store

import (
	"errors"
	"slices"
	"testing"

	"github.com/variscope/variscope/store/database"
)

// TestDamagedRecords: a record that cannot be read is an error that says so.
func TestDamagedRecords(t *testing.T) {
	w := fresh(t)
	for name, read := range map[string]func() error{
		"set-index": func() error { _, err := w.Sets("m", "", ""); return err },
		"summaries": func() error { _, _, err := w.SetSummary("m\x00s"); return err },
		"models":    func() error { _, err := w.Models(); return err },
	} {
		of := bucketNamed(name)
		must(t, w.Update(func(tx *database.Tx) error { return of.PutBytes(tx, "m\x00s", []byte("!")) }))
		if err := read(); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		must(t, w.Update(func(tx *database.Tx) error { return of.Delete(tx, "m\x00s") }))
	}
}

// bucketNamed is the bucket of a name.
func bucketNamed(name string) *database.RawBucket {
	list := database.AllBuckets()
	return list[slices.IndexFunc(list, func(b *database.RawBucket) bool { return b.Name == name })]
}
