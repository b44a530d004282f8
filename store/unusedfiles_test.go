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

	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/database"
)

func TestSweepTakesCopiedSuitesThatNothingNames(t *testing.T) {
	w := filled(t)
	gone := strings.Repeat("a1", 32)
	leave(t, w, "suites/"+gone+"/cat/1.png", 6)
	leave(t, w, "suites/"+gone+"/cat/2.png.part", 3)
	leave(t, w, "models/"+strings.Repeat("b", 64)+".onnx", 5)
	leave(t, w, looseUnit, 7)
	leave(t, w, looseUnit+database.PartSuffix, 2)
	for _, stranger := range []string{
		"suites/mine/1.png", "suites/notes.txt", "models/readme.txt",
		"signals/zz/other.npz",
	} {
		leave(t, w, stranger, 1)
	}
	before := mustUsage(t, w)
	if before.Loose != (FileUse{5, 23}) {
		t.Errorf("%+v", before.Loose)
	}
	freed, err := w.RemoveUnusedFiles(t.Context())
	if err != nil || freed != before.Loose {
		t.Error(freed, err)
	}
	if after := mustUsage(t, w); after.Loose.Files != 0 ||
		after.Total() != before.Total()-23 || after.Other != before.Other {
		t.Errorf("%+v", after)
	}
	if _, err := os.Stat(filepath.Join(w.Path(), "suites", gone)); err == nil {
		t.Error("the empty folder is left")
	}
	if _, err := w.RemoveUnusedFiles(cancelled(t)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	same(t, w)
}

// TestSweepSparesASuiteThatIsBeingCopied sweeps when the images are copied in and the database is
// about to name them: they keep their old times, so that no age tells them from what was left long
// ago.
func TestSweepSparesASuiteThatIsBeingCopied(t *testing.T) {
	w := unsynced(fresh(t))
	m := storetest.WriteSuite(t, "s", 30)
	busy, err := w.db.Begin(true) // nobody else can write into the database meanwhile
	must(t, err)
	var both sync.WaitGroup
	both.Go(func() {
		if _, err := w.CopySuite(t.Context(), m); err != nil {
			t.Error(err)
		}
	})
	last := filepath.Join(w.Path(), database.SuitesFolder, m.Hash, "classes.txt")
	for {
		if _, err := os.Stat(last); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	both.Go(func() {
		if freed, err := w.RemoveUnusedFiles(context.Background()); err != nil || freed.Files != 0 {
			t.Error(freed, err)
		}
	})
	time.Sleep(100 * time.Millisecond)
	must(t, busy.Rollback())
	both.Wait()
	opened, err := w.OpenSuite(m.Hash)
	must(t, err)
	if err := opened.Close(); err != nil {
		t.Error(err)
	}
	if u := mustUsage(t, w); u.Loose.Files != 0 || u.Suites == 0 {
		t.Errorf("%+v", u)
	}
}
