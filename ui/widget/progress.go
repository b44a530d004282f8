package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

var _ fyne.Tappable = (*ProgressRow)(nil)

// ProgressState is what a progress row shows.
type ProgressState struct {
	Title, Phase, Detail           string
	Share                          float64 // done, 0..1
	CanPause, CanResume, CanCancel bool
}

// ProgressRow is one run or one model of a run: what it is, how far it is, and buttons to pause, resume and cancel it.
type ProgressRow struct {
	widget.BaseWidget
	OnPause, OnResume, OnCancel func()
	// OnTapped is called when the row is clicked beside its buttons.
	OnTapped func()

	state                 ProgressState
	title, phase, detail  *widget.Label
	bar                   *widget.ProgressBar
	pause, resume, cancel *widget.Button
	box                   fyne.CanvasObject
}

// NewProgressRow makes an empty row.
func NewProgressRow() *ProgressRow {
	p := &ProgressRow{
		title: widget.NewLabel(""), phase: widget.NewLabel(""), detail: widget.NewLabel(""), bar: widget.NewProgressBar(),
	}
	call := func(f *func()) func() {
		return func() {
			if *f != nil {
				(*f)()
			}
		}
	}
	p.pause = widget.NewButtonWithIcon("Pause", theme.MediaPauseIcon(), call(&p.OnPause))
	p.resume = widget.NewButtonWithIcon("Resume", theme.MediaPlayIcon(), call(&p.OnResume))
	p.cancel = widget.NewButtonWithIcon("Cancel", theme.CancelIcon(), call(&p.OnCancel))
	for _, b := range []*widget.Button{p.pause, p.resume, p.cancel} {
		b.Importance = widget.LowImportance
		b.Hide()
	}
	p.title.TextStyle.Bold = true
	p.title.Truncation, p.detail.Truncation = fyne.TextTruncateEllipsis, fyne.TextTruncateEllipsis
	head := container.NewBorder(nil, nil, nil, container.NewHBox(p.phase, p.pause, p.resume, p.cancel), p.title)
	p.box = container.NewVBox(head, p.bar, p.detail)
	p.ExtendBaseWidget(p)
	return p
}

// State is what the row shows.
func (p *ProgressRow) State() ProgressState { return p.state }

// SetState shows another state; only what changed is drawn again, so that it may be called 10 times a second.
func (p *ProgressRow) SetState(s ProgressState) {
	p.state = s
	setLabel(p.title, s.Title)
	setLabel(p.phase, s.Phase)
	setLabel(p.detail, s.Detail)
	if p.bar.Value != s.Share {
		p.bar.SetValue(s.Share)
	}
	setVisible(p.pause, s.CanPause)
	setVisible(p.resume, s.CanResume)
	setVisible(p.cancel, s.CanCancel)
}

func setLabel(l *widget.Label, text string) {
	if l.Text != text {
		l.SetText(text)
	}
}

func setVisible(o fyne.CanvasObject, visible bool) {
	switch {
	case visible == o.Visible():
	case visible:
		o.Show()
	default:
		o.Hide()
	}
}

// Tapped implements fyne.Tappable.
func (p *ProgressRow) Tapped(*fyne.PointEvent) {
	if p.OnTapped != nil {
		p.OnTapped()
	}
}

// CreateRenderer implements fyne.Widget.
func (p *ProgressRow) CreateRenderer() fyne.WidgetRenderer {
	p.ExtendBaseWidget(p)
	return widget.NewSimpleRenderer(p.box)
}
