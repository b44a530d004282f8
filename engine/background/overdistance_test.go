package background

import (
	"math"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/internal/testdata"
)

func TestOverDistanceKnown(t *testing.T) {
	// image 0 is not counted, nor the third target, which has no label; 0.5 begins the second
	// interval, and 1 closes it
	predictions := [][]int32{{9, 9, 9}, {1, 2, 0}, {1, 0, 0}, {0, 2, 0}}
	distances := [][]float64{{0, 0.1, 0.5, 1}, {0, 0.49, 0.7, 0.2}, {0, 0.1, 0.1, 0.1}}
	got := OverDistance(predictions, []int{1, 2, -1}, distances, 1, 2)
	low, high := stats.Clustered([]int{1, 2}, []int{1, 2})
	first := DistanceBin{0, 0.5, 3, 3, 2, low, high}
	low, high = stats.Clustered([]int{1, 0}, []int{2, 1})
	if len(got) != 2 || got[0] != first || got[1] != (DistanceBin{0.5, 1, 3, 1, 2, low, high}) {
		t.Errorf("%+v", got)
	}
	testdata.Is(t, "accuracy", got[1].Accuracy(), 1.0/3)
	if empty := OverDistance(nil, nil, nil, 0, 3); len(empty) != 3 || !math.IsNaN(empty[0].Accuracy()) ||
		!math.IsNaN(empty[0].Low) {
		t.Errorf("nothing: %+v", empty)
	}
	testdata.Panics(t, "distances of another number of targets", func() {
		OverDistance(predictions, []int{1, 2, -1}, distances[:2], 1, 2)
	})
}

func TestAccuracyFigure(t *testing.T) {
	testdata.OK(t, OverDistances.Check())
	var rows []ModelDistance
	for k, id := range []string{"a", "b", "c", "d"} {
		m := model.Model{ID: id, Hash: "h" + id}
		one := DistanceBin{To: 0.5, Composites: 4, Right: 4 - k, Low: 0.1, High: 0.9}
		rows = append(rows, ModelDistance{m, "near", one}, ModelDistance{m, "near", DistanceBin{From: 0.5, To: 1}})
	}
	f := AccuracyFigure("", "", rows, "hb")
	if err := f.Check(); err != nil || len(f.Lines) != 1 || len(f.Points) != 1 {
		t.Fatalf("%+v, %v", f, err)
	}
	one := result.Point{Name: "b", ID: "hb", X: 0.25, Y: 0.75, Low: 0.1, High: 0.9}
	if all := f.Lines[0]; all.Name != "mean and SD of 4 models" || len(all.X) != 1 || all.X[0] != 0.25 ||
		all.Y[0] != 0.625 || f.Points[0] != one {
		t.Errorf("%+v, %+v", f.Lines, f.Points)
	}
	if f := AccuracyFigure("", "", rows[2:4], ""); f.Check() != nil || f.Lines != nil || len(f.Points) != 1 ||
		f.Points[0] != one {
		t.Errorf("one model alone: %+v", f)
	}
	rows[2].Low, rows[2].High = math.NaN(), math.NaN() // of one target
	testdata.Is(t, "a value without an interval", AccuracyFigure("", "", rows[2:4], "").Tell(0),
		"b, b with 95 % intervals: semantic distance of the scene 0.25, accuracy in scenes 75.0 %")
	if f := AccuracyFigure("", "", rows[1:2], "ha"); f.Drawable() || f.Empty == "" {
		t.Errorf("%+v", f)
	}
}
