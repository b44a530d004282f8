package findings

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/agreement"
	scenes "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
)

// sampleView has four models: a, b and c with labels, d without; d has no worst case.
func sampleView() *View {
	v := NewView()
	d := Data{
		Models: 5, Selection: store.SelectionRecord{Hash: "s", Name: "near", N: 32},
		Round: label.Round{ID: "r", Name: "one"}, Classes: label.Values(3),
	}
	for k, id := range []string{"a", "b", "c", "d"} {
		m := model.Model{
			ID: id, Hash: "h" + id,
			Record: []model.Field{
				{Name: "architecture", Value: []string{"vgg", "vit"}[k%2]}, {Name: "epochs", Value: "3"},
			},
		}
		r := Row{InScenes: scenes.InScenes{Model: m, Selection: "near", Key: "k"}}
		r.Outcome = scenes.Outcome{
			Targets: 10, Accuracy: 0.9 - 0.1*float64(k), MeanComposite: 0.8,
			WorstCase: []float64{0.2, 0.6, 0.4, math.NaN()}[k], ChangedShare: 0.1,
		}
		if k < 3 {
			r.Label, r.Basis = label.Values(3)[k], "majority"
		}
		r.Distance = []scenes.DistanceBin{{From: 0, To: 0.5, Composites: 4, Right: 4 - k}, {From: 0.5, To: 1}}
		for len(r.Distance) < scenes.DistanceIntervals {
			r.Distance = append(r.Distance, scenes.DistanceBin{From: 1, To: 1})
		}
		d.Rows = append(d.Rows, r)
	}
	v.Take(d)
	return v
}

func TestModelsTable(t *testing.T) {
	v := sampleView()
	table := v.table()
	testdata.OK(t, table.Check())
	sheet := table.Sheet(v.Rows)
	if rows := sheet.Arrange(result.Filter{}, table.First); !slices.Equal(rows, []int{1, 2, 0, 3}) ||
		v.selected != "hb" {
		t.Errorf("by worst case, what has none last: %v; looked at is %s", rows, v.selected)
	}
	var shown []string
	for _, f := range sheet.Fields {
		if f.Show == result.Shown {
			shown = append(shown, f.Title)
		}
	}
	if want := []string{
		"model", "clean", "scenes", "worst", "changed", "label",
		"architecture",
	}; !slices.Equal(shown, want) { // all have the same epochs
		t.Errorf("columns %v", shown)
	}
	var out strings.Builder
	if err := sheet.Take([]int{1}).CSV(&out, false); err != nil ||
		!strings.Contains(out.String(), "\nb,hb,near,10,0.8,0.8,0.6,0.1,,s,32,borderline,vit,3,") {
		t.Errorf("%s, %v", out.String(), err)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestPlotAndCharts(t *testing.T) {
	v := sampleView()
	plot := v.Plot(v.Rows)
	if len(plot.Groups) != 4 || len(plot.Points) != 3 || plot.Points[1].Name != "b" || plot.Points[1].Group != 1 ||
		plot.Points[1].Y != 0.6 || plot.Check() != nil {
		t.Errorf("%+v", plot)
	}
	h := v.Histogram("", "", worstOf)
	counted := func(group, bin int) bool {
		return slices.ContainsFunc(h.Boxes, func(b result.Box) bool {
			return b.Group == group && near(b.X0, float64(bin)/figureBins) && b.Y1-b.Y0 == 1
		})
	}
	if len(h.Groups) != 4 || !counted(0, 2) || !counted(1, 6) || counted(3, 0) || h.Check() != nil {
		t.Errorf("%+v", h.Boxes)
	}
	if none := v.Histogram("", "", func(Row) float64 { return math.NaN() }); none.Drawable() || none.Empty == "" {
		t.Errorf("%+v", none)
	}
	for _, text := range []string{v.Caption(), v.Line(v.Rows[0])} {
		if !strings.Contains(text, "invariant") && !strings.Contains(text, "3 labelled in round one") {
			t.Error(text)
		}
	}
}

func TestCoverages(t *testing.T) {
	var list []background.Worth
	for k, n := range []int{100, 32, 50} {
		c := background.Worth{Record: store.SelectionRecord{
			Name: []string{"x", "y", "z"}[k], Hash: []string{"x", "y", "z"}[k], N: n,
			Method: scenes.ByKeywords,
		}}
		c.N, c.Coverage, c.F1 = n, []float64{0.66, 0.65, math.NaN()}[k], math.NaN()
		c.Fleiss = agreement.Value{Reason: agreement.NoItemTwice}
		list = append(list, c)
	}
	testdata.OK(t, background.WorthTable.Check())
	sheet := background.WorthTable.Sheet(list)
	if rows := sheet.Arrange(result.Filter{}, background.WorthTable.First); !slices.Equal(rows, []int{1, 2, 0}) {
		t.Errorf("in the order %v", rows)
	}
	bars := coverageBars(list)
	if len(bars.Boxes) != 2 || bars.Y.Names[0] != "x: coverage" || bars.Boxes[0].Text != "66.0 %" ||
		bars.Check() != nil {
		t.Errorf("%+v", bars)
	}
	coverage, kappa := sheet.Fields[sheet.Field("coverage")], sheet.Fields[sheet.Field("fleiss")]
	if got := coverage.Say(0) + coverage.Say(2) + "; " +
		kappa.Tell(0); got != "66.0 %-; kappa is missing: no round labels the matrices of these scenes" {
		t.Error(got)
	}
}
