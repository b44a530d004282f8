package rank

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
)

func TestWhyRankersCannotAnswer(t *testing.T) {
	full := simulated(1, 4, 100, 3)
	with := func(change func(*Data)) Data {
		d := full
		d.Truth = slices.Clone(full.Truth)
		change(&d)
		return d
	}
	tables := func(change func(model int, table []float32) []float32) func(*Data) {
		return func(d *Data) {
			d.Softmax = func(ctx context.Context, model int) ([]float32, error) {
				table, err := full.Softmax(ctx, model)
				return change(model, slices.Clone(table)), err
			}
		}
	}
	for _, c := range []struct {
		name   string
		data   Data
		method Method
		budget int
		reason string
	}{
		{"labels only", with(func(d *Data) { d.Softmax = nil }), CES, 0, noProbabilities.Text},
		{"labels only", with(func(d *Data) { d.Softmax = nil }), CRC, 0, noProbabilities.Text},
		{"not measured", full, EI, 0, unmeasured.Text},
		{"not measured", full, DScore, 0, noDScore.Text},
		{"measured for none", with(func(d *Data) {
			nan := math.NaN()
			d.Given = []Given{{Method: EI, Scores: []float64{nan, nan, nan, nan}}}
		}), EI, 0, unmeasured.Text},
		{"confident about none", with(func(d *Data) {
			nan := math.NaN()
			d.Confidence = []float64{nan, nan, nan, nan}
		}), CRC, 0, unmeasured.Text},
		{"not known", full, "guess", 0, unmeasured.Text},
		{
			"no truth", with(func(d *Data) { d.Truth = nil }), Random, 0,
			"it needs true classes, and 100 of the 100 images that it may draw have none",
		},
		{
			"gap", with(func(d *Data) { d.Truth[7] = -1 }), Random, 0,
			"it needs true classes, and 1 of the 100 images that it may draw have none",
		},
		{
			"gap", with(func(d *Data) { d.Truth[7] = -1 }), CES, 0,
			"it needs true classes, and 1 of the 100 images that it may draw have none",
		},
		{
			"budget above the pool", full, SDS, 26,
			"a budget of 26 labels is more than the 25 images (25 %) that SDS draws from",
		},
		{"budget above the suite", full, Random, 101, "a budget of 101 labels is more than the 100 images"},
		{"budget below the start", full, CES, 9, "a budget of 9 labels is less than the 10 with which CES starts"},
		{"sums", with(tables(func(model int, table []float32) []float32 {
			if model == 2 {
				table[3] += 0.5
			}
			return table
		})), CES, 0, "model m2: the probabilities of image 1 sum to 1.5, not to 1"},
		{"negative", with(tables(func(model int, table []float32) []float32 {
			table[5] = -0.25
			return table
		})), CRC, 0, "model m0: the probability of class 2 on image 1 is -0.25; it must lie between 0 and 1"},
		{"NaN", with(tables(func(model int, table []float32) []float32 {
			table[0] = float32(math.NaN())
			return table
		})), CESReference, 0, "model m0: the probability of class 0 on image 0 is NaN; it must lie between 0 and 1"},
		{
			"short", with(tables(func(_ int, table []float32) []float32 { return table[:299] })), CES, 0,
			"model m0 has 299 probabilities for 100 images of 3 classes",
		},
		{
			"confidence", with(func(d *Data) { d.Confidence = []float64{0.5, 1.5, 0.2, 0.3} }), CRC, 0,
			"model m1 has a mean confidence of 1.5; it must lie between 0 and 1",
		},
		{"unreadable", with(func(d *Data) {
			d.Softmax = func(context.Context, int) ([]float32, error) { return nil, errors.New("the file is gone") }
		}), CES, 0, "read the probabilities of model m0: the file is gone"},
	} {
		for _, workers := range []int{1, 3} {
			b, err := MakeLeaderboard(t.Context(), c.data,
				Options{Methods: []Method{c.method}, Budget: c.budget, Repetitions: 2, Workers: workers}, nil)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if r := b.of(t, c.method); r.Reason.Text != c.reason || r.Scores != nil || r.Rank != nil ||
				r.Quality.Spearman.Reason.Text != c.reason {
				t.Errorf("%s, %s: the reason is %q, want %q", c.name, c.method, r.Reason, c.reason)
			}
		}
	}
}

func TestIdenticalModelsAreRankedByNobody(t *testing.T) {
	d := withGiven(simulated(1, 4, 50, 3))
	for i := range d.Samples {
		for j := range d.Models {
			d.Labels[i*4+j] = d.Labels[i*4]
		}
	}
	b := leaderboard(t, d, Options{})
	for _, r := range b.Rankings {
		if r.Reason != identical || r.Scores != nil {
			t.Errorf("%s: %+v", r.Method, r)
		}
	}
	if _, err := Curves(t.Context(), d, Options{}, []int{30}, nil); err == nil || err.Error() != identical.Text {
		t.Errorf("curves: %v", err)
	}
	if _, err := Selection(t.Context(), d, Random, Options{}, 0); err == nil || err.Error() != identical.Text {
		t.Errorf("selection: %v", err)
	}
}

func TestLabelsOfAFewSamplesAreNoTruth(t *testing.T) {
	d := simulated(1, 4, 100, 3)
	for i := range 50 {
		d.Truth[i] = -1
	}
	if b := leaderboard(t, d, Options{Methods: []Method{LaFMethod}}); b.Truth != nil ||
		b.of(t, LaFMethod).Quality.Spearman.Reason != littleTruth {
		t.Errorf("half of the labels make a truth: %+v", b)
	}
	d.Truth[0] = 0
	if b := leaderboard(t, d, Options{Methods: []Method{LaFMethod}}); b.Truth == nil ||
		b.of(t, LaFMethod).Quality.Spearman.N != 1 {
		t.Errorf("more than half of the labels make no truth: %+v", b)
	}
}

func TestBadDataHaveNoBoard(t *testing.T) {
	d := simulated(1, 4, 50, 3)
	for name, bad := range map[string]Data{
		"two models": d.Subset([]int{0, 1}, nil),
		"no images":  d.Subset(nil, []int{}),
		"no data":    {},
	} {
		if _, err := MakeLeaderboard(t.Context(), bad, Options{}, nil); err == nil {
			t.Errorf("%s: a leaderboard is made", name)
		}
		if _, err := Curves(t.Context(), bad, Options{}, []int{30}, nil); err == nil {
			t.Errorf("%s: curves are made", name)
		}
		if _, err := Impact(t.Context(), bad, Options{}, nil); err == nil {
			t.Errorf("%s: an impact study is made", name)
		}
		if _, err := ConditionsOf(t.Context(), "a", bad, Options{}); err == nil {
			t.Errorf("%s: conditions are measured", name)
		}
		if _, err := Selection(t.Context(), bad, Random, Options{}, 0); err == nil {
			t.Errorf("%s: samples are selected", name)
		}
	}
}
