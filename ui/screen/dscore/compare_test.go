package dscore

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
)

func TestSeveralGridsSideBySide(t *testing.T) {
	g2, g3, other := grid(t, 2, 5), grid(t, 3, 5), grid(t, 4, 3)
	norm, err := score.NewGrid(transform.Masks{N: 4, AfterBatchNorm: true}, 5)
	if err != nil {
		t.Fatal(err)
	}
	v := crowd(t, 4, g3, g2, other, norm)
	s := v.several(0, false)
	if len(s.Grids) != 2 || len(s.Models) != 4 || len(s.Titles()) != 7 || s.Titles()[1] != "v_robust, n = 3" {
		t.Fatalf("grids %v, %d models", s.Grids, len(s.Models))
	}
	for col := 1; col <= 6; col++ {
		var stars [2]int
		for row := range s.Models {
			text := s.Cell(row, col)
			stars[0] += strings.Count(text, best)
			stars[1] += strings.Count(text, second)
			value := s.value(s.Models[row], col)
			better := 0
			for _, hash := range s.Models {
				if w := s.value(hash, col); s.up(col) && w > value || !s.up(col) && w < value {
					better++
				}
			}
			if strings.HasSuffix(text, best) != (better == 0) || strings.HasSuffix(text, second) != (better == 1) {
				t.Errorf("column %d: %q, and %d are better", col, text, better)
			}
		}
		if stars != [2]int{1, 1} {
			t.Errorf("column %d has %v signs", col, stars)
		}
		sorted := v.several(col, false)
		if sorted.rank(sorted.Models[0], col) != 1 || v.several(col, true).rank(v.several(col, true).Models[0], col) != 4 {
			t.Errorf("column %d is not sorted", col)
		}
	}
	v.Rows = slices.DeleteFunc(v.Rows, func(r Row) bool { return r.Model.ID == "m01" && r.Grid == g2 })
	s = v.several(4, false)
	if s.Cell(3, 4) != "-" || s.Cell(3, 0) != "m01" {
		t.Errorf("a model without n = 2: %q %q", s.Cell(3, 0), s.Cell(3, 4))
	}
	v.Mark("hash-m03")
	s = v.several(0, false)
	if len(s.Models) != 1 || strings.Contains(s.Cell(0, 1), best) {
		t.Errorf("%d models, %q", len(s.Models), s.Cell(0, 1))
	}
	head, rows := s.Table()
	if len(rows) != 1 || len(rows[0]) != len(head) || head[2] != "v_robust_n3_t5" {
		t.Errorf("head %v", head)
	}
	if s.Cell(5, 0) != "" || s.Cell(0, 99) != "" {
		t.Error("cells outside have a text")
	}
}

func TestLosses(t *testing.T) {
	r := made(t, "m", grid(t, 2, 5), 0.9, []float64{0.9, 0.8, 0.5, 0.95}, []float64{0.1, 0.2, 0.3, 0.4})
	r.Intervals.Loss = []score.Interval{{Low: -0.01, High: 0.005}, {Low: 0.05, High: 0.15}, {Low: 0.3, High: 0.5}, {Low: -0.08, High: -0.02}}
	layers := []score.Layer{
		{
			FeatureMap: model.FeatureMap{Number: 1, Tensor: "c1"}, Original: 0.9, Variants: []float64{0.9, 0.9, 0.9, 0.9},
			Intervals: make([]score.Interval, 4),
		},
		{FeatureMap: model.FeatureMap{Number: 2, Tensor: "c2"}, Reason: result.Because(signal.NoSignals,
			"no signals for this suite and family yet"), AfterBatchNorm: true},
	}
	l := newLosses(r, layers)
	all := l.Layers[0]
	for tolerance, want := range map[float64][]int{0: {4}, 0.005: {1, 4}, 0.01: {1, 4}, 0.15: {1, 2, 4}} {
		if got := all.Free(tolerance); !slices.Equal(got, want) {
			t.Errorf("free at %v are %v, want %v", tolerance, got, want)
		}
	}
	if got := l.Cell(0, 3, 0); got != "1 of 4" {
		t.Errorf("%q", got)
	}
	if got := l.Cell(0, fixedLossColumns+3, 0); got != "✓ -5.0  (-8.0..-2.0)" {
		t.Errorf("%q", got)
	}
	if got := l.Cell(0, fixedLossColumns, 0); got != "0.0  (-1.0..+0.5)" {
		t.Errorf("%q", got)
	}
	if l.Cell(2, 3, 0) != "-" || !strings.Contains(l.Cell(2, 2, 0), "no signals") || l.Cell(2, fixedLossColumns, 0) != "" || l.Cell(2, 0, 0) != "layer 2, after batch-norm" {
		t.Errorf("a layer without numbers: %q, %q", l.Cell(2, 2, 0), l.Cell(2, 0, 0))
	}
	if got := l.missing(); !slices.Equal(got, []int{2}) {
		t.Errorf("missing %v", got)
	}
	if hint := l.Hint(0); !strings.Contains(hint, "1 of 4 regions can be deleted from all layers without any loss, each alone") || !strings.Contains(hint, "layer 1 has the most such regions, 4 of 4") || !strings.Contains(hint, "smaller network") {
		t.Errorf("%q", hint)
	}
	if line := all.Line(4, 0); !strings.HasSuffix(line, "nothing is lost") || all.Line(9, 0) != "" {
		t.Errorf("%q", line)
	}
	l.note([]model.FeatureMap{{Number: 2, Height: 1, Width: 1, Empty: []int{1, 2}}, {Number: 1}}, []int{3})
	if len(l.Notes) != 2 || !strings.Contains(l.Notes[0], "layer 2 has maps of 1 × 1: regions 1, 2 hold nothing") || !strings.Contains(l.Notes[1], "layers 3 have no maps") {
		t.Errorf("%q", l.Notes)
	}
	file := l.sheet(0)
	if layer := file.Fields[file.Field("layer")]; file.Len() != 8 || layer.Number(0) != 0 || layer.Number(4) != 1 {
		t.Errorf("%d rows", file.Len())
	}
	costly := newLosses(made(t, "m", grid(t, 1, 5), 0.9, []float64{0.1}, []float64{0.9}), nil)
	if hint := costly.Hint(0.01); !strings.HasPrefix(hint, "No region can be deleted at a loss of at most 1 point") || strings.Contains(hint, "smaller") {
		t.Errorf("%q", hint)
	}
	if hint := (Losses{Layers: []LossLayer{{}}}).Hint(0); hint != "" {
		t.Errorf("of nothing: %q", hint)
	}
}

