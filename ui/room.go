package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// roomFor lays a screen out in the room that the window leaves it. A window that is smaller than a
// screen needs, because everything is drawn large or the display is small, shows a part of it and
// scrolls.
func roomFor(screen fyne.CanvasObject) *container.Scroll {
	return container.NewScroll(container.New(leastRoom{}, screen))
}

// leastRoom is the layout of one screen. A screen is made for the smallest window at the usual
// size: it asks for no more than that, whatever its texts have grown to before they were wrapped,
// and gets no less than most of it, below which charts and tables that stand side by side would
// run into each other.
type leastRoom struct{}

// Layout implements fyne.Layout.
func (leastRoom) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	place(objects[0], 0, 0, size.Width, size.Height)
}

// MinSize implements fyne.Layout.
func (leastRoom) MinSize(objects []fyne.CanvasObject) fyne.Size {
	need, made := objects[0].MinSize(), fyne.NewSize((smallestWidth-railWidth-2*margin)*grown(),
		(smallestHeight-barsHeight)*grown())
	return fyne.NewSize(min(max(need.Width, mostWidth*made.Width), made.Width),
		min(max(need.Height, mostHeight*made.Height), made.Height))
}

// The shares of the room that a screen is made for, that it can do with.
const mostWidth, mostHeight = 0.82, 0.75

// barsHeight is what menu, toolbar and status line take of the window's height at the usual size.
const barsHeight = 100

// grown is how many times larger than usual letters are drawn.
func grown() float32 { return theme.TextSize() / usualText }

// lines is a layout that puts objects side by side and begins another line where the width ends.
// The last object stands at the right end of its line.
type lines struct{ width float32 }

// Layout implements fyne.Layout.
func (l *lines) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	y := float32(0)
	for _, row := range l.rows(objects) {
		x, height := float32(0), highest(row)
		for _, o := range row {
			width := min(o.MinSize().Width, size.Width)
			if o == objects[len(objects)-1] {
				x = size.Width - width
			}
			place(o, x, y, width, height)
			x += width + theme.Padding()
		}
		y += height + theme.Padding()
	}
}

// MinSize implements fyne.Layout; the height is that for the width of the last layout.
func (l *lines) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(0, -theme.Padding())
	for _, row := range l.rows(objects) {
		size.Height += highest(row) + theme.Padding()
	}
	for _, o := range objects {
		size.Width = max(size.Width, o.MinSize().Width)
	}
	return size
}

// rows are the objects of each line, all in one before the first layout.
func (l *lines) rows(objects []fyne.CanvasObject) [][]fyne.CanvasObject {
	rows, x := [][]fyne.CanvasObject{nil}, float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		width := o.MinSize().Width
		if l.width > 0 && x > 0 && x+width > l.width {
			rows, x = append(rows, nil), 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], o)
		x += width + theme.Padding()
	}
	return rows
}

func highest(objects []fyne.CanvasObject) (height float32) {
	for _, o := range objects {
		height = max(height, o.MinSize().Height)
	}
	return height
}

// message is the layout of the status line: the message, and at its right what is at work, which
// leaves it a quarter at least.
type message struct{}

// Layout implements fyne.Layout.
func (message) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	side := min(room(objects[1]).Width, size.Width*3/4)
	place(objects[0], 0, 0, size.Width-side, size.Height)
	place(objects[1], size.Width-side, 0, side, size.Height)
}

// MinSize implements fyne.Layout.
func (message) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }
