package dialogs

import (
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/store"
)

func TestTablesAreRemovedFromStorageAndComeBack(t *testing.T) {
	r := newRig(t, 1)
	record := store.PredictionTable{Name: "cloud", Models: []string{"a", "b"}, Samples: 2, Classes: 2}
	if _, err := r.ws.AddPredictions(record, store.Predictions{Labels: []int32{0, 1, 1, 1}}); err != nil {
		t.Fatal(err)
	}
	tables := func() int {
		list, err := r.ws.PredictionTables()
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	busy := true
	StorageDialog(r.host, StorageAsk{Workspace: r.ws.Workspace, Busy: func() bool { return busy }, Did: r.did})
	remove := func() {
		r.saying("cloud: 2 models")
		if list := r.host.Window.Canvas().Focused(); list != nil { // it is selected already
			list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
		}
		r.press("Remove…")
	}
	remove()
	if len(r.failed) != 1 || tables() != 1 {
		t.Fatalf("removed during a run: %v", r.failed)
	}
	busy = false
	remove()
	r.stage.Until("the table is gone", func() bool { return len(r.steps) == 1 && tables() == 0 && !r.says("cloud") })
	if err := r.steps[0].Undo(t.Context()); err != nil || tables() != 1 {
		t.Errorf("undone: %v", err)
	}
	if err := r.steps[0].Redo(t.Context()); err != nil || tables() != 0 {
		t.Errorf("redone: %v", err)
	}
	if r.steps[0].Title != "removal of the predictions cloud" {
		t.Error(r.steps[0].Title)
	}
}
