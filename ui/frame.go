package ui

import "fyne.io/fyne/v2"

// frame lays out the window: top and bottom over the whole width, the rail at the left, the
// screens in the rest with a small margin at both sides, and notices over the lower end of that.
// Unlike Fyne's border layout it leaves no gaps between the bars.
type frame struct{}

// margin is what the screens keep free at their sides.
const margin = 6

// Layout implements fyne.Layout for top, bottom, rail, screens and notices.
func (frame) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	top, bottom, rail, screens, notices := objects[0], objects[1], objects[2], objects[3], objects[4]
	top.Resize(fyne.NewSize(size.Width, top.Size().Height)) // its height follows from its width
	head, foot, side := room(top).Height, room(bottom).Height, room(rail).Width
	between := max(0, size.Height-head-foot)
	place(top, 0, 0, size.Width, head)
	place(bottom, 0, size.Height-foot, size.Width, foot)
	place(rail, 0, head, side, between)
	place(screens, side+margin, head+margin/2, max(0, size.Width-side-2*margin), max(0, between-margin))
	width := max(0, size.Width-side)
	notices.Resize(fyne.NewSize(width, notices.Size().Height)) // its height follows from its width
	height := min(notices.MinSize().Height, between)
	place(notices, side, size.Height-foot-height, width, height)
}

// MinSize implements fyne.Layout.
func (frame) MinSize(objects []fyne.CanvasObject) fyne.Size {
	top, bottom, rail, screens := room(objects[0]), room(objects[1]), room(objects[2]), objects[3].MinSize()
	return fyne.NewSize(
		max(top.Width, bottom.Width, rail.Width+max(screens.Width+2*margin, room(objects[4]).Width)),
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
