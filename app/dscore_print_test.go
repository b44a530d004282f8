package app

import (
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/suite"
)

func sampleRow() dscoreRow {
	return dscoreRow{
		Model: "m1", Suite: "pets", N: 2, T: 5, Images: 100, Classes: 2, Baseline: 0.9, Variants: []float64{0.9, 0.8, 0.7, 0.9},
		Shifted: []float64{0.5, 0.4, 0.1, 0}, Features: []float64{0, 1. / 3, 2. / 3, 0}, Attention: []float64{0.5, 0.4, 0.1, 0}, P: 0.25,
		Robust: 0.25, Fitness: 0.75, DScore: 0.5, Bound: 1, ImageSize: [2]int{28, 28}, PaddedSize: [2]int{33, 33},
		Padding:      []paddingReport{{1, 0, 5, 0, 5}, {2, 0, 5, 5, 0}, {3, 5, 0, 0, 5}, {4, 5, 0, 5, 0}},
		Augmentation: augmentReport{0.25, [2]int{7, 7}, [2]int{35, 35}},
	}
}

func TestScoreRows(t *testing.T) {
	one := sampleRow()
	rows := scoreRows(dscoreReport{Scores: []dscoreRow{one}})
	want := []string{"m1", "pets", "2", "5", "0.9000", "0.2500", "0.7500", "0.5000", "1.0000", "0.2500", "35 x 35", "-"}
	if len(rows) != 2 || !slices.Equal(rows[1], want) || len(rows[0]) != len(want) {
		t.Errorf("%q", rows)
	}
	one.Intervals = &intervalsReport{Robust: &[2]float64{0.1, 0.3}, Fitness: &[2]float64{0.7, 0.8}, DScore: &[2]float64{-0.25, 0.6}}
	one.Flags = []dscore.Flag{dscore.NoRegionMatters, dscore.AboveBound}
	rows = scoreRows(dscoreReport{Scores: []dscoreRow{one}})
	want = []string{
		"m1", "pets", "2", "5", "0.9000", "0.2500", "0.1000 .. 0.3000", "0.7500", "0.7000 .. 0.8000", "0.5000", "-0.2500 .. 0.6000", "1.0000",
		"0.2500", "35 x 35", "no_region_matters, above_bound",
	}
	if !slices.Equal(rows[1], want) || len(rows[0]) != len(want) {
		t.Errorf("%q", rows)
	}
}

func TestRegionRows(t *testing.T) {
	rows := regionRows(sampleRow())
	want := []string{"3", "2", "1", "0.7000", "0.2000", "0.6667", "0.1000", "0.1000", "0.5667", "5", "0", "0", "5"}
	if len(rows) != 5 || !slices.Equal(rows[3], want) || len(rows[0]) != len(want) {
		t.Errorf("%q", rows)
	}
}

// Every flag has words, each empty region and convolution that is left alone is named once, whatever t is.
func TestRemarks(t *testing.T) {
	one := sampleRow()
	one.Flags = []dscore.Flag{dscore.NoRegionMatters, dscore.NoAttention, dscore.AboveBound}
	one.Empty = []emptyReport{{Layer: 3, Tensor: "c3", Height: 2, Width: 1, Regions: []int{1, 3}}, {Layer: 4, Tensor: "c4", Height: 2, Width: 2, Regions: []int{1}}}
	one.LeftAlone = []int{2}
	other := one
	other.T, other.Flags, other.PaddedSize = 99, nil, other.ImageSize
	left := []dscoreLeft{
		{Model: "a", Suite: "pets", N: 2, T: 5, Reason: "no convolution"},
		{Model: "a", Suite: "pets", N: 2, T: 99, Reason: "no convolution"},
		{Model: "b", Suite: "pets", Reason: "no convolution"},
		{Model: "c", Suite: "pets", Reason: "damaged"},
	}
	got := (&dscoreWork{}).remarks(dscoreReport{Scores: []dscoreRow{one, other}, LeftOut: left})
	want := []string{
		"m1 on pets, n = 2, t = 5: no region matters",
		"m1 on pets, n = 2, t = 5: no attention",
		"m1 on pets, n = 2, t = 5: v_robust is above its bound",
		"m1 on pets, n = 2, t = 99: the sides of 28 x 28 pixels cannot be cut into 99 units: nothing is shifted",
		"m1, n = 2: regions 1, 3 are empty in convolution 3 with its maps of 2 x 1, where nothing is deleted",
		"m1, n = 2: region 1 is empty in convolution 4 with its maps of 2 x 2, where nothing is deleted",
		"m1: the output of convolution 2 is not 4-D and is left alone",
		"left out: a, b on pets: no convolution",
		"left out: c on pets: damaged",
	}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}

