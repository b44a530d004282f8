package evidence

import (
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/widget"
)

func TestRowEnlarges(t *testing.T) {
	stage.New(t)
	row := NewMatrices(widget.Keys{}, nil, nil)
	row.Enlarge(0) // nothing is shown yet
	row.Blank(Blank(label.Round{}, "h", "reading"))
	for _, c := range []struct {
		only, want, shown int
	}{{-1, -1, 5}, {3, 3, 1}, {7, -1, 5}, {4, 4, 1}} {
		row.Enlarge(c.only)
		n := 0
		for k, tile := range row.Tiles() {
			if tile.Visible() {
				n++
				if c.want >= 0 && k != c.want {
					t.Errorf("enlarged %d shows %d", c.only, k)
				}
			}
		}
		if n != c.shown || row.Enlarged() != c.want {
			t.Errorf("enlarged %d: %d tiles, number %d", c.only, n, row.Enlarged())
		}
	}
	// fewer than the one that stands alone
	row.Blank(Blank(label.Round{Modalities: DefaultModalities()[:2]}, "g", "reading"))
	if row.Enlarged() != -1 || !row.Tiles()[0].Visible() || row.Tiles()[2].Visible() {
		t.Error("a matrix that is no longer there stands alone")
	}
}