func TestComparison(t *testing.T) {
	g2, g3 := grid(t, 2, 5), grid(t, 3, 5)
	v := crowd(t, 6, g3, g2)
	c := v.comparison()
	if len(c.Rows) != fewCompared || c.quantities() != 4+18 || len(c.Titles()) != 4 || !strings.Contains(v.comparedNote(c), "first models") {
		t.Fatalf("%d models, %d lines", len(c.Rows), c.quantities())
	}
	if c.Maps[0].Scales != c.Maps[2].Scales {
		t.Error("models have colours of their own")
	}
	for k := range 5 {
		v.Mark(fmt.Sprintf("hash-m%02d", k))
	}
	c = v.comparison()
	if len(c.Rows) != mostCompared || !strings.Contains(v.comparedNote(c), "first 4 of 5") {
		t.Errorf("%d models: %q", len(c.Rows), v.comparedNote(c))
	}
	r := c.Rows[1]
	for row, want := range map[int]string{
		4: decimals(100*r.Accuracies.Shifted[0], 1) + " %", 12: decimals(100*r.Accuracies.Shifted[8], 1) + " %",
		13: decimals(100*r.Score.Features[0], 1) + " %", 21: decimals(100*r.Score.Features[8], 1) + " %",
	} {
		if got := c.Cell(row, 2); got != want {
			t.Errorf("%s: %q, want %q", c.Cell(row, 0), got, want)
		}
	}
	if c.Cell(4, 0) != "a_1" || c.Cell(21, 0) != "f~_9" || c.Cell(22, 0) != "" || c.Cell(0, 9) != "" {
		t.Errorf("lines %q, %q", c.Cell(4, 0), c.Cell(21, 0))
	}
	for row := range fixedQuantities {
		text := ""
		for k := range c.Rows {
			text += c.Cell(row, k+1)
		}
		if strings.Count(text, best) != 1 || strings.Count(text, second) != 1 {
			t.Errorf("%s has the signs %q", c.Cell(row, 0), text)
		}
	}
	head, rows := c.Table()
	if len(rows) != 4 || len(rows[0]) != len(head) {
		t.Errorf("%d cells below %d titles", len(rows[0]), len(head))
	}
	if none := (Comparison{}); none.quantities() != 4 || none.Cell(0, 1) != "" {
		t.Error("nothing is compared and has numbers")
	}
}

func TestOrder(t *testing.T) {
	models := []model.Model{
		{Hash: "a", Graph: model.Graph{Convs: []string{"1", "2", "3"}}}, {Hash: "b", Graph: model.Graph{Convs: []string{"1"}}},
	}
	sets := func(o Order) (list []string) {
		runs, err := o.Runs()
		if err != nil {
			return []string{err.Error()}
		}
		for _, r := range runs {
			list = append(list, fmt.Sprint(r.Set, r.Models))
		}
		return list
	}
	o := usualOrder("s", models)
	if got := sets(o); !slices.Equal(got, []string{"mask:3;layers=auto[a b]", "shift:3:5[a b]"}) {
		t.Errorf("%q", got)
	}
	o.N, o.T, o.Each, o.AfterBatchNorm = []int{2, 4}, []int{3, 5}, true, true
	want := []string{}
	for _, n := range []string{"2", "4"} {
		want = append(want, "mask:"+n+";layers=auto;after=batchnorm[a b]", "mask:"+n+";layers=1;after=batchnorm[a b]", "mask:"+n+";layers=2;after=batchnorm[a]",
			"mask:"+n+";layers=3;after=batchnorm[a]", "shift:"+n+":3[a b]", "shift:"+n+":5[a b]")
	}
	if got := sets(o); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	o = Order{Suite: "s", Models: models, N: []int{3}, Each: true}
	if got := sets(o); len(got) != 3 || strings.Contains(got[2], "shift") {
		t.Errorf("each alone needs %q", got)
	}
	if text := usualOrder("s", models).Text(100); text != "2 runs, 4,000 inferences in all; what is there already is not computed again." {
		t.Errorf("%q", text)
	}
	for what, bad := range map[string]Order{
		"no models": {N: []int{3}, T: []int{5}, All: true}, "no n": {Models: models, T: []int{5}, All: true},
		"no t": {Models: models, N: []int{3}, All: true}, "nothing deleted": {Models: models, N: []int{3}, T: []int{5}},
		"n too large": {Models: models, N: []int{99}, T: []int{5}, All: true},
	} {
		if _, err := bad.Runs(); err == nil || bad.Text(1) == "" {
			t.Errorf("%s is accepted", what)
		}
	}
}
