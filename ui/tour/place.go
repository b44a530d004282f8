package tour

import "fyne.io/fyne/v2"

// area is a rectangle of the window.
type area struct{ left, top, right, bottom float32 }

func (a area) width() float32  { return a.right - a.left }
func (a area) height() float32 { return a.bottom - a.top }

// What is kept free between a target and its card, and between the card and the window's edge.
const gap, edge = 14, 10

// placed is where a card of a size lies beside a target: to the right, to the left, below, above,
// whichever fits first, else over the target's lower right corner. It never leaves a window that
// has room for it.
func placed(card, window fyne.Size, target area) fyne.Position {
	middleX := target.left + target.width()/2 - card.Width/2
	at := fyne.Position{}
	switch {
	case target.right+gap+card.Width+edge <= window.Width:
		at = fyne.NewPos(target.right+gap, target.top)
	case target.left-gap-card.Width-edge >= 0:
		at = fyne.NewPos(target.left-gap-card.Width, target.top)
	case target.bottom+gap+card.Height+edge <= window.Height:
		at = fyne.NewPos(middleX, target.bottom+gap)
	case target.top-gap-card.Height-edge >= 0:
		at = fyne.NewPos(middleX, target.top-gap-card.Height)
	default:
		at = fyne.NewPos(target.right-card.Width-2*gap, target.bottom-card.Height-2*gap)
	}
	return inside(at, card, window)
}

// inside moves a card into the window.
func inside(at fyne.Position, card, window fyne.Size) fyne.Position {
	x := max(edge, min(at.X, window.Width-card.Width-edge))
	y := max(edge, min(at.Y, window.Height-card.Height-edge))
	return fyne.NewPos(x, y)
}

// around are the four rectangles of a window beside a target: above, below, left, right.
func around(window fyne.Size, t area) [4]area {
	return [4]area{
		{0, 0, window.Width, t.top},
		{0, t.bottom, window.Width, window.Height},
		{0, t.top, t.left, t.bottom},
		{t.right, t.top, window.Width, t.bottom},
	}
}
