package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/durable"
)

var errNoSpace = syscall.ENOSPC

func TestCreateFailsWithoutATrace(t *testing.T) {
	for n := 1; ; n++ {
		folder := t.TempDir()
		d := faults.Watch(t, folder)
		d.FailAt(n, errNoSpace)
		w, err := Create(filepath.Join(folder, "w"))
		d.FailAt(0, nil)
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

// TestOpensOnAFullDisk: what makes room on it is done in the open workspace.
func TestOpensOnAFullDisk(t *testing.T) {
	w, models, _ := three(t)
	checkAndClose(t, w)
	d := faults.Watch(t, w.Path())
	d.FailFrom(2, errNoSpace) // from the owner file on
	w, err := Open(w.Path())
	must(t, err)
	defer checkAndClose(t, w)
	d.FailAt(0, nil)
	testdata.Is(t, "models", len(testdata.Must(w.Models())(t)), len(models))
	must(t, testdata.Err(w.RemoveModels([]string{models[0].Hash}, nil)))
}

// TestReadOnly with a layer that refuses, so that it also works as root.
func TestReadOnly(t *testing.T) {
	w := fresh(t)
	storetest.AddModel(t, w, "m")
	checkAndClose(t, w)
	before := storetest.Snapshot(t, w.Path())
	for _, refusal := range []error{syscall.EROFS, fs.ErrPermission} {
		d := faults.Watch(t, "")
		for name, op := range map[string]durable.Op{"database": durable.Open, "owner file": durable.Create} {
			d.Refuse(op, refusal)
			_, err := Open(w.Path())
			d.Refuse(op, nil)
			if !errors.Is(err, ErrReadOnly) || !strings.Contains(err.Error(), "workspace quiet: ") {
				t.Errorf("%s: %v", name, err)
			}
		}
		d.FailAt(1, refusal)
		testdata.ErrorIs(t, "creating", testdata.Err(Create(filepath.Join(t.TempDir(), "w"))), ErrReadOnly)
	}
	if storetest.Snapshot(t, w.Path()) != before {
		t.Error("changed")
	}
	reopen(t, w.Path())
}
