package ui

import (
	"context"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/stage"
)

// Work that begins or ends must not move the screen above the line.
func TestTheStatusLineKeepsItsHeight(t *testing.T) {
	st := stage.New(t)
	line := newStatusLine()
	window := st.Window(line.object, fyne.NewSize(800, 60))
	before := line.object.MinSize().Height
	work := background.New(fyne.Do)
	defer func() { work.Stop(); work.Wait() }()
	started, end := make(chan struct{}), make(chan struct{})
	job := work.Start("Train assessors", func(_ context.Context, p *background.Progress) error {
		p.SetTotal(4)
		p.Add(1)
		close(started)
		<-end
		return nil
	}, nil)
	<-started
	line.refresh([]*background.Job{job})
	window.Resize(fyne.NewSize(801, 60))
	if now := line.object.MinSize().Height; now != before || !line.right.Visible() {
		t.Errorf("the line was %g high and is %g high while there is work", before, now)
	}
	for _, o := range line.right.Objects[1:] {
		if o.Size().Height > line.object.Size().Height {
			t.Errorf("%T is %g high in a line of %g", o, o.Size().Height, line.object.Size().Height)
		}
	}
	line.right.Resize(fyne.NewSize(400, 0)) // before the window has its size
	for _, o := range line.right.Objects {
		if _, label := o.(*widget.Label); !label && o.Size().Height < 0 {
			t.Errorf("%T is %g high", o, o.Size().Height)
		}
	}
	close(end)
	line.refresh(nil)
	if line.right.Visible() || line.object.MinSize().Height != before {
		t.Error("the line stays another one after the work")
	}
}
