package invariance

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/ui/present"
)

func TestChartOverTransformations(t *testing.T) {
	d := made(1, 2)
	turned, rotated, unlabelled := d.Rows[0], d.Rows[1], d.Rows[2]
	for _, c := range []struct {
		row   Row
		x     []float64
		unit  string
		lines int
	}{
		{turned, []float64{90, 180, 270}, "°", 3},
		{rotated, []float64{-10, 10}, "°", 3},
		{unlabelled, []float64{90, 180, 270}, "°", 2}, // without the accuracy
	} {
		got := c.row.Chart(Strands()[0])
		if len(got.Series) != c.lines || !slices.Equal(got.Series[0].X, c.x) || got.XUnit != c.unit || !slices.Equal(got.XTicks, c.x) {
			t.Errorf("%s: %d lines over %v (%s)", c.row.Family, len(got.Series), got.Series[0].X, got.XUnit)
		}
	}
	if y := turned.Chart(Strands()[0]).Series[0].Y; math.Abs(y[2]-(turned.Mean[measure.EI]-0.02)) > 1e-12 {
		t.Errorf("EI %v", y)
	}
	if got := unlabelled.Chart(Strands()[4]); len(got.Series) != 1 || got.YName != "drop" {
		t.Errorf("drops %+v", got)
	}
	if turned.stepAt(180) != 1 || turned.stepAt(45) != -1 || rotated.stepAt(-10) != 0 {
		t.Error("a place on the axis is another transformation")
	}
}

func TestStepTable(t *testing.T) {
	r := made(1, 1).Rows[0]
	if got := len(stepTitles()); got != int(measure.Measures)+3 {
		t.Fatalf("%d columns", got)
	}
	for _, c := range []struct {
		row, col int
		want     string
	}{
		{0, 0, "all"},
		{1, 0, "step 1"},
		{0, 1, present.Number(r.Mean[measure.EI])},
		{3, 1, present.Number(r.Rows[2].Mean[measure.EI])},
		{0, 8, present.Number(r.Accuracy - r.Drop)},
		{2, 9, present.Number(r.Rows[1].AccuracyDrop)},
		{4, 0, ""},
		{0, 99, ""},
	} {
		if got := r.StepCell(c.row, c.col); got != c.want {
			t.Errorf("cell %d, %d is %q, want %q", c.row, c.col, got, c.want)
		}
	}
}

// TestLowestAsASlowSort compares with sorting everything: each image once, under its lowest transformation.
func TestLowestAsASlowSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		images, steps := rapid.IntRange(0, 400).Draw(t, "images"), rapid.IntRange(1, 3).Draw(t, "steps")
		var found lowest
		var all []Low
		for image := range images {
			best := Low{EI: math.Inf(1)}
			for step := range steps {
				var v measure.Values
				v[measure.EI] = rapid.SampledFrom([]float64{0, 0.25, 0.5, 0.75}).Draw(t, "ei")
				v[measure.JS] = rapid.SampledFrom([]float64{0, 0.1, 0.3}).Draw(t, "js")
				found.add(image, step+1, v)
				if one := (Low{image, step + 1, v[measure.EI], v[measure.JS]}); one.EI < best.EI || one.EI == best.EI && one.JS > best.JS {
					best = one
				}
			}
			all = append(all, best)
		}
		slices.SortStableFunc(all, func(a, b Low) int {
			return cmp.Or(cmp.Compare(a.EI, b.EI), cmp.Compare(b.JS, a.JS), cmp.Compare(a.Image, b.Image))
		})
		if got, want := found.found(), all[:min(len(all), mostLow)]; !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

func TestLowestWithoutDivergence(t *testing.T) {
	var found lowest
	for image, ei := range []float64{0.5, 0, 0.9, 0} {
		found.add(image, 1, measure.Values{measure.EI: ei, measure.JS: math.NaN()})
	}
	var order []int
	for _, l := range found.found() {
		order = append(order, l.Image)
	}
	if !slices.Equal(order, []int{1, 3, 0, 2}) {
		t.Errorf("images %v", order)
	}
}

func TestTitlesOfPictures(t *testing.T) {
	r := made(1, 1).Rows[0]
	l := Lows{Row: r, List: make([]Low, 60)}
	if got := l.Title(); got != "lowest EI first, 60 of 100 images" || (Lows{}).Title() != "no images" {
		t.Errorf("%q", got)
	}
	if l.stepName(2) != "step 2" || l.stepName(9) != "" {
		t.Error("transformations have other names")
	}
	for _, s := range Strands() {
		if s.Name == "" || len(s.parts) == 0 || strings.TrimSpace(r.Chart(s).YName) == "" {
			t.Errorf("%+v draws nothing", s)
		}
	}
}
