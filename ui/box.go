package ui

import "fyne.io/fyne/v2"

// box is a rectangle on the canvas.
type box struct{ left, top, right, bottom float32 }

func boxAt(pos fyne.Position, size fyne.Size) box {
	return box{pos.X, pos.Y, pos.X + size.Width, pos.Y + size.Height}
}

// within is the part of a box that lies in another one.
func (b box) within(o box) box {
	return box{max(b.left, o.left), max(b.top, o.top), min(b.right, o.right), min(b.bottom, o.bottom)}
}

// grown is a box that is larger by so much at each side.
func (b box) grown(by float32) box {
	return box{b.left - by, b.top - by, b.right + by, b.bottom + by}
}
