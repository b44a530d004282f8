package evidence

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/ui/stage"
	"github.com/variscope/variscope/ui/widget"
)

func TestTableWithoutLinesSaysWhatToDo(t *testing.T) {
	s := stage.New(t)
	l := NewLines("training record", widget.Keys{})
	l.Empty = "Import a table."
	s.Window(l.Object(), fyne.NewSize(300, 200))
	l.Show(nil)
	if !l.note.Visible() || l.table.Visible() || l.note.Text != l.Empty {
		t.Errorf("an empty table says %q", l.note.Text)
	}
	l.Show([]Line{{Name: "epochs", Value: "7"}})
	if l.note.Visible() || !l.table.Visible() || len(l.Lines()) != 1 {
		t.Error("the words stay over the lines")
	}
}

// TestNamesOfLinesAreNotCut: the column of the names follows the longest one, but leaves the values their room.
func TestNamesOfLinesAreNotCut(t *testing.T) {
	s := stage.New(t)
	l := NewLines("measure", widget.Keys{})
	s.Window(l.Object(), fyne.NewSize(310, 200))
	l.Show([]Line{{Name: "precision", Value: "33 %"}})
	widths := func() []float32 { return fitted(l.columns(), 290) }
	short := widths()[0]
	for name, whole := range map[string]bool{"balanced accuracy": true, strings.Repeat("very long name ", 10): false} {
		l.Show([]Line{{Name: name, Value: "33 %"}})
		got := widths()
		if want := widget.CellWidth(name); (got[0] >= want) != whole || got[0] <= short || got[1] < 0.8*165 {
			t.Errorf("%q wants %g and has %g, the values have %g", name, want, got[0], got[1])
		}
	}
}
