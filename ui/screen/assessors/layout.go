package assessors

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/ui/widget"
)

// above puts the comparison over the pages: it gets the height of its lines, as long as the pages
// keep the larger part.
type above struct{ lines func() int }

// mostAbove is the largest share of the height that the comparison takes.
const mostAbove = 0.42

// Layout implements fyne.Layout. Children: heading, table, note, pages; without table and note the
// pages have their room.
func (a above) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	heading, table, note, pages := objects[0], objects[1], objects[2], objects[3]
	top := heading.MinSize().Height
	put(heading, 0, size.Width, top)
	if table.Visible() {
		note.Resize(fyne.NewSize(size.Width, 0)) // wraps its text to the width
		foot := note.MinSize().Height
		line := fyne.MeasureText("X", theme.TextSize(), fyne.TextStyle{}).Height + 4*theme.Padding()
		lines := max(min(line*float32(a.lines()+1)+theme.Padding(), mostAbove*size.Height-top-foot),
			table.MinSize().Height)
		put(table, top, size.Width, lines)
		put(note, top+lines, size.Width, foot)
		top += lines + foot
	}
	put(pages, top, size.Width, size.Height-top)
}

func put(o fyne.CanvasObject, y, width, height float32) {
	o.Move(fyne.NewPos(0, y))
	o.Resize(fyne.NewSize(width, height))
}

// MinSize implements fyne.Layout.
func (above) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var least fyne.Size
	for _, o := range objects {
		if o.Visible() {
			size := o.MinSize()
			least = fyne.NewSize(max(least.Width, size.Width), least.Height+size.Height)
		}
	}
	return least
}

// turning is the layout of a split whose parts lie side by side where it is wide, and else one over
// the other.
type turning struct{}

// widerThan is how many times as wide as high a split is whose parts lie side by side.
const widerThan = 1.1

// Layout implements fyne.Layout.
func (turning) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	split := objects[0].(*container.Split)
	beside := size.Width > widerThan*size.Height
	turned := split.Horizontal != beside
	split.Horizontal = beside
	put(split, 0, size.Width, size.Height)
	if turned {
		split.Refresh()
	}
}

// MinSize implements fyne.Layout: what both ways need.
func (turning) MinSize(objects []fyne.CanvasObject) fyne.Size {
	split := objects[0].(*container.Split)
	first, second := split.Leading.MinSize(), split.Trailing.MinSize()
	return fyne.NewSize(max(first.Width, second.Width), max(first.Height, second.Height))
}

// wide gives an object a width, for letters of the usual size.
func wide(width float32, o fyne.CanvasObject) *fyne.Container {
	return container.NewGridWrap(fyne.NewSize(width*widget.Grown(), o.MinSize().Height), o)
}
