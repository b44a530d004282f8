package assess

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
)

// Each subset holds the ones before it and is the one of the share's slider.
func TestCurveSubsets(t *testing.T) {
	for _, images := range []int{10, 57, 1000} {
		subsets, err := CurveSubsets(images, 7)
		if err != nil || len(subsets) != 10 {
			t.Fatal(len(subsets), err)
		}
		var before []int
		for k, subset := range subsets {
			if len(subset) != images*(k+1)/10 || !slices.IsSorted(subset) {
				t.Errorf("%d images: share %d has %d", images, k+1, len(subset))
			}
			for _, image := range before {
				if _, found := slices.BinarySearch(subset, image); !found {
					t.Fatalf("%d images: share %d lacks image %d of the share before", images, k+1, image)
				}
			}
			before = subset
		}
		choice := variance.AllImages()
		choice.Share, choice.Seed = 0.3, 7
		testdata.Equal(t, fmt.Sprintf("%d images", images),
			testdata.Must(choice.Choose(make([]int, images), nil, nil))(t), subsets[2])
		if other, _ := CurveSubsets(images, 8); slices.Equal(other[4], subsets[4]) {
			t.Errorf("%d images: another seed draws the same", images)
		}
	}
	_, err := CurveSubsets(9, 1)
	testdata.Refused(t, "nine images", err, "a suite of 9 images has no tenth")
}

// walked are three models with two matrices of one feature each and one of another, measured on
// three shares.
func walked() ([]Data, []float64) {
	values := [][][]float64{ // share, model, column
		{{1, 9, 0}, {4, 2, 1}, {0, -3, 0}},
		{{1.5, 8, 5}, {2, 2, 1}, {7, -1, 0}},
		{{2, 10, 0}, {2, 4, 0}, {4, -2, 0}},
	}
	var measured []Data
	for _, models := range values {
		d := Data{Names: []string{"max@CONF.svm", "mean@CONV-1.svm", "max@CONF.dctny"}, Classes: label.Values(2)}
		for i, x := range models {
			d.Rows = append(d.Rows, Row{ID: string(rune('a' + i)), Hash: string(rune('A' + i)), X: x})
		}
		measured = append(measured, d)
	}
	return measured, []float64{0.2, 0.5, 1}
}

func TestFollowShares(t *testing.T) {
	measured, shares := walked()
	c, err := FollowShares(measured, shares)
	if err != nil || len(c.Models) != 3 || !slices.Equal(c.Shares, shares) ||
		!slices.Equal(c.Names, measured[0].Names) {
		t.Fatalf("%+v, %v", c, err)
	}
	if got := c.Models[0].Values[1]; c.Models[0].ID != "a" || c.Models[0].Hash != "A" ||
		!slices.Equal(got, []float64{9, 8, 10}) {
		t.Errorf("model %+v", c.Models[0])
	}
	// |1-2|/2, |4-2|/2, |0-4|/4 and |1.5-2|/2, 0, |7-4|/4; the last feature is 0 over all images
	testdata.NoDiff(t, "deviations", cmp.Diff([]CurveDeviation{
		{"max@CONF.svm", 3, []float64{1, 0.25, 0}, []float64{1, 0.75, 0}, []int{1, 2, 0}},
		{"mean@CONV-1.svm", 3, []float64{0.5, 0.5, 0}, []float64{0.5, 0.5, 0}, []int{1, 1, 0}},
		{Name: "max@CONF.dctny"},
	}, c.Deviations))

	// The median of two models is the mean of both.
	for k, last := range []float64{0, 8, 6} {
		measured[2].Rows[k].X = []float64{last, 1, 0}
	}
	d := testdata.Must(FollowShares(measured, shares))(t).Deviations[0]
	// |4-8|/8 and |0-6|/6; |2-8|/8 and |7-6|/6
	testdata.NearAll(t, "medians of two models", d.Median, []float64{0.75, (0.75 + 1.0/6) / 2, 0}, 1e-12)
	testdata.Equal(t, "farthest of two models", d.Farthest, []int{2, 1, 1})

	for k := range measured {
		measured[k].Rows = nil
	}
	none := testdata.Must(FollowShares(measured, shares))(t)
	testdata.NoDiff(t, "no models", cmp.Diff([]CurveDeviation{
		{Name: "max@CONF.svm"}, {Name: "mean@CONV-1.svm"}, {Name: "max@CONF.dctny"},
	}, none.Deviations))
}

func TestCourseRefusals(t *testing.T) {
	measured, shares := walked()
	swapped := slices.Clone(measured)
	swapped[1].Rows = []Row{measured[1].Rows[1], measured[1].Rows[0], measured[1].Rows[2]}
	for _, c := range []struct {
		measured []Data
		shares   []float64
		want     string
	}{
		{nil, nil, "do not end with 1"},
		{measured, shares[:2], "2 shares of the suite, but the models are measured on 3"},
		{measured, []float64{0.5, 0.2, 1}, "do not ascend from above 0 to 1"},
		{measured, []float64{0, 0.2, 1}, "do not ascend"},
		{measured, []float64{0.1, math.NaN(), 1}, "do not ascend"},
		{measured, []float64{0.1, 0.2, 1.5}, "do not ascend"},
		{measured, []float64{0.1, 0.2, 0.9}, "do not end with 1, the whole suite"},
		{swapped, shares, "row 1 is model b in subset 2 and model a in subset 1"},
	} {
		testdata.Refused(t, fmt.Sprint(c.shares), testdata.Err(FollowShares(c.measured, c.shares)), c.want)
	}
}
