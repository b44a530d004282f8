package ui

import (
	"context"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/history"
)

// Undo means what the person is at: a text, a label, or a change of data.
func TestUndoTakesBackWhatThePersonIsAt(t *testing.T) {
	o := open(t, 3, nil)
	round := o.workspace.NewRound(t, func(r *label.Round) { r.Models = r.Models[:2] })
	var undone atomic.Int32
	o.history.Did(history.Step{
		Title: "a change", Undo: func(context.Context) error { undone.Add(1); return nil },
		Redo: func(context.Context) error { return nil },
	})
	events := func() []label.Event {
		list, err := o.workspace.Events(round.ID)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	o.Go(Label)
	o.label.SignIn(round.ID, "r1")
	o.stage.Until("signed in", o.label.Working)
	o.stage.Until("a label", func() bool {
		if len(events()) == 0 {
			o.label.Label(label.Variant)
		}
		return len(events()) == 1
	})
	o.settle()
	o.shortcut(t, fyne.KeyZ)
	o.stage.Until("the label is taken back", func() bool {
		return len(events()) == 2 && events()[1].Kind == label.Undo
	})
	o.settle()
	o.shortcut(t, fyne.KeyY)
	o.stage.Until("it is back", func() bool { return len(events()) == 3 && len(label.Current(events())) == 1 })
	if undone.Load() != 0 {
		t.Error("a label's undo took back a change of data")
	}
	entry := widget.NewEntry()
	o.Window.Window().SetContent(entry)
	o.Window.Window().Canvas().Focus(entry)
	test.Type(entry, "text")
	o.shortcut(t, fyne.KeyZ)
	if entry.Text == "text" || undone.Load() != 0 {
		t.Errorf("in an entry undo leaves %q, changes taken back %d", entry.Text, undone.Load())
	}
	o.Window.Window().Canvas().Unfocus()
	o.shortcut(t, fyne.KeyZ)
	o.stage.Until("the change is taken back", func() bool { return undone.Load() == 1 })
}
