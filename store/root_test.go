//go:build linux

package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

// small mounts an empty file system of one megabyte; ok is false where the tests may not do so.
func small(t *testing.T) (folder string, ok bool) {
	t.Helper()
	if os.Geteuid() != 0 || os.Getenv("VARISCOPE_ROOT_TESTS") != "1" {
		t.Log("needs root and VARISCOPE_ROOT_TESTS=1: not run")
		return "", false
	}
	folder = t.TempDir()
	must(t, syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=1m"))
	t.Cleanup(func() {
		must(t, syscall.Unmount(folder, syscall.MNT_DETACH))
	})
	return folder, true
}

func TestRootFullDisk(t *testing.T) {
	folder, ok := small(t)
	if !ok {
		return
	}
	w, err := Create(filepath.Join(folder, "w"))
	must(t, err)
	defer func() { checkAndClose(t, w) }()
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 300)
	r := storetest.AddRound(t, w, s, m)
	filler := filepath.Join(folder, "filler")
	testdata.ErrorIs(t, "the disk is not full", os.WriteFile(filler, make([]byte, 2<<20), 0o644), syscall.ENOSPC)
	before := storetest.Snapshot(t, w.Path())
	spec := storetest.Spec(t, m, s)
	for name, operation := range map[string]func() error{
		"model": func() error {
			_, _, err := w.AddModel(model.Model{ID: "n"}, strings.NewReader(strings.Repeat("n", 10000)))
			return err
		},
		"unit": func() error { return w.Record(t.Context(), spec, storetest.Unit(spec, 0, 3, 3)) },
		"suite": func() error {
			_, err := w.CopySuite(t.Context(),
				storetest.WriteSuite(t, "copied", 30))
			return err
		},
		"setting": func() error { return w.SetSetting("wide", strings.Repeat("x", 1<<20)) },
	} {
		testdata.ErrorIs(t, name, operation(), ErrFull)
	}
	// pages that no transaction refers to may differ in the database
	if after := storetest.Snapshot(t, w.Path()); withoutDatabase(after) != withoutDatabase(before) {
		t.Errorf("changed from\n%s to\n%s", before, after)
	}
	var acknowledged int
	for range 2000 {
		if _, err = w.Append(storetest.LabelEvent(r, m.Hash, "A", label.Variant)); err != nil {
			break
		}
		acknowledged++
	}
	if !errors.Is(err, ErrFull) {
		t.Errorf("after %d labels: %v", acknowledged, err)
	}
	must(t, os.Remove(filler))
	storetest.Append(t, w, storetest.LabelEvent(r, m.Hash, "A", label.Variant))
	if events, err := w.Events(r.ID); len(events) != acknowledged+1 || err != nil {
		t.Errorf("%d of %d labels, %v", len(events), acknowledged+1, err)
	}
}

func withoutDatabase(list string) string {
	lines := strings.Split(list, "\n")
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool {
		return strings.Contains(line, database.File)
	}), "\n")
}

func TestRootFullDiskWhileCreating(t *testing.T) {
	folder, ok := small(t)
	if !ok {
		return
	}
	err := os.WriteFile(filepath.Join(folder, "filler"), make([]byte, 2<<20), 0o644)
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	testdata.ErrorIs(t, "creating", testdata.Err(Create(filepath.Join(folder, "w"))), ErrFull)
	if entries, err := os.ReadDir(folder); len(entries) != 1 || err != nil {
		t.Errorf("left %v, %v", entries, err)
	}
}

func TestRootReadOnlyDisk(t *testing.T) {
	folder, ok := small(t)
	if !ok {
		return
	}
	w := testdata.Must(Create(filepath.Join(folder, "w")))(t)
	checkAndClose(t, w)
	before := storetest.Snapshot(t, w.Path())
	must(t, syscall.Mount("", folder, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	testdata.ErrorIs(t, "opening", testdata.Err(Open(w.Path())), ErrReadOnly)
	testdata.ErrorIs(t, "creating", testdata.Err(Create(filepath.Join(folder, "v"))), ErrReadOnly)
	if storetest.Snapshot(t, w.Path()) != before {
		t.Error("changed")
	}
}
