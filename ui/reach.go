package ui

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	parts "github.com/variscope/variscope/ui/widget"
)

// KeyBackTab stands for Shift and Tab where keys are offered to the window.
const KeyBackTab fyne.KeyName = "BackTab"

// stop is a place that Tab leads to: what takes the keyboard itself, or what a click means something to, with what it lies in.
type stop struct {
	object fyne.CanvasObject
	in     []fyne.CanvasObject
}

// rows tells whether an object is a list whose rows are chosen with the arrow keys: what they hold is no stop of its own unless it
// takes the keyboard.
func rows(o fyne.CanvasObject) bool {
	switch o.(type) {
	case *parts.Surface, *parts.UndoSurface:
		return false
	case *widget.List, *widget.Table, *widget.Tree, *widget.GridWrap:
		return true
	}
	_, takes := o.(fyne.Focusable)
	return takes
}

// isStop tells whether Tab leads to an object in its place.
func isStop(o fyne.CanvasObject, in []fyne.CanvasObject) bool {
	if off, ok := o.(fyne.Disableable); ok && off.Disabled() {
		return false
	}
	if size := o.Size(); size.Width < 1 || size.Height < 1 {
		return false
	}
	if _, takes := o.(fyne.Focusable); takes {
		return true
	}
	switch o.(type) {
	case *widget.PopUp, *container.Scroll, *pointer:
		return false
	}
	if slices.ContainsFunc(in, rows) {
		heading, ok := o.(interface{ Heads() bool })
		return ok && heading.Heads()
	}
	_, once := o.(fyne.Tappable)
	_, other := o.(fyne.SecondaryTappable)
	_, twice := o.(fyne.DoubleTappable)
	return once || other || twice
}

// stops are the stops below an object in reading order.
func stops(o fyne.CanvasObject, in []fyne.CanvasObject) (list []stop) {
	if o == nil || !o.Visible() {
		return nil
	}
	if isStop(o, in) {
		list = append(list, stop{o, in})
	}
	in = append(slices.Clip(in), o)
	for _, child := range readingOrder(parts.Inside(o)) {
		list = append(list, stops(child, in)...)
	}
	return list
}

// readingOrder sorts what lies in one object from the top to the bottom and, where objects stand side by side, from the left to
// the right.
func readingOrder(objects []fyne.CanvasObject) []fyne.CanvasObject {
	sorted := slices.Clone(objects)
	slices.SortStableFunc(sorted, func(a, b fyne.CanvasObject) int {
		above := func(a, b fyne.CanvasObject) bool { return a.Position().Y+a.Size().Height <= b.Position().Y+1 }
		switch {
		case above(a, b) && !above(b, a):
			return -1
		case above(b, a) && !above(a, b):
			return 1
		}
		return cmp.Compare(a.Position().X, b.Position().X)
	})
	return sorted
}

// step leads the keyboard to the next stop of what lies on top, or to the one before it, round in a circle. It tells whether there
// is any; a menu that is open has its own way with keys.
func (w *Window) step(by int) bool {
	c := w.window.Canvas()
	layer, root := w.layerOf(c.Overlays().Top())
	if layer == nil {
		return false
	}
	list := stops(root, nil)
	if len(list) == 0 {
		return false
	}
	at := slices.IndexFunc(list, func(s stop) bool { return s.object == layer.current(c) })
	switch {
	case at < 0 && by < 0:
		at = 0
	case at < 0:
		at = -1
	}
	layer.lead(c, list[(at+by+len(list))%len(list)])
	return true
}

// layerOf is the layer for the marks of what lies on top, and the object whose stops count; nil for a menu.
func (w *Window) layerOf(over fyne.CanvasObject) (*marks, fyne.CanvasObject) {
	if over == nil {
		return w.marks, w.frame
	}
	content, ok := contentOf(over).(*fyne.Container)
	if !ok || !isDialog(over) {
		return nil, nil
	}
	for _, o := range content.Objects {
		if box, ok := o.(*fyne.Container); ok {
			if layer, ok := box.Layout.(*marks); ok {
				layer.over = over // a dialog that is shown again lies in another one
				return layer, content
			}
		}
	}
	layer := newMarks() // the layout of Fyne's dialogs leaves alone what comes after its own parts
	layer.over = over
	content.Add(layer.object)
	layer.object.Resize(content.Size())
	content.Refresh() // Fyne learns where the layer is when it draws it
	return layer, content
}

// click does what a click on a button or menu does when Return is pressed there; others know the key themselves.
func click(focused fyne.Focusable) bool {
	switch f := focused.(type) {
	case *widget.Button:
		return press(f)
	case *hintButton:
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
func (w *Window) menuOf(focused fyne.Focusable) bool {
	if p, ok := focused.(*pointer); ok {
		return p.menu()
	}
	other, ok := focused.(fyne.SecondaryTappable)
	if ok {
		o := focused.(fyne.CanvasObject)
		at := fyne.NewPos(o.Size().Width/2, min(o.Size().Height/2, 40))
		other.TappedSecondary(&fyne.PointEvent{Position: at, AbsolutePosition: fyne.CurrentApp().Driver().AbsolutePositionForObject(o).Add(at)})
	}
	return ok
}

var _ desktop.Keyable = (*pointer)(nil)
