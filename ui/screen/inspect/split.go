package inspect

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/widget"
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
	widget.Show(s.upper, on)
	widget.Show(s.bar, on)
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
	s    *split
	over fyne.CanvasObject // the grip in another colour, while the pointer is on the bar
}

var (
	_ fyne.Draggable      = (*splitBar)(nil)
	_ fyne.DoubleTappable = (*splitBar)(nil)
	_ desktop.Cursorable  = (*splitBar)(nil)
	_ desktop.Hoverable   = (*splitBar)(nil)
)

func newSplitBar(s *split) *splitBar {
	b := &splitBar{s: s, over: widget.NewGround(theme.ColorNamePrimary)}
	b.over.Hide()
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
func (b *splitBar) MouseIn(*desktop.MouseEvent) { b.over.Show() }

// MouseMoved implements desktop.Hoverable.
func (b *splitBar) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (b *splitBar) MouseOut() { b.over.Hide() }

// CreateRenderer implements fyne.Widget.
func (b *splitBar) CreateRenderer() fyne.WidgetRenderer {
	line := container.NewVBox(layout.NewSpacer(), fynewidget.NewSeparator(), layout.NewSpacer())
	grip := container.NewGridWrap(fyne.NewSize(40, 4), container.NewStack(widget.NewGround(theme.ColorNameScrollBar), b.over))
	return fynewidget.NewSimpleRenderer(container.NewStack(line, container.NewCenter(grip)))
}
