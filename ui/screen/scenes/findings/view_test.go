package findings

import (
	"encoding/csv"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/agreement"
	scenes "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/figures"
)

// sampleView has four models: a, b and c with labels, d without; d has no worst case.
func sampleView() *View {
	v := NewView()
	d := Data{Models: 5, Selection: store.SelectionRecord{Hash: "s", Name: "near", N: 32}, Round: label.Round{ID: "r", Name: "one"}, Classes: label.Values(3)}
	for k, id := range []string{"a", "b", "c", "d"} {
		r := Row{Model: model.Model{ID: id, Hash: "h" + id, Record: []model.Field{{Name: "architecture", Value: []string{"vgg", "vit"}[k%2]}, {Name: "epochs", Value: "3"}}}}
		r.Outcome = scenes.Outcome{Targets: 10, Accuracy: 0.9 - 0.1*float64(k), MeanComposite: 0.8, WorstCase: []float64{0.2, 0.6, 0.4, math.NaN()}[k], ChangedShare: 0.1}
		if k < 3 {
			r.Label, r.Basis = label.Values(3)[k], "majority"
		}
		r.Distance = []scenes.DistanceBin{{From: 0, To: 0.5, Composites: 4, Right: 4 - k}, {From: 0.5, To: 1}}
		for len(r.Distance) < intervals {
			r.Distance = append(r.Distance, scenes.DistanceBin{From: 1, To: 1})
		}
		d.Rows = append(d.Rows, r)
	}
	v.Take(d)
	return v
}

func (v *View) ids() (list []string) {
	for k := range v.Len() {
		r, _ := v.At(k)
		list = append(list, r.Model.ID)
	}
	return list
}

func TestOrderAndFilter(t *testing.T) {
	v := sampleView()
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() {}, "b c a d"}, // by worst case, what has none last
		{func() { v.SortBy(keyWorst) }, "a c b d"},
		{func() { v.SortBy("accuracy") }, "a b c d"},
		{func() { v.SortBy("accuracy") }, "d c b a"},
		{func() { v.SortBy(keyModel) }, "a b c d"},
		{func() { v.SortBy("no such column") }, "a b c d"},
		{func() { v.Filter("vgg") }, "a c"},
		{func() { v.Filter("worstcase>0.3") }, "b c"},
		{func() { v.Filter("-variant") }, "b d"}, // the word is part of invariant
		{func() { v.Filter("accuracy>0.65 vit") }, "b"},
		{func() { v.Filter("") }, "a b c d"},
	} {
		step.do()
		if got := strings.Join(v.ids(), " "); got != step.want {
			t.Errorf("%s, want %s", got, step.want)
		}
	}
	if v.Index() != 1 { // b was the first
		t.Errorf("row %d is selected", v.Index())
	}
}

func TestRecordColumns(t *testing.T) {
	v := sampleView()
	titles := func() (list []string) {
		for _, c := range v.columns {
			list = append(list, c.Title)
		}
		return list
	}
	want := []string{"model", "accuracy", "in scenes", "worst case", "changed", "label", "architecture"}
	if got := titles(); !slices.Equal(got, want) || !slices.Equal(v.recordColumns(), []string{"architecture"}) { // all have the same epochs
		t.Errorf("columns %v, of records %v", got, v.recordColumns())
	}
	v.ToggleRecord("architecture")
	if got := titles(); !slices.Equal(got, want[:6]) {
		t.Errorf("columns %v", got)
	}
	v.ToggleRecord("architecture")
	v.Take(v.Data)
	if got := titles(); !slices.Equal(got, want) {
		t.Errorf("columns %v", got)
	}
}

