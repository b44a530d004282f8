package choose

import (
	"context"
	"errors"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	fynewidget "fyne.io/fyne/v2/widget"

	quiet "github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/history"
	parts "github.com/variscope/variscope/ui/widget"
)

// askRemove asks before the selection that is looked at is removed.
func (p *Page) askRemove() {
	r := p.view.Record
	if r.Hash == "" {
		return
	}
	text := fynewidget.NewLabel(fmt.Sprintf("Remove the selection %s? Undo brings it back. One that models have run in, or that a round has, stays until these are removed.", r.Name))
	text.Wrapping = fyne.TextWrapWord
	ask := dialog.NewCustomConfirm("Remove selection", "Remove", "Cancel", parts.Fitting(text, p.deps.Host.Window), func(yes bool) {
		if yes {
			p.remove()
		}
	}, p.deps.Host.Window)
	ask.SetOnClosed(p.Focus)
	ask.Resize(fyne.NewSize(480, 200))
	ask.Show()
}

// remove removes the selection that is looked at; what it was is kept for Undo, and the verdicts
// on it stay.
func (p *Page) remove() {
	r, ws := p.view.Record, p.deps.Workspace
	p.deps.Host.Work.Quiet("remove selection", func(context.Context) error { return ws.RemoveSelection(r.Hash) }, func(err error) {
		switch {
		case errors.Is(err, quiet.ErrClosed):
		case err != nil:
			p.deps.Host.Fail(err)
		default:
			p.deps.Host.Say(fmt.Sprintf("The selection %s was removed.", r.Name))
			p.deps.Did(history.Step{
				Title: fmt.Sprintf("removal of the selection %s", r.Name),
				Undo: func(context.Context) error {
					_, err := ws.AddSelection(r.Name, r.Selection)
					return err
				},
				Redo: func(context.Context) error { return ws.RemoveSelection(r.Hash) },
			})
		}
	})
}
