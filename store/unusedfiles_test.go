package store

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

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
	opened := testdata.Must(w.OpenSuite(m.Hash))(t)
	must(t, opened.Close())
	if u := mustUsage(t, w); u.Loose.Files != 0 || u.Suites == 0 {
		t.Errorf("%+v", u)
	}
}
