package store

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/internal/testdata"
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
	must(t, w.KeepValue("a", keptThing{"ei", []float64{0.5, 0.25}}))
	must(t, w.KeepValue("b", keptThing{strings.Repeat("long ", 5000), nil}))
	must(t, w.KeepValue("a", keptThing{"js", []float64{1}}))
	w = reopened(t, w)
	if found, err := w.KeptValue("a", &got); !found || err != nil || got.Name != "js" || len(got.Mean) != 1 {
		t.Errorf("%v, %v, %v", got, found, err)
	}
	if found, err := w.KeptValue("b", &got); !found || err != nil || len(got.Name) != 25000 {
		t.Errorf("%d letters, %v, %v", len(got.Name), found, err)
	}
	testdata.Refused(t, "kept a value without a name", w.KeepValue("", 1))
	if err := w.KeepValue("c", func() {}); err == nil || !strings.Contains(err.Error(), "keep c") {
		t.Errorf("%v", err)
	}
	if found, err := w.KeptValue("a", new(int)); found || !errors.Is(err, database.ErrDamaged) {
		t.Errorf("read into another type: %v, %v", found, err)
	}
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
	must(t, w.KeepValue("value 0", noise[:1000]))
	for i := range 7 {
		must(t, w.KeepValue(fmt.Sprint("value ", i), noise)) // the first in place of another
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
	testdata.Refused(t, "too large", w.KeepValue("too large", bytes.Repeat(noise, 6)), "at most 67.1 MB")
}
