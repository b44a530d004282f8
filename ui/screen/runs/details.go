package runs

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// details shows the selected run: its numbers, its buttons and its models.
type details struct {
	run                               Run
	title, phase, counts, speed, when *widget.Label
	reason                            *widget.Label
	bar                               *widget.ProgressBar
	pause, resume, cancel, again      *widget.Button
	tasks                             *widget.List
	object                            fyne.CanvasObject
}

func newDetails(act func(action, Run)) *details {
	d := &details{
		title: truncated(), phase: widget.NewLabel(""), counts: widget.NewLabel(""), speed: widget.NewLabel(""),
		when: widget.NewLabel(""), reason: widget.NewLabel(""), bar: widget.NewProgressBar(),
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
	d.again = widget.NewButtonWithIcon("Resume", theme.MediaPlayIcon(), func() { act(again, d.run) })
	d.tasks = widget.NewList(func() int { return len(d.run.Tasks) },
		func() fyne.CanvasObject { return newTaskRow() },
		func(i widget.ListItemID, o fyne.CanvasObject) {
			if i < len(d.run.Tasks) {
				o.(*taskRow).set(d.run.Tasks[i])
			}
		})
	d.tasks.OnSelected = func(i widget.ListItemID) { d.explain(i) }
	head := container.NewBorder(nil, nil, nil, d.phase, d.title)
	buttons := container.NewHBox(d.pause, d.resume, d.again, d.cancel)
	top := container.NewVBox(head, d.bar, container.NewBorder(nil, nil, nil, buttons, d.speed), d.counts, d.when, widget.NewSeparator())
	d.object = container.NewPadded(container.NewBorder(top, d.reason, nil, nil, d.tasks))
	return d
}

// explain shows a failure's reason in full, which the row has no room for.
func (d *details) explain(i int) {
	d.reason.Hide()
	if i >= 0 && i < len(d.run.Tasks) && d.run.Tasks[i].Phase == "failed" {
		d.reason.SetText(d.run.Tasks[i].ID + ": " + d.run.Tasks[i].Detail)
		d.reason.Show()
	}
}

func (d *details) set(r Run) {
	other := d.run.ID != r.ID
	d.run = r
	d.title.SetText(r.Title)
	setPhase(d.phase, r.Phase, r.Failed)
	d.bar.SetValue(r.Share)
	d.counts.SetText(r.Counts)
	d.speed.SetText(r.Speed)
	d.when.SetText(r.When)
	can := r.Actions()
	visible(d.pause, can.Pause)
	visible(d.resume, can.Resume)
	visible(d.cancel, can.Cancel)
	visible(d.again, can.Again)
	d.again.SetText("Run again")
	if r.Phase == Interrupted {
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
	for i, t := range d.run.Tasks {
		if t.Phase == "failed" {
			return i
		}
	}
	return -1
}
