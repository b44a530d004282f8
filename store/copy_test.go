package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// filled is a workspace with one of everything that lies in files.
func filled(t *testing.T) *Workspace {
	t.Helper()
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 300)
	storetest.RunModel(t, w, m, storetest.Spec(t, m, s))
	must(t, testdata.Err(w.CopySuite(t.Context(), storetest.WriteSuite(t, "inside", 4))))
	storetest.Append(t, w, storetest.LabelEvent(storetest.AddRound(t, w, s, m), m.Hash, "A", label.Variant))
	mustSave(t, w, "a", "12345")
	mustBackup(t, w)
	return w
}

// same checks that a workspace holds what filled has made.
func same(t *testing.T, w *Workspace) {
	t.Helper()
	m := testdata.Must(w.FindModel("m"))(t)
	must(t, testdata.Err(os.Stat(w.ModelPath(m.Hash))))
	s := testdata.Must(w.FindSuite("s"))(t)
	if want := w.relative(s.Root); s.Inside != want {
		t.Errorf("the suite lies in %s relative to the workspace, not in %s", want, s.Inside)
	}
	info, ok, err := w.BestSet(m, s.Hash, storetest.Family(t))
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	must(t, testdata.Err(w.LoadSet(t.Context(), info.Key, Want{Predictions: true})))
	testdata.Is(t, "assessors", savedIn(t, w), "a=12345")
	rounds, err := w.Rounds()
	if err != nil || len(rounds) != 1 {
		t.Fatal(rounds, err)
	}
	testdata.Is(t, "events", len(testdata.Must(w.Events(rounds[0].ID))(t)), 1)
}

func TestCopyIsAWorkspaceOfItsOwn(t *testing.T) {
	w := filled(t)
	place := filepath.Join(t.TempDir(), "below")
	must(t, os.Mkdir(place, 0o755))
	var count testdata.Progress
	to, err := w.SaveCopy(t.Context(), filepath.Join(place, "copy"), &count)
	must(t, err)
	if done := count.Done.Load(); to != filepath.Join(place, "copy.variscope") || done == 0 ||
		done > count.Total.Load() {
		t.Error(to, done, count.Total.Load())
	}
	c := reopen(t, to) // while the other is open
	same(t, c)
	same(t, w)
	if c.Desk() == w.Desk() {
		t.Error("the copy is the same desk: labels made in both could not be told apart")
	}
	if list := mustList(t, to); len(list) != 0 {
		t.Error("backups were copied", list)
	}
	if left := storetest.Parts(t, place); len(left) > 0 {
		t.Error(left)
	}
	inside := testdata.Must(c.FindSuite("inside"))(t)
	for _, f := range inside.Files { // times are kept: without them every image would be hashed
		info, err := os.Stat(filepath.Join(c.Path(), filepath.FromSlash(inside.Inside), f.Path))
		if err != nil || !info.ModTime().Equal(f.Modified) {
			t.Error(f.Path, err)
		}
	}
	testdata.ErrorIs(t, "SaveCopy", testdata.Err(w.SaveCopy(t.Context(), to, engine.NoProgress{})), ErrExists)
	testdata.Refused(t, "copied into a folder that is not there",
		testdata.Err(w.SaveCopy(t.Context(), filepath.Join(place, "nowhere", "x"), engine.NoProgress{})))
}

func TestCancelledCopyLeavesNothing(t *testing.T) {
	w := filled(t)
	folder := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := w.SaveCopy(ctx, filepath.Join(folder, "copy"), &testdata.Progress{After: 2, Stop: cancel})
	testdata.ErrorIs(t, "cancelled", err, context.Canceled)
	testdata.Is(t, "left", len(testdata.Must(os.ReadDir(folder))(t)), 0)
}

func TestMoveAndRename(t *testing.T) {
	w := filled(t)
	desk := w.Desk()
	other := filepath.Join(filepath.Dir(w.Path()), "other")
	var elsewhere *database.OpenElsewhereError
	if _, err := Move(t.Context(), w.Path(), other, engine.NoProgress{}); !errors.As(err, &elsewhere) {
		t.Errorf("an open workspace: %v", err)
	}
	checkAndClose(t, w)
	for _, name := range []string{"", " ", "a/b", "..", ".hidden", `a\b`} {
		if _, err := CheckName(name); err == nil {
			t.Errorf("%q is taken for a name", name)
		}
	}
	path := testdata.Must(Move(t.Context(), w.Path(), other+database.Suffix, engine.NoProgress{}))(t)
	testdata.ErrorIs(t, "opening", testdata.Err(Open(w.Path())), database.ErrNotWorkspace)
	moved := testdata.Must(Move(t.Context(), path, filepath.Join(t.TempDir(), "third"), engine.NoProgress{}))(t)
	back := reopen(t, moved)
	same(t, back)
	if back.Desk() != desk || back.Name() != "third" || len(mustList(t, moved)) != 1 {
		t.Error(back.Desk(), back.Name(), mustList(t, moved))
	}
}

// apart makes the first rename that puts a workspace at a place fail, as one between disks does.
func apart(to string) (together func()) {
	tried := false
	return durable.Watch(func(s durable.Step) error {
		if tried || s.Op != durable.Rename || s.Path != to {
			return nil
		}
		tried = true
		return &os.LinkError{Op: "rename", New: to, Err: syscall.EXDEV}
	})
}

// moveFailing moves a workspace as between disks, while the n-th step after the rename that cannot
// work fails.
func moveFailing(t *testing.T, from, to string, n int) (string, error) {
	steps := 0
	defer durable.Watch(func(s durable.Step) error {
		switch {
		case steps == 0 && s.Op == durable.Rename:
			steps = 1
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EXDEV}
		case steps == 0:
			return nil
		}
		if steps++; steps == n+1 {
			return errNoSpace
		}
		return nil
	})()
	return Move(t.Context(), from, to, engine.NoProgress{})
}

// back undoes a move whose last steps failed: the old place may be there still, or its remains
// beside it.
func back(t *testing.T, to, from string) {
	t.Helper()
	var err error
	if _, absent := os.Stat(from); absent != nil {
		err = os.Rename(to, from)
	}
	remains, _ := filepath.Glob(filepath.Join(filepath.Dir(from), ".*"+database.PartSuffix))
	for _, path := range append(remains, to) {
		err = errors.Join(err, os.RemoveAll(path))
	}
	must(t, err)
}

// TestMoveBetweenDisks lets every step of a move that has to copy fail in turn: one of the two
// places is whole each time.
func TestMoveBetweenDisks(t *testing.T) {
	w := filled(t)
	from := w.Path()
	checkAndClose(t, w)
	to := filepath.Join(t.TempDir(), "far.variscope")
	for n := 1; ; n++ {
		_, err := moveFailing(t, from, to, n)
		if err == nil {
			break
		}
		if !errors.Is(err, ErrFull) {
			t.Errorf("step %d: %v", n, err)
		}
		if _, err := os.Stat(to); err == nil { // only the old folder could not be taken away
			whole := reopen(t, to)
			same(t, whole)
			checkAndClose(t, whole)
			back(t, to, from)
		}
		old := reopen(t, from)
		same(t, old)
		checkAndClose(t, old)
	}
	same(t, reopen(t, to))
	entries := testdata.Must(os.ReadDir(filepath.Dir(from)))(t)
	for _, e := range entries {
		if strings.Contains(e.Name(), "quiet") {
			t.Errorf("%s is left", e.Name())
		}
	}
}