func TestManyLeftOutAreCounted(t *testing.T) {
	var left []dscoreLeft
	for _, id := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		left = append(left, dscoreLeft{Model: id, Suite: "pets", Reason: "no signals"})
	}
	if got := linesOf(left); len(got) != 1 || got[0] != "a, b, c, d, e and 2 more on pets: no signals" {
		t.Errorf("%q", got)
	}
}

func TestLayerRows(t *testing.T) {
	tolerance := 0.01
	layer := layerReport{Model: "m1", Suite: "pets", N: 2, Layer: 3, Tensor: "c3", Height: 8, Width: 7, Baseline: 0.9, Variants: []float64{0.9, 0.6, 0.91, 0.8}}
	r := dscoreReport{Tolerance: &tolerance}
	for _, lost := range [][]int{{}, {1, 3}, {1, 2, 3, 4}} {
		layer.NothingLost = lost
		r.Layers = append(r.Layers, layer)
	}
	layer.NothingLost, layer.Empty = []int{2}, []int{1, 3}
	r.Layers = append(r.Layers, layer)
	rows := layerRows(r)
	if want := []string{"m1", "pets", "2", "3", "c3", "8 x 7", "-0.0100", "0.3000", "2", "none"}; !slices.Equal(rows[1], want) {
		t.Errorf("%q", rows[1])
	}
	if rows[2][9] != "1, 3" || rows[3][9] != "any region" || rows[4][9] != "2 (empty: 1, 3)" || !strings.HasSuffix(rows[5][0], "at most 0.01") {
		t.Errorf("%q", rows)
	}
}

// Features and attention share their colours; the difference is the same on both sides of 0.
func TestFiguresShareTheirScale(t *testing.T) {
	f := sampleRow().figures(suite.Image{}, "_m1")
	if len(f) != 3 || f[0].name != "features_m1" || f[1].name != "attention_m1" || f[2].name != "difference_m1" {
		t.Fatalf("%+v", f)
	}
	if f[0].figure.Scale != f[1].figure.Scale || f[0].figure.Scale.High != 2./3 || f[0].figure.Scale.Low != 0 {
		t.Errorf("%+v, %+v", f[0].figure.Scale, f[1].figure.Scale)
	}
	if s := f[2].figure.Scale; s.Low != -s.High || s.High != 2./3-0.1 {
		t.Errorf("%+v", s)
	}
	even := sampleRow()
	even.Attention = even.Features
	if s := even.figures(suite.Image{}, "")[2].figure.Scale; s.High != 0.01 {
		t.Errorf("no difference has the scale %+v", s)
	}
}

func TestFilesOfSeveralScoresAreToldApart(t *testing.T) {
	w := &dscoreWork{dscoreCommand: &dscoreCommand{}, suites: make([]suite.Manifest, 1)}
	if got := w.stem(sampleRow()); got != "_m1_n2_t5" {
		t.Error(got)
	}
	w.suites = make([]suite.Manifest, 2)
	row := sampleRow()
	row.Suite = "a/b"
	if got := w.stem(row); got != "_m1_a_b_n2_t5" {
		t.Error(got)
	}
}
