package dialogs

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
)

// roomLine says what a run adds to the workspace and whether that fits on the disk.
type roomLine struct {
	host   *kit.Host
	runner Runner
	label  *widget.Label
	latest background.Latest
}

func newRoomLine(host *kit.Host, runner Runner) *roomLine {
	r := &roomLine{host: host, runner: runner, label: widget.NewLabel("")}
	r.label.Wrapping = fyne.TextWrapWord
	return r
}

// measured is what runs add; known is false while their requests cannot be read: a table of
// classes that is half written is no reason to complain yet.
type measured struct {
	size  job.Size
	known bool
}

// measure looks anew; what it says belongs to the latest requests, which find reads off the main
// goroutine.
func (r *roomLine) measure(find func() ([]job.Request, error)) {
	r.say("counting …", widget.LowImportance)
	background.Load(r.host.Work, &r.latest, "measure run", func(ctx context.Context) (m measured, err error) {
		reqs, err := find()
		if err != nil {
			return measured{}, nil
		}
		m.known = true
		m.size, err = job.MeasureEach(ctx, r.runner.Workspace, r.runner.Runtime, reqs)
		return m, err
	}, func(m measured, err error) {
		switch {
		case err == nil && !m.known:
			r.clear()
		case err == nil:
			r.show(m.size)
		case !cancelled(err):
			r.say(sentence(err), widget.WarningImportance)
		}
	})
}

// clear says nothing until the next request.
func (r *roomLine) clear() {
	r.latest.Next()
	r.say("", widget.MediumImportance)
}

func (r *roomLine) show(s job.Size) {
	text, ok := roomText(s)
	if ok {
		r.say(text, widget.MediumImportance)
	} else {
		r.say(text, widget.DangerImportance)
	}
}

func (r *roomLine) say(text string, importance widget.Importance) {
	r.label.Importance = importance
	r.label.SetText(text)
}

// roomText is the line for people; ok is false when the signals do not fit.
func roomText(s job.Size) (text string, ok bool) {
	if err := s.Fits(); err != nil {
		return sentence(err), false
	}
	switch {
	case s.Units == 0:
		return "nothing new: all signals are there, or no model can take part", true
	case s.Free < 0:
		return fmt.Sprintf("about %s of signals", store.SizeText(s.Bytes)), true
	}
	return fmt.Sprintf("about %s of signals; %s free on the disk", store.SizeText(s.Bytes), store.SizeText(max(0, s.Free))), true
}
