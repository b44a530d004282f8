package evidence

import (
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
