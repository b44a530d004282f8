package dialogs

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2/dialog"

	"github.com/variscope/variscope/store"
	own "github.com/variscope/variscope/ui/widget"
)

// askRemove asks before a mask set is removed.
func (d *masksDialog) askRemove(set store.MaskSet) {
	text := fmt.Sprintf("Remove %s from the workspace?", maskTitle(set))
	if set.Inside != "" {
		text += " " + "Their files lie in the workspace and go, too."
	}
	dialog.ShowCustomConfirm("Remove masks", "Remove", "Cancel", own.Fitting(wrapped(text), d.host.Window), func(yes bool) {
		if yes {
			d.remove(set)
		}
	}, d.host.Window)
}

// remove removes a mask set. One that a selection rests on stays, which is said.
func (d *masksDialog) remove(set store.MaskSet) {
	d.host.Work.Quiet("remove masks", func(context.Context) error { return d.ws.RemoveMasks(set.Hash) }, func(err error) {
		if err != nil {
			d.say(sentence(err), true)
			return
		}
		d.suiteChanged()
	})
}
