package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
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
	must(t, testdata.Err(w.Setting("number", &value)))
	return value
}

func TestTableOfBackups(t *testing.T) { must(t, backup.Table.Check()) }

func mustBackup(t *testing.T, w *Workspace) bool {
	t.Helper()
	made := testdata.Must(w.Backup(t.Context()))(t)
	return made
}

func mustList(t *testing.T, path string) []backup.Backup {
	t.Helper()
	list := testdata.Must(backup.List(path))(t)
	return list
}

func TestBackupIsCancelled(t *testing.T) {
	w := fresh(t)
	testdata.ErrorIs(t, "cancelled", testdata.Err(w.Backup(cancelled(t))), context.Canceled)
	testdata.Is(t, "backups", len(mustList(t, w.Path())), 0)
}

func TestTheLastFiveDatabasesAreBackedUp(t *testing.T) {
	w := fresh(t)
	for i := range 7 {
		change(t, w, i)
		if !mustBackup(t, w) || mustBackup(t, w) {
			t.Errorf("backup %d is not made, or made again without a change", i)
		}
	}
	for _, name := range []string{"notes.txt", "x.db", "20260101T000000.000-many.db", "20260101T000000.000-1.db.part"} {
		storetest.WriteFile(t, filepath.Join(w.Path(), database.BackupsFolder, name), []byte("x")) // no backups
	}
	list := mustList(t, w.Path())
	newest := func(a, b backup.Backup) int { return b.At.Compare(a.At) }
	if len(list) != backup.Kept || !slices.IsSortedFunc(list, newest) || list[0].Size == 0 {
		t.Fatalf("%+v", list)
	}
	checkAndClose(t, w)
	back := restored(t, w.Path(), list[len(list)-1].Name)
	testdata.Is(t, "the oldest backup has", number(t, back), 2) // 0 and 1 went
	testdata.Is(t, "a restored database is backed up without a change", mustBackup(t, back), false)
}

// restored restores a backup and opens the workspace.
func restored(t *testing.T, path, name string) *Workspace {
	t.Helper()
	must(t, testdata.Err(backup.Restore(t.Context(), path, name)))
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
		testdata.Is(t, name, number(t, restored(t, restorable.Path, "")), 1)
		kept := slices.ContainsFunc(mustList(t, w.Path()), func(b backup.Backup) bool { return b.Replaced })
		testdata.Is(t, name+": the replaced database is kept", kept, name != "gone")
	}
}

func TestRestoreRefuses(t *testing.T) {
	w := fresh(t)
	restore := func(name string) error { return testdata.Err(backup.Restore(t.Context(), w.Path(), name)) }
	testdata.Refused(t, "a new workspace", restore(""), "no backups")
	change(t, w, 1)
	mustBackup(t, w)
	var elsewhere *database.OpenElsewhereError
	if err := restore(""); !errors.As(err, &elsewhere) {
		t.Errorf("an open workspace: %v", err)
	}
	checkAndClose(t, w)
	testdata.Refused(t, "a file outside of the backups", restore("../../other.db"))
	kept := filepath.Join(w.Path(), database.BackupsFolder, mustList(t, w.Path())[0].Name)
	must(t, os.Truncate(kept, 4096))
	before := storetest.Snapshot(t, w.Path())
	testdata.Refused(t, "a damaged backup", restore(""), "damaged too")
	testdata.Is(t, "the workspace then", storetest.Snapshot(t, w.Path()), before)
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

// TestBackupsKeepTheirOrderWhenTheClockGoesBack makes backups after one from the future.
func TestBackupsKeepTheirOrderWhenTheClockGoesBack(t *testing.T) {
	w := filled(t)
	newest := mustList(t, w.Path())[0]
	folder := filepath.Join(w.Path(), database.BackupsFolder)
	ahead := fmt.Sprintf("20990101T000000.000-%d%s", newest.Transaction, backup.Suffix)
	must(t, os.Rename(filepath.Join(folder, newest.Name), filepath.Join(folder, ahead)))
	for i := 1; i < 9; i++ {
		change(t, w, i)
		testdata.Is(t, "a backup is made", mustBackup(t, w), true)
		list := mustList(t, w.Path())
		if len(list) != min(i+1, backup.Kept) || list[0].Transaction <= list[1].Transaction ||
			!list[0].At.After(list[1].At) {
			t.Fatalf("%d: %+v", i, list)
		}
	}
	checkAndClose(t, w)
	testdata.Is(t, "the newest backup has", number(t, restored(t, w.Path(), "")), 8)
}

// TestBackupAfterARestore: the transactions of the database that was restored get the numbers of
// those that went out of sight, and are backed up all the same.
func TestBackupAfterARestore(t *testing.T) {
	w := filled(t)
	path := w.Path()
	first := mustList(t, path)[0]
	for n, name := range []string{first.Name, ""} {
		change(t, w, n+1)
		testdata.Is(t, "a backup is made", mustBackup(t, w), true)
		checkAndClose(t, w)
		w = restored(t, path, name)
	}
	testdata.Is(t, "the newest backup has", number(t, w), 2)
}

func TestManyOpeningsDoNotPushOldBackupsOut(t *testing.T) {
	w := fresh(t)
	now := func() bool {
		t.Helper()
		must(t, w.SetSetting("n", time.Now().UnixNano()))
		made := testdata.Must(w.BackupNowAndThen(t.Context()))(t)
		return made
	}
	if !now() || now() || now() {
		t.Error("want one backup of three changes in a row")
	}
	list := mustList(t, w.Path())
	testdata.Is(t, "backups", len(list), 1)
	old := list[0].At.Add(-restTime).UTC().Format(backup.TimeFormat) + fmt.Sprintf("-%d", list[0].Transaction) +
		backup.Suffix
	folder := filepath.Join(w.Path(), database.BackupsFolder)
	must(t, os.Rename(filepath.Join(folder, list[0].Name), filepath.Join(folder, old)))
	if !now() {
		t.Error("no backup although the newest is old")
	}
}

// TestOnlyAFullDiskLetsRemovalGoOnWithoutABackup: removing is what makes room.
func TestOnlyAFullDiskLetsRemovalGoOnWithoutABackup(t *testing.T) {
	w := fresh(t)
	d := faults.Watch(t, w.Path())
	for failure, want := range map[error]error{errNoSpace: nil, syscall.EIO: syscall.EIO} {
		change(t, w, 1)
		d.FailFrom(1, failure)
		if err := w.BackUpFirst(t.Context()); !errors.Is(err, want) {
			t.Errorf("%v after %v", err, failure)
		}
		d.FailAt(0, nil)
	}
	testdata.ErrorIs(t, "cancelled", w.BackUpFirst(cancelled(t)), context.Canceled)
}
