package dialogs

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
)

func TestTablesAreRemovedFromStorageAndComeBack(t *testing.T) {
	st, ws := stage.New(t), sample.New(t, 1)
	record := store.PredictionTable{Name: "cloud", Models: []string{"a", "b"}, Samples: 2, Classes: 2}
	record, err := ws.AddPredictions(record, store.Predictions{Labels: []int32{0, 1, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	work := background.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	var steps []history.Step
	var failed []error
	host := &kit.Host{
		Window: st.Window(widget.NewLabel(""), fyne.NewSize(1000, 700)), Work: work, Status: func(string) {},
		ShowError: func(err error) { failed = append(failed, err) },
	}
	busy := true
	d := &storageDialog{
		host: host, sheet: host.NewDialog("Storage", fyne.NewSize(780, 560)),
		ask: StorageAsk{Workspace: ws.Workspace, Busy: func() bool { return busy }, Did: func(s history.Step) { steps = append(steps, s) }},
	}
	button := buttonIn(d.tables([]store.PredictionTable{record}, store.Usage{}))
	if button == nil {
		t.Fatal("the table cannot be removed")
	}
	test.Tap(button)
	if len(failed) != 1 || tableCount(t, ws.Workspace) != 1 {
		t.Fatalf("removed during a run: %v", failed)
	}
	busy = false
	test.Tap(button)
	st.Until("the table is gone", func() bool { return len(steps) == 1 && tableCount(t, ws.Workspace) == 0 })
	if err := steps[0].Undo(t.Context()); err != nil || tableCount(t, ws.Workspace) != 1 {
		t.Errorf("undone: %v", err)
	}
	if err := steps[0].Redo(t.Context()); err != nil || tableCount(t, ws.Workspace) != 0 {
		t.Errorf("redone: %v", err)
	}
	if steps[0].Title != "removal of the predictions cloud" {
		t.Error(steps[0].Title)
	}
	d.sheet.Close()
}

func tableCount(t *testing.T, ws *store.Workspace) int {
	t.Helper()
	list, err := ws.PredictionTables()
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// buttonIn is the first button below an object.
func buttonIn(object fyne.CanvasObject) *widget.Button {
	if b, ok := object.(*widget.Button); ok {
		return b
	}
	box, ok := object.(*fyne.Container)
	if !ok {
		return nil
	}
	for _, inner := range box.Objects {
		if b := buttonIn(inner); b != nil {
			return b
		}
	}
	return nil
}
