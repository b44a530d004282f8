package store

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

// TestDraftsOfKilledProcessesGo leaves hidden folders of several kinds beside a workspace: only
// those go that a process of this computer made for this name, and that is gone.
func TestDraftsOfKilledProcessesGo(t *testing.T) {
	w := fresh(t)
	path := w.Path()
	checkAndClose(t, w)
	dead, mine := storetest.Ended(t), storetest.DraftPrefix(path)
	beside := func(place, name string) string { return filepath.Join(filepath.Dir(place), name) }
	left := func(place string) string {
		name := beside(place, fmt.Sprintf("%s%d%s", storetest.DraftPrefix(place), dead, database.PartSuffix))
		must(t, os.MkdirAll(filepath.Join(name, database.ModelsFolder), 0o755))
		must(t, os.WriteFile(filepath.Join(name, database.File), []byte("half"), 0o644))
		return name
	}
	var stay []string
	for _, name := range []string{
		fmt.Sprintf("%s%d%s", mine, os.Getpid(), database.PartSuffix), // ours
		fmt.Sprintf("%s%d%s", mine, 1, database.PartSuffix),           // of a process that lives
		fmt.Sprintf(".%s-00000000-%d%s", w.Name(), dead, database.PartSuffix),
		fmt.Sprintf("%s%s", mine, database.PartSuffix), fmt.Sprintf("%s-5%s", mine, database.PartSuffix),
		fmt.Sprintf("%s%d", mine, dead),
		fmt.Sprintf(".%s-other%s", w.Name(), database.PartSuffix),
	} {
		stay = append(stay, beside(path, name))
		must(t, os.Mkdir(beside(path, name), 0o755))
	}
	gone := func(what, name string) {
		t.Helper()
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s leaves %s", what, filepath.Base(name))
		}
	}
	here := left(path)
	w = reopen(t, path)
	gone("opening", here)
	to := filepath.Join(t.TempDir(), "copy"+database.Suffix)
	there := left(to)
	must(t, testdata.Err(w.SaveCopy(t.Context(), to, engine.NoProgress{})))
	gone("copying", there)
	must(t, os.RemoveAll(to))
	there = left(to)
	made := testdata.Must(Create(to))(t)
	checkAndClose(t, made)
	gone("creating", there)
	for _, name := range stay {
		must(t, testdata.Err(os.Stat(name)))
	}
}
