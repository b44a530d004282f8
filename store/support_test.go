package store

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/pages"
)

var must = testdata.OK

// fresh makes a workspace that is checked and closed at the end of the test.
func fresh(tb testing.TB) *Workspace {
	tb.Helper()
	w := testdata.Must(Create(filepath.Join(tb.TempDir(), "quiet")))(tb)
	tb.Cleanup(func() { checkAndClose(tb, w) })
	return w
}

// ran makes a workspace with a model, its suite of so many images, and its signals.
func ran(tb testing.TB, images int) (*Workspace, model.Model, suite.Manifest, signal.Spec) {
	tb.Helper()
	w := fresh(tb)
	m, s := storetest.AddModel(tb, w, "m"), storetest.AddSuite(tb, w, "s", images)
	spec := storetest.Spec(tb, m, s)
	storetest.RunModel(tb, w, m, spec)
	return w, m, s, spec
}

// labelling makes a workspace with a round of a model and a suite of three images.
func labelling(tb testing.TB) (*Workspace, model.Model, suite.Manifest, label.Round) {
	tb.Helper()
	w := fresh(tb)
	m, s := storetest.AddModel(tb, w, "m"), storetest.AddSuite(tb, w, "s", 3)
	return w, m, s, storetest.AddRound(tb, w, s, m)
}

// unsynced makes a workspace fast and unsafe, for tests of what is stored, not of how safely.
func unsynced(w *Workspace) *Workspace {
	w.db.NoSync = true
	return w
}

// reopen opens a workspace that is checked and closed at the end of the test.
func reopen(tb testing.TB, path string) *Workspace {
	tb.Helper()
	w := testdata.Must(Open(path))(tb)
	tb.Cleanup(func() { checkAndClose(tb, w) })
	return w
}

// reopened checks and closes a workspace and opens it again, as another process does.
func reopened(tb testing.TB, w *Workspace) *Workspace {
	tb.Helper()
	checkAndClose(tb, w)
	return reopen(tb, w.Path())
}

func checkAndClose(tb testing.TB, w *Workspace) {
	tb.Helper()
	check(tb, w)
	must(tb, w.Close())
}

// check runs bbolt's own check, and ours on the file, which nobody may be writing; a closed
// workspace is passed over.
func check(tb testing.TB, w *Workspace) {
	tb.Helper()
	if !checkTree(tb, w) {
		return
	}
	if w.readOnly == nil {
		checkJournal(tb, w)
	}
	f := testdata.Must(os.Open(filepath.Join(w.path, database.File)))(tb)
	defer func() { _ = f.Close() }()
	if err := pages.Check(context.Background(), f,
		func(problem error) { tb.Errorf("pages: %v", problem) }); err != nil {
		tb.Errorf("pages: %v", err)
	}
}

// checkJournal looks whether database and journal hold the same.
func checkJournal(tb testing.TB, w *Workspace) {
	tb.Helper()
	c := testdata.Must(database.ReadJournal(context.Background(), w.path, database.WholeJournal))(tb)
	must(tb, w.View(func(tx *bbolt.Tx) error {
		if d := database.Compare(tx, c); len(d.Records) > 0 || d.Absent() || c.Bad > 0 ||
			c.End != database.StoredEnd(tx) {
			tb.Errorf("journal: %+v, %d bad lines, %d bytes in place of %d", d, c.Bad, c.End, database.StoredEnd(tx))
		}
		return nil
	}))
}

// checkTree runs bbolt's own check and is false where the workspace is closed. A copy of another's
// database has had ours when it was opened, and the file in its folder is the owner's, who may be
// writing it.
func checkTree(tb testing.TB, w *Workspace) bool {
	tb.Helper()
	return w.db.View(func(tx *bbolt.Tx) error {
		for problem := range tx.Check() {
			tb.Errorf("database: %v", problem)
		}
		return nil
	}) == nil
}

// roundSpec is testSpec for a round's first model, for child processes.
func roundSpec(w *Workspace, r label.Round) (signal.Spec, error) {
	m, err := w.Model(r.Models[0])
	if err != nil {
		return signal.Spec{}, err
	}
	s, err := w.Suite(r.Suite)
	if err != nil {
		return signal.Spec{}, err
	}
	return storetest.SpecOf(m, s, r.Family)
}
