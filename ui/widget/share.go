package widget

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
)

// Progress says how far work is: by a Share where that is known, and by a bar that goes to and fro
// where it is not.
type Progress struct {
	box     *fyne.Container
	share   *Share
	endless *widget.ProgressBarInfinite
}

// NewProgress makes a hidden one.
func NewProgress() *Progress {
	p := &Progress{share: NewShare(), endless: widget.NewProgressBarInfinite()}
	p.box = container.NewStack(p.share, p.endless)
	p.Hide()
	return p
}

// Object is what is shown.
func (p *Progress) Object() fyne.CanvasObject { return p.box }

// Visible tells whether it is shown.
func (p *Progress) Visible() bool { return p.box.Visible() }

// Share is what is shown as done; false while that is not known.
func (p *Progress) Share() (share float64, known bool) { return p.share.bar.Value, p.share.Visible() }

// Show shows it, with the share that is done where that is known.
func (p *Progress) Show(share float64, known bool) {
	p.box.Show()
	Show(p.share, known)
	if known {
		p.rest()
		p.share.SetValue(share)
		return
	}
	Show(p.endless, true)
	p.endless.Start()
}

// Hide puts it away.
func (p *Progress) Hide() {
	p.box.Hide()
	p.rest()
}

// rest keeps the bar from moving, which costs time also while nobody sees it.
func (p *Progress) rest() {
	p.endless.Stop()
	p.endless.Hide()
}

// Share is a progress bar with its percentage beside it: in the bar it would stand on the full
// part and on the empty one, and can be read on one of them alone.
type Share struct {
	widget.BaseWidget
	bar *Track
}

// NewShare makes an empty bar.
func NewShare() *Share {
	s := &Share{bar: NewTrack()}
	s.ExtendBaseWidget(s)
	return s
}

// WholePercent says a share in whole per cent, rounded down: what is not done yet is not 100 %.
func WholePercent(share float64) string { return result.Percent(math.Floor(100*share+1e-9) / 100) }

// SetValue shows how much is done, 0 to 1.
func (s *Share) SetValue(share float64) {
	s.bar.SetValue(share)
	s.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (s *Share) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	r := &shareRenderer{s, newText("", nil, 0)}
	r.write()
	return r
}

type shareRenderer struct {
	s    *Share
	text *canvas.Text
}

// write sets the number and how it looks.
func (r *shareRenderer) write() {
	st := styleOf(r.s)
	r.text.Text = WholePercent(r.s.bar.Value)
	r.text.Color, r.text.TextSize, r.text.Alignment = st.foreground, st.caption, fyne.TextAlignTrailing
}

// room is the width of the widest number.
func (r *shareRenderer) room() float32 {
	st := styleOf(r.s)
	return measure("100 %", st.caption, false).Width + st.pad
}

// Destroy implements fyne.WidgetRenderer.
func (r *shareRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *shareRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.s.bar, r.text}
}

// MinSize implements fyne.WidgetRenderer.
func (r *shareRenderer) MinSize() fyne.Size {
	return fyne.NewSize(40+r.room(), r.text.MinSize().Height)
}

// Layout implements fyne.WidgetRenderer.
func (r *shareRenderer) Layout(size fyne.Size) {
	height := r.text.MinSize().Height
	r.s.bar.Resize(fyne.NewSize(max(size.Width-r.room(), 0), size.Height))
	r.text.Move(fyne.NewPos(size.Width-r.room(), (size.Height-height)/2))
	r.text.Resize(fyne.NewSize(r.room(), height))
}

// Refresh implements fyne.WidgetRenderer.
func (r *shareRenderer) Refresh() {
	r.write()
	r.Layout(r.s.Size())
	r.s.bar.Refresh()
	r.text.Refresh()
}
