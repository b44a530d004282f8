package evidence

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/widget"
)

// The proportions of tiles, in Fyne's device-independent pixels.
const (
	tileMinWidth  = 120
	tileMinHeight = 130
	// tileBeside is what stands beside a tile's square: ticks and colour bar; tileAbove what stands
	// above and below it: title, badge and ticks.
	tileBeside, tileAbove = 104, 58
)

// tileLayout puts its visible children in rows of equal widths. Fields of a background round have
// the columns of their row, of which the last is wider for its colour bar. Other tiles have those
// of the row's grid where there is one; where wrap is set, as many rows as make the squares
// largest; otherwise one row.
type tileLayout struct{ row *Matrices }

func (l tileLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	shown := widget.Visible(objects)
	columns, extra := len(shown), float32(0)
	switch {
	case len(shown) == 0:
		return
	case l.row.columns() > 0:
		columns, extra = fieldColumns(len(shown), l.row.columns(), size), min(barWidth(), size.Width/4)
		l.row.lay(columns)
	case l.row.grid.columns > 0:
		columns = min(l.row.grid.columns, len(shown))
	case l.row.wrap:
		columns, _ = bestColumns(len(shown), size, 0)
	}
	rows := (len(shown) + columns - 1) / columns
	gap := theme.Padding()
	width := (size.Width - extra - gap*float32(columns-1)) / float32(columns)
	height := (size.Height - gap*float32(rows-1)) / float32(rows)
	for k, o := range shown {
		row, column := k/columns, k%columns
		own := width
		if column == columns-1 {
			own += extra
		}
		o.Move(fyne.NewPos(float32(column)*(width+gap), float32(row)*(height+gap)))
		o.Resize(fyne.NewSize(own, height))
	}
}

// bestColumns is the number of columns that makes the squares of n tiles in an area largest, and
// their side. Of numbers that make them equally large it is the one with the fewest rows, and of
// these the smallest, so that the last row is not lonely.
func bestColumns(n int, area fyne.Size, notes float32) (best int, largest float32) {
	best, largest = n, float32(math.Inf(-1))
	fewest := 1
	for columns := n; columns >= 1; columns-- {
		rows := (n + columns - 1) / columns
		side := min(area.Width/float32(columns)-tileBeside, area.Height/float32(rows)-tileAbove-notes)
		if side > largest || side == largest && rows == fewest {
			best, largest, fewest = columns, side, rows
		}
	}
	return best, largest
}

func (l tileLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	if l.row.grid.columns > 0 {
		return fyne.NewSize(tileMinWidth, l.row.grid.height)
	}
	n := float32(len(widget.Visible(objects)))
	if columns := l.row.columns(); columns > 0 {
		n = float32(columns)
	}
	return fyne.NewSize(n*tileMinWidth, tileMinHeight)
}

// Above arranges a row above rest, nil for nothing: rest is as low as it can be, the matrices are
// as large as what is left allows, in several rows where that helps.
func Above(row *Matrices, rest fyne.CanvasObject) *fyne.Container {
	row.wrap = true
	box := container.NewBorder(nil, rest, nil, nil, row.box)
	row.changed = box.Refresh
	return box
}

// Columns lays objects side by side in equal widths, where they are not too narrow for one of
// them; a hidden one leaves its room to the others.
func Columns(objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(columns{}, objects...)
}

type columns struct{}

// Layout implements fyne.Layout.
func (columns) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	shown := widget.Visible(objects)
	if len(shown) == 0 {
		return
	}
	gap := theme.Padding()
	least := make([]float32, len(shown))
	for i, o := range shown {
		least[i] = o.MinSize().Width
	}
	at := float32(0)
	for i, width := range shares(least, size.Width-gap*float32(len(shown)-1)) {
		shown[i].Move(fyne.NewPos(at, 0))
		shown[i].Resize(fyne.NewSize(width, size.Height))
		at += width + gap
	}
}

