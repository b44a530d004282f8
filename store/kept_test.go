package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/store/database"
)

type keptThing struct {
	Name string
	Mean []float64
}

func TestKeptValues(t *testing.T) {
	w := fresh(t)
	var got keptThing
	if found, err := w.KeptValue("a", &got); found || err != nil || got.Name != "" {
		t.Fatalf("found %v, %v", got, err)
	}
	mustKeep(t, w, "a", keptThing{"ei", []float64{0.5, 0.25}})
	mustKeep(t, w, "b", keptThing{strings.Repeat("long ", 5000), nil})
	mustKeep(t, w, "a", keptThing{"js", []float64{1}})
	w = reopened(t, w)
	if found, err := w.KeptValue("a", &got); !found || err != nil || got.Name != "js" || len(got.Mean) != 1 {
		t.Errorf("%v, %v, %v", got, found, err)
	}
	if found, err := w.KeptValue("b", &got); !found || err != nil || len(got.Name) != 25000 {
		t.Errorf("%d letters, %v, %v", len(got.Name), found, err)
	}
	if err := w.KeepValue("", 1); err == nil {
		t.Error("kept a value without a name")
	}
	if err := w.KeepValue("c", func() {}); err == nil || !strings.Contains(err.Error(), "keep c") {
		t.Errorf("%v", err)
	}
	if found, err := w.KeptValue("a", new(int)); found || !errors.Is(err, database.ErrDamaged) {
		t.Errorf("read into another type: %v, %v", found, err)
	}
}

func mustKeep(t *testing.T, w *Workspace, name string, v any) {
	t.Helper()
	must(t, w.KeepValue(name, v))
}

// keptBytes is what the bucket holds, counted value by value, and what it says that it holds.
func keptBytes(t *testing.T, w *Workspace) (counted, noted uint64) {
	t.Helper()
	err := w.View(func(tx *bbolt.Tx) error {
		noted = database.Kept.In(tx).Sequence()
		return database.Kept.In(tx).ForEach(func(k, v []byte) error {
			counted += uint64(len(k) + len(v))
			return nil
		})
	})
	must(t, err)
	return counted, noted
}

// TestKeptValuesAreBounded: values that cannot be deflated fill the room; the one that does not fit
// sweeps the others away.
func TestKeptValuesAreBounded(t *testing.T) {
	if testing.Short() {
		return // one goroutine packs much
	}
	w := fresh(t)
	random := rand.New(rand.NewPCG(1, 1))
	noise := make([]byte, 12<<20)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	swept := 0
	for i := range 7 {
		mustKeep(t, w, fmt.Sprint("value ", i), noise)
		mustKeep(t, w, fmt.Sprint("value ", i), noise[:len(noise)-i]) // in its place
		counted, noted := keptBytes(t, w)
		if counted != noted || counted > maxKept {
			t.Fatalf("after %d values there are %d bytes, noted %d, of at most %d", i+1, counted, noted, maxKept)
		}
		if found, err := w.KeptValue("value 0", new([]byte)); err != nil || !found {
			swept = i
			break
		}
	}
	if swept < 3 {
		t.Errorf("the first value went with value %d", swept)
	}
	if found, err := w.KeptValue(fmt.Sprint("value ", swept), new([]byte)); !found || err != nil {
		t.Errorf("the newest value: %v, %v", found, err)
	}
	if err := w.KeepValue("large", make([]float64, 0, 1)); err != nil {
		t.Error(err)
	}
	large := make([]byte, 2*maxKept)
	for i := range large {
		large[i] = byte(random.Uint32())
	}
	if err := w.KeepValue("too large", large); err == nil || !strings.Contains(err.Error(), "at most 67.1 MB") {
		t.Errorf("%v", err)
	}
}
