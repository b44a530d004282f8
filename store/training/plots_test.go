package training

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
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

// TestAllLeftOutNameEveryModelOnce: without features its label is of no use.
func TestAllLeftOutNameEveryModelOnce(t *testing.T) {
	left := []LeftOut{{ID: "m8", Hash: "h8", Reason: result.Because("no_signals", "no signals")}}
	unlabelled := []LeftOut{
		{ID: "m8", Hash: "h8", Reason: result.Because(assess.WithoutFeatures, "labelled, but without features here")},
		{ID: "m0", Hash: "h0", Reason: result.Because(assess.Unlabelled, "nobody has labelled it")},
	}
	if got := AllLeftOut(left, unlabelled); !slices.Equal(got, []LeftOut{left[0], unlabelled[1]}) {
		t.Errorf("%v", got)
	}
}

func TestTablesOfFeatures(t *testing.T) {
	var o Options
	must(t, option.Verify(&o))
	layout := feature.Layout{
		Modalities: []string{"max@CONF", "mean@CONV-1"}, Profile: feature.Paper, Tau: 0.15, Share: 0.9, Seed: 1,
	}
	r := Row{
		Shown: make([]float64, layout.Width()), NoLabel: result.Because(assess.Unlabelled, "nobody has labelled it"),
	}
	r.Model.ID, r.Model.Hash, r.Accuracy, r.Scores = "m1", "h1", math.NaN(), unknown()
	r.Shown[layout.Width()-1] = 0.25
	r.Vector.Flags = map[string][]feature.Flag{"mean@CONV-1": {feature.HGRatioUndefined}}
	models, matrices := Models(layout, "", []Row{r}), MatricesOf(layout, []Row{r})
	must(t, errors.Join(models.Check(), Matrices.Check()))
	for _, c := range []struct {
		sheet     *result.Sheet
		row       int
		key, want string
	}{
		{models.Sheet([]Row{r}), 0, "accuracy", "accuracy is missing: the suite has no labels"},
		{models.Sheet([]Row{r}), 0, "final", "label is missing: nobody has labelled it"},
		{models.Sheet([]Row{r}), 0, "mean@CONV-1.asymm", "mean@CONV-1.asymm 0.250, in full 0.25"},
		{Matrices.Sheet(matrices), 1, "asymm", "asymm 0.250, in full 0.25"},
		{Matrices.Sheet(matrices), 1, "flags", "flags hg_ratio_undefined"},
		{Matrices.Sheet(matrices), 0, "flags", "flags is missing"},
	} {
		testdata.Is(t, fmt.Sprint(c.key, " of row ", c.row), c.sheet.Fields[c.sheet.Field(c.key)].Tell(c.row), c.want)
	}
}
