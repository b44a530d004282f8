package evidence

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// The proportions of tiles, in Fyne's device-independent pixels.
const (
	tileMinWidth  = 120
	tileMinHeight = 130
	// tileHeight is a tile's best height as a share of its width: the heatmap is square, beside it stands the colour bar
	// and above it the title.
	tileHeight = 0.94
)

// tileLayout puts its visible children side by side in equal widths over the whole height.
type tileLayout struct{}

func (tileLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	shown := visible(objects)
	if len(shown) == 0 {
		return
	}
	gap := theme.Padding()
	width := (size.Width - gap*float32(len(shown)-1)) / float32(len(shown))
	for k, o := range shown {
		o.Move(fyne.NewPos(float32(k)*(width+gap), 0))
		o.Resize(fyne.NewSize(width, size.Height))
	}
}

func (tileLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	n := float32(len(visible(objects)))
	return fyne.NewSize(n*tileMinWidth, tileMinHeight)
}

func visible(objects []fyne.CanvasObject) []fyne.CanvasObject {
	var shown []fyne.CanvasObject
	for _, o := range objects {
		if o.Visible() {
			shown = append(shown, o)
		}
	}
	return shown
}

// overLayout stacks a row of tiles over the rest: the row gets the height that makes its tiles square, as long as the
// rest keeps its least height; the rest gets what is left. Children: row, rest. A hidden rest leaves all to the row.
type overLayout struct {
	tiles func() int // number of tiles in the row
	least float32    // of the rest
}

// Over arranges a row above rest; rest keeps at least the given height.
func Over(row *Row, rest fyne.CanvasObject, least float32) *fyne.Container {
	l := overLayout{least: least, tiles: func() int { return len(visible(row.box.Objects)) }}
	return &fyne.Container{Layout: l, Objects: []fyne.CanvasObject{row.box, rest}}
}

func (l overLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	row, rest := objects[0], objects[1]
	height := size.Height
	if rest.Visible() {
		best := size.Width / float32(max(l.tiles(), 1)) * tileHeight
		height = max(tileMinHeight, min(best, size.Height-l.least))
	}
	row.Move(fyne.NewPos(0, 0))
	row.Resize(fyne.NewSize(size.Width, height))
	if rest.Visible() {
		gap := theme.Padding()
		rest.Move(fyne.NewPos(0, height+gap))
		rest.Resize(fyne.NewSize(size.Width, max(size.Height-height-gap, 0)))
	}
}

func (l overLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := objects[0].MinSize()
	if objects[1].Visible() {
		rest := objects[1].MinSize()
		least = fyne.NewSize(max(least.Width, rest.Width), least.Height+theme.Padding()+l.least)
	}
	return least
}
