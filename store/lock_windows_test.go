package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/windows"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// closed is a workspace with a backup and a change after it, which nobody has open.
func closed(t *testing.T) *Workspace {
	t.Helper()
	w := fresh(t)
	change(t, w, 1)
	mustBackup(t, w)
	change(t, w, 2)
	checkAndClose(t, w)
	return w
}

// refused tries to open a workspace that is locked.
func refused(t *testing.T, path, when string) {
	t.Helper()
	var elsewhere *OpenElsewhereError
	if other, err := Open(path); !errors.As(err, &elsewhere) {
		t.Errorf("%s another one opens it: %v", when, err)
		if err == nil {
			_ = other.Close()
		}
	}
}

// TestLockOfAClosedWorkspace: while it is held nobody can open the database, everybody can read it;
// after its release a change is told.
func TestLockOfAClosedWorkspace(t *testing.T) {
	w := closed(t)
	held, err := database.LockClosed(w.Path())
	must(t, err)
	defer held.Unlock()
	refused(t, w.Path(), "under the lock")
	if _, err := os.ReadFile(filepath.Join(w.Path(), database.File)); err != nil {
		t.Error(err)
	}
	if err := held.BeforeRename(); err != nil {
		t.Error(err)
	}
	must(t, held.Retake())
	refused(t, w.Path(), "under the lock taken again")
	held.ReleaseToRename()
	other := reopen(t, w.Path())
	change(t, other, 3)
	checkAndClose(t, other)
	if held.BeforeRename() == nil {
		t.Error("what another one wrote is not told")
	}
}

// TestReplacedDatabaseIsTold: another file counts as another one, also of the same size and time.
func TestReplacedDatabaseIsTold(t *testing.T) {
	w := closed(t)
	held, err := database.LockClosed(w.Path())
	must(t, err)
	held.ReleaseToRename()
	name := filepath.Join(w.Path(), database.File)
	twin := name + "-twin"
	storetest.WriteFile(t, twin, storetest.Read(t, name))
	must(t, os.Chtimes(twin, held.Database.ModTime(), held.Database.ModTime()))
	must(t, os.Rename(twin, name))
	if held.BeforeRename() == nil {
		t.Error("it is taken for the same")
	}
}

// TestRestoreKeepsTheLock: nobody can add a label that the restored database would not have.
func TestRestoreKeepsTheLock(t *testing.T) {
	w := closed(t)
	tried := map[durable.Op]bool{}
	stop := durable.Watch(func(s durable.Step) error {
		if (s.Op == durable.Create || s.Op == durable.Sync) && !tried[s.Op] {
			tried[s.Op] = true
			refused(t, w.Path(), "during a restore")
		}
		return nil
	})
	_, err := backup.Restore(t.Context(), w.Path(), "")
	stop()
	if err != nil || len(tried) < 2 {
		t.Errorf("tried %v, %v", tried, err)
	}
	if got := number(t, reopen(t, w.Path())); got != 1 {
		t.Error(got)
	}
}

// TestMoveKeepsTheLock: where a move has to copy nobody opens the workspace meanwhile.
func TestMoveKeepsTheLock(t *testing.T) {
	w := closed(t)
	to := filepath.Join(t.TempDir(), "far.variscope")
	apart, tried := false, false
	stop := durable.Watch(func(s durable.Step) error {
		switch {
		case !apart && s.Op == durable.Rename && s.Path == to:
			apart = true
			return &os.LinkError{Op: "rename", New: to, Err: windows.ERROR_NOT_SAME_DEVICE}
		case !tried && s.Op == durable.Sync:
			tried = true
			refused(t, w.Path(), "during a move")
		case s.Op == durable.Rename && filepath.Dir(s.Path) == filepath.Dir(w.Path()):
			return windows.ERROR_DISK_FULL // so that the old folder stays
		}
		return nil
	})
	_, err := Move(t.Context(), w.Path(), to, engine.NoProgress{})
	stop()
	if !errors.Is(err, ErrFull) || !apart || !tried {
		t.Errorf("apart %v, tried %v, %v", apart, tried, err)
	}
	for _, path := range []string{w.Path(), to} {
		if got := number(t, reopen(t, path)); got != 2 {
			t.Errorf("%s: %d", path, got)
		}
	}
}
