package training

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// slowRows measures a model resample by resample: matrices of the repeated images, and of those of
// them that are in the sub-sample of the suite.
func (b *fixture) slowRows(m Measured, layout feature.Layout, chosen []int, by variance.Bootstrap) (rows []assess.Row) {
	set := b.sets[m.Model.Hash]
	drawn := make([][]int, by.Resamples)
	must(b.tb, by.Each(b.tb.Context(), chosen, nil, func(r int, of []int) error { drawn[r] = of; return nil }))
	for _, of := range drawn {
		fewer := slices.DeleteFunc(slices.Clone(of),
			func(k int) bool { return !slices.Contains(layout.Drawn(set.Images), k) })
		row := assess.Row{Scores: b.slowly(m.Model, layout, of).Scores}
		for _, name := range layout.Modalities {
			modality := testdata.Must(signal.ParseModality(name))(b.tb)
			matrix := func(images []int) variance.Matrix {
				return testdata.Must(store.MatrixOf(set, modality, images))(b.tb)
			}
			reduced := matrix(fewer)
			measured := testdata.Must(feature.Measure(matrix(of), &reduced, feature.Options{}))(b.tb)
			row.X = append(row.X, measured.Values[:]...)
		}
		rows = append(rows, row)
	}
	return rows
}

// TestVerdictsOnResamples: the shares are those of a tree and of the baseline, asked resample by
// resample; only the images of the choice are drawn, and every resample is counted.
func TestVerdictsOnResamples(t *testing.T) {
	b := newFixture(t, 7)
	ask, by := b.ask(), variance.Bootstrap{Resamples: 100, Seed: 2}
	ask.Images.Share = 0.2
	measured, _, err := Measure(t.Context(), b.Workspace, ask, nil, nil)
	must(t, err)
	data := assess.Data{Layout: ask.Layout, Names: ask.Layout.Names(), Classes: label.Values(2)}
	for k, m := range measured {
		data.Rows = append(data.Rows, assess.Row{
			ID: m.Model.ID, Label: data.Classes[k%2], X: m.Vector.Values, Scores: m.Scores,
		})
	}
	chosen := testdata.Must(ask.Images.Choose(b.suite.Labels, nil, nil))(t)
	for _, algorithm := range []assess.Algorithm{assess.DecisionTree, assess.Baseline} {
		a := testdata.Must(assess.Train(t.Context(), data, data.Labelled(), assess.Settings{Algorithm: algorithm}))(t)
		list := assess.Judgements(a, data, data.Places(), nil,
			assess.Training{Learned: func(int) bool { return false }})
		var progress testdata.Progress
		must(t, Resample(t.Context(), b.Workspace, ask, measured, a, list, by, &progress))
		testdata.Is(t, "progress", progress.Done.Load(), int64(len(list)*by.Resamples))
		testdata.Is(t, "total", progress.Total.Load(), progress.Done.Load())
		mixed := 0
		for k, j := range list {
			shares := make([]float64, 2)
			for _, row := range b.slowRows(measured[k], ask.Layout.Apart(1), chosen, by) {
				shares[testdata.Must(a.Judge(row))(t).Class] += 0.01
			}
			testdata.NearAll(t, j.ID, j.Resampled.Shares, shares, 1e-12)
			if shares[0] > 0 && shares[1] > 0 {
				mixed++
			}
			if algorithm == assess.Baseline != math.IsNaN(j.Resampled.Mean) {
				t.Errorf("%s has the mean probability %v", algorithm, j.Resampled.Mean)
			}
			if !strings.Contains(j.String(), " of 100 resamples of the images") {
				t.Error(j.String())
			}
		}
		if algorithm == assess.DecisionTree && mixed == 0 {
			t.Errorf("%s says the same of all resamples of each model", algorithm)
		}
		sheet := assess.Verdicts.Sheet(list)
		if v := sheet.Fields[sheet.Field("resampled_variant")].Number(1); v != list[1].Resampled.Shares[1] {
			t.Errorf("the table has %v", v)
		}
	}
}

// TestResamplesOfFewImages: what rests on seven images has no resamples, and says so.
func TestResamplesOfFewImages(t *testing.T) {
	b := newFixture(t, 2)
	ask, by := b.ask(), variance.Bootstrap{Resamples: 100}
	for k := 7; k < images; k++ {
		ask.Images.Excluded = append(ask.Images.Excluded, k)
	}
	g := testdata.Must(Gather(t.Context(), b.Workspace, ask, Labels{}, nil, nil))(t)
	rows := Rows(g.Measured, g.Data)
	list, left, err := Intervals(t.Context(), b.Workspace, ask, rows, by, engine.NoProgress{})
	if err != nil || len(list) != 0 || len(left) != 2 || !strings.Contains(left[0].Reason.Text, "fewer than 8 images") {
		t.Errorf("%v, %v, %v", list, left, err)
	}
	a := &assess.Assessor{Classes: label.Values(2), Threshold: &assess.Threshold{Thresholds: []float64{0.5}}}
	judged := []assess.Judgement{{Row: 0, ID: "m0"}}
	must(t, Resample(t.Context(), b.Workspace, ask, g.Measured, a, judged, by, engine.NoProgress{}))
	if again := judged[0].Again(); !strings.Contains(again, "no resamples: fewer than 8 images") {
		t.Error(again)
	}
	ask.Images = variance.AllImages()
	list, _, err = Intervals(t.Context(), b.Workspace, ask, rows[:1], by, engine.NoProgress{})
	if err != nil || len(list) != ask.Layout.Width() || list[0].Model != "m0" {
		t.Errorf("%d intervals, %v", len(list), err)
	}
	ask.Suite = strings.Repeat("0", 64)
	_, _, err = Intervals(t.Context(), b.Workspace, ask, rows, by, engine.NoProgress{})
	testdata.ErrorIs(t, "error", err, store.ErrNotFound)
}
