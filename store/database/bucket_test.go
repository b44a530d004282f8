package database

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
)

var must = testdata.OK

// fresh opens an empty database that is closed at the end of the test.
func fresh(t *testing.T) *DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), File)
	must(t, Create(path))
	db := testdata.Must(OpenNew(path))(t)
	t.Cleanup(func() { must(t, db.Close()) })
	return db
}

// TestEveryBucket: each bucket is declared with what the doctor says of it, is in a new workspace,
// keeps and removes records, and calls a value that is none of its own damaged, by its name.
func TestEveryBucket(t *testing.T) {
	seen := map[string]bool{}
	must(t, fresh(t).Update(func(tx *Tx) error {
		for _, b := range AllBuckets() {
			if seen[b.Name] || b.In(tx) == nil || b.Since > SchemaVersion {
				t.Errorf("%s is there twice or not at all", b.Name)
			}
			if seen[b.Name] = true; b == Meta {
				continue
			}
			if b.Plural == "" || b.Loss == "" {
				t.Errorf("%s lacks words", b.Name)
			}
			must(t, b.PutBytes(tx, "k", []byte("!")))
			if b.Check("k", []byte("!")) == nil {
				t.Errorf("%s reads what is none of its own", b.Name)
			}
			if b.Codec.Decode != nil {
				var v any
				if found, err := b.Into(tx, "k", &v); !found || !errors.Is(err, ErrDamaged) ||
					!strings.Contains(err.Error(), b.Name+" k") {
					t.Errorf("%s: %v, %v", b.Name, found, err)
				}
			}
			if n := b.Size(tx); n != 2 || !b.Has(tx, "k") || b.Delete(tx, "k") != nil ||
				b.Delete(tx, "absent") != nil || b.Has(tx, "k") {
				t.Errorf("%s: %d bytes", b.Name, n)
			}
		}
		return nil
	}))
}

// TestRecordsOfABucket: records come back in the order of keys, are found by the beginning of a key
// that only one has, and go with their parts.
func TestRecordsOfABucket(t *testing.T) {
	hashes := []string{"abcdef1", "abcdef2", "bbbbbb1"}
	must(t, fresh(t).Update(func(tx *Tx) error {
		for _, hash := range hashes {
			must(t, Models.Put(tx, hash, model.Model{Hash: hash}))
			must(t, ModelDetails.Put(tx, hash, modelPart{Tensors: []string{hash}}))
		}
		list, err := Models.All(tx)
		if err != nil || !slices.EqualFunc(list, hashes,
			func(m model.Model, hash string) bool { return m.Hash == hash }) {
			t.Errorf("%v, %v", list, err)
		}
		for prefix, want := range map[string]string{
			"abcdef": "", "abcdef2": "abcdef2", "bbbbb": "",
			"bbbbbb": "bbbbbb1", "cccccc": "",
		} {
			if got := Models.Only(tx, prefix); got != want {
				t.Errorf("%s leads to %q", prefix, got)
			}
		}
		must(t, Models.Forget(tx, hashes[0]))
		if Models.Has(tx, hashes[0]) || ModelDetails.Has(tx, hashes[0]) ||
			!ModelDetails.Has(tx, hashes[1]) {
			t.Error("a record and its parts do not go together, or others with them")
		}
		if _, err := Models.Need(tx, hashes[0]); !errors.Is(err, ErrNotFound) ||
			!strings.Contains(err.Error(), "model abcdef1") {
			t.Error(err)
		}
		if err := Kept.Put(tx, "k", func() {}); err == nil || !strings.Contains(err.Error(), "store kept k") {
			t.Error(err)
		}
		return nil
	}))
}
