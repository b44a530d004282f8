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
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

// TestFolderGoesWhileOpen: what is stored in a workspace whose folder was removed or moved
// meanwhile would be lost without an error, so it is refused; where the folder comes back, it goes
// on.
func TestFolderGoesWhileOpen(t *testing.T) {
	w, m, _, r := labelling(t)
	storetest.Append(t, w, storetest.LabelEvent(r, m.Hash, "A", label.Variant))
	away := w.Path() + "-away"
	must(t, os.Rename(w.Path(), away))
	_, err := w.Append(storetest.LabelEvent(r, m.Hash, "A", label.Invariant))
	if !errors.Is(err, ErrGone) || !strings.Contains(err.Error(), w.Path()) {
		t.Error(err)
	}
	testdata.Refused(t, "an assessor is saved into a folder that is gone", w.SaveAssessor("a", []byte("x")))
	testdata.Refused(t, "the folder was made again, without a database", testdata.Err(os.Stat(w.Path())))
	must(t, os.Rename(away, w.Path()))
	storetest.Append(t, w, storetest.LabelEvent(r, m.Hash, "A", label.Invariant))
	testdata.Is(t, "events", len(testdata.Must(w.Events(r.ID))(t)), 2)
}

// TestFolderInThePlaceOfAFile: the error names it, and nothing else breaks.
func TestFolderInThePlaceOfAFile(t *testing.T) {
	w := fresh(t)
	must(t, os.MkdirAll(filepath.Join(w.Path(), database.AssessorsFolder, "a.vassessor"), 0o755))
	testdata.Refused(t, "SaveAssessor", w.SaveAssessor("a", []byte("x")), "a folder of this name lies in its place")
	if left := storetest.Parts(t, w.Path()); len(left) > 0 {
		t.Error(left)
	}
}
