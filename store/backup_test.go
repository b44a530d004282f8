package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/store/database"
)

// change changes the database so that its next backup is a new one.
func change(t *testing.T, w *Workspace, value int) {
	t.Helper()
	must(t, w.SetSetting("number", value))
}

func number(t *testing.T, w *Workspace) (value int) {
	t.Helper()
	if _, err := w.Setting("number", &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestTableOfBackups(t *testing.T) { must(t, backup.Table.Check()) }

func mustBackup(t *testing.T, w *Workspace) bool {
	t.Helper()
	made, err := w.Backup(t.Context())
	must(t, err)
	return made
}

func mustList(t *testing.T, path string) []backup.Backup {
	t.Helper()
	list, err := backup.List(path)
	must(t, err)
	return list
}

func TestTheLastFiveDatabasesAreBackedUp(t *testing.T) {
	w := fresh(t)
	if list := mustList(t, w.Path()); len(list) != 0 {
		t.Fatal(list)
	}
	for i := range 7 {
		change(t, w, i)
		if !mustBackup(t, w) {
			t.Errorf("backup %d was not made", i)
		}
		if mustBackup(t, w) {
			t.Errorf("backup %d was made again without a change", i)
		}
	}
	list := mustList(t, w.Path())
	if len(list) != backup.Kept {
		t.Fatalf("%d backups", len(list))
	}
	for i := 1; i < len(list); i++ {
		if !list[i].At.Before(list[i-1].At) || list[i].Size == 0 {
			t.Error(list)
		}
	}
	checkAndClose(t, w)
	back := restored(t, w.Path(), list[len(list)-1].Name)
	if got := number(t, back); got != 2 { // 0 and 1 went
		t.Errorf("the oldest backup has %d", got)
	}
	if mustBackup(t, back) {
		t.Error("a restored database that did not change was backed up again")
	}
}

// restored restores a backup and opens the workspace.
func restored(t *testing.T, path, name string) *Workspace {
	t.Helper()
	if _, err := backup.Restore(t.Context(), path, name); err != nil {
		t.Fatal(err)
	}
	return reopen(t, path)
}

func TestDamagedDatabaseNamesItsBackup(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"overwritten": func(path string) error { return os.WriteFile(path, make([]byte, 8192), 0o644) },
		"cut":         func(path string) error { return os.Truncate(path, 5000) },
		"gone":        os.Remove,
	} {
		w := fresh(t)
		change(t, w, 1)
		mustBackup(t, w)
		change(t, w, 2)
		checkAndClose(t, w)
		must(t, harm(filepath.Join(w.Path(), database.File)))
		_, err := Open(w.Path())
		var restorable *backup.RestorableError
		if !errors.As(err, &restorable) || !strings.Contains(err.Error(), "variscope restore quiet.variscope") {
			t.Fatalf("%s: %v", name, err)
		}
		back := restored(t, restorable.Path, "")
		if got := number(t, back); got != 1 {
			t.Errorf("%s: restored %d", name, got)
		}
		kept := 0
		for _, b := range mustList(t, w.Path()) {
			if b.Replaced {
				kept++
			}
		}
		if want := map[string]int{"gone": 0}[name]; name != "gone" && kept != 1 || name == "gone" && kept != want {
			t.Errorf("%s: %d replaced databases are kept", name, kept)
		}
	}
}

func TestRestoreRefuses(t *testing.T) {
	w := fresh(t)
	if _, err := backup.Restore(t.Context(), w.Path(), ""); err == nil || !strings.Contains(err.Error(), "no backups") {
		t.Error(err)
	}
	change(t, w, 1)
	mustBackup(t, w)
	var elsewhere *database.OpenElsewhereError
	if _, err := backup.Restore(t.Context(), w.Path(), ""); !errors.As(err, &elsewhere) {
		t.Errorf("an open workspace: %v", err)
	}
	checkAndClose(t, w)
	if _, err := backup.Restore(t.Context(), w.Path(), "../../other.db"); err == nil {
		t.Error("a file outside of the backups was restored")
	}
	kept := filepath.Join(w.Path(), database.BackupsFolder, mustList(t, w.Path())[0].Name)
	must(t, os.Truncate(kept, 4096))
	before := storetest.Snapshot(t, w.Path())
	if _, err := backup.Restore(t.Context(), w.Path(), ""); err == nil ||
		!strings.Contains(err.Error(), "damaged too") {
		t.Error(err)
	}
	if storetest.Snapshot(t, w.Path()) != before {
		t.Error("a refused restore changed the workspace")
	}
}

// TestRestoreSurvivesAFailingDisk makes each step fail in turn: the database stays what it was or
// is the restored one, and nothing half-written is left.
func TestRestoreSurvivesAFailingDisk(t *testing.T) {
	w := fresh(t)
	change(t, w, 1)
	mustBackup(t, w)
	change(t, w, 2)
	d := faults.Watch(t, w.Path())
	checkAndClose(t, w)
	oldest := mustList(t, w.Path())
	for n := 1; ; n++ {
		d.FailAt(n, errNoSpace)
		_, err := backup.Restore(t.Context(), w.Path(), oldest[len(oldest)-1].Name)
		d.FailAt(0, nil)
		if left := storetest.Parts(t, w.Path()); len(left) > 0 {
			t.Errorf("step %d left %v", n, left)
		}
		again := reopen(t, w.Path())
		got := number(t, again)
		checkAndClose(t, again)
		if err == nil {
			if got != 1 {
				t.Errorf("restored %d", got)
			}
			break
		}
		if got != 1 && got != 2 {
			t.Errorf("step %d: the database has %d", n, got)
		}
	}
}

func TestBackupIsCancelled(t *testing.T) {
	w := fresh(t)
	change(t, w, 1)
	ctx := cancelled(t)
	if _, err := w.Backup(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if list := mustList(t, w.Path()); len(list) != 0 {
		t.Error(list)
	}
}

func TestOtherFilesAreNoBackups(t *testing.T) {
	w := fresh(t)
	change(t, w, 1)
	mustBackup(t, w)
	folder := filepath.Join(w.Path(), database.BackupsFolder)
	for _, name := range []string{"notes.txt", "x.db", "20260101T000000.000-many.db", "20260101T000000.000-1.db.part"} {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte("x"), 0o644))
	}
	if list := mustList(t, w.Path()); len(list) != 1 {
		t.Error(list)
	}
}

