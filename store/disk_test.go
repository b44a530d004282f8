package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/variscope/variscope/engine/model"
)

var errNoSpace = syscall.ENOSPC

// failingDisk is a disk whose n-th changing step fails, counted over all kinds of step from 1; 0 never fails. A failing
// write writes half.
type failingDisk struct {
	disk
	err   error
	n     int
	steps int
}

func newFailingDisk(n int, err error) *failingDisk {
	real := osDisk()
	d := &failingDisk{err: err, n: n}
	d.disk = real
	d.create = func(path string) (file, error) {
		if d.fails() {
			return nil, d.err
		}
		f, err := real.create(path)
		return &failingFile{f, d}, err
	}
	d.rename = func(from, to string) error {
		if d.fails() {
			return d.err
		}
		return real.rename(from, to)
	}
	d.mkdir = func(path string) error {
		if d.fails() {
			return d.err
		}
		return real.mkdir(path)
	}
	d.syncDir = func(path string) error {
		if d.fails() {
			return d.err
		}
		return real.syncDir(path)
	}
	return d
}

func (d *failingDisk) fails() bool {
	d.steps++
	return d.steps == d.n
}

func (d *failingDisk) failAt(n int) { d.n, d.steps = n, 0 }

type failingFile struct {
	file
	disk *failingDisk
}

func (f *failingFile) Write(p []byte) (int, error) {
	if f.disk.fails() {
		n, _ := f.file.Write(p[:len(p)/2])
		return n, f.disk.err
	}
	return f.file.Write(p)
}

func (f *failingFile) Sync() error {
	if f.disk.fails() {
		return f.disk.err
	}
	return f.file.Sync()
}

func (f *failingFile) Close() error {
	err := f.file.Close()
	if f.disk.fails() {
		return f.disk.err
	}
	return err
}

// TestEveryStepFails makes each step of each operation fail in turn, until it goes through: every failure is ErrFull,
// leaves the workspace as it was, and the operation succeeds afterwards.
func TestEveryStepFails(t *testing.T) {
	d := newFailingDisk(0, errNoSpace)
	w, err := create(filepath.Join(t.TempDir(), "full"), d.disk)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { checkAndClose(t, w) })
	m, s := addModel(t, w, "m"), addSuite(t, w, "s", 300)
	spec := testSpec(t, m, s)
	big := writeSuite(t, "copied", 4)
	operations := map[string]func() error{
		"AddModel": func() error {
			_, _, err := w.AddModel(model.Model{ID: "next"}, strings.NewReader("next"))
			return err
		},
		"Record": func() error { return w.Record(t.Context(), spec, testUnit(spec, 0, 3, 3)) },
		"AddSuite": func() error {
			_, err := w.AddSuite(big, true)
			return err
		},
	}
	for name, operation := range operations {
		before := snapshot(t, w.Path())
		for n := 1; ; n++ {
			d.failAt(n)
			err := operation()
			if err == nil {
				if n < 5 {
					t.Errorf("%s has only %d steps that can fail", name, n-1)
				}
				break
			}
			if !errors.Is(err, ErrFull) {
				t.Errorf("%s, step %d: %v", name, n, err)
			}
			after := snapshot(t, w.Path())
			if name == "Record" { // a whole file that nothing names may be left
				_ = os.Remove(w.unitFile(spec.UnitKey(0)))
				after = snapshot(t, w.Path())
			}
			if after != before {
				t.Fatalf("%s, step %d: changed from\n%s to\n%s", name, n, before, after)
			}
		}
		d.failAt(0)
	}
	if has, err := w.Has(spec.UnitKey(0)); !has || err != nil {
		t.Error(has, err)
	}
}

