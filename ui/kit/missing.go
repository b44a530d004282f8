package kit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Missing is something that runs would bring. Text says what a button would do: "Compute rot90 for
// 12 models on digits". Show, which may be nil, brings the result to the front once it is there.
type Missing struct {
	Text string
	Runs []Run
	Show func()
}

// CostText says in a line what runs take, as far as it is not there yet. The error says why none of
// it can be computed.
func CostText(s job.Size) (string, error) {
	switch {
	case s.Units == 0 && s.Refused != nil:
		return "", s.Refused
	case s.Units == 0:
		return "All of it is there.", nil
	}
	text := result.Counted(s.Units, "unit") + " of work, about " + store.SizeText(s.Bytes)
	if s.Took > 0 {
		text += " and "
		if s.Slower {
			text += "more than "
		}
		text += result.Duration.Say(s.Took.Seconds(), 0)
	}
	if s.Free >= 0 {
		text += "; " + store.SizeText(s.Free) + " free on the disk"
	}
	return text + ".", s.Fits()
}

// Reasons are the lines of an empty state: what is wrong, then why, of which the first few are
// named.
func Reasons[R any](text string, list []R, say func(R) string) string {
	const few = 6
	for k, r := range list {
		if k == few {
			return fmt.Sprintf("%s\nand %s more", text, result.Whole(len(list)-k))
		}
		text += "\n" + say(r)
	}
	return text
}

// price reads in the background what runs take. show gets that as a text on the main goroutine, and
// whether there is anything that can be computed, unless latest has moved on; without anybody who
// knows it is not called.
func (h *Host) price(latest *jobs.Latest, runs []Run, show func(text string, some bool)) {
	if h.Cost == nil {
		return
	}
	jobs.Load(h.Work, latest, "cost of runs", func(ctx context.Context) (job.Size, error) { return h.Cost(ctx, runs) },
		func(s job.Size, err error) {
			text := ""
			if err == nil {
				text, err = CostText(s)
			}
			switch {
			case errors.Is(err, jobs.ErrClosed) || present.Cancelled(err):
			case err != nil:
				show(present.Sentence(err), false)
			default:
				show(text, s.Units > 0)
			}
		})
}

// CostLine is what Ask.Line says of runs: what they take. err, which may be nil, is said instead.
func (h *Host) CostLine(runs []Run, err error) Work[string] {
	if err == nil && h.Cost == nil {
		return nil
	}
	return func(ctx context.Context, _ engine.Progress) (string, error) {
		if err != nil {
			return "", err
		}
		size, err := h.Cost(ctx, runs)
		if err != nil {
			return "", err
		}
		return CostText(size)
	}
}

// help are the buttons of an empty state that compute what is missing.
func (h *Host) help(list []Missing) (buttons []Help) {
	for _, m := range list {
		b := Help{Text: m.Text, Icon: theme.MediaPlayIcon(), Busy: h.Busy(m.Runs...)}
		if h.Start != nil {
			b.Do = func() { h.Start(m.Runs...) }
		}
		buttons = append(buttons, b)
	}
	return buttons
}

// AskMissing opens the form that computes what is missing, one by one or all of it: each with what
// it takes, how far it is once it was started, and a way to the result. The screen behind stays and
// shows the result. further are other ways.
func (h *Host) AskMissing(list []Missing, further ...Help) {
	d := h.NewDialog("Compute what is missing", fyne.NewSize(640, 120))
	content, rows := container.NewVBox(), []*missingRow{}
	all := fynewidget.NewButtonWithIcon("Start all", theme.MediaPlayIcon(), func() {
		var runs []Run
		for _, r := range rows {
			if !r.button.Disabled() && r.button.Text == startText {
				runs = append(runs, r.Runs...)
			}
		}
		h.Start(runs...)
	})
	widget.Show(all, len(list) > 1)
	changed := func() {
		widget.Enable(all, slices.ContainsFunc(rows,
			func(r *missingRow) bool { return !r.button.Disabled() && r.button.Text == startText }))
	}
	for _, m := range list {
		r := newMissingRow(h, m, changed, d.Close)
		rows = append(rows, r)
		content.Add(r.object)
	}
	if len(list) == 0 {
		content.Add(fynewidget.NewLabel("Nothing is missing here."))
	}
	d.OnClosed = h.Runs.Subscribe(func() {
		for _, r := range rows {
			r.renew()
		}
	})
	if h.ShowRuns != nil {
		further = append(further, Help{Text: "Show runs", Icon: theme.NavigateNextIcon(), Do: h.ShowRuns})
	}
	var buttons []fyne.CanvasObject
	for _, f := range further {
		if f.Do != nil {
			buttons = append(buttons, fynewidget.NewButtonWithIcon(f.Text, f.Icon, func() { d.Close(); f.Do() }))
		}
	}
	d.Show(content, append(buttons, d.CloseButton("Close"), all)...)
	d.Present(nil)
}

// startText is what the button of a line is called before its runs are started.
const startText = "Start"

// missingRow is a line of that form.
type missingRow struct {
	Missing
	host    *Host
	changed func() // after the button has changed
	leave   func()
	cost    *fynewidget.Label
	button  *fynewidget.Button
	object  fyne.CanvasObject
	latest  jobs.Latest
	state   string
	ran     bool
}

func newMissingRow(h *Host, m Missing, changed, leave func()) *missingRow {
	r := &missingRow{Missing: m, host: h, changed: changed, leave: leave, cost: fynewidget.NewLabel("")}
	r.cost.SizeName, r.cost.Wrapping = theme.SizeNameCaptionText, fyne.TextWrapWord
	r.button = fynewidget.NewButtonWithIcon(startText, theme.MediaPlayIcon(), nil)
	text := fynewidget.NewLabel(m.Text)
	text.Truncation = fyne.TextTruncateEllipsis
	r.object = container.NewBorder(nil, nil, nil, container.NewVBox(r.button), container.NewVBox(text, r.cost))
	r.state = h.AtWork(m.Runs...)
	r.update()
	return r
}

// renew follows the runs.
func (r *missingRow) renew() {
	if state := r.host.AtWork(r.Runs...); state != r.state {
		r.state = state
		r.update()
	}
}

// update says how far the runs are, or what they take, or offers what they have brought.
func (r *missingRow) update() {
	r.latest.Next()
	r.offer(startText, r.state == "", func() { r.host.Start(r.Runs...) })
	if r.ran = r.ran || r.state != ""; r.state != "" {
		r.cost.SetText("This is being computed: " + r.state + ".")
		return
	}
	r.cost.SetText("")
	r.host.price(&r.latest, r.Runs, func(text string, some bool) {
		switch {
		case !r.ran:
		case some:
			text = "Not all of it was computed; the Runs screen says why. " + text
		default:
			r.offer("Show result", true, func() {
				if r.leave(); r.Show != nil {
					r.Show()
				}
			})
		}
		r.cost.SetText(text)
		if !some && !r.ran {
			r.offer(startText, false, nil)
		}
	})
}

func (r *missingRow) offer(text string, can bool, do func()) {
	r.button.OnTapped = do
	r.button.SetText(text)
	widget.Enable(r.button, can)
	r.changed()
}
