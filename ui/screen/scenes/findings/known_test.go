package findings

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/scenestest"
)

// TestKnownRowsAreNotReadAgain: a change of one model has the evidence of that model read, not
// that of all.
func TestKnownRowsAreNotReadAgain(t *testing.T) {
	ws := scenestest.New(t, 4)
	r := newRig(t, ws, usual, nil)
	before := r.page.view.Rows
	if len(before) != 3 {
		t.Fatalf("%d rows", len(before))
	}
	ws.Run(t, ws.Models[3], 3, ws.Selection)
	r.stage.Until("the run is seen", func() bool { return len(r.page.view.Rows) == 4 && r.page.Idle() })
	for k, row := range r.page.view.Rows[:3] {
		if &row.Distance[0] != &before[k].Distance[0] {
			t.Errorf("%s was read again", row.Model.ID)
		}
	}
}

// TestOneUnreadableModel: a model whose signals cannot be read is left out with the reason; the
// others are there.
func TestOneUnreadableModel(t *testing.T) {
	ws := scenestest.New(t, 4)
	fresh, err := read(t.Context(), ws.Workspace, ws.Selection.Hash, nil, engine.NoProgress{})
	if err != nil || len(fresh.Rows) != 3 {
		t.Fatal(len(fresh.Rows), err)
	}
	family := testdata.Must(ws.Selection.Family())(t)
	info, _, err := ws.BestSet(ws.Models[1], ws.Targets.Hash, family)
	if err != nil {
		t.Fatal(err)
	}
	unit := info.Spec.UnitKey(0)
	files, err := filepath.Glob(filepath.Join(ws.Path(), "signals", unit[:2], unit+"*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	testdata.OK(t, errors.Join(os.Remove(files[0]), os.Mkdir(files[0], 0o755)))
	d, err := read(t.Context(), ws.Workspace, ws.Selection.Hash, nil, engine.NoProgress{})
	if err != nil || len(d.Rows) != 2 || len(d.Left) != 2 || d.Left[0].ID != ws.Models[1].ID ||
		d.Left[0].Reason.None() {
		t.Errorf("%d rows, left out %v, %v", len(d.Rows), d.Left, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = read(ended, ws.Workspace, ws.Selection.Hash, nil, engine.NoProgress{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after a cancel: %v", err)
	}
}
