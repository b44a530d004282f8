package compare

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// leastRow is the least height of a row of matrices, in Fyne's device-independent pixels; more rows than fit scroll.
const leastRow = 190

// gridLayout lays its visible children out in rows of equal columns. Its least height keeps every row readable; it fills
// what it gets.
type gridLayout struct{ columns *int }

func (l gridLayout) rows(objects []fyne.CanvasObject) (shown []fyne.CanvasObject, rows int) {
	for _, o := range objects {
		if o.Visible() {
			shown = append(shown, o)
		}
	}
	columns := max(*l.columns, 1)
	return shown, (len(shown) + columns - 1) / columns
}

// Layout implements fyne.Layout.
func (l gridLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	shown, rows := l.rows(objects)
	columns := max(*l.columns, 1)
	if rows == 0 {
		return
	}
	gap := theme.Padding()
	width := (size.Width - gap*float32(columns-1)) / float32(columns)
	height := (size.Height - gap*float32(rows-1)) / float32(rows)
	for k, o := range shown {
		o.Move(fyne.NewPos(float32(k%columns)*(width+gap), float32(k/columns)*(height+gap)))
		o.Resize(fyne.NewSize(width, height))
	}
}

// MinSize implements fyne.Layout.
func (l gridLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	_, rows := l.rows(objects)
	return fyne.NewSize(200, leastRow*float32(rows)+theme.Padding()*float32(max(rows-1, 0)))
}

// headLayout lays heads out in as many equal columns as the grid has; a column without a head stays free.
type headLayout struct{ columns *int }

// Layout implements fyne.Layout.
func (l headLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	columns := float32(max(*l.columns, 1))
	gap := theme.Padding()
	width := (size.Width - gap*(columns-1)) / columns
	place := 0
	for _, o := range objects {
		if o.Visible() {
			o.Move(fyne.NewPos(float32(place)*(width+gap), 0))
			o.Resize(fyne.NewSize(width, size.Height))
			place++
		}
	}
}

// MinSize implements fyne.Layout.
func (l headLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := fyne.NewSize(200, 0)
	for _, o := range objects {
		if o.Visible() {
			least.Height = max(least.Height, o.MinSize().Height)
		}
	}
	return least
}