// TestBackupsKeepTheirOrderWhenTheClockGoesBack makes backups after one from the future.
func TestBackupsKeepTheirOrderWhenTheClockGoesBack(t *testing.T) {
	w := filled(t)
	newest := mustList(t, w.Path())[0]
	folder := filepath.Join(w.Path(), database.BackupsFolder)
	ahead := fmt.Sprintf("20990101T000000.000-%d%s", newest.Transaction, backup.Suffix)
	must(t, os.Rename(filepath.Join(folder, newest.Name), filepath.Join(folder, ahead)))
	for i := 1; i < 9; i++ {
		change(t, w, i)
		if made, err := w.Backup(t.Context()); !made || err != nil {
			t.Fatal(made, err)
		}
		list := mustList(t, w.Path())
		if len(list) != min(i+1, backup.Kept) || list[0].Transaction <= list[1].Transaction ||
			!list[0].At.After(list[1].At) {
			t.Fatalf("%d: %+v", i, list)
		}
	}
	checkAndClose(t, w)
	if got := number(t, restored(t, w.Path(), "")); got != 8 {
		t.Errorf("the newest backup has %d", got)
	}
}

// TestBackupAfterARestore: the transactions of the database that was restored get the numbers of
// those that went out of sight, and are backed up all the same.
func TestBackupAfterARestore(t *testing.T) {
	w := filled(t)
	path := w.Path()
	first := mustList(t, path)[0]
	put := func(n int) {
		t.Helper()
		change(t, w, n)
		if made, err := w.Backup(t.Context()); !made || err != nil {
			t.Fatal(n, made, err)
		}
	}
	put(1)
	checkAndClose(t, w)
	w = restored(t, path, first.Name)
	put(2)
	checkAndClose(t, w)
	w = restored(t, path, "")
	if got := number(t, w); got != 2 {
		t.Errorf("the newest backup has %d", got)
	}
}

func TestManyOpeningsDoNotPushOldBackupsOut(t *testing.T) {
	w := fresh(t)
	now := func() bool {
		t.Helper()
		must(t, w.SetSetting("n", time.Now().UnixNano()))
		made, err := w.BackupNowAndThen(t.Context())
		must(t, err)
		return made
	}
	if !now() || now() || now() {
		t.Error("want one backup of three changes in a row")
	}
	list, err := backup.List(w.Path())
	if err != nil || len(list) != 1 {
		t.Fatalf("%d backups, %v", len(list), err)
	}
	old := list[0].At.Add(-restTime).UTC().Format(backup.TimeFormat) + fmt.Sprintf("-%d", list[0].Transaction) +
		backup.Suffix
	folder := filepath.Join(w.Path(), database.BackupsFolder)
	must(t, os.Rename(filepath.Join(folder, list[0].Name), filepath.Join(folder, old)))
	if !now() {
		t.Error("no backup although the newest is old")
	}
}
