package runs

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/ui/present"
	parts "github.com/variscope/variscope/ui/widget"
)

// state is a run as a progress row shows it; its buttons are beside the details.
func (r Run) state() parts.ProgressState {
	phase := r.Phase
	if r.State == engine.Done && r.Failed > 0 {
		phase = fmt.Sprintf("%s, %s failed", phase, present.Count(int64(r.Failed)))
	}
	return parts.ProgressState{Title: r.Title, Phase: phase, Detail: r.Detail, Share: r.Share}
}

// importance is the colour of a phase.
func importance(p engine.Phase, failed bool) widget.Importance {
	switch {
	case p == engine.Failed:
		return widget.DangerImportance
	case p == Interrupted, p == engine.Done && failed:
		return widget.WarningImportance
	case p == engine.Done:
		return widget.SuccessImportance
	case p == engine.Running:
		return widget.HighImportance
	}
	return widget.LowImportance
}

func truncated() *widget.Label {
	l := widget.NewLabel("")
	l.Truncation = fyne.TextTruncateEllipsis
	return l
}

// taskRow is one model of a run.
type taskRow struct {
	widget.BaseWidget
	id, phase, detail *widget.Label
	bar               *parts.Share
}

func newTaskRow() *taskRow {
	r := &taskRow{id: truncated(), phase: widget.NewLabel(""), detail: truncated(), bar: parts.NewShare()}
	r.ExtendBaseWidget(r)
	return r
}

func (r *taskRow) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.New(taskColumns{}, r.id, r.bar, r.phase, r.detail))
}

func (r *taskRow) set(t present.TaskRow) {
	r.id.SetText(t.ID)
	r.bar.SetValue(t.Share)
	r.phase.Importance, r.detail.Importance = widget.MediumImportance, widget.LowImportance
	if t.Failed {
		r.phase.Importance, r.detail.Importance = widget.DangerImportance, widget.DangerImportance
	}
	r.phase.SetText(t.Phase)
	r.detail.SetText(t.Detail)
}

// taskColumns lays out the parts of a taskRow: id, bar, phase, and the rest for the detail.
type taskColumns struct{}

const barHeight = 18

// Layout implements fyne.Layout.
func (taskColumns) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	x := float32(0)
	for i, width := range []float32{96, 104, 88, max(60, size.Width-96-104-88)} {
		height := objects[i].MinSize().Height
		if i == 1 {
			height = barHeight
		}
		objects[i].Move(fyne.NewPos(x, (size.Height-height)/2))
		objects[i].Resize(fyne.NewSize(width, height))
		x += width
	}
}

// MinSize implements fyne.Layout.
func (taskColumns) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(360, objects[0].MinSize().Height)
}

// fixedHeight is a layout of one object over the whole width with this height.
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
