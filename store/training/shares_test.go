package training

import (
	"io"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/variance"
)

// TestFiguresOfACourse: a row per matrix and one with its differences, which are 0 for all images;
// a feature that is 0 for all models has no deviation.
func TestFiguresOfACourse(t *testing.T) {
	s := Stability{
		Layout: feature.Layout{Modalities: []string{"max@CONF", "mean@CONV-1"}},
		Curves: &assess.FeatureCurves{
			Shares: []float64{0.5, 1}, Names: []string{"max@CONF.svm", "max@CONF.mean"},
			Deviations: []assess.CurveDeviation{{N: 2, Median: []float64{0.25, 0}}, {}},
		},
	}
	for _, value := range []float64{0.1, 0.4} {
		var models []Measured
		for _, id := range []string{"a", "b"} {
			m := Measured{Vector: feature.Vector{Matrices: map[string]variance.Matrix{}}}
			m.Model.ID = id
			for _, name := range s.Layout.Modalities {
				m.Vector.Matrices[name] = variance.Matrix{N: 2, Data: []float64{0, value, value, 0}}
			}
			models = append(models, m)
		}
		s.Measured = append(s.Measured, models)
	}
	list, err := s.Figures([]string{"b"})
	if err != nil || len(list) != 2 || list[1].Name != "shares_b" {
		t.Fatalf("%v, %v", list, err)
	}
	for _, d := range list {
		if err := render.Draw(io.Discard, d.Figure, render.Part{}, "svg"); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
	f := list[1].Figure
	names := []string{"max@CONF", "mean@CONV-1", "max@CONF, difference", "mean@CONV-1, difference"}
	if !slices.Equal(f.Y.Names, names) || !slices.Equal(f.X.Names, []string{"50.0 %", "100.0 %"}) {
		t.Errorf("%q, %q", f.Y.Names, f.X.Names)
	}
	half, all := f.Grid[2][0].Matrix.Values, f.Grid[2][1].Matrix.Values
	if half[1] > -0.29 || half[1] < -0.31 || all[1] != 0 || f.Grid[1][0].Matrix.Values[1] != 0.1 {
		t.Errorf("differences %v and %v", half, all)
	}
	if v := list[0].Figure.Matrix.Values; v[0] != 0.25 || v[1] != 0 || v[2] == v[2] {
		t.Errorf("deviations %v", v)
	}
	if _, err := s.Figures([]string{"c"}); err == nil {
		t.Error("a model that is not there is drawn")
	}
	if first, _ := s.Figures(nil); first[1].Name != "shares_a" {
		t.Errorf("%s is drawn without a name", first[1].Name)
	}
}
