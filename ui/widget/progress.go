package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
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

// ProgressRow is one run or one model of a run: what it is, how far it is, and buttons to pause,
// resume and cancel it.
type ProgressRow struct {
	widget.BaseWidget
	OnPause, OnResume, OnCancel func()
	// OnTapped is called when the row is clicked beside its buttons.
	OnTapped func()

	state                 ProgressState
	title, phase, detail  *widget.Label
	bar                   *thinBar
	pause, resume, cancel *widget.Button
	box                   fyne.CanvasObject
}

// NewProgressRow makes an empty row.
func NewProgressRow() *ProgressRow {
	p := &ProgressRow{
		title: widget.NewLabel(""), phase: widget.NewLabel(""), detail: widget.NewLabel(""), bar: newThinBar(),
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
	p.box = container.New(tightColumn{}, head, p.bar, p.detail)
	p.ExtendBaseWidget(p)
	return p
}

// State is what the row shows.
func (p *ProgressRow) State() ProgressState { return p.state }

// SetState shows another state; only what changed is drawn again, so that it may be called 10
// times a second.
func (p *ProgressRow) SetState(s ProgressState) {
	p.state = s
	setLabel(p.title, s.Title)
	phase := s.Phase
	if s.Share > 0 && s.Share < 1 {
		phase += " " + WholePercent(s.Share)
	}
	setLabel(p.phase, phase)
	setLabel(p.detail, s.Detail)
	p.bar.set(s.Share)
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

// tightColumn stacks objects without the padding between them: labels bring their own.
type tightColumn struct{}

// MinSize implements fyne.Layout.
func (tightColumn) MinSize(objects []fyne.CanvasObject) (size fyne.Size) {
	for _, o := range objects {
		min := o.MinSize()
		size = fyne.NewSize(max(size.Width, min.Width), size.Height+min.Height)
	}
	return size
}

// Layout implements fyne.Layout.
func (tightColumn) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	for _, o := range objects {
		height := o.MinSize().Height
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, height))
		y += height
	}
}

// thinBar is a progress bar without text, a few pixels high.
type thinBar struct {
	widget.BaseWidget
	share       float64
	track, done *canvas.Rectangle
}

const barThickness = 6

func newThinBar() *thinBar {
	b := &thinBar{track: canvas.NewRectangle(nil), done: canvas.NewRectangle(nil)}
	b.ExtendBaseWidget(b)
	return b
}

func (b *thinBar) set(share float64) {
	if share != b.share {
		b.share = share
		b.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (b *thinBar) CreateRenderer() fyne.WidgetRenderer {
	r := &thinBarRenderer{b}
	r.Layout(b.Size())
	return r
}

type thinBarRenderer struct{ b *thinBar }

// Destroy implements fyne.WidgetRenderer.
func (r *thinBarRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *thinBarRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.b.track, r.b.done}
}

// MinSize implements fyne.WidgetRenderer.
func (r *thinBarRenderer) MinSize() fyne.Size { return fyne.NewSize(60, barThickness) }

// Refresh implements fyne.WidgetRenderer.
func (r *thinBarRenderer) Refresh() {
	r.Layout(r.b.Size())
	r.b.track.Refresh()
	r.b.done.Refresh()
}

// Layout implements fyne.WidgetRenderer.
func (r *thinBarRenderer) Layout(size fyne.Size) {
	st := styleOf(r.b)
	inset := 2 * st.pad
	r.b.track.FillColor, r.b.done.FillColor = faded(st.primary, 0.2), st.primary
	width := max(size.Width-2*inset, 0)
	for _, bar := range []*canvas.Rectangle{r.b.track, r.b.done} {
		bar.CornerRadius = barThickness / 2
		bar.Move(fyne.NewPos(inset, (size.Height-barThickness)/2))
	}
	r.b.track.Resize(fyne.NewSize(width, barThickness))
	r.b.done.Resize(fyne.NewSize(width*float32(min(max(r.b.share, 0), 1)), barThickness))
	r.b.done.Hidden = r.b.share <= 0
}
