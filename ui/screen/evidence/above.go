package evidence

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// aboveLayout gives the rest the height that it needs and all above it to the row, whose tiles may take several rows.
// Children: row, rest.
type aboveLayout struct{ row *Row }

// Above arranges a row above rest: rest is as low as it can be, the matrices are as large as what is left allows.
func Above(row *Row, rest fyne.CanvasObject) *fyne.Container {
	row.wrap = true
	box := &fyne.Container{Layout: aboveLayout{row}, Objects: []fyne.CanvasObject{row.box, rest}}
	row.changed = box.Refresh
	return box
}

// Layout implements fyne.Layout.
func (l aboveLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	row, rest := objects[0], objects[1]
	low := min(rest.MinSize().Height, max(size.Height-tileMinHeight-theme.Padding(), 0))
	height := max(size.Height-low-theme.Padding(), 0)
	row.Move(fyne.NewPos(0, 0))
	row.Resize(fyne.NewSize(size.Width, height))
	rest.Move(fyne.NewPos(0, size.Height-low))
	rest.Resize(fyne.NewSize(size.Width, low))
}

// MinSize implements fyne.Layout.
func (l aboveLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	row, rest := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(max(row.Width, rest.Width), tileMinHeight+theme.Padding()+rest.Height)
}
