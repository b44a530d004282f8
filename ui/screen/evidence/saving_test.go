package evidence

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/figures"
)

// The charts' values can be copied from their menus, with the units and the values shown.
func TestChartsCanBeSaved(t *testing.T) {
	s := stage.New(t)
	work := background.New(s.Post)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	charts := NewCharts(func(string) {})
	if charts.Accuracy.Menu != nil {
		t.Error("a menu without anything that saves")
	}
	w := s.Window(Columns(charts.AccuracyBox(), charts.LossBox()), fyne.NewSize(700, 300))
	said := ""
	charts.Saving(&figures.Saver{Window: w, Work: work, Status: func(text string) { said = text }})
	charts.Show(Evidence{
		Model:  model.Model{ID: "m1", Curves: []model.Epoch{{Epoch: 1, Values: map[string]float64{"train_loss": 2}}}},
		Suite:  "shapes",
		Values: []float64{-1, 0, 1}, Unit: "°", Variable: "rotation", Accuracy: []float64{0.5, 1, 0.75}, Robust: 0.5, Images: 4, Total: 4,
	})
	charts.Accuracy.Menu()[0].Action()
	s.Until("copied", func() bool { return said == "values copied" })
	if got := fyne.CurrentApp().Clipboard().Content(); got != "rotation (°),accuracy,robust\n-1,0.5,0.5\n0,1,\n1,0.75,0.5\n" {
		t.Errorf("copied %q", got)
	}
	if d := charts.Accuracy.Data(); !strings.HasPrefix(d.Title, "Accuracy of m1, shapes") || d.Note == "" {
		t.Errorf("title %q, note %q", d.Title, d.Note)
	}
	if d := charts.Loss.Data(); d.Title != "Loss curves of m1" || len(charts.Loss.Menu()) != len(charts.Accuracy.Menu()) {
		t.Errorf("title %q", d.Title)
	}
}