func TestTableOfModels(t *testing.T) {
	v := sampleView()
	head, rows := v.Table()
	if len(rows) != 4 || len(head) != len(rows[0]) || head[len(head)-1] != "architecture" {
		t.Fatal(head, rows)
	}
	got := map[string]string{}
	for k, name := range head {
		got[name] = rows[0][k]
	}
	want := map[string]string{
		"model_id": "b", "model_hash": "hb", "selection": "near", "selection_hash": "s", "targets": "10", "n": "32", "accuracy": "0.8",
		"mean_composite_accuracy": "0.8", "worst_case_accuracy": "0.6", "changed_share": "0.1", "label": "borderline", "architecture": "vit",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	if rows[3][slices.Index(head, keyWorst)] != "" {
		t.Error("an undefined number is not empty")
	}
	var out strings.Builder
	if err := figures.TableCSV(v.Table())(&out); err != nil {
		t.Fatal(err)
	}
	if again, err := csv.NewReader(strings.NewReader(out.String())).ReadAll(); err != nil || len(again) != 5 {
		t.Error(again, err)
	}
}

func TestPlotAndCharts(t *testing.T) {
	v := sampleView()
	plot := v.Plot()
	if len(plot.Groups) != 4 || len(plot.Points) != 4 || plot.Points[0].Name != "b" || plot.Points[0].Group != 1 || plot.Points[0].Y != 0.6 || plot.Points[3].Group != 3 {
		t.Errorf("%+v", plot)
	}
	c := v.OverDistance()
	if len(c.Series) != 2 || len(c.Series[0].X) != 1 || c.Series[0].Y[0] != 0.625 || c.Series[0].X[0] != 0.25 || c.Series[1].Name != "b" || c.Series[1].Y[0] != 0.75 {
		t.Errorf("%+v", c.Series)
	}
	h := v.Histogram("", "", worstOf)
	if len(h.Counts) != 4 || h.Counts[0][2] != 1 || h.Counts[1][6] != 1 || h.Counts[3][0] != 0 || len(h.Counts[0]) != figureBins {
		t.Errorf("%+v", h.Counts)
	}
	if none := v.Histogram("", "", func(Row) float64 { return math.NaN() }); none.Counts != nil || none.Empty == "" {
		t.Errorf("%+v", none)
	}
	for _, text := range []string{v.Caption(), v.Line(v.Rows[0])} {
		if !strings.Contains(text, "invariant") && !strings.Contains(text, "3 labelled in round one") {
			t.Error(text)
		}
	}
}

func TestCoveragesSort(t *testing.T) {
	v := Coverages{}
	for k, n := range []int{100, 32, 50} {
		c := Choice{Record: store.SelectionRecord{Name: []string{"x", "y", "z"}[k], N: n, Method: scenes.ByKeywords}}
		c.Worth.Coverage, c.Worth.F1 = []float64{0.66, 0.65, math.NaN()}[k], math.NaN()
		c.Worth.Fleiss = agreement.Value{Reason: "no labels"}
		v.Rows = append(v.Rows, c)
	}
	names := func() (text string) {
		for _, c := range v.Rows {
			text += c.Record.Name
		}
		return text
	}
	for _, step := range []struct{ key, want string }{{"n", "yzx"}, {"n", "xzy"}, {"coverage", "yxz"}, {"coverage", "xyz"}, {"selection", "xyz"}} {
		if v.SortBy(step.key); names() != step.want {
			t.Errorf("by %s: %s, want %s", step.key, names(), step.want)
		}
	}
	bars := v.Bars()
	if len(bars.Bars.Bars) != 2 || len(bars.Hints) != 2 || bars.Bars.Bars[0].Name != "x: coverage" || bars.Bars.Bars[0].Text != "0.660" {
		t.Errorf("%+v", bars)
	}
	head, rows := v.Table()
	if len(rows) != 3 || len(rows[0]) != len(head) || rows[0][6] != "0.66" || rows[2][6] != "" || rows[0][7] != "" {
		t.Error(head, rows)
	}
	if got := v.Cell(0, 4) + v.Cell(2, 4) + v.Cell(9, 0); got != "0.660-" {
		t.Error(got)
	}
}
