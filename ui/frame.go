package ui

import "fyne.io/fyne/v2"

// frame lays out the window: top and bottom over the whole width, the rail at the left, the
// screens in the rest with a small margin at both sides. Unlike Fyne's border layout it leaves no
// gaps between the bars.
type frame struct{}

// margin is what the screens keep free at their sides.
const margin = 6

// Layout implements fyne.Layout for top, bottom, rail and screens.
func (frame) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	top, bottom, rail, screens := objects[0], objects[1], objects[2], objects[3]
	top.Resize(fyne.NewSize(size.Width, top.Size().Height)) // its height follows from its width
	head, foot, side := top.MinSize().Height, room(bottom).Height, room(rail).Width
	between := max(0, size.Height-head-foot)
	place(top, 0, 0, size.Width, head)
	place(bottom, 0, size.Height-foot, size.Width, foot)
	place(rail, 0, head, side, between)
	place(screens, side+margin, head+margin/2, max(0, size.Width-side-2*margin), max(0, between-margin))
}

// MinSize implements fyne.Layout.
func (frame) MinSize(objects []fyne.CanvasObject) fyne.Size {
	top, bottom, rail, screens := objects[0].MinSize(), room(objects[1]), room(objects[2]), objects[3].MinSize()
	return fyne.NewSize(
		max(top.Width, bottom.Width, rail.Width+screens.Width+2*margin),
		top.Height+bottom.Height+max(rail.Height, screens.Height+margin))
}

func place(o fyne.CanvasObject, x, y, width, height float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(width, height))
}

// room is what an object needs; a hidden one needs nothing.
func room(o fyne.CanvasObject) fyne.Size {
	if !o.Visible() {
		return fyne.Size{}
	}
	return o.MinSize()
}
