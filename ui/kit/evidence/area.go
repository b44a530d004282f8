package evidence

import (
	"cmp"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/ui/widget"
)

// The proportions of an area of tiles, in Fyne's device-independent pixels.
const (
	leastSide   = 64  // smaller squares are not worth looking at: the area scrolls in their place
	comfortable = 170 // width of a tile in an area that scrolls
	fewTiles    = 5   // as many are expected before any is there
)

// grid is how an Area has the tiles laid out; without columns there is no Area.
type grid struct {
	columns int
	height  float32 // of all rows
}

// gridFor lays n tiles with notes of a height out in an area: in as many columns as make the
// squares largest, or, where these would be too small, in rows of a comfortable width that are
// higher than the area.
func gridFor(n int, area fyne.Size, notes float32) grid {
	if n == 0 {
		return grid{columns: 1}
	}
	best, largest := bestColumns(n, area, notes)
	if largest >= leastSide {
		return grid{columns: best, height: min(tileMinHeight, area.Height)}
	}
	columns := max(min(n, int(area.Width/comfortable)), 1)
	rows := float32((n + columns - 1) / columns)
	return grid{columns: columns, height: rows * (max(leastSide, area.Width/float32(columns)-tileBeside) + tileAbove +
		notes)}
}

// Area shows a row's tiles in several rows where that makes them larger, and scrolls where there
// are too many.
func Area(row *Matrices) *fyne.Container {
	scroll := container.NewVScroll(row.box)
	area := container.New(areaLayout{row}, scroll)
	row.changed, row.scroll = area.Refresh, scroll
	return area
}

// BestWidth is the width that makes the squares of a row as large as a room allows; where there are
// too many for it, all of its width.
func (r *Matrices) BestWidth(room fyne.Size) float32 {
	columns, side := bestColumns(cmp.Or(r.seen(), fewTiles), room, widget.NotesHeight(r.notes))
	if side < leastSide {
		return room.Width
	}
	return float32(columns)*(side+tileBeside) + float32(columns-1)*theme.Padding()
}

type areaLayout struct{ row *Matrices }

// Layout implements fyne.Layout.
func (l areaLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	before := l.row.grid
	l.row.grid = gridFor(l.row.seen(), size, widget.NotesHeight(l.row.notes))
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(size)
	if before != l.row.grid {
		l.row.bars()
		objects[0].Refresh()
		l.row.box.Refresh()
	}
}

// MinSize implements fyne.Layout.
func (areaLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(tileMinWidth, tileMinHeight)
}
