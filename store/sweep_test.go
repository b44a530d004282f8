package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/store/durable"
)

// TestSweepTakesWhatACrashLeft makes the removal of files fail after the transaction, as a kill between them does.
func TestSweepTakesWhatACrashLeft(t *testing.T) {
	w, models, _ := three(t)
	d := faults.Watch(t, w.Path())
	d.Refuse(durable.Remove, errors.New("killed"))
	if _, err := w.RemoveModels([]string{models[0].Hash}, nil); err == nil || !strings.Contains(err.Error(), "the models are removed") {
		t.Errorf("%v", err)
	}
	d.Refuse(durable.Remove, nil)
	if _, err := w.Model(models[0].Hash); !errors.Is(err, ErrNotFound) {
		t.Errorf("the database still has it: %v", err)
	}
	half := w.unitFile(strings.Repeat("ab", 32)) + partSuffix
	if err := os.MkdirAll(filepath.Dir(half), 0o755); err != nil {
		t.Fatal(err)
	}
	stranger := filepath.Join(w.path, modelsFolder, "readme.txt")
	for _, path := range []string{half, stranger} {
		if err := os.WriteFile(path, []byte("text"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	found := mustUsage(t, w).Loose
	if found.Files != 4 {
		t.Fatalf("%+v", found)
	}
	freed, err := w.Sweep(t.Context())
	if err != nil || freed != found {
		t.Errorf("%+v %v", freed, err)
	}
	if n := signalFiles(t, w); n != 4 {
		t.Errorf("%d signal files for two models", n)
	}
	for _, path := range []string{w.ModelPath(models[1].Hash), stranger} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	if again, err := w.Sweep(t.Context()); err != nil || again.Files != 0 {
		t.Errorf("%+v %v", again, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Sweep(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestSweepTakesCopiedSuitesThatNothingNames(t *testing.T) {
	w := filled(t)
	gone := strings.Repeat("a1", 32)
	leave(t, w, "suites/"+gone+"/cat/1.png", 6)
	leave(t, w, "suites/"+gone+"/cat/2.png.part", 3)
	leave(t, w, "models/"+strings.Repeat("b", 64)+".onnx", 5)
	leave(t, w, looseUnit, 7)
	for _, stranger := range []string{"suites/mine/1.png", "suites/notes.txt", "models/readme.txt", "signals/zz/other.npz"} {
		leave(t, w, stranger, 1)
	}
	before := mustUsage(t, w)
	if before.Loose != (FileUse{4, 21}) {
		t.Errorf("%+v", before.Loose)
	}
	freed, err := w.Sweep(t.Context())
	if err != nil || freed != before.Loose {
		t.Error(freed, err)
	}
	if after := mustUsage(t, w); after.Loose.Files != 0 || after.Total() != before.Total()-21 || after.Other != before.Other {
		t.Errorf("%+v", after)
	}
	if _, err := os.Stat(filepath.Join(w.Path(), "suites", gone)); err == nil {
		t.Error("the empty folder is left")
	}
	same(t, w)
}

// TestSweepSparesASuiteThatIsBeingCopied sweeps when the images are copied in and the database is about to name them: they
// keep their old times, so that no age tells them from what was left long ago.
func TestSweepSparesASuiteThatIsBeingCopied(t *testing.T) {
	w := unsynced(fresh(t))
	m := writeSuite(t, "s", 30)
	busy, err := w.db.Begin(true) // nobody else can write into the database meanwhile
	if err != nil {
		t.Fatal(err)
	}
	var both sync.WaitGroup
	both.Go(func() {
		if _, err := w.CopySuite(t.Context(), m); err != nil {
			t.Error(err)
		}
	})
	last := filepath.Join(w.Path(), suitesFolder, m.Hash, "classes.txt")
	for {
		if _, err := os.Stat(last); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	both.Go(func() {
		if freed, err := w.Sweep(context.Background()); err != nil || freed.Files != 0 {
			t.Error(freed, err)
		}
	})
	time.Sleep(100 * time.Millisecond)
	if err := busy.Rollback(); err != nil {
		t.Fatal(err)
	}
	both.Wait()
	opened, err := w.OpenSuite(m.Hash)
	if err != nil {
		t.Fatal(err)
	}
	if err := opened.Close(); err != nil {
		t.Error(err)
	}
	if u := mustUsage(t, w); u.Loose.Files != 0 || u.Suites == 0 {
		t.Errorf("%+v", u)
	}
}
