package ui

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/ui/jobs"
	parts "github.com/variscope/variscope/ui/widget"
)

// ClosedWork is work on a workspace that must not be open meanwhile; it returns where the
// workspace lies afterwards.
type ClosedWork func(ctx context.Context, p engine.Progress) (path string, err error)

// Wait shows progress and a way to cancel in a window that a workspace has left while work runs off
// the main goroutine, then calls done on the main goroutine.
func Wait(window fyne.Window, title string, work func(ctx context.Context, p engine.Progress) error, done func(error)) {
	window.SetTitle(fmt.Sprintf("Variscope — %s", title))
	text, bar := widget.NewLabel(title), parts.NewProgress()
	bar.Show(0, false)
	group := jobs.New(fyne.Do)
	job := group.Start(title, func(ctx context.Context, p *jobs.Progress) error { return work(ctx, p) },
		func(err error) {
			group.Stop()
			bar.Hide()
			clearOut(window)
			done(err)
		})
	group.Subscribe(func() { bar.Show(job.Snapshot().Fraction()) })
	cancel := widget.NewButton("Cancel", nil)
	cancel.OnTapped = func() {
		cancel.Disable()
		job.Cancel()
	}
	window.SetCloseIntercept(cancel.OnTapped)
	window.SetMainMenu(nil)
	column := container.NewVBox(text, bar.Object(), container.NewCenter(cancel))
	window.SetContent(container.NewCenter(container.New(fixedWidth(waitWidth), column)))
}

// waitWidth is the width of what Wait shows.
const waitWidth = 480
