package evidence

import (
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/widget"
)

// The rest keeps its height at the bottom, and the matrices use what is above it, in several rows
// where that helps.
func TestAbove(t *testing.T) {
	stage.New(t)
	row := NewMatrices(widget.Keys{}, nil, nil)
	rest := canvas.NewRectangle(color.Black)
	rest.SetMinSize(fyne.NewSize(100, 200))
	box := Above(row, rest)
	e := Evidence{Tiles: make([]Tile, 5)}
	for k := range e.Tiles {
		e.Tiles[k].Reason = "no signals"
	}
	row.Show(Prepare(e, View{}))
	box.Resize(fyne.NewSize(850, 600))
	if rest.Size().Height != 200 || rest.Position().Y != 400 {
		t.Errorf("the rest is %v high at %v", rest.Size().Height, rest.Position().Y)
	}
	first, last := row.Tiles()[0], row.Tiles()[4]
	if last.Position().Y == 0 || first.Size().Width < 250 || last.Position().Y+last.Size().Height > 400 {
		t.Errorf("tiles of %v, the last one at %v", first.Size(), last.Position())
	}
	box.Resize(fyne.NewSize(1600, 340))
	if row.Tiles()[4].Position().Y != 0 {
		t.Error("a low place has two rows")
	}
}
