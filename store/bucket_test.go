package store

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/model"
)

// TestEveryBucket: each bucket is declared with what the doctor says of it, is in a new workspace,
// keeps and removes records, and calls a value that is none of its own damaged, by its name.
func TestEveryBucket(t *testing.T) {
	w := fresh(t)
	seen := map[string]bool{}
	must(t, w.update(func(tx *bbolt.Tx) error {
		for _, b := range allBuckets() {
			if seen[b.name] || b.in(tx) == nil || b.since > SchemaVersion || bucketNamed(b.name) != b {
				t.Errorf("%s is there twice or not at all", b.name)
			}
			if seen[b.name] = true; b == bucketMeta {
				continue
			}
			if b.what == "" || b.lost == "" {
				t.Errorf("%s lacks words", b.name)
			}
			must(t, b.putBytes(tx, "k", []byte("!")))
			if b.read("k", []byte("!")) == nil {
				t.Errorf("%s reads what is none of its own", b.name)
			}
			if b.codec.decode != nil {
				var v any
				if found, err := b.into(tx, "k", &v); !found || !errors.Is(err, ErrDamaged) ||
					!strings.Contains(err.Error(), b.name+" k") {
					t.Errorf("%s: %v, %v", b.name, found, err)
				}
			}
			if n := b.size(tx); n != 2 || !b.has(tx, "k") || b.delete(tx, "k") != nil ||
				b.delete(tx, "absent") != nil || b.has(tx, "k") {
				t.Errorf("%s: %d bytes", b.name, n)
			}
		}
		return nil
	}))
	for name, read := range map[string]func() error{
		"set-index": func() error { _, err := w.Sets("m", "", ""); return err },
		"summaries": func() error { _, _, err := w.SetSummary("m\x00s"); return err },
		"models":    func() error { _, err := w.Models(); return err },
	} {
		of := bucketNamed(name)
		must(t, w.update(func(tx *bbolt.Tx) error { return of.putBytes(tx, "m\x00s", []byte("!")) }))
		if err := read(); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		must(t, w.update(func(tx *bbolt.Tx) error { return of.delete(tx, "m\x00s") }))
	}
}

// TestRecordsOfABucket: records come back in the order of keys, are found by the beginning of a key
// that only one has, and go with their parts.
func TestRecordsOfABucket(t *testing.T) {
	w := fresh(t)
	hashes := []string{"abcdef1", "abcdef2", "bbbbbb1"}
	must(t, w.update(func(tx *bbolt.Tx) error {
		for _, hash := range hashes {
			must(t, bucketModels.put(tx, hash, model.Model{Hash: hash}))
			must(t, bucketModelDetails.put(tx, hash, modelDetails{Tensors: []string{hash}}))
		}
		list, err := bucketModels.all(tx)
		if err != nil || !slices.EqualFunc(list, hashes,
			func(m model.Model, hash string) bool { return m.Hash == hash }) {
			t.Errorf("%v, %v", list, err)
		}
		for prefix, want := range map[string]string{
			"abcdef": "", "abcdef2": "abcdef2", "bbbbb": "",
			"bbbbbb": "bbbbbb1", "cccccc": "",
		} {
			if got := bucketModels.only(tx, prefix); got != want {
				t.Errorf("%s leads to %q", prefix, got)
			}
		}
		must(t, bucketModels.forget(tx, hashes[0]))
		if bucketModels.has(tx, hashes[0]) || bucketModelDetails.has(tx, hashes[0]) ||
			!bucketModelDetails.has(tx, hashes[1]) {
			t.Error("a record and its parts do not go together, or others with them")
		}
		if _, err := bucketModels.need(tx, hashes[0]); !errors.Is(err, ErrNotFound) ||
			!strings.Contains(err.Error(), "model abcdef1") {
			t.Error(err)
		}
		if err := bucketKept.put(tx, "k", func() {}); err == nil || !strings.Contains(err.Error(), "store kept k") {
			t.Error(err)
		}
		return nil
	}))
}

// bucketNamed is the bucket of a name.
func bucketNamed(name string) *form {
	if at := slices.IndexFunc(allBuckets(), func(b *form) bool { return b.name == name }); at >= 0 {
		return allBuckets()[at]
	}
	return nil
}
