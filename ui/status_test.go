package ui

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/jobs"
)

// Work that begins or ends must not move the screen above the line.
func TestTheStatusLineKeepsItsHeight(t *testing.T) {
	st := stage.New(t)
	line := newStatusLine()
	window := st.Window(line.object, fyne.NewSize(800, 60))
	before := line.object.MinSize().Height
	work := jobs.New(fyne.Do)
	defer func() { work.Stop(); work.Wait() }()
	started, end := make(chan struct{}), make(chan struct{})
	job := work.Start("Train assessors", func(_ context.Context, p *jobs.Progress) error {
		p.SetTotal(4)
		p.Add(1)
		close(started)
		<-end
		return nil
	}, nil)
	<-started
	line.refresh([]*jobs.Job{job})
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

// TestTheStatusLineGivesItsWorkRoom: what is at work is not cut while there is room beside it,
// whatever widths are rounded to.
func TestTheStatusLineGivesItsWorkRoom(t *testing.T) {
	st := stage.New(t)
	line := newStatusLine()
	window := st.Window(line.object, fyne.NewSize(1280, 60))
	line.right.Show()
	for done := range 300 {
		text := fmt.Sprintf("Demo: %d of 84,033,537, about %d s left", done*done*911, done)
		line.job.SetText(text)
		window.Resize(fyne.NewSize(1280+float32(done%7)/3, 60))
		if lines := linesOf(line.object); !slices.Contains(lines, text) {
			t.Fatalf("%q is shown as %q", text, lines)
		}
		if right := line.cancel.Position().X + line.cancel.Size().Width; right > line.right.Size().Width+1 {
			t.Fatalf("the button reaches to %g in a width of %g", right, line.right.Size().Width)
		}
	}
}

// TestTheStatusLineFollowsItsWork: the text of what is at work gets the room that it asks for also
// after it has grown.
func TestTheStatusLineFollowsItsWork(t *testing.T) {
	st := stage.New(t)
	line := newStatusLine()
	st.Window(line.object, fyne.NewSize(1280, 60))
	work := jobs.New(fyne.Do)
	defer func() { work.Stop(); work.Wait() }()
	grow, grown, end := make(chan struct{}), make(chan struct{}), make(chan struct{})
	defer close(end)
	job := work.Start("Demo", func(_ context.Context, p *jobs.Progress) error {
		<-grow
		p.SetTotal(84_033_537)
		p.Add(28_701_466)
		close(grown)
		<-end
		return nil
	}, nil)
	line.refresh([]*jobs.Job{job})
	short := line.job.Size().Width
	close(grow)
	<-grown
	line.refresh([]*jobs.Job{job})
	want := fyne.MeasureText(line.job.Text, theme.TextSize(), line.job.TextStyle).Width + 2*theme.InnerPadding()
	if got := line.job.Size().Width; got < want || got <= short {
		t.Errorf("%q has a width of %g, it was %g and wants %g", line.job.Text, got, short, want)
	}
	if right := line.cancel.Position().X + line.cancel.Size().Width; right > line.right.Size().Width+1 {
		t.Errorf("the button reaches to %g in a width of %g", right, line.right.Size().Width)
	}
}
