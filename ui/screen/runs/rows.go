package runs

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
)

// runRow is one line of the list of runs: what, how it stands, how far.
type runRow struct {
	widget.BaseWidget
	title, phase, counts *widget.Label
	bar                  *widget.ProgressBar
}

func newRunRow() *runRow {
	r := &runRow{title: truncated(), phase: widget.NewLabel(""), counts: truncated(), bar: widget.NewProgressBar()}
	r.title.TextStyle.Bold = true
	r.counts.Importance = widget.LowImportance
	r.counts.SizeName = theme.SizeNameCaptionText
	r.ExtendBaseWidget(r)
	return r
}

func truncated() *widget.Label {
	l := widget.NewLabel("")
	l.Truncation = fyne.TextTruncateEllipsis
	return l
}

func (r *runRow) CreateRenderer() fyne.WidgetRenderer {
	head := container.NewBorder(nil, nil, nil, r.phase, r.title)
	return widget.NewSimpleRenderer(container.NewPadded(container.NewVBox(head, thin(r.bar), r.counts)))
}

func (r *runRow) set(run Run) {
	r.title.SetText(run.Title)
	setPhase(r.phase, run.Phase, run.Failed)
	r.bar.SetValue(run.Share)
	text := run.Counts
	if run.Speed != "" {
		text = run.Speed + ", " + text
	}
	r.counts.SetText(text)
}

// setPhase shows a phase in its colour; a run that is done although models failed says so.
func setPhase(l *widget.Label, p engine.Phase, failed int) {
	text := string(p)
	switch {
	case p == engine.Failed:
		l.Importance = widget.DangerImportance
	case p == engine.Done && failed > 0:
		l.Importance = widget.WarningImportance
		text = fmt.Sprintf("done, %d failed", failed)
	case p == engine.Done:
		l.Importance = widget.SuccessImportance
	case p == Interrupted:
		l.Importance = widget.WarningImportance
	case p == engine.Running:
		l.Importance = widget.HighImportance
	default:
		l.Importance = widget.LowImportance
	}
	l.SetText(text)
}

// thin gives a progress bar a modest height.
func thin(bar *widget.ProgressBar) fyne.CanvasObject {
	return container.New(fixedHeight(18), bar)
}

// fixedHeight is a layout of one object with this height.
type fixedHeight float32

// Layout implements fyne.Layout.
func (h fixedHeight) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(fyne.NewSize(size.Width, float32(h)))
	}
}

// MinSize implements fyne.Layout.
func (h fixedHeight) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(60, float32(h)) }

// taskRow is one model of a run.
type taskRow struct {
	widget.BaseWidget
	id, phase, detail *widget.Label
	bar               *widget.ProgressBar
}

func newTaskRow() *taskRow {
	r := &taskRow{id: truncated(), phase: widget.NewLabel(""), detail: truncated(), bar: widget.NewProgressBar()}
	r.ExtendBaseWidget(r)
	return r
}

func (r *taskRow) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.New(taskColumns{}, r.id, thin(r.bar), r.phase, r.detail))
}

func (r *taskRow) set(t Task) {
	r.id.SetText(t.ID)
	r.bar.SetValue(t.Share)
	setPhase(r.phase, t.Phase, 0)
	r.detail.Importance = widget.LowImportance
	if t.Phase == engine.Failed {
		r.detail.Importance = widget.DangerImportance
	}
	r.detail.SetText(t.Detail)
}

// taskColumns lays out the parts of a taskRow: id, bar, phase, and the rest for the detail.
type taskColumns struct{}

// Layout implements fyne.Layout.
func (taskColumns) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	x := float32(0)
	for i, width := range []float32{96, 110, 92, max(60, size.Width-96-110-92)} {
		height := objects[i].MinSize().Height
		objects[i].Move(fyne.NewPos(x, (size.Height-height)/2))
		objects[i].Resize(fyne.NewSize(width, height))
		x += width
	}
}

// MinSize implements fyne.Layout.
func (taskColumns) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(360, objects[0].MinSize().Height)
}
