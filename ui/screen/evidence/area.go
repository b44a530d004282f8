package evidence

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/ui/widget"
)

// The proportions of an area of tiles, in Fyne's device-independent pixels.
const (
	leastSide   = 84  // smaller squares are not worth looking at: the area scrolls in their place
	comfortable = 170 // width of a tile in an area that scrolls
	fewTiles    = 5   // as many get the width that they would have beside each other
)

// grid is how an Area has the tiles laid out; without columns there is no Area.
type grid struct {
	columns int
	height  float32 // of all rows
}

// gridFor lays n tiles with notes of a height out in an area: in as many columns as make the squares largest, or, where
// these would be too small, in rows of a comfortable width that are higher than the area.
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
	return grid{columns: columns, height: rows * (max(leastSide, area.Width/float32(columns)-tileBeside) + tileAbove + notes)}
}

// Area shows a row's tiles in several rows where that makes them larger, and scrolls where there are too many.
func Area(row *Row) *fyne.Container {
	scroll := container.NewVScroll(row.box)
	area := container.New(areaLayout{row}, scroll)
	row.changed, row.scroll = area.Refresh, scroll
	return area
}

// BestHeight is the height that gives the tiles of a row the whole width, more than fit well in several rows.
func (r *Row) BestHeight(width float32) float32 {
	n := max(len(r.shown.Tiles), fewTiles)
	rows := (n + fewTiles + 1) / (fewTiles + 2)
	columns := (n + rows - 1) / rows
	return float32(rows) * (width/float32(columns) - tileBeside + tileAbove + widget.NotesHeight(r.notes))
}

type areaLayout struct{ row *Row }

// Layout implements fyne.Layout.
func (l areaLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	before := l.row.grid
	l.row.grid = gridFor(len(l.row.shown.Tiles), size, widget.NotesHeight(l.row.notes))
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
