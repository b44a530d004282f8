package inspect

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"
)

// split lays one object above another with a bar between them that can be dragged. Until it was, the upper one has the
// height that it likes best.
type split struct {
	box   *fyne.Container
	upper fyne.CanvasObject
	bar   *splitBar
	lower fyne.CanvasObject
	best  func(width float32) float32 // height of the upper one
	least float32                     // of the lower one
	share float32                     // of the height for the upper one; 0 where nobody dragged
	moved func(share float32)         // after a drag
}

// leastUpper is the least height of the upper object.
const leastUpper = 130

func newSplit(upper, lower fyne.CanvasObject, best func(width float32) float32, least float32) *split {
	s := &split{upper: upper, lower: lower, best: best, least: least, moved: func(float32) {}}
	s.bar = newSplitBar(s)
	s.box = container.New(s, upper, s.bar, lower)
	return s
}

// set divides anew; 0 leaves it to the upper object.
func (s *split) set(share float32) {
	s.share = share
	s.box.Refresh()
}

// showUpper shows or hides the upper object; hidden, it leaves its room to the lower one.
func (s *split) showUpper(on bool) {
	for _, o := range []fyne.CanvasObject{s.upper, s.bar} {
		if on {
			o.Show()
		} else {
			o.Hide()
		}
	}
	s.box.Refresh()
}

// upperHeight is the height of the upper object in a size.
func (s *split) upperHeight(size fyne.Size) float32 {
	height := s.share * size.Height
	if s.share <= 0 {
		height = s.best(size.Width)
	}
	return max(min(height, size.Height-s.least-barHeight), leastUpper)
}

// Layout implements fyne.Layout.
func (s *split) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	top := float32(0)
	if s.upper.Visible() {
		height := s.upperHeight(size)
		s.upper.Move(fyne.NewPos(0, 0))
		s.upper.Resize(fyne.NewSize(size.Width, height))
		s.bar.Move(fyne.NewPos(0, height))
		s.bar.Resize(fyne.NewSize(size.Width, barHeight))
		top = height + barHeight
	}
	s.lower.Move(fyne.NewPos(0, top))
	s.lower.Resize(fyne.NewSize(size.Width, max(size.Height-top, 0)))
}

// MinSize implements fyne.Layout.
func (s *split) MinSize([]fyne.CanvasObject) fyne.Size {
	lower := s.lower.MinSize()
	width := lower.Width
	if s.upper.Visible() {
		width = max(width, s.upper.MinSize().Width)
	}
	return fyne.NewSize(width, leastUpper+barHeight+s.least)
}

// barHeight is the height of the bar, in which the grip can be taken.
const barHeight = 8

// splitBar is the bar between the two objects.
type splitBar struct {
	fynewidget.BaseWidget
	s       *split
	hovered bool
}

var (
	_ fyne.Draggable      = (*splitBar)(nil)
	_ fyne.DoubleTappable = (*splitBar)(nil)
	_ desktop.Cursorable  = (*splitBar)(nil)
	_ desktop.Hoverable   = (*splitBar)(nil)
)

func newSplitBar(s *split) *splitBar {
	b := &splitBar{s: s}
	b.ExtendBaseWidget(b)
	return b
}

// Dragged implements fyne.Draggable.
func (b *splitBar) Dragged(ev *fyne.DragEvent) {
	size := b.s.box.Size()
	if size.Height <= 0 {
		return
	}
	b.s.set(max(b.s.upperHeight(size)+ev.Dragged.DY, leastUpper) / size.Height)
}

// DragEnd implements fyne.Draggable.
func (b *splitBar) DragEnd() { b.s.moved(b.s.share) }

// DoubleTapped implements fyne.DoubleTappable: the division is made by itself again.
func (b *splitBar) DoubleTapped(*fyne.PointEvent) {
	b.s.set(0)
	b.s.moved(0)
}

// Cursor implements desktop.Cursorable.
func (b *splitBar) Cursor() desktop.Cursor { return desktop.VResizeCursor }

// MouseIn implements desktop.Hoverable.
func (b *splitBar) MouseIn(*desktop.MouseEvent) { b.hover(true) }

// MouseMoved implements desktop.Hoverable.
func (b *splitBar) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (b *splitBar) MouseOut() { b.hover(false) }

func (b *splitBar) hover(on bool) {
	b.hovered = on
	b.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (b *splitBar) CreateRenderer() fyne.WidgetRenderer {
	b.ExtendBaseWidget(b)
	return &barRenderer{b: b, line: canvas.NewRectangle(nil), grip: canvas.NewRectangle(nil)}
}

type barRenderer struct {
	b          *splitBar
	line, grip *canvas.Rectangle
}

// Destroy implements fyne.WidgetRenderer.
func (r *barRenderer) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (r *barRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.line, r.grip} }

// MinSize implements fyne.WidgetRenderer.
func (r *barRenderer) MinSize() fyne.Size { return fyne.NewSize(40, barHeight) }

// Layout implements fyne.WidgetRenderer.
func (r *barRenderer) Layout(size fyne.Size) {
	r.line.FillColor = theme.Color(theme.ColorNameSeparator)
	r.grip.FillColor = theme.Color(theme.ColorNameScrollBar)
	if r.b.hovered {
		r.grip.FillColor = theme.Color(theme.ColorNamePrimary)
	}
	r.line.Resize(fyne.NewSize(size.Width, 1))
	r.line.Move(fyne.NewPos(0, (size.Height-1)/2))
	r.grip.CornerRadius = 2
	r.grip.Resize(fyne.NewSize(40, 4))
	r.grip.Move(fyne.NewPos((size.Width-40)/2, (size.Height-4)/2))
}

// Refresh implements fyne.WidgetRenderer.
func (r *barRenderer) Refresh() {
	r.Layout(r.b.Size())
	r.line.Refresh()
	r.grip.Refresh()
}