// shares divides a width equally, but gives none less than its least as long as that is possible.
func shares(least []float32, width float32) []float32 {
	out := make([]float32, len(least))
	equal := width / float32(len(least))
	for range least { // each round may make the equal part smaller, and so another one too narrow
		rest, free := width, len(least)
		for i := range least {
			if out[i] = 0; least[i] > equal {
				out[i] = least[i]
				rest, free = rest-least[i], free-1
			}
		}
		if free == 0 {
			return out
		}
		equal = max(rest/float32(free), 0)
	}
	for i := range out {
		if out[i] == 0 {
			out[i] = equal
		}
	}
	return out
}

// MinSize implements fyne.Layout: room for all, so that hiding one never makes the window smaller.
func (columns) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := fyne.NewSize(max(0, float32(len(objects)-1))*theme.Padding(), 0)
	for _, o := range objects {
		size := o.MinSize()
		least.Width += size.Width
		least.Height = max(least.Height, size.Height)
	}
	return least
}

// Flow lays objects out in as many columns of equal widths as leave each the least width, in rows
// of equal heights; a hidden one leaves its room to the others.
func Flow(least float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(flow{least}, objects...)
}

type flow struct{ least float32 }

// Layout implements fyne.Layout.
func (l flow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	shown, gap := widget.Visible(objects), theme.Padding()
	if len(shown) == 0 {
		return
	}
	columns := max(min(len(shown), int((size.Width+gap)/(l.least+gap))), 1)
	rows := (len(shown) + columns - 1) / columns
	columns = (len(shown) + rows - 1) / rows // as few as the rows need
	height := (size.Height - gap*float32(rows-1)) / float32(rows)
	for k, o := range shown {
		row := k / columns
		beside := min(columns, len(shown)-row*columns) // the last row has all of the width, too
		width := (size.Width - gap*float32(beside-1)) / float32(beside)
		o.Move(fyne.NewPos(float32(k%columns)*(width+gap), float32(row)*(height+gap)))
		o.Resize(fyne.NewSize(width, height))
	}
}

// MinSize implements fyne.Layout: the least room of one below the other in width, of one row in
// height.
func (flow) MinSize(objects []fyne.CanvasObject) (least fyne.Size) {
	for _, o := range widget.Visible(objects) {
		least = least.Max(o.MinSize())
	}
	return least
}

// Under is something that has the room below a small text, which is wrapped.
type Under struct {
	*fyne.Container
	text *fynewidget.Label
}

// NewUnder puts an empty text over something.
func NewUnder(below fyne.CanvasObject) *Under {
	u := &Under{text: fynewidget.NewLabel("")}
	u.text.Wrapping, u.text.SizeName = fyne.TextWrapWord, theme.SizeNameCaptionText
	u.Container = container.New(under{}, u.text, below)
	return u
}

// Say sets the text.
func (u *Under) Say(text string) {
	if text != u.text.Text {
		u.text.SetText(text)
		u.Layout.Layout(u.Objects, u.Size())
	}
}

// Text is what is said.
func (u *Under) Text() string { return u.text.Text }

type under struct{}

// Layout implements fyne.Layout.
func (under) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	text, below := objects[0], objects[1]
	text.Move(fyne.NewPos(0, 0))
	text.Resize(fyne.NewSize(size.Width, text.MinSize().Height)) // its least height follows from its width
	height := text.MinSize().Height
	text.Resize(fyne.NewSize(size.Width, height))
	below.Move(fyne.NewPos(0, height))
	below.Resize(fyne.NewSize(size.Width, max(size.Height-height, 0)))
}

// MinSize implements fyne.Layout.
func (under) MinSize(objects []fyne.CanvasObject) fyne.Size {
	text, below := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(max(text.Width, below.Width), text.Height+below.Height)
}

// Named puts a word before a menu, which may be narrower than what is chosen in it.
func Named(word string, menu fyne.CanvasObject) fyne.CanvasObject {
	return widget.Named(fynewidget.NewLabel(word), menu)
}
