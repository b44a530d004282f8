package label

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/widget"
)

// drawerWidth is the width of what stands beside the matrices, in Fyne's device-independent pixels:
// charts and record, and the guideline.
const drawerWidth = 330

// leastMatrices is the least width of the matrices beside all that can stand there; in a narrower
// window the guideline takes the place of charts and record.
const leastMatrices = 620

// leastTitle is the least width of the header's title; with the little that is left then, nothing
// else stands there.
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

// roomLayout gives its children the whole room and asks for little, so that matrices never push the
// window wider.
type roomLayout struct{ drawerLayout }

func (roomLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(260, 250) }

// leastDetails is the least width of charts and record; in a narrow window they take a quarter of
// it.
const leastDetails, detailsPart = 210, 0.24

// deskLayout puts the matrices over the buttons of the labels, and at their right charts and
// record, and the guideline. Charts and record are shown unless they are off, work pauses, or the
// window is so narrow that the guideline needs their place.
type deskLayout struct{ f *widgets }

func (l deskLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	f := l.f
	narrow := size.Width < leastMatrices+2*drawerWidth
	f.details.Hidden = !f.detailsOn || !f.over.Visible() || narrow && f.drawer.Visible()
	room, offers, right := objects[0], objects[1], size.Width
	details := min(max(detailsPart*size.Width, leastDetails*theme.TextSize()/usualText), drawerWidth)
	for _, beside := range []struct {
		o     fyne.CanvasObject
		width float32
	}{{f.drawer, drawerWidth}, {f.details, details}} {
		if beside.o.Visible() {
			right -= beside.width
			beside.o.Move(fyne.NewPos(right, 0))
			beside.o.Resize(fyne.NewSize(beside.width, size.Height))
			right -= theme.Padding()
		}
	}
	foot := float32(0)
	if offers.Visible() {
		foot = offersHeight(offers.(*fyne.Container).Objects, right)
		offers.Move(fyne.NewPos(0, size.Height-foot))
		offers.Resize(fyne.NewSize(right, foot))
		foot += theme.Padding()
	}
	room.Move(fyne.NewPos(0, 0))
	room.Resize(fyne.NewSize(right, max(size.Height-foot, 0)))
}

// usualText is the size of ordinary text for which widths are given.
const usualText = 13

// MinSize leaves room for one of the two beside the matrices.
func (deskLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return objects[0].MinSize().AddWidthHeight(theme.Padding()+drawerWidth, offerHeight+theme.Padding())
}

// offersLayout puts the buttons of the labels into the middle, all of one width, in rows of as
// many as there is room for.
type offersLayout struct{}

// offersGap is the room between the buttons of labels; offerWidth and offerHeight are their size
// for the usual size of text, where there is room for it.
const offersGap, offerWidth, offerHeight = 14, 180, 46

// offersGrid is the number of buttons in a row and their size.
func offersGrid(shown []fyne.CanvasObject, width float32) (columns int, size fyne.Size) {
	size.Height = offerHeight * theme.TextSize() / usualText
	for _, o := range shown {
		size = size.Max(o.MinSize())
	}
	columns = max(min(len(shown), int((width+offersGap)/(size.Width+offersGap))), 1)
	room := (width+offersGap)/float32(columns) - offersGap
	size.Width = min(max(size.Width, offerWidth*theme.TextSize()/usualText), room)
	return columns, size
}

// offersHeight is the height of the buttons in a width.
func offersHeight(objects []fyne.CanvasObject, width float32) float32 {
	shown := widget.Visible(objects)
	columns, size := offersGrid(shown, width)
	rows := (len(shown) + columns - 1) / columns
	return float32(rows)*(size.Height+theme.Padding()) - theme.Padding()
}

// Layout implements fyne.Layout.
func (offersLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	shown := widget.Visible(objects)
	columns, one := offersGrid(shown, size.Width)
	left := (size.Width - float32(columns)*(one.Width+offersGap) + offersGap) / 2
	for k, o := range shown {
		column, row := float32(k%columns), float32(k/columns)
		o.Move(fyne.NewPos(left+column*(one.Width+offersGap), row*(one.Height+theme.Padding())))
		o.Resize(one)
	}
}

// MinSize implements fyne.Layout: the desk decides.
func (offersLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// headLayout is the header: the title with its badge, and what is known of the item. A long name
// of a model is cut, so that no item makes the window wider.
type headLayout struct{ f *widgets }

func (l headLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	title, chip, badge := objects[0], objects[1], objects[2]
	flag := badge.MinSize().Width
	width := min(textWidth(l.f.title), max(size.Width*2/3-flag, 0))
	middle(title, 0, width, size.Height)
	middle(badge, width, flag, size.Height)
	middle(chip, width+flag, max(size.Width-width-flag, 0), size.Height)
}

func (headLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := fyne.NewSize(leastTitle, 0)
	for _, o := range objects {
		least.Height = max(least.Height, o.MinSize().Height)
	}
	return least
}

// middle places an object at x with its own height in the middle of a line.
func middle(o fyne.CanvasObject, x, width, line float32) {
	height := o.MinSize().Height
	o.Move(fyne.NewPos(x, (line-height)/2))
	o.Resize(fyne.NewSize(width, height))
}

// barLayout is the bar: the round, who labels and how far that is, a track of it, the pace, and
// buttons at the right. The pace and then the track go where there is no room for them, a long
// name of a round is cut, and in a narrow window the buttons stand in a line of their own.
type barLayout struct{ f *widgets }

// folded tells whether the buttons stand in a line of their own, which follows from the width
// alone.
func (l barLayout) folded(width float32) bool {
	o := l.f.bar.Objects
	return min(textWidth(l.f.roundName), leastTitle)+o[1].MinSize().Width+o[4].MinSize().Width > width && width > 0
}

// trackWidth is the width of the track of progress.
const trackWidth = 96

func (l barLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	name, progress, track, pace, right := objects[0], objects[1], objects[2], objects[3], objects[4]
	buttons, known := right.MinSize().Width, progress.MinSize().Width
	least := min(textWidth(l.f.roundName), leastTitle)
	folded := l.folded(size.Width)
	end, line := size.Width-buttons, size.Height
	if folded {
		end, line = size.Width, size.Height/2
	}
	middle(right, size.Width-buttons, buttons, line)
	if folded {
		right.Move(right.Position().AddXY(0, line))
	}
	l.f.track.Hidden = least+known+trackWidth > end
	if !l.f.track.Hidden {
		known += trackWidth
	}
	room := end - known - pace.MinSize().Width
	if l.f.pace.Hidden = room < least; l.f.pace.Hidden {
		room = end - known
	}
	width := min(textWidth(l.f.roundName), max(room, least))
	middle(name, 0, width, line)
	middle(progress, width, progress.MinSize().Width, line)
	middle(track, width+progress.MinSize().Width, trackWidth-theme.Padding(), line)
	middle(pace, width+known, pace.MinSize().Width, line)
}

func (l barLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := fyne.NewSize(objects[4].MinSize().Width, max(objects[4].MinSize().Height, objects[1].MinSize().Height))
	if l.folded(l.f.bar.Size().Width) {
		least.Height *= 2
	}
	return least
}

// textWidth is how wide a label would like to be.
func textWidth(l *fynewidget.Label) float32 {
	name := l.SizeName
	if name == "" {
		name = theme.SizeNameText
	}
	// 2: what rounding may take
	return fyne.MeasureText(l.Text, theme.Size(name), l.TextStyle).Width + 2*theme.InnerPadding() + 2
}
