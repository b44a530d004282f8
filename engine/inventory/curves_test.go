package inventory

import (
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/model"
)

// TestCurves: those of one kind, train and test first, without the points of empty cells.
func TestCurves(t *testing.T) {
	m := model.Model{ID: "m1", Curves: []model.Epoch{
		{Epoch: 1, Values: map[string]float64{"test_loss": 2, "train_loss": 3, "train_accuracy": 0.5, "aux_loss": 9}},
		{Epoch: 3, Values: map[string]float64{"train_loss": 1}},
	}}
	loss := Curves(m, "loss")
	var names []string
	for _, l := range loss.Lines {
		names = append(names, l.Name)
	}
	if !slices.Equal(names, []string{"train loss", "test loss", "aux loss"}) || loss.Title != "Loss curves of m1" ||
		loss.Check() != nil {
		t.Errorf("%q, %q", names, loss.Title)
	}
	if l := loss.Lines[0]; !slices.Equal(l.X, []float64{1, 3}) || !slices.Equal(l.Y, []float64{3, 1}) ||
		len(loss.Lines[1].X) != 1 {
		t.Errorf("%+v", loss.Lines)
	}
	if f := Curves(m, "accuracy"); len(f.Lines) != 1 || Curves(model.Model{}, "loss").Drawable() {
		t.Errorf("%+v", f.Lines)
	}
}
