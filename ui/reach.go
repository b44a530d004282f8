package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	parts "github.com/variscope/variscope/ui/widget"
)

// KeyBackTab stands for Shift and Tab where keys are offered to the window.
const KeyBackTab fyne.KeyName = "BackTab"

// tab gives the keyboard to the next widget that takes it, or to the one before it, in what lies
// on top, and scrolls it into sight.
func (w *Window) tab(back bool) bool {
	c := w.window.Canvas()
	if back {
		c.FocusPrevious()
	} else {
		c.FocusNext()
	}
	root := contentOf(c.Overlays().Top())
	if root == nil {
		root = w.frame
	}
	if o, ok := c.Focused().(fyne.CanvasObject); ok {
		reveal(root, o)
	}
	return true
}

// reveal scrolls all that an object lies in below a root, from the inside to the outside, so that
// it can be seen. It tells whether the object is there.
func reveal(root, o fyne.CanvasObject) bool {
	if root == o {
		return true
	}
	for _, child := range parts.Inside(root) {
		if !reveal(child, o) {
			continue
		}
		if scroll, ok := root.(*container.Scroll); ok && scroll.Content != nil {
			driver := fyne.CurrentApp().Driver()
			at := driver.AbsolutePositionForObject(o).Subtract(driver.AbsolutePositionForObject(scroll.Content))
			view, size, off := scroll.Size(), o.Size(), scroll.Offset
			scrollTo(scroll, fyne.NewPos(into(at.X, size.Width, off.X, view.Width),
				into(at.Y, size.Height, off.Y, view.Height)))
		}
		return true
	}
	return false
}

// into is the offset that shows a part of so much from at on in a view, as near as can be to the
// one that is there.
func into(at, length, offset, view float32) float32 {
	if at+length > offset+view {
		offset = at + length - view
	}
	return max(min(offset, at), 0)
}

// click does what a click on a button or menu does when Return is pressed there; others know the
// key themselves.
func click(focused fyne.Focusable) bool {
	switch f := focused.(type) {
	case *widget.Button:
		return press(f)
	case *parts.HintButton:
		return press(&f.Button)
	case *widget.Select:
		f.Tapped(&fyne.PointEvent{})
		return true
	case *parts.Choice:
		f.Tapped(&fyne.PointEvent{})
		return true
	case *parts.Picker:
		f.Tapped(&fyne.PointEvent{})
		return true
	case *widget.Check:
		f.TypedRune(' ')
		return true
	}
	return false
}

// menuOf opens the menu of what has the keyboard, as a click with the other button does.
func menuOf(focused fyne.Focusable) bool {
	other, ok := focused.(fyne.SecondaryTappable)
	if ok {
		o := focused.(fyne.CanvasObject)
		at := fyne.NewPos(o.Size().Width/2, min(o.Size().Height/2, 40))
		other.TappedSecondary(&fyne.PointEvent{
			Position: at, AbsolutePosition: fyne.CurrentApp().Driver().AbsolutePositionForObject(o).Add(at),
		})
	}
	return ok
}
