package kit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
)

// Missing is something that runs would bring. Text says what a button would do: "Compute rot90 for
// 12 models on digits".
type Missing struct {
	Text string
	Runs []Run
}

// Cost is what runs take, as far as it is not there yet.
type Cost struct {
	Units   int // of work
	Bytes   int64
	Took    time.Duration // about; 0 where the speed is not known
	Refused error         // why nothing can be computed; nil where something can
}

// String says the cost in a line.
func (c Cost) String() string {
	switch {
	case c.Units == 0 && c.Refused != nil:
		return present.Sentence(c.Refused)
	case c.Units == 0:
		return "All of it is there."
	}
	text := result.Counted(c.Units, "unit") + " of work, about " + store.SizeText(c.Bytes)
	if c.Took > 0 {
		text += " and " + result.Duration.Say(c.Took.Seconds(), 0)
	}
	return text + "."
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

// price reads in the background what runs take. show gets it on the main goroutine, unless latest
// has moved on; without anybody who knows it is not called.
func (h *Host) price(latest *background.Latest, runs []Run, show func(Cost)) {
	if h.Cost == nil {
		return
	}
	background.Load(h.Work, latest, "cost of runs", func(ctx context.Context) (Cost, error) { return h.Cost(ctx, runs) },
		func(c Cost, err error) {
			switch {
			case errors.Is(err, background.ErrClosed) || present.Cancelled(err):
			case err != nil:
				show(Cost{Refused: err})
			default:
				show(c)
			}
		})
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

// AskMissing opens the form that computes what is missing: each with what it takes, and how far it
// is once it was started. The screen behind stays and shows the result. further are other ways.
func (h *Host) AskMissing(list []Missing, further ...Help) {
	d := h.NewDialog("Compute what is missing", fyne.NewSize(640, 120))
	rows := container.NewVBox()
	var stops []func()
	for _, m := range list {
		row := newMissingRow(h, m)
		stops = append(stops, h.Runs.Hear(row.renew))
		rows.Add(row.object)
	}
	if len(list) == 0 {
		rows.Add(fynewidget.NewLabel("Nothing is missing here."))
	}
	d.OnClosed = func() {
		for _, stop := range stops {
			stop()
		}
	}
	var buttons []fyne.CanvasObject
	if h.ShowRuns != nil {
		further = append(further, Help{Text: "Show runs", Icon: theme.NavigateNextIcon(), Do: h.ShowRuns})
	}
	for _, f := range further {
		if f.Do != nil {
			buttons = append(buttons, fynewidget.NewButtonWithIcon(f.Text, f.Icon, func() { d.Close(); f.Do() }))
		}
	}
	d.Show(rows, append(buttons, d.CloseButton("Close"))...)
	d.Present(nil)
}

// missingRow is a line of that form.
type missingRow struct {
	host   *Host
	runs   []Run
	cost   *fynewidget.Label
	start  *fynewidget.Button
	object fyne.CanvasObject
	latest background.Latest
	state  string
}

func newMissingRow(h *Host, m Missing) *missingRow {
	r := &missingRow{host: h, runs: m.Runs, cost: fynewidget.NewLabel("")}
	r.cost.SizeName, r.cost.Wrapping = theme.SizeNameCaptionText, fyne.TextWrapWord
	r.start = fynewidget.NewButtonWithIcon("Start", theme.MediaPlayIcon(), func() { h.Start(m.Runs...) })
	text := fynewidget.NewLabel(m.Text)
	text.Truncation = fyne.TextTruncateEllipsis
	r.object = container.NewBorder(nil, nil, nil, container.NewVBox(r.start), container.NewVBox(text, r.cost))
	r.state = h.AtWork(m.Runs...)
	r.show()
	return r
}

// renew follows the runs.
func (r *missingRow) renew() {
	if state := r.host.AtWork(r.runs...); state != r.state {
		r.state = state
		r.show()
	}
}

// show says how far the runs are, or what they take.
func (r *missingRow) show() {
	r.latest.Next()
	if r.state != "" {
		r.cost.SetText("This is being computed: " + r.state + ".")
		r.start.Disable()
		return
	}
	r.cost.SetText("")
	r.start.Enable()
	r.host.price(&r.latest, r.runs, func(c Cost) {
		r.cost.SetText(c.String())
		if c.Units == 0 {
			r.start.Disable()
		}
	})
}
