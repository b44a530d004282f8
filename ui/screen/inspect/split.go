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

// split lays one object left of another with a bar between them that can be dragged. Until it was,
// the left one has the width that it likes best.
type split struct {
	box   *fyne.Container
	left  fyne.CanvasObject
	bar   *splitBar
	right fyne.CanvasObject
	best  func(room fyne.Size) float32 // width of the left one, in a room
	least float32                      // width of the right one
	share float32                      // of the width for the left one; 0 where nobody dragged
	moved func(share float32)          // after a drag
}

// leastLeft is the least width of the left object, leastHeight that of both.
const leastLeft, leastHeight = 130, 290

func newSplit(left, right fyne.CanvasObject, best func(room fyne.Size) float32, least float32) *split {
	s := &split{left: left, right: right, best: best, least: least, moved: func(float32) {}}
	s.bar = &splitBar{s: s, over: widget.NewGround(theme.ColorNamePrimary)}
	s.bar.over.Hide()
	s.bar.ExtendBaseWidget(s.bar)
	s.box = container.New(s, left, s.bar, right)
	return s
}

// set divides anew; 0 leaves it to the left object.
func (s *split) set(share float32) {
	s.share = share
	s.divide()
}

// divide lays both objects out after the left one has come to like another width.
func (s *split) divide() { s.Layout(nil, s.box.Size()) }

// showLeft shows or hides the left object; hidden, it leaves its room to the right one.
func (s *split) showLeft(on bool) {
	widget.Show(s.left, on)
	widget.Show(s.bar, on)
	s.divide()
}

// leftWidth is the width of the left object in a size.
func (s *split) leftWidth(size fyne.Size) float32 {
	width := s.share * size.Width
	if s.share <= 0 {
		width = s.best(fyne.NewSize(size.Width-s.least-barWidth, size.Height))
	}
	return max(min(width, size.Width-s.least-barWidth), leastLeft)
}

// Layout implements fyne.Layout.
func (s *split) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	at := float32(0)
	if s.left.Visible() {
		width := s.leftWidth(size)
		s.left.Move(fyne.NewPos(0, 0))
		s.left.Resize(fyne.NewSize(width, size.Height))
		s.bar.Move(fyne.NewPos(width, 0))
		s.bar.Resize(fyne.NewSize(barWidth, size.Height))
		at = width + barWidth
	}
	s.right.Move(fyne.NewPos(at, 0))
	s.right.Resize(fyne.NewSize(max(size.Width-at, 0), size.Height))
}

// MinSize implements fyne.Layout.
func (s *split) MinSize([]fyne.CanvasObject) fyne.Size {
	width := max(s.right.MinSize().Width, s.least)
	if s.left.Visible() {
		width += leastLeft + barWidth
	}
	return fyne.NewSize(width, leastHeight)
}

// barWidth is the width of the bar, in which the grip can be taken.
const barWidth = 8

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

// Dragged implements fyne.Draggable.
func (b *splitBar) Dragged(ev *fyne.DragEvent) {
	size := b.s.box.Size()
	if size.Width <= 0 {
		return
	}
	b.s.set(max(b.s.leftWidth(size)+ev.Dragged.DX, leastLeft) / size.Width)
}

// DragEnd implements fyne.Draggable.
func (b *splitBar) DragEnd() { b.s.moved(b.s.share) }

// DoubleTapped implements fyne.DoubleTappable: the division is made by itself again.
func (b *splitBar) DoubleTapped(*fyne.PointEvent) {
	b.s.set(0)
	b.s.moved(0)
}

// Cursor implements desktop.Cursorable.
func (b *splitBar) Cursor() desktop.Cursor { return desktop.HResizeCursor }

// MouseIn implements desktop.Hoverable.
func (b *splitBar) MouseIn(*desktop.MouseEvent) { b.over.Show() }

// MouseMoved implements desktop.Hoverable.
func (b *splitBar) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (b *splitBar) MouseOut() { b.over.Hide() }

// CreateRenderer implements fyne.Widget.
func (b *splitBar) CreateRenderer() fyne.WidgetRenderer {
	line := container.NewHBox(layout.NewSpacer(), fynewidget.NewSeparator(), layout.NewSpacer())
	grip := container.NewGridWrap(fyne.NewSize(4, 40),
		container.NewStack(widget.NewGround(theme.ColorNameScrollBar), b.over))
	return fynewidget.NewSimpleRenderer(container.NewStack(line, container.NewCenter(grip)))
}
