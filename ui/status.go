package ui

import (
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/present"
	parts "github.com/variscope/variscope/ui/widget"
)

// statusLine is the window's last line: the latest message at the left, the work at hand with its
// progress and a way to cancel it at the right.
type statusLine struct {
	message *parts.StatusLine
	others  *widget.Label // how many other machines compute
	beside  *fyne.Container
	job     *widget.Label
	bar     *parts.Progress
	cancel  *widget.Button
	right   *fyne.Container
	line    *fyne.Container
	object  fyne.CanvasObject
	shown   *jobs.Job
}

func newStatusLine() *statusLine {
	s := &statusLine{
		message: parts.NewStatusLine(), others: widget.NewLabel(""), job: widget.NewLabel(""),
		bar: parts.NewProgress(),
	}
	s.cancel = widget.NewButtonWithIcon("Cancel", theme.CancelIcon(), func() {
		if s.shown != nil {
			s.shown.Cancel()
			s.refresh([]*jobs.Job{s.shown})
		}
	})
	s.cancel.Importance = widget.LowImportance
	s.job.Truncation = fyne.TextTruncateEllipsis
	s.right = container.New(inLine{}, s.job, s.bar.Object(), s.cancel)
	s.right.Hide()
	s.beside = container.New(inLine{}, s.others)
	s.beside.Hide()
	s.line = container.New(message{}, container.New(message{}, s.message, s.beside), s.right)
	s.object = container.New(layout.NewCustomPaddedVBoxLayout(0), widget.NewSeparator(),
		container.NewStack(parts.NewGround(theme.ColorNameHeaderBackground), s.line))
	return s
}

// inLine lays its objects side by side in the height that there is and asks for none itself: work
// that begins or ends does not make the status line higher or lower, which would move the whole
// screen above it.
type inLine struct{}

// Layout implements fyne.Layout. What is higher than the line stands over its edges by the same
// amount.
func (l inLine) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	x, missing := float32(0), l.MinSize(objects).Width-size.Width
	for _, o := range objects {
		least := inLineSize(o)
		if _, ok := o.(*widget.Label); ok {
			least.Width -= max(missing, 0) // its text is cut
		} else {
			least.Height = max(min(least.Height, size.Height)-2, 0) // these have a ground
		}
		place(o, x, (size.Height-least.Height)/2, least.Width, least.Height)
		x += least.Width + theme.Padding()
	}
}

// MinSize implements fyne.Layout.
func (inLine) MinSize(objects []fyne.CanvasObject) fyne.Size {
	width := theme.Padding() * float32(len(objects)-1)
	for _, o := range objects {
		width += inLineSize(o).Width
	}
	return fyne.NewSize(width, 0)
}

// barWidth is the width of a progress bar.
const barWidth = 150

func inLineSize(o fyne.CanvasObject) fyne.Size {
	size := o.MinSize()
	if label, ok := o.(*widget.Label); ok { // one that may be cut asks for nothing
		// Fyne cuts by whole pixels, and a text that has just the room that it was measured to
		// need by a pixel more.
		size.Width = fyne.MeasureText(label.Text, theme.TextSize(), label.TextStyle).Width + 2*theme.InnerPadding() +
			theme.Padding()
	}
	if _, ok := o.(*fyne.Container); ok {
		size.Width = max(size.Width, barWidth)
	}
	return size
}

// machines says what there is to say of other machines; "" for nothing.
func (s *statusLine) machines(text string) {
	if text == s.others.Text {
		return
	}
	s.others.SetText(text)
	parts.Show(s.beside, text != "")
	s.line.Refresh()
}

func (s *statusLine) say(text string) {
	s.message.Say(outside.Visible(strings.ReplaceAll(text, "\n", " ")))
}

// refresh shows the oldest job, and how many others there are.
func (s *statusLine) refresh(jobs []*jobs.Job) {
	if len(jobs) == 0 {
		s.shown = nil
		s.bar.Hide()
		if s.right.Visible() {
			s.right.Hide()
			s.line.Refresh() // or what stands beside it keeps the place that it had
		}
		return
	}
	s.shown = jobs[0]
	now := s.shown.Snapshot()
	text := jobText(now, len(jobs), time.Now())
	other := text != s.job.Text
	s.job.SetText(text)
	s.bar.Show(now.Fraction())
	parts.Enable(s.cancel, !now.Cancelling && !now.Whole)
	s.right.Show()
	if other { // Fyne lays out anew only what asks for another size, which a text that may be cut does not
		s.line.Refresh()
	}
}

func jobText(now jobs.Snapshot, jobs int, at time.Time) string {
	text := now.Name
	switch {
	case now.Cancelling:
		text += ": " + "cancelling"
	case now.Total > 0:
		text += ": " + present.Done(now.Done, now.Total, now.Percent)
	}
	took := at.Sub(now.Started)
	switch left := present.Left(now.Left(at)); {
	case took < 2*time.Second:
	case left != "":
		text += ", " + left
	default:
		text += ", " + result.Duration.Say(took.Seconds(), 0)
	}
	if jobs > 1 {
		text += " (" + fmt.Sprintf("and %v more", jobs-1) + ")"
	}
	return text
}

// cancelled says what became of work that was cancelled. What started it may say more.
func (w *Window) cancelled(name string, ended bool) {
	if ended {
		w.Say(fmt.Sprintf("%s: cancelled.", name))
	} else {
		w.Say(fmt.Sprintf("%s: it had come to its end before it could be cancelled.", name))
	}
}
