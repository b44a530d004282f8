package rank

import (
	"fmt"
	"math"
	"testing"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

func impact(t *testing.T, d Data, o Options) []ImpactPoint {
	t.Helper()
	p := &testdata.Progress{}
	o.Workers = 1
	points := testdata.Must(Impact(t.Context(), d, o, p))(t)
	p.Whole(t, max(1, p.Total.Load()))
	return points
}

func TestImpactOfSharesOfModelsAndSamples(t *testing.T) {
	d := simulated(3, 11, 200, 4)
	points := impact(t, d, Options{Repetitions: 3, Top: []int{2}})
	if len(points) != 10 {
		t.Fatalf("%d points, want 10", len(points))
	}
	whole := qualityOf(d.Accuracy(), lafOf(t, d), Options{Top: []int{2}})
	for k, p := range points {
		factor, models, samples := ShareOfModels, []int{3, 4, 7, 9, 11}[k%5], 200 // 11 x 20 % would be 2 models
		if k >= 5 {
			factor, models, samples = ShareOfImages, 11, 40*(k-4)
		}
		if p.Factor != factor || p.Models != models || p.Samples != samples ||
			math.Abs(p.Share-0.2*float64(k%5+1)) > 1e-12 {
			t.Errorf("point %d is %+v", k, p)
		}
		if of := p.Quality.Spearman.Of; of != 3 && p.Share < 1 || of != 1 && p.Share == 1 {
			t.Errorf("point %d rests on %d draws", k, of)
		}
		if p.Share == 1 {
			testdata.Near(t, "spearman of all", p.Quality.Spearman.Mean, whole.Spearman.Mean, 1e-12)
			testdata.Near(t, "kendall of all", p.Quality.Kendall.Mean, whole.Kendall.Mean, 1e-12)
			testdata.Near(t, "similarity of all", p.Quality.Jaccard[0].Mean, whole.Jaccard[0].Mean, 1e-12)
		}
	}
}

func lafOf(t *testing.T, d Data) []float64 {
	t.Helper()
	result := testdata.Must(LaF(t.Context(), d, LaFOptions{Workers: 1}))(t)
	return result.Specialty
}

func TestADrawOfAnImpactStudyIsTheExperimentOnThatShare(t *testing.T) {
	d := simulated(3, 10, 150, 4)
	points := impact(t, d, Options{Repetitions: 4, Seed: 5, Top: []int{1}})
	for _, k := range []int{1, 7} { // 40 % of the models; 60 % of the samples
		var want []float64
		for r := range 4 {
			random := source(5, shareStream, r, k)
			part := d
			if k == 1 {
				part = d.Subset(drawSorted(random, 10, 4), nil)
			} else {
				part = d.Subset(nil, drawSorted(random, 150, 90))
			}
			want = append(want, valueOf(Compare(part.Accuracy(), lafOf(t, part), nil).Spearman))
		}
		testdata.Near(t, "mean of the draws", points[k].Quality.Spearman.Mean, spread(want, result.Reason{}).Mean,
			1e-12)
		testdata.Near(t, "deviation of the draws", points[k].Quality.Spearman.SD, spread(want, result.Reason{}).SD,
			1e-12)
	}
}

func TestImpactIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	d := simulated(4, 6, 120, 3)
	want := impact(t, d, Options{Repetitions: 3})
	for _, workers := range []int{2, 4} {
		got := testdata.Must(Impact(t.Context(), d, Options{Repetitions: 3, Workers: workers}, nil))(t)
		testdata.Is(t, fmt.Sprintf("%d workers find something else", workers), fmt.Sprint(got), fmt.Sprint(want))
	}
}

func TestADrawOfModelsThatAgreeHasNoQuality(t *testing.T) {
	d := simulated(4, 10, 40, 3)
	for i := range d.Samples { // two of the ten differ from the others
		for j := range 8 {
			d.Labels[i*10+j] = d.Labels[i*10]
		}
	}
	p := impact(t, d, Options{Repetitions: 20})[0]
	if p.Quality.Spearman.N == 0 || p.Quality.Spearman.N == 20 || p.Quality.Spearman.Of != 20 ||
		p.Quality.Jaccard[0].N != 20 {
		t.Errorf("three of the models have the quality %+v", p.Quality)
	}
}

func TestImpactNeedsEveryLabel(t *testing.T) {
	d := onlyLabelled(simulated(4, 6, 120, 3), testdata.UpTo(100))
	testdata.Refused(t, "the error", testdata.Err(Impact(t.Context(), d, Options{}, nil)), "20 of 120 have none")
}

func TestConditions(t *testing.T) {
	d := Data{Models: make([]Model, 4), Samples: 10, Classes: 2, Labels: make([]int32, 40), Truth: make([]int32, 10)}
	for j, wrong := range []int{1, 2, 4, 5} {
		for i := range wrong {
			d.Labels[(i+j)%10*4+j] = 1
		}
	}
	c := testdata.Must(ConditionsOf(t.Context(), "fog 3", d, Options{Workers: 1}))(t)
	testdata.Near(t, "mean accuracy", c.MeanAccuracy, 0.7, 1e-12)
	testdata.Near(t, "diversity", c.Diversity, math.Sqrt((0.04+0.01+0.01+0.04)/4), 1e-12)
	testdata.Near(t, "lowest", c.Lowest, 0.5, 1e-12)
	testdata.Near(t, "highest", c.Highest, 0.9, 1e-12)
	testdata.Is(t, "name", c.Name, "fog 3")
	want := qualityOf(d.Accuracy(), lafOf(t, d), Options{Top: usualTopK})
	testdata.Is(t, "quality", fmt.Sprint(c.Quality), fmt.Sprint(want))
}

func TestConditionsOfIdenticalModels(t *testing.T) {
	d := Data{Models: make([]Model, 3), Samples: 2, Classes: 2, Labels: make([]int32, 6), Truth: []int32{0, 1}}
	c := testdata.Must(ConditionsOf(t.Context(), "plain", d, Options{}))(t)
	if c.MeanAccuracy != 0.5 || c.Diversity != 0 || c.Quality.Spearman.Reason != identical ||
		c.Quality.Spearman.N != 0 {
		t.Errorf("the conditions are %+v", c)
	}
	d.Truth = nil
	if _, err := ConditionsOf(t.Context(), "plain", d, Options{}); err == nil || err.Error() != noTruth.Text {
		t.Errorf("without truth: %v", err)
	}
}
