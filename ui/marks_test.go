package ui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// TestRingOutlivesWhatLiesOverIt: below a menu the ring rests, and comes back with the keyboard; the pointer keeps to what scrolls.
func TestRingOutlivesWhatLiesOverIt(t *testing.T) {
	o := open(t, 1, nil)
	p := &pad{}
	p.ExtendBaseWidget(p)
	p.Resize(fyne.NewSize(80, 80))
	o.frame.Add(container.NewWithoutLayout(p))
	c := o.Window.Window().Canvas()
	o.marks.lead(c, stop{object: p})
	menu := widget.NewPopUp(widget.NewLabel("menu"), c)
	menu.Show()
	o.marks.keepUp()
	if o.marks.ring.Visible() || o.marks.around != p {
		t.Error("below a menu the ring stays, or is forgotten")
	}
	menu.Hide()
	o.marks.keepUp()
	if !o.marks.ring.Visible() || c.Focused() != fyne.Focusable(o.marks.pointer) {
		t.Error("after a menu the ring is lost")
	}
	ring, dot := o.marks.ring.Position(), o.marks.pointer.Position()
	p.Move(fyne.NewPos(30, 40))
	o.marks.keepUp()
	by := o.marks.ring.Position().Subtract(ring)
	if by.IsZero() || o.marks.pointer.Position().Subtract(dot) != fyne.NewPos(30, 40) {
		t.Errorf("the ring moved by %v, the pointer to %v from %v", by, o.marks.pointer.Position(), dot)
	}
}
