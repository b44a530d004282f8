package runs

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	parts "github.com/variscope/variscope/ui/widget"
)

// details shows the selected run: its numbers, its buttons and its models.
type details struct {
	run                          Run
	title, phase, counts, when   *widget.Label
	reason                       *widget.Label
	bar                          *parts.Share
	pause, resume, cancel, again *widget.Button
	cancelAll                    *widget.Button
	tasks                        *widget.List
	object                       fyne.CanvasObject
}

func newDetails(act func(action, Run)) *details {
	d := &details{
		title: truncated(), phase: widget.NewLabel(""), counts: widget.NewLabel(""), when: widget.NewLabel(""), reason: widget.NewLabel(""), bar: parts.NewShare(),
	}
	d.title.TextStyle.Bold = true
	d.title.SizeName = theme.SizeNameSubHeadingText
	d.counts.Wrapping, d.reason.Wrapping = fyne.TextWrapWord, fyne.TextWrapWord
	d.when.Importance = widget.LowImportance
	d.reason.Importance = widget.DangerImportance
	d.reason.Selectable = true
	d.pause = widget.NewButtonWithIcon("Pause", theme.MediaPauseIcon(), func() { act(pause, d.run) })
	d.resume = widget.NewButtonWithIcon("Resume", theme.MediaPlayIcon(), func() { act(resume, d.run) })
	d.cancel = widget.NewButtonWithIcon("Cancel", theme.CancelIcon(), func() { act(cancel, d.run) })
	d.cancelAll = widget.NewButtonWithIcon("", theme.CancelIcon(), func() { act(cancelAll, d.run) })
	d.again = widget.NewButtonWithIcon("Resume", theme.MediaPlayIcon(), func() { act(again, d.run) })
	d.tasks = widget.NewList(func() int { return len(d.run.Models) },
		func() fyne.CanvasObject { return newTaskRow() },
		func(i widget.ListItemID, o fyne.CanvasObject) {
			if i < len(d.run.Models) {
				o.(*taskRow).set(d.run.Models[i])
			}
		})
	d.tasks.OnSelected = func(i widget.ListItemID) { d.explain(i) }
	head := container.NewBorder(nil, nil, nil, d.phase, d.title)
	buttons := container.NewHBox(d.pause, d.resume, d.again, d.cancel, d.cancelAll)
	top := container.NewVBox(head, container.New(fixedHeight(barHeight), d.bar), d.counts, container.NewBorder(nil, nil, d.when, buttons), widget.NewSeparator())
	d.object = container.NewPadded(container.NewBorder(top, d.reason, nil, nil, d.tasks))
	return d
}

// explain shows a failure's reason in full, which the row has no room for.
func (d *details) explain(i int) {
	d.reason.Hide()
	if i >= 0 && i < len(d.run.Models) && d.run.Models[i].Failed {
		d.reason.SetText(d.run.Models[i].ID + ": " + d.run.Models[i].Detail)
		d.reason.Show()
	}
}

// set shows a run; open is how many runs have not ended, all of which can be cancelled at once
// where they are several.
func (d *details) set(r Run, open int) {
	other := d.run.ID != r.ID
	d.run = r
	d.title.SetText(r.Title)
	d.phase.Importance = importance(r.State, r.Failed > 0)
	d.phase.SetText(r.state().Phase)
	d.bar.SetValue(r.Share)
	d.counts.SetText(r.Detail)
	d.when.SetText(r.When)
	parts.Show(d.pause, r.CanPause)
	parts.Show(d.resume, r.CanResume)
	parts.Show(d.cancel, r.CanCancel)
	parts.Show(d.cancelAll, open > 1)
	d.cancelAll.SetText(fmt.Sprintf("Cancel all %d", open))
	parts.Show(d.again, r.CanAgain())
	d.again.SetText("Run again")
	if r.State == Interrupted {
		d.again.SetText("Resume")
	}
	if other {
		d.tasks.UnselectAll()
		d.tasks.ScrollToTop()
		d.explain(d.firstFailed())
	}
	d.tasks.Refresh()
}

func (d *details) firstFailed() int {
	for i, t := range d.run.Models {
		if t.Failed {
			return i
		}
	}
	return -1
}
