package dialogs

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
)

// AnnotatorsDialog renames, retires and brings back annotators. Every change is stored at once and
// given to report, which may be nil.
func AnnotatorsDialog(host *kit.Host, from *store.Workspace, report func(history.Step)) {
	var list []store.Annotator
	host.Quietly("annotators", func() (err error) {
		list, err = from.Annotators()
		return err
	}, func() {
		d := &annotatorsDialog{host: host, from: from, did: report, problem: wrapped("")}
		d.open(list)
	})
}

type annotatorsDialog struct {
	host    *kit.Host
	from    *store.Workspace
	did     func(history.Step)
	problem *widget.Label
}

func (d *annotatorsDialog) open(list []store.Annotator) {
	sheet := d.host.NewDialog("Annotators", fyne.NewSize(620, 420))
	d.problem.Importance = widget.DangerImportance
	hint := "A name is what screens show; the id stays in labels and files. Retired annotators are not offered for new rounds; what they labelled stays."
	if len(list) == 0 {
		hint = "There are no annotators yet: they come with a round. Make one on the Label screen."
	}
	rows := container.NewVBox()
	for _, a := range list {
		rows.Add(d.row(a))
	}
	sheet.Show(container.NewBorder(wrapped(hint), d.problem, nil, nil, container.NewVScroll(rows)), sheet.CloseButton("Close"))
	sheet.Present(nil)
}

// row shows one annotator, as a, and what can be done: write another name and press Enter, retire.
func (d *annotatorsDialog) row(a store.Annotator) fyne.CanvasObject {
	name := widget.NewEntry()
	name.SetText(a.Name)
	rename := widget.NewButton("Rename", nil)
	rename.Disable()
	retire := widget.NewButton(retireText(a), nil)
	name.OnChanged = func(text string) {
		rename.Disable()
		if text != a.Name {
			rename.Enable()
		}
	}
	put := func(after store.Annotator) {
		d.put(a, after, func() {
			a = after
			rename.Disable()
			retire.SetText(retireText(a))
		})
	}
	rename.OnTapped = func() { put(store.Annotator{ID: a.ID, Name: name.Text, Retired: a.Retired}) }
	name.OnSubmitted = func(string) {
		if !rename.Disabled() {
			rename.OnTapped()
		}
	}
	retire.OnTapped = func() { put(store.Annotator{ID: a.ID, Name: a.Name, Retired: !a.Retired}) }
	id := widget.NewLabel(a.ID)
	id.Importance = widget.LowImportance
	id.Truncation = fyne.TextTruncateEllipsis
	return container.NewBorder(nil, nil, container.NewGridWrap(fyne.NewSize(110, name.MinSize().Height), id), container.NewHBox(rename, retire), name)
}

func retireText(a store.Annotator) string {
	if a.Retired {
		return "Bring back"
	}
	return "Retire"
}

// put stores a change, shows why it cannot be stored, and reports it.
func (d *annotatorsDialog) put(before, after store.Annotator, done func()) {
	d.host.Work.Quiet("annotator", func(context.Context) error { return d.from.PutAnnotator(after) }, func(err error) {
		if err != nil {
			d.problem.SetText(sentence(err))
			return
		}
		d.problem.SetText("")
		done()
		did(d.did, history.Step{
			Title: annotatorStep(before, after),
			Undo:  func(context.Context) error { return d.from.PutAnnotator(before) },
			Redo:  func(context.Context) error { return d.from.PutAnnotator(after) },
		})
	})
}

// annotatorStep names a change in the words of the Undo entry.
func annotatorStep(before, after store.Annotator) string {
	switch {
	case after.Retired && !before.Retired:
		return fmt.Sprintf("retirement of %s", before.Name)
	case before.Retired && !after.Retired:
		return fmt.Sprintf("return of %s", before.Name)
	}
	return fmt.Sprintf("new name of %s", before.Name)
}
