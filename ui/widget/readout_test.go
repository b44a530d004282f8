package widget

import (
	"testing"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/uitest/stage"
)

// TestNothingIsReadOutOfWhatWasShownBefore: when a figure gets other data, what it has read out
// under the pointer is taken back.
func TestNothingIsReadOutOfWhatWasShownBefore(t *testing.T) {
	stage.New(t)
	told := 0 // 1 after something was read out, 0 after it was taken back
	tell := func(on bool) {
		told = 0
		if on {
			told = 1
		}
	}
	text := func(text string) { tell(text != "") }
	plot, heat, field, regions := NewPlot(), NewHeatmap(), NewField(""), NewRegions()
	plot.OnHover = text
	heat.OnHover = func(c Cell) { tell(c.Inside) }
	field.OnHover = func(p FieldPoint) { tell(p.Inside) }
	regions.OnHover = func(region int) { tell(region > 0) }
	matrix := variance.Matrix{N: 2, Data: []float64{0, 1, 1, 0}}
	scale := func(high float64) render.Scale { return render.Scale{High: high, Map: &render.Viridis} }
	cloud := scatter.Matrix{R: 2, Values: []float64{0, 1, 1, 0}}
	for name, one := range map[string]struct{ hover, other func() }{
		"lines":  {func() { plot.SetFigure(falling()); plot.point(-1, 5) }, func() { plot.SetFigure(result.Figure{}) }},
		"points": {func() { plot.SetFigure(threePoints()); plot.point(1, nan) }, func() { plot.SetFigure(threePoints()) }},
		"boxes":  {func() { plot.SetFigure(waterfall()); plot.point(0, nan) }, func() { plot.SetFigure(falling()) }},
		"heatmap, other range": {
			func() { heat.SetPicture(NewPicture(matrix, scale(1), render.Axis{})); heat.Plot.point(1, nan) },
			func() { heat.SetPicture(NewPicture(matrix, scale(2), render.Axis{})) },
		},
		"heatmap, other axis": {
			func() { heat.SetPicture(NewPicture(matrix, scale(1), render.Axis{})); heat.Plot.point(1, nan) },
			func() {
				heat.SetPicture(NewPicture(matrix, scale(1), render.Axis{Name: "rotation", Values: []float64{-1, 1}}))
			},
		},
		"field": {
			func() { field.SetPicture(NewFieldPicture(cloud, scale(1), 1)); field.Plot.point(2, nan) },
			func() { field.SetPicture(NewFieldPicture(cloud, scale(2), 1)) },
		},
		"regions": {
			func() { regions.SetPicture(RegionPicture{N: 2, Values: []float64{0, 1, 2, 3}}); regions.point(1, nan) },
			func() { regions.SetPicture(RegionPicture{N: 2, Values: []float64{0, 1, 2, 4}}) },
		},
	} {
		one.hover()
		if told != 1 {
			t.Errorf("%s reads nothing out", name)
		}
		one.other()
		if told != 0 {
			t.Errorf("%s: what was read out stays", name)
		}
	}
}
