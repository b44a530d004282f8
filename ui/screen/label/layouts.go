package label

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"
)

// drawerWidth is the width of what stands beside the matrices, in Fyne's device-independent pixels: charts and record, and
// the guideline.
const drawerWidth = 330

// leastMatrices is the least width of the matrices beside all that can stand there; in a narrower window the guideline
// takes the place of charts and record.
const leastMatrices = 460

// leastTitle is the least width of the header's title; with the little that is left then, nothing else stands there.
const leastTitle = 120

// drawerLayout gives what stands beside the matrices its width.
type drawerLayout struct{}

func (drawerLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Resize(size)
		o.Move(fyne.NewPos(0, 0))
	}
}

func (drawerLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(drawerWidth, 0) }

// roomLayout gives its children the whole room and asks for little, so that matrices never push the window wider.
type roomLayout struct{ drawerLayout }

func (roomLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(260, 300) }

// deskLayout puts charts and record, and the guideline, at the right of the matrices. Charts and record are shown unless they
// are off, work pauses, or the window is so narrow that the guideline needs their place.
type deskLayout struct{ f *widgets }

func (l deskLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	f := l.f
	narrow := size.Width < leastMatrices+2*drawerWidth
	f.details.Hidden = !f.detailsOn || f.s.paused || narrow && f.drawer.Visible()
	room, right := objects[0], size.Width
	for _, beside := range []fyne.CanvasObject{f.drawer, f.details} {
		if beside.Visible() {
			right -= drawerWidth
			beside.Move(fyne.NewPos(right, 0))
			beside.Resize(fyne.NewSize(drawerWidth, size.Height))
			right -= theme.Padding()
		}
	}
	room.Move(fyne.NewPos(0, 0))
	room.Resize(fyne.NewSize(right, size.Height))
}

// MinSize leaves room for one of the two beside the matrices.
func (deskLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return objects[0].MinSize().AddWidthHeight(theme.Padding()+drawerWidth, 0)
}

// headLayout is the header: title with its badge, what is known of the item, pace, and at the right progress and buttons. A long name of a
// model is cut, and the pace goes where there is no room for it, so that no item makes the window wider.
type headLayout struct{ f *widgets }

func (l headLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	title, chip, pace, right, badge := objects[0], objects[1], objects[2], objects[3], objects[4]
	end := size.Width - right.MinSize().Width
	place := func(o fyne.CanvasObject, x, width float32) {
		height := o.MinSize().Height
		o.Move(fyne.NewPos(x, (size.Height-height)/2))
		o.Resize(fyne.NewSize(width, height))
	}
	place(right, end, right.MinSize().Width)
	whole := textWidth(l.f.title)
	width := min(whole, max(end/2, leastTitle))
	flag := badge.MinSize().Width
	known := min(textWidth(l.f.chip), end/4) + flag
	l.f.pace.Hidden = width+known+pace.MinSize().Width > end
	if !l.f.pace.Hidden {
		end -= pace.MinSize().Width
		place(pace, end, pace.MinSize().Width)
	}
	width = min(width, max(end-flag, 0))
	place(title, 0, width)
	place(badge, width, flag)
	place(chip, width+flag, max(end-width-flag, 0))
}

func (headLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := objects[3].MinSize().AddWidthHeight(leastTitle, 0)
	for _, o := range objects {
		least.Height = max(least.Height, o.MinSize().Height)
	}
	return least
}

// textWidth is how wide a label would like to be.
func textWidth(l *fynewidget.Label) float32 {
	name := l.SizeName
	if name == "" {
		name = theme.SizeNameText
	}
	return fyne.MeasureText(l.Text, theme.Size(name), l.TextStyle).Width + 2*theme.InnerPadding() + 2 // 2: what rounding may take
}
