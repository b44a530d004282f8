//go:build unix

package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/database"
)

// TestFolderGoesWhileOpen: what is stored in a workspace whose folder was removed or moved
// meanwhile would be lost without an error, so it is refused; where the folder comes back, it goes
// on.
func TestFolderGoesWhileOpen(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 3)
	r := storetest.AddRound(t, w, s, m)
	storetest.Append(t, w, storetest.LabelEvent(r, m.Hash, "A", label.Variant))
	away := w.Path() + "-away"
	must(t, os.Rename(w.Path(), away))
	_, err := w.Append(storetest.LabelEvent(r, m.Hash, "A", label.Invariant))
	if !errors.Is(err, ErrGone) || !strings.Contains(err.Error(), w.Path()) {
		t.Error(err)
	}
	if err := w.SaveAssessor("a", []byte("x")); err == nil {
		t.Error("an assessor is saved into a folder that is gone")
	}
	if _, err := os.Stat(w.Path()); err == nil {
		t.Error("the folder was made again, without a database")
	}
	must(t, os.Rename(away, w.Path()))
	storetest.Append(t, w, storetest.LabelEvent(r, m.Hash, "A", label.Invariant))
	if events, err := w.Events(r.ID); err != nil || len(events) != 2 {
		t.Error(len(events), err)
	}
}

// TestFolderInThePlaceOfAFile: the error names it, and nothing else breaks.
func TestFolderInThePlaceOfAFile(t *testing.T) {
	w := fresh(t)
	must(t, os.MkdirAll(filepath.Join(w.Path(), database.AssessorsFolder, "a.vassessor"), 0o755))
	if err := w.SaveAssessor("a", []byte("x")); err == nil ||
		!strings.Contains(err.Error(), "a folder of this name lies in its place") {
		t.Error(err)
	}
	if left := storetest.Parts(t, w.Path()); len(left) > 0 {
		t.Error(left)
	}
}
