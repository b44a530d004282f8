package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Track is a bar that is filled as far as work is done. Fyne's own bar has the colour of what is
// done on its empty part, too.
type Track struct {
	widget.BaseWidget
	Value float64 // 0 to 1
}

// NewTrack makes an empty bar.
func NewTrack() *Track {
	t := &Track{}
	t.ExtendBaseWidget(t)
	return t
}

// SetValue shows how much is done, 0 to 1.
func (t *Track) SetValue(share float64) {
	if share != t.Value {
		t.Value = share
		t.Refresh()
	}
}

// MinSize implements fyne.CanvasObject.
func (t *Track) MinSize() fyne.Size {
	t.ExtendBaseWidget(t)
	return fyne.NewSize(40, 8)
}

// CreateRenderer implements fyne.Widget.
func (t *Track) CreateRenderer() fyne.WidgetRenderer {
	t.ExtendBaseWidget(t)
	ground, fill := canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	ground.StrokeWidth, ground.CornerRadius, fill.CornerRadius = 1, 3, 3
	r := &trackRenderer{}
	r.drawn = drawn{of: t, objects: []fyne.CanvasObject{ground, fill}, draw: func(size fyne.Size) {
		st := styleOf(t)
		ground.FillColor, ground.StrokeColor, fill.FillColor = st.background, st.faint, st.primary
		ground.Resize(size)
		fill.Resize(fyne.NewSize(size.Width*float32(min(max(t.Value, 0), 1)), size.Height))
	}}
	r.draw(t.Size())
	return r
}

type trackRenderer struct{ drawn }

// MinSize implements fyne.WidgetRenderer.
func (r *trackRenderer) MinSize() fyne.Size { return r.of.MinSize() }
