package evidence

import (
	"testing"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

func TestTableWithoutLinesSaysWhatToDo(t *testing.T) {
	s := stage.New(t)
	host := &kit.Host{ShowError: func(err error) { t.Error(err) }}
	l := NewFacts(host, "training record", widget.Keys{})
	l.Empty = "Import a table."
	host.Window = s.Window(l.Object(), fyne.NewSize(300, 200))
	l.Show(nil)
	says := func() (empty bool) {
		stage.Walk(l.Object(), func(o fyne.CanvasObject) {
			label, ok := o.(*fynewidget.Label)
			empty = empty || ok && label.Text == l.Empty
		})
		return empty
	}
	if !says() {
		t.Error("an empty table does not say what to do")
	}
	l.Show([]Fact{{Name: "epochs", Value: "7"}, {Name: "epochs", Value: "8"}})
	if says() || len(l.Lines()) != 2 {
		t.Error("two lines of one name are not shown")
	}
}
