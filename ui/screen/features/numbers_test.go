package features

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/training"
)

// made are n models over two matrices: feature f of model k is (k + f) / 100, robust accuracy falls
// with k.
func made(n int) Data {
	d := Data{Classes: label.Values(2), Suite: "shapes", Family: "rotation"}
	d.Layout = feature.Layout{Modalities: []string{"max@CONF", "mean@CONV-1"}, Profile: feature.Paper, Tau: 0.15, Share: 0.9, Seed: 1}
	for k := range n {
		var r training.Row
		r.Model.ID, r.Model.Hash = fmt.Sprintf("m%d", k), fmt.Sprintf("hash%d", k)
		r.Accuracy, r.Scores.CorrectProduct = 0.9, 1-float64(k)/100
		for f := range d.Layout.Width() {
			r.Vector.Values = append(r.Vector.Values, float64(k+f)/100)
		}
		r.Shown = slices.Clone(r.Vector.Values)
		if k > 0 {
			r.Label = label.Values(2)[k%2]
		}
		d.Rows = append(d.Rows, r)
	}
	return d
}

func TestHistogramCountsEveryModelOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "models")
		d := made(n)
		for k := range d.Rows {
			d.Rows[k].Shown[0] = rapid.Float64Range(-1e3, 1e3).Draw(t, "value")
		}
		h := d.histogramOf(d.Rows, "max@CONF.svm")
		sum, low, high := 0, h.Boxes[0].X0, h.Boxes[len(h.Boxes)-1].X1
		for _, b := range h.Boxes {
			count := int(b.Y1 - b.Y0)
			sum += count
			inside, rim := 0, 1e-9*(high-low) // at an edge, rounding decides
			for _, r := range d.Rows {
				if x := r.Shown[0]; count > 0 && d.groupOf(r) == b.Group && x > b.X0+rim && x < b.X1-rim {
					inside++
				}
			}
			if inside > count {
				t.Errorf("%v..%v of group %d has %d of at least %d", b.X0, b.X1, b.Group, count, inside)
			}
		}
		if sum != n || len(h.Groups) != 3 || len(h.Boxes) > 6*mostBins || h.Check() != nil {
			t.Errorf("%d of %d models in %d boxes of %d groups", sum, n, len(h.Boxes), len(h.Groups))
		}
	})
}

func TestHistogramOfNothingAndOfOneValue(t *testing.T) {
	d := made(3)
	if h := d.histogramOf(d.Rows, keyAccuracy); h.Boxes[0].X0 >= 0.9 || h.Boxes[len(h.Boxes)-1].X1 <= 0.9 || h.Title != "accuracy" {
		t.Errorf("%+v", h)
	}
	for k := range d.Rows {
		d.Rows[k].Accuracy = math.NaN()
	}
	if h := d.histogramOf(d.Rows, keyAccuracy); h.Drawable() || h.Empty != "no model has a value of accuracy" {
		t.Errorf("%+v", h)
	}
}

func TestAlikes(t *testing.T) {
	d := made(9)
	list := d.alikes("hash4", "")
	var ids []string
	for _, a := range list {
		ids = append(ids, a.Model.ID)
	}
	if want := []string{"m4", "m3", "m5", "m2", "m6", "m1"}; !slices.Equal(ids, want) {
		t.Errorf("%v, want %v", ids, want)
	}
	if list[0].title() != "m4" || !strings.HasPrefix(list[1].title(), "m3  0.") || list[1].Distance != list[2].Distance {
		t.Errorf("titles %q, %q", list[0].title(), list[1].title())
	}
	for text, m := range map[string]pictured{
		"m4 and the models nearest to it by 32 features: matrices max@CONF": {list: list, matrix: "max@CONF", features: 32},
		"Select a model":                         {list: d.alikes("", "")},
		"m0 is the only model that was measured": {list: made(1).alikes("hash0", "")},
	} {
		if got := m.text(); !strings.HasPrefix(got, text) {
			t.Errorf("text %q, want %q", got, text)
		}
	}
}

// One failed model turns a correlation round: it is crossed out, and the plot says what the others
// have.
func TestScatterWithoutAModelAtChance(t *testing.T) {
	d := made(9)
	for k := range d.Rows {
		d.Rows[k].Shown[0], d.Rows[k].Scores.CorrectProduct = float64(k), 0.9-0.01*float64(k)
	}
	d.Rows[3].Shown[0], d.Rows[3].Scores.CorrectProduct = 0, 0
	if f := d.scatterOf(d.Rows, "max@CONF.svm", keyRobust); strings.Contains(facts(f), "\n") || !strings.Contains(facts(f), "n 9") {
		t.Errorf("%q", facts(f))
	}
	d.Rows[3].Chance = chance.Counts{Labelled: 400, Correct: 41, Classes: 10, Largest: 40, Top: 400, TopLabels: 40}.Level()
	d.Rows[5].Accuracy, d.Rows[5].Shown[0] = math.NaN(), math.NaN()
	f := d.scatterOf(d.Rows, "max@CONF.svm", keyRobust)
	_, without, _ := strings.Cut(facts(f), "\n")
	if !strings.HasPrefix(without, "without m3 (accuracy not above chance): Pearson r -1.000") || !strings.Contains(without, "n 7") {
		t.Errorf("%q", without)
	}
	if len(f.Points) != 8 || f.Crossed == "" || f.Check() != nil || f.Groups[2].Name != "unlabelled" {
		t.Errorf("%d points in %v", len(f.Points), f.Groups)
	}
	for k, p := range f.Points {
		if p.Crossed != (p.Name == "m3") {
			t.Errorf("point %d: %+v", k, p)
		}
	}
	if got := about(d.Rows[3]); !strings.Contains(got, "accuracy 10.3 % of 400 images is not above chance (10 %)") {
		t.Errorf("%q", got)
	}
	for _, rows := range [][]training.Row{d.Rows, d.Rows[:3]} { // the column of chance is seen where it says something
		table := training.Models(d.Layout, "", rows)
		if c := table.Columns[4]; table.Check() != nil || c.Key != "chance" || (c.Show == result.Shown) != (len(rows) > 3) {
			t.Errorf("%v, column %s is shown %v", table.Check(), c.Key, c.Show)
		}
	}
}
