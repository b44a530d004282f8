package dialogs

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/present"
)

// tables lists the tables of predictions, each with a button that removes it.
func (d *storageDialog) tables(list []store.PredictionTable, u store.Usage) fyne.CanvasObject {
	rows := container.New(layout.NewCustomPaddedVBoxLayout(0))
	for _, t := range list {
		text := fmt.Sprintf("%s: %s, %s", t.Name, present.Counted(int64(len(t.Models)), "model"), present.Counted(int64(t.Samples), "image"))
		rows.Add(line(text, u.Tables[t.ID], widget.NewButton("Remove", func() { d.removeTable(t) })))
	}
	return rows
}

// removeTable needs no question: it can be undone until the workspace is closed.
func (d *storageDialog) removeTable(t store.PredictionTable) {
	if d.ask.Busy() {
		d.host.Fail(errBusy)
		return
	}
	ws := d.ask.Workspace
	remove := func(context.Context) error {
		_, err := ws.RemovePredictions(t.ID)
		return err
	}
	d.workWhole(fmt.Sprintf("Remove the predictions %s", t.Name), func() error {
		if err := remove(context.Background()); err != nil {
			return err
		}
		d.host.Work.Post(func() {
			did(d.ask.Did, history.Step{
				Title: fmt.Sprintf("removal of the predictions %s", t.Name),
				Undo:  func(context.Context) error { return ws.RestorePredictions(t) }, Redo: remove,
			})
		})
		return nil
	})
}
