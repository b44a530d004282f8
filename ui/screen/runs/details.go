package runs

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	parts "github.com/variscope/variscope/ui/widget"
)

// colours are those of the phases that are told apart by one.
var colours = map[engine.Phase]fyne.ThemeColorName{
	engine.Failed: theme.ColorNameError, job.Interrupted: theme.ColorNameWarning, engine.Done: theme.ColorNameSuccess,
	engine.Running: theme.ColorNamePrimary, engine.Queued: theme.ColorNamePlaceHolder,
	engine.Paused: theme.ColorNamePlaceHolder, engine.Cancelled: theme.ColorNamePlaceHolder,
}

// colour is that of a run's phase: one that has finished without some of its models is doubtful.
func colour(l job.Listed) fyne.ThemeColorName {
	if l.Phase == engine.Done && l.Failed > 0 {
		return theme.ColorNameWarning
	}
	return colours[l.Phase]
}

// details shows the selected run: its numbers, its buttons and its models.
type details struct {
	run                          job.Listed
	title, counts, when, reason  *widget.Label
	bar                          *parts.Share
	pause, resume, cancel, again *widget.Button
	cancelAll                    *widget.Button
	row                          *fyne.Container // of the buttons
	models                       *kit.Records[job.Model]
	object                       fyne.CanvasObject
}

func truncated() *widget.Label {
	l := widget.NewLabel("")
	l.Truncation = fyne.TextTruncateEllipsis
	return l
}

func newDetails(host *kit.Host, act func(action, job.Listed)) *details {
	d := &details{
		title: truncated(), counts: widget.NewLabel(""), when: widget.NewLabel(""), reason: widget.NewLabel(""),
		bar: parts.NewShare(),
	}
	d.title.TextStyle.Bold = true
	d.title.SizeName = theme.SizeNameSubHeadingText
	d.counts.Wrapping, d.reason.Wrapping = fyne.TextWrapWord, fyne.TextWrapWord
	d.when.Truncation = fyne.TextTruncateEllipsis
	d.when.Importance, d.reason.Importance = widget.LowImportance, widget.DangerImportance
	d.reason.Selectable = true
	button := func(text string, icon fyne.Resource, what action) *widget.Button {
		return widget.NewButtonWithIcon(text, icon, func() { act(what, d.run) })
	}
	d.pause, d.resume = button("Pause", theme.MediaPauseIcon(), pause), button("Resume", theme.MediaPlayIcon(), resume)
	d.cancel, d.cancelAll = button("Cancel", theme.CancelIcon(), cancel),
		button("Cancel all", theme.CancelIcon(), cancelAll)
	d.again = button("Resume", theme.MediaPlayIcon(), again)
	d.models = &kit.Records[job.Model]{
		Host: host, Table: job.Models, Bars: []string{job.Progress}, OnSelect: func(job.Model, bool) { d.explain() },
		OnOpen:  func(m job.Model) { host.Inspect(m.Hash) },
		Colours: map[string]func(job.Model) fyne.ThemeColorName{"state": colourOf, "reason": colourOf},
	}
	d.row = container.NewBorder(nil, nil, nil,
		container.NewHBox(d.pause, d.resume, d.again, d.cancel, d.cancelAll), d.when)
	top := container.NewVBox(d.title, d.bar, d.counts, d.row, widget.NewSeparator())
	d.object = container.NewPadded(container.NewBorder(top, d.reason, nil, nil, d.models.Object()))
	return d
}

func colourOf(m job.Model) fyne.ThemeColorName {
	if m.Phase == engine.Failed {
		return theme.ColorNameError
	}
	return ""
}

// explain says in full why the selected model failed, or the first that did.
func (d *details) explain() {
	m, ok := d.models.Selected()
	if !ok {
		if at := slices.IndexFunc(d.run.Models, func(m job.Model) bool { return m.Reason != "" }); at >= 0 {
			m = d.run.Models[at]
		}
	}
	parts.Show(d.reason, m.Reason != "")
	if text := m.ID + ": " + m.Reason; m.Reason != "" && d.reason.Text != text {
		d.reason.SetText(text)
	}
}

// set shows a run; open is how many runs have not ended, all of which can be cancelled at once
// where they are several.
func (d *details) set(l job.Listed, open int) {
	other := d.run.ID != l.ID
	d.run = l
	d.title.SetText(l.Title())
	d.bar.SetValue(l.Share())
	d.counts.SetText(counts(l))
	d.when.SetText(when(l))
	parts.Show(d.pause, l.Phase == engine.Running || l.Phase == engine.Queued)
	parts.Show(d.resume, l.Phase == engine.Paused)
	parts.Show(d.cancel, l.Open())
	parts.Show(d.cancelAll, open > 1)
	d.cancelAll.SetText(fmt.Sprintf("Cancel all %d", open))
	parts.Show(d.again, l.CanAgain())
	d.again.SetText("Run again")
	if l.Phase == job.Interrupted {
		d.again.SetText("Resume")
	}
	if room := d.row.Objects[1].MinSize(); room != d.row.Objects[1].Size() { // other buttons, or longer ones
		d.row.Refresh()
	}
	if other {
		d.models.Select("")
		d.models.Set(l.Models)
	} else {
		d.models.Update(l.Models)
	}
	d.explain()
}

// counts says what has become of a run's models and images, and how fast it is.
func counts(l job.Listed) string {
	finished := 0
	for _, m := range l.Models {
		if m.Phase == engine.Done {
			finished++
		}
	}
	texts := []string{job.Word(l.Phase), fmt.Sprintf("%s of %s", result.Whole(finished),
		result.Counted(len(l.Models), "model"))}
	add := func(text string, is bool) {
		if is && text != "" {
			texts = append(texts, text)
		}
	}
	add(result.Whole(l.Failed)+" failed", l.Failed > 0)
	add(rateText(l.PerSecond), l.Phase == engine.Running && l.PerSecond > 0)
	add(present.Left(l.Left), l.Phase == engine.Running)
	if l.Total > 0 {
		add(result.Share.Say(float64(l.Reused)/float64(l.Total), 0)+" was there already", l.Reused > 0)
	}
	add(result.Counted(l.Skipped, "corrupt image")+" skipped", l.Skipped > 0)
	add("no images skipped", l.Skipped == 0)
	add("mixed processors", l.Mixed)
	return strings.Join(texts, ", ")
}

// when is the time of start, and how long it took where it has ended.
func when(l job.Listed) string {
	if l.Started.IsZero() {
		return ""
	}
	text := "started " + result.Time.Say(float64(l.Started.Unix()), 0)
	if l.Took > 0 {
		text += ", took " + result.Duration.Say(l.Took.Seconds(), 0)
	}
	return text
}
