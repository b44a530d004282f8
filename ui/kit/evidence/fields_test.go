package evidence

import (
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/widget"
)

// TestColourBarsEndTheRows: the fields that have a colour bar are those that have the room for it,
// however the row is laid out; all squares are equally large then.
func TestColourBarsEndTheRows(t *testing.T) {
	round := label.Round{
		Kind: label.BackgroundRound, Modalities: []string{"max@CONF"}, Interpolants: []string{"I1", "I2", "I3"},
	}
	row := NewMatrices(widget.Keys{}, func(string) {}, nil)
	st := stage.New(t)
	w := st.Window(row.Object(), fyne.NewSize(1200, 300))
	row.Show(Prepare(Blank(round, "m", "not run"), View{}))
	for _, c := range []struct {
		size fyne.Size
		rows int
	}{{fyne.NewSize(1200, 300), 1}, {fyne.NewSize(700, 620), 2}, {fyne.NewSize(1100, 320), 1}} {
		w.Resize(c.size)
		fields, tops := row.Fields(), map[float32]bool{}
		for k, f := range fields {
			tops[f.Position().Y] = true
			if wide := f.Size().Width > fields[0].Size().Width+1; wide != row.barred(k) {
				t.Errorf("%v: field %d has a bar: %v, the room: %v", c.size, k, row.barred(k), wide)
			}
		}
		if len(tops) != c.rows {
			t.Errorf("%v: %d rows", c.size, len(tops))
		}
	}
}
