package training

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
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

// plotted are n models over two matrices: feature f of model k is (k + f) / 100, robust accuracy
// falls with k.
func plotted(n int) Plots {
	p := Plots{Classes: label.Values(2), About: "shapes, rotation"}
	p.Layout = feature.Layout{
		Modalities: []string{"max@CONF", "mean@CONV-1"}, Profile: feature.Paper, Tau: 0.15, Share: 0.9, Seed: 1,
	}
	for k := range n {
		var r Row
		r.Model.ID, r.Model.Hash = fmt.Sprintf("m%d", k), fmt.Sprintf("hash%d", k)
		r.Accuracy, r.Scores.CorrectProduct = 0.9, 1-float64(k)/100
		for f := range p.Layout.Width() {
			r.Shown = append(r.Shown, float64(k+f)/100)
		}
		r.Vector.Values = slices.Clone(r.Shown)
		if k > 0 {
			r.Label = label.Values(2)[k%2]
		}
		p.Rows = append(p.Rows, r)
	}
	return p
}

func TestHistogramCountsEveryModelOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "models")
		p := plotted(n)
		for k := range p.Rows {
			p.Rows[k].Shown[0] = rapid.Float64Range(-1e3, 1e3).Draw(t, "value")
		}
		h := p.Histogram(p.Rows, "max@CONF.svm")
		sum, low, high := 0, h.Boxes[0].X0, h.Boxes[len(h.Boxes)-1].X1
		for _, b := range h.Boxes {
			count := int(b.Y1 - b.Y0)
			sum += count
			inside, rim := 0, 1e-9*(high-low) // at an edge, rounding decides
			for _, r := range p.Rows {
				if x := r.Shown[0]; count > 0 && p.GroupOf(r) == b.Group && x > b.X0+rim && x < b.X1-rim {
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
	p := plotted(3)
	if h := p.Histogram(p.Rows, KeyAccuracy); h.Boxes[0].X0 >= 0.9 || h.Boxes[len(h.Boxes)-1].X1 <= 0.9 ||
		h.Title != "accuracy" {
		t.Errorf("%+v", h)
	}
	for k := range p.Rows {
		p.Rows[k].Accuracy = math.NaN()
	}
	if h := p.Histogram(p.Rows, KeyAccuracy); h.Drawable() || h.Empty != "no model has a value of accuracy" {
		t.Errorf("%+v", h)
	}
}

// One failed model turns a correlation round: it is crossed out, and the plot says what the others
// have.
func TestScatterWithoutAModelAtChance(t *testing.T) {
	p := plotted(9)
	for k := range p.Rows {
		p.Rows[k].Shown[0], p.Rows[k].Scores.CorrectProduct = float64(k), 0.9-0.01*float64(k)
	}
	p.Rows[3].Shown[0], p.Rows[3].Scores.CorrectProduct = 0, 0
	if f := p.Scatter(p.Rows, "max@CONF.svm", KeyRobust); strings.Count(f.Note, "\n") != 1 ||
		!strings.Contains(f.Note, "n 9") {
		t.Errorf("%q", f.Note)
	}
	p.Rows[3].Chance = chance.Counts{
		Labelled: 400, Correct: 41, Classes: 10, Largest: 40, Top: 400, TopLabels: 40,
	}.Level()
	p.Rows[5].Accuracy, p.Rows[5].Shown[0] = math.NaN(), math.NaN()
	f := p.Scatter(p.Rows, "max@CONF.svm", KeyRobust)
	without := f.Note[strings.LastIndex(f.Note, "\n")+1:]
	if !strings.HasPrefix(without, "without m3 (accuracy not above chance): Pearson r -1.000") ||
		!strings.Contains(without, "n 7") {
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
	for _, rows := range [][]Row{p.Rows, p.Rows[:3]} { // the column of chance is seen where it says something
		table := Models(p.Layout, "", rows)
		if c := table.Columns[4]; table.Check() != nil || c.Key != "chance" ||
			(c.Show == result.Shown) != (len(rows) > 3) {
			t.Errorf("%v, column %s is shown %v", table.Check(), c.Key, c.Show)
		}
	}
}

// TestFiguresThatAreAskedFor: each by its name; a number that there is not is refused with those
// that there are.
func TestFiguresThatAreAskedFor(t *testing.T) {
	p := plotted(9)
	p.Classes = nil
	testdata.OK(t, option.Verify(&PlotOptions{}))
	asked := PlotOptions{
		Histogram: []string{"max@CONF.svm", KeyAccuracy, "max@CONF.svm"},
		Scatter:   []string{"mean@CONV-1.mean,robust_accuracy"},
	}
	list, err := asked.Figures(p), asked.Known(p.Layout)
	var names []string
	for _, d := range list {
		if names = append(names, d.Name); d.Figure.Check() != nil || !d.Figure.Drawable() ||
			len(d.Figure.Groups) != 1 || d.Figure.Groups[0].Name != "" {
			t.Errorf("%s: %+v, %v", d.Name, d.Figure.Groups, d.Figure.Check())
		}
	}
	want := []string{"histogram_max@CONF.svm", "histogram_accuracy", "scatter_mean@CONV-1.mean_robust_accuracy"}
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("%v, %v", names, err)
	}
	for _, o := range []PlotOptions{{Histogram: []string{"svm"}}, {Scatter: []string{"accuracy,accuracy,accuracy"}}} {
		testdata.Refused(t, fmt.Sprint(o), o.Known(p.Layout), "there is no number", "max@CONF.svm")
	}
	testdata.Refused(t, "one number", PlotOptions{Scatter: []string{"accuracy"}}.Known(p.Layout),
		"--scatter accuracy: a scatter plot is of two numbers")
}