func TestCreateFailsWithoutATrace(t *testing.T) {
	for n := 1; ; n++ {
		folder := t.TempDir()
		w, err := create(filepath.Join(folder, "w"), newFailingDisk(n, errNoSpace).disk)
		if err == nil {
			checkAndClose(t, w)
			if n < 6 {
				t.Errorf("only %d steps can fail", n-1)
			}
			return
		}
		entries, _ := os.ReadDir(folder)
		if !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "workspace w") {
			t.Errorf("step %d: %v", n, err)
		}
		// once the folder has its name the workspace is whole, and opening is what failed
		if len(entries) != 0 {
			reopen(t, filepath.Join(folder, "w"))
		}
	}
}

// TestDatabaseFull: the database cannot grow; what was there stays, and it works again with room.
func TestDatabaseFull(t *testing.T) {
	w := fresh(t)
	path := w.Path()
	checkAndClose(t, w)
	d := osDisk()
	d.maxDatabase = 1 << 17
	w, err := openWith(path, d, currentSchema())
	if err != nil {
		t.Fatal(err)
	}
	wide := strings.Repeat("x", 3000)
	kept := 0
	for ; err == nil && kept < 1000; kept++ {
		err = w.SetSetting(string(rune('a'+kept%26))+wide[:kept], wide)
	}
	kept--
	if !errors.Is(err, ErrFull) {
		t.Fatalf("after %d settings: %v", kept, err)
	}
	var value string
	if found, err := w.Setting("a", &value); !found || err != nil || value != wide {
		t.Error(found, err)
	}
	checkAndClose(t, w)
	w = reopen(t, path)
	if err := w.SetSetting("more", wide); err != nil {
		t.Error(err)
	}
}

// TestOpensOnAFullDisk: what makes room on it is done in the open workspace.
func TestOpensOnAFullDisk(t *testing.T) {
	w, models, _ := three(t)
	checkAndClose(t, w)
	d := newFailingDisk(1, errNoSpace) // the owner file
	w, err := openWith(w.Path(), d.disk, currentSchema())
	if err != nil {
		t.Fatal(err)
	}
	defer checkAndClose(t, w)
	d.failAt(0)
	if list, err := w.Models(); err != nil || len(list) != len(models) {
		t.Error(len(list), err)
	}
	if _, err := w.RemoveModels([]string{models[0].Hash}, nil); err != nil {
		t.Error(err)
	}
}

// TestReadOnly with a layer that refuses, so that it also works as root.
func TestReadOnly(t *testing.T) {
	w := fresh(t)
	addModel(t, w, "m")
	checkAndClose(t, w)
	before := snapshot(t, w.Path())
	for _, refusal := range []error{syscall.EROFS, fs.ErrPermission} {
		database := osDisk()
		database.openDatabase = func(string) (*os.File, error) { return nil, refusal }
		for name, d := range map[string]disk{"database": database, "owner file": newFailingDisk(1, refusal).disk} {
			if _, err := openWith(w.Path(), d, currentSchema()); !errors.Is(err, ErrReadOnly) || !strings.Contains(err.Error(), "workspace quiet: ") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := create(filepath.Join(t.TempDir(), "w"), newFailingDisk(1, refusal).disk); !errors.Is(err, ErrReadOnly) {
			t.Error(err)
		}
	}
	if snapshot(t, w.Path()) != before {
		t.Error("changed")
	}
	reopen(t, w.Path())
}

func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Log("permissions do not bind root; TestReadOnly and the tests as root cover it")
		return
	}
	w := fresh(t)
	checkAndClose(t, w)
	database := filepath.Join(w.Path(), databaseFile)
	for _, step := range []error{os.Chmod(database, 0o444), os.Chmod(w.Path(), 0o555)} {
		if step != nil {
			t.Fatal(step)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(w.Path(), 0o755) })
	before := snapshot(t, w.Path())
	if _, err := Open(w.Path()); !errors.Is(err, ErrReadOnly) {
		t.Error(err)
	}
	if _, err := Create(filepath.Join(w.Path(), "inner")); !errors.Is(err, ErrReadOnly) {
		t.Error(err)
	}
	if snapshot(t, w.Path()) != before {
		t.Error("changed")
	}
}
