package ui

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	parts "github.com/variscope/variscope/ui/widget"
)

// marks is a layer over a window or a dialog with the ring around what Tab has led to, and with the pointer that the arrow keys
// move. It is the layout of its own object.
type marks struct {
	object  *fyne.Container
	ring    *canvas.Rectangle
	pointer *pointer
	over    fyne.CanvasObject   // the dialog that it lies in, nil for the window
	canvas  fyne.Canvas         // the window's, once the ring was shown
	around  fyne.CanvasObject   // what the ring is around, nil for nothing
	views   []*container.Scroll // what that scrolls in
	follow  *fyne.Animation     // moves the ring with it
}

func newMarks() *marks {
	m := &marks{ring: canvas.NewRectangle(color.Transparent)}
	m.ring.StrokeWidth, m.ring.CornerRadius = ringWidth, 4
	m.ring.Hide()
	m.pointer = newPointer(m)
	m.object = container.New(m, m.pointer, m.ring)
	m.follow = fyne.NewAnimation(canvas.DurationStandard, func(float32) { m.keepUp() })
	m.follow.RepeatCount = fyne.AnimationRepeatForever
	return m
}

// ringWidth is the width of the ring, which lies outside of what it is around by as much.
const ringWidth = 2

// Layout implements fyne.Layout: the marks have their places from what they are around.
func (*marks) Layout([]fyne.CanvasObject, fyne.Size) {}

// MinSize implements fyne.Layout.
func (*marks) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// current is the stop that the keyboard is at, nil for none.
func (m *marks) current(c fyne.Canvas) fyne.CanvasObject {
	switch f := c.Focused().(type) {
	case nil:
		return nil
	case *pointer:
		return f.target
	default:
		return f.(fyne.CanvasObject)
	}
}

// lead gives the keyboard to a stop, scrolls it into sight and draws the ring around it. What does not take the keyboard gets the
// pointer.
func (m *marks) lead(c fyne.Canvas, s stop) {
	reveal(s)
	if takes, ok := s.object.(fyne.Focusable); ok {
		c.Focus(takes)
	} else {
		c.Unfocus()
		m.pointer.put(s.object)
		c.Focus(m.pointer)
	}
	m.show(c, s)
}

// show draws the ring around a stop until the keyboard leaves it.
func (m *marks) show(c fyne.Canvas, s stop) {
	m.canvas, m.around, m.views = c, s.object, nil
	for _, o := range s.in {
		if view, ok := o.(*container.Scroll); ok {
			m.views = append(m.views, view)
		}
	}
	m.ring.StrokeColor = theme.Color(theme.ColorNamePrimary)
	m.ring.Hidden = !m.place(c)
	m.repaint()
	m.follow.Stop()
	m.follow.Start()
}

// place moves the ring to what it is around, and the pointer with it. At the edge of the canvas it lies inside of it: the layer in a
// dialog does not grow with the dialog. At the edge of what scrolls it is cut off. It tells whether there is anything to see and its
// place is known: where Fyne has not drawn the layer yet, which came into its dialog just now, or what the ring is around, it takes both
// to lie in the window's corner.
func (m *marks) place(c fyne.Canvas) bool {
	driver := fyne.CurrentApp().Driver()
	if driver.CanvasForObject(m.object) == nil || driver.CanvasForObject(m.around) == nil {
		return false
	}
	seen, room := ringed(m.around), c.Size()
	for _, view := range m.views {
		seen = seen.within(ringed(view))
	}
	if seen.right-seen.left <= 2*ringWidth || seen.bottom-seen.top <= 2*ringWidth {
		return false
	}
	seen = seen.within(box{0, 0, room.Width, room.Height})
	to := fyne.NewPos(seen.left, seen.top).Subtract(driver.AbsolutePositionForObject(m.object))
	wide := fyne.NewSize(max(seen.right-seen.left, 0), max(seen.bottom-seen.top, 0))
	if m.ring.Position() != to || m.ring.Size() != wide {
		m.ring.Move(to)
		m.ring.Resize(wide)
	}
	if m.pointer.Visible() {
		m.pointer.place()
	}
	return true
}

// ringed is the room of a ring around all of an object.
func ringed(o fyne.CanvasObject) box {
	return boxAt(fyne.CurrentApp().Driver().AbsolutePositionForObject(o), o.Size()).grown(ringWidth)
}

// keepUp moves the ring with what it is around, and takes it away when the keyboard is elsewhere. Below a menu or a dialog it only
// waits: Fyne gives the keyboard back to where it was and tells nobody.
func (m *marks) keepUp() {
	c := m.canvas
	switch {
	case m.around == nil || c == nil || m.closed(c):
		m.hide()
	case c.Overlays().Top() != m.over:
		m.draw(false)
	case m.current(c) != m.around:
		m.hide()
	case !m.shown(c):
		m.hide()
		c.Unfocus() // or keys would go on to what nobody sees
	default:
		m.draw(m.place(c))
	}
}

// shown tells whether what the ring is around can be seen, with all that it lies in.
func (m *marks) shown(c fyne.Canvas) bool {
	if m.over != nil {
		return shownIn(m.over, m.around)
	}
	return shownIn(c.Content(), m.around)
}

// shownIn tells whether an object is among the visible ones below another.
func shownIn(root, o fyne.CanvasObject) bool {
	if root == nil || !root.Visible() {
		return false
	}
	return root == o || slices.ContainsFunc(parts.Inside(root), func(child fyne.CanvasObject) bool { return shownIn(child, o) })
}

// closed tells whether the dialog that the layer lies in is gone.
func (m *marks) closed(c fyne.Canvas) bool {
	return m.over != nil && !slices.Contains(c.Overlays().List(), m.over)
}

func (m *marks) hide() {
	m.follow.Stop()
	m.around = nil
	m.draw(false)
}

// draw shows the ring or hides it.
func (m *marks) draw(on bool) {
	if m.ring.Visible() != on {
		m.ring.Hidden = !on
		m.repaint()
	}
}

// repaint has the canvas drawn with the marks as they are now. It is the layer that asks for that: Fyne does not know which canvas a
// hidden object belongs to, and forgets it after a minute, so that a ring which asks for itself stays unseen until something else is
// drawn.
func (m *marks) repaint() { m.object.Refresh() }

// reveal scrolls what a stop lies in so that it can be seen, from the inside to the outside.
func reveal(s stop) {
	for _, o := range slices.Backward(s.in) {
		scroll, ok := o.(*container.Scroll)
		if !ok || scroll.Content == nil {
			continue
		}
		driver := fyne.CurrentApp().Driver()
		at := driver.AbsolutePositionForObject(s.object).Subtract(driver.AbsolutePositionForObject(scroll.Content))
		view, size, off := scroll.Size(), s.object.Size(), scroll.Offset
		scrollTo(scroll, fyne.NewPos(into(at.X, size.Width, off.X, view.Width), into(at.Y, size.Height, off.Y, view.Height)))
	}
}

// into is the offset that shows a part of so much from at on in a view, as near as can be to the one that is there.
func into(at, length, offset, view float32) float32 {
	if at+length > offset+view {
		offset = at + length - view
	}
	return max(min(offset, at), 0)
}
