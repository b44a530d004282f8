package widget

import (
	"testing"

	"github.com/variscope/variscope/engine/render"
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
	chart, bars, plot, histogram, stacked := NewChart(), NewBars(), NewScatter(), NewHistogram(), NewStacked()
	mosaic, swarm, heat, field, regions := NewMosaic(), NewSwarm(), NewHeatmap(), NewField(""), NewRegions()
	chart.OnHover = func(_ float64, s string) { text(s) }
	bars.OnHover, plot.OnHover, histogram.OnHover, stacked.OnHover, swarm.OnHover = text, text, text, text, text
	mosaic.OnHover = func(row, _ int) { tell(row >= 0) }
	heat.OnHover = func(c Cell) { tell(c.Inside) }
	field.OnHover = func(p FieldPoint) { tell(p.Inside) }
	regions.OnHover = func(region int) { tell(region > 0) }
	line := ChartData{XName: "x", YName: "y", Series: []Series{{Name: "a", X: []float64{0, 1}, Y: []float64{0, 1}}}}
	points := ScatterData{XName: "x", YName: "y", Points: []ScatterPoint{{X: 1, Y: 1}, {X: 2, Y: 2}}}
	matrix := variance.Matrix{N: 2, Data: []float64{0, 1, 1, 0}}
	scale := func(high float64) render.Scale { return render.Scale{High: high, Map: &render.Viridis} }
	cloud := scatter.Matrix{R: 2, Values: []float64{0, 1, 1, 0}}
	for name, one := range map[string]struct{ hover, other func() }{
		"chart":     {func() { chart.SetData(line); chart.point(1) }, func() { chart.SetData(ChartData{}) }},
		"bars":      {func() { bars.SetData(BarsData{Hints: []string{"a"}}); bars.point(0) }, func() { bars.SetData(BarsData{Hints: []string{"b"}}) }},
		"scatter":   {func() { plot.SetData(points); plot.point(1) }, func() { plot.SetData(points) }},
		"histogram": {func() { histogram.SetData(HistogramData{Counts: []int{1}, High: 1}); histogram.point(0) }, func() { histogram.SetData(HistogramData{}) }},
		"stacked": {func() {
			stacked.SetData(StackedData{Counts: [][]int{{1}}, Groups: []Group{{Name: "a"}}, High: 1})
			stacked.point(0)
		}, func() { stacked.SetData(StackedData{}) }},
		"mosaic": {func() { mosaic.point(0, 0) }, func() { mosaic.SetData(MosaicData{}) }},
		"swarm": {func() {
			swarm.SetData(SwarmData{Hint: func(int, int) string { return "a" }})
			swarm.point(0, 0)
		}, func() { swarm.SetData(SwarmData{}) }},
		"heatmap, other range": {
			func() { heat.SetPicture(NewPicture(matrix, scale(1), render.Axis{})); heat.point(0, 1) },
			func() { heat.SetPicture(NewPicture(matrix, scale(2), render.Axis{})) },
		},
		"heatmap, other axis": {
			func() { heat.SetPicture(NewPicture(matrix, scale(1), render.Axis{})); heat.point(0, 1) },
			func() {
				heat.SetPicture(NewPicture(matrix, scale(1), render.Axis{Name: "rotation", Values: []float64{-1, 1}}))
			},
		},
		"field": {
			func() { field.SetPicture(NewFieldPicture(cloud, scale(1), 1)); field.point(0, 1) },
			func() { field.SetPicture(NewFieldPicture(cloud, scale(2), 1)) },
		},
		"regions": {
			func() { regions.SetPicture(RegionPicture{N: 2, Values: []float64{0, 1, 2, 3}}); regions.point(2) },
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
