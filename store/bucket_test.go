package store

import (
	"slices"
	"testing"

	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

// TestDamagedRecords: a record that cannot be read is an error that says so.
func TestDamagedRecords(t *testing.T) {
	w := fresh(t)
	for name, read := range map[string]func() error{
		"set-index": func() error { return testdata.Err(w.Sets("m", "", "")) },
		"summaries": func() error { _, _, err := w.SetSummary("m\x00s"); return err },
		"models":    func() error { return testdata.Err(w.Models()) },
	} {
		of := bucketNamed(name)
		must(t, w.Update(func(tx *database.Tx) error { return of.PutBytes(tx, "m\x00s", []byte("!")) }))
		testdata.ErrorIs(t, name, read(), ErrDamaged)
		must(t, w.Update(func(tx *database.Tx) error { return of.Delete(tx, "m\x00s") }))
	}
	w, models, suiteHash := three(t)
	best, _, err := w.BestSet(models[0], suiteHash, storetest.Family(t))
	must(t, err)
	for _, damage := range []string{"\x01\x02", "\x09\x00\x00\x00{}", "\x02\x00\x00\x00{["} { // short, cut, no head
		must(t, w.Update(func(tx *database.Tx) error {
			return database.Summaries.PutBytes(tx, best.Key, []byte(damage))
		}))
		testdata.ErrorIs(t, damage, testdata.Err(w.Overview(suiteHash, storetest.Family(t))), ErrDamaged)
	}
}

// bucketNamed is the bucket of a name.
func bucketNamed(name string) *database.RawBucket {
	list := database.AllBuckets()
	return list[slices.IndexFunc(list, func(b *database.RawBucket) bool { return b.Name == name })]
}
