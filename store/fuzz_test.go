package store

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/journal"
)

// TestOneValidMetaIsEnough: a torn write of one meta page falls back to the other.
func TestOneValidMetaIsEnough(t *testing.T) {
	w := fresh(t)
	storetest.AddModel(t, w, "m")
	checkAndClose(t, w)
	path := filepath.Join(w.Path(), database.File)
	whole := storetest.Read(t, path)
	for meta := range 2 {
		torn := bytes.Clone(whole)
		torn[meta*os.Getpagesize()+20] ^= 0xFF
		must(t, os.WriteFile(path, torn, 0o644))
		again, err := Open(w.Path())
		if err != nil {
			t.Errorf("meta %d: %v", meta, err)
			continue
		}
		must(t, testdata.Err(again.Models()))
		must(t, again.Close())
	}
}

// soundDatabase is the bytes of a small workspace's database with something in every bucket that
// lists read.
var soundDatabase = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "variscope")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	w, err := Create(filepath.Join(folder, "w"))
	if err != nil {
		return nil, err
	}
	err = w.Update(func(tx *bbolt.Tx) error {
		for i := range 40 {
			id := fmt.Sprintf("%026d", i)
			if err := w.putEvent(tx, label.Event{ID: id, Round: id[:26], Model: "m", Note: "note"}); err != nil {
				return err
			}
			for _, bucket := range []*database.RawBucket{
				database.Models.RawBucket, database.Suites.RawBucket, database.Runs.RawBucket,
				database.Rounds.RawBucket,
				database.Settings.RawBucket,
			} {
				if err := bucket.PutBytes(tx, id, fmt.Appendf(nil, `{"id":%q,"name":%q}`, id, id)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(folder, "w"+database.Suffix, database.File))
})

// FuzzWorkspace writes bytes over a sound database, or for it, and opens the workspace: an error or
// a workspace that can be read and written, never a panic, fault or hang.
func FuzzWorkspace(f *testing.F) {
	page := os.Getpagesize()
	f.Add(uint32(0), []byte("no database"), true)
	f.Add(uint32(0), []byte{}, true)
	for _, at := range []int{2 * page, 3*page + 8, 4*page + 10, 5*page + 12, 6*page + 16, 7*page + 20, 8*page + 30} {
		f.Add(uint32(at), []byte{0xFF, 0xFF, 0xFF, 0x7F}, false)
		f.Add(uint32(at), []byte{1, 0, 3}, false)
	}
	path := filepath.Join(f.TempDir(), "w"+database.Suffix)
	must(f, os.Mkdir(path, 0o755))
	f.Fuzz(func(t *testing.T, at uint32, patch []byte, alone bool) {
		content := patch
		if !alone {
			whole := testdata.Must(soundDatabase())(t)
			content = bytes.Clone(whole)
			copy(content[int(at)%len(content):], patch)
		}
		must(t, os.WriteFile(filepath.Join(path, database.File), content, 0o644))
		must(t, os.RemoveAll(filepath.Join(path, journal.File)))
		opens(t, path)
	})
}

// opens tells whether a workspace opens; then it calls what reads and writes whole buckets, where
// errors are as good as values.
func opens(t *testing.T, path string) bool {
	t.Helper()
	w, err := Open(path)
	if err != nil {
		return false
	}
	_, _ = w.Models()
	_, _ = w.Suites()
	_, _ = w.Runs()
	_, _ = w.Rounds()
	_, _ = w.Current()
	_, _ = w.Sets("m", "", "")
	rounds, _ := w.Rounds()
	for _, r := range rounds {
		_, _ = w.Events(r.ID)
	}
	_ = w.SetSetting("written", 1)
	must(t, w.Close())
	return true
}

// TestRandomDamage is FuzzWorkspace with many random patches.
func TestRandomDamage(t *testing.T) {
	whole := testdata.Must(soundDatabase())(t)
	path := filepath.Join(t.TempDir(), "w"+database.Suffix)
	must(t, os.Mkdir(path, 0o755))
	random := rand.New(rand.NewPCG(7, 1))
	opened := 0
	for range 400 {
		content := bytes.Clone(whole)
		for range 1 + random.IntN(3) {
			at := random.IntN(len(content))
			if random.IntN(2) == 0 { // headers of pages matter most
				at = at/os.Getpagesize()*os.Getpagesize() + random.IntN(64)
			}
			content[at] ^= byte(1 + random.IntN(255))
		}
		must(t, os.WriteFile(filepath.Join(path, database.File), content, 0o644))
		if opens(t, path) {
			opened++
		}
	}
	if opened == 0 || opened == 400 {
		t.Errorf("%d of 400 opened; the damage is not of both kinds", opened)
	}
}
