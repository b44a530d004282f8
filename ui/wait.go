package ui

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/ui/background"
	parts "github.com/variscope/variscope/ui/widget"
)

// ClosedWork is work on a workspace that must not be open meanwhile; it returns where the
// workspace lies afterwards.
type ClosedWork func(ctx context.Context, p engine.Progress) (path string, err error)

// Wait shows a small window with progress and a way to cancel while work runs off the main
// goroutine, then calls done on the main goroutine and closes.
func Wait(app fyne.App, title string, work func(ctx context.Context, p engine.Progress) error, done func(error)) {
	window := app.NewWindow(fmt.Sprintf("Variscope — %s", title))
	text, bar := widget.NewLabel(title), parts.NewProgress()
	bar.Show(0, false)
	group := background.New(fyne.Do)
	job := group.Start(title, func(ctx context.Context, p *background.Progress) error { return work(ctx, p) }, func(err error) {
		group.Stop()
		bar.Hide()
		done(err)
		shut(window)
	})
	group.Subscribe(func() { bar.Show(job.Snapshot().Fraction()) })
	cancel := widget.NewButton("Cancel", nil)
	cancel.OnTapped = func() {
		cancel.Disable()
		job.Cancel()
	}
	window.SetCloseIntercept(cancel.OnTapped)
	window.SetContent(container.NewPadded(container.NewVBox(text, bar.Object(), container.NewCenter(cancel))))
	window.Resize(fyne.NewSize(480, 130))
	window.CenterOnScreen()
	window.Show()
}
