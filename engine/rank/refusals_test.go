package rank

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
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
	none := slices.Repeat([]float64{math.NaN()}, 4)
	labels := with(func(d *Data) { d.Softmax = nil })
	gap := with(func(d *Data) { d.Truth[7] = -1 })
	for _, c := range []struct {
		data   Data
		method Method
		budget int
		reason string
	}{
		{labels, CES, 0, noProbabilities.Text},
		{labels, CRC, 0, noProbabilities.Text},
		{full, EI, 0, unmeasured.Text},
		{full, DScore, 0, noDScore.Text},
		{with(func(d *Data) { d.Given = []Given{{Method: EI, Scores: none}} }), EI, 0, unmeasured.Text},
		{with(func(d *Data) { d.Confidence = none }), CRC, 0, unmeasured.Text},
		{full, "guess", 0, unmeasured.Text},
		{with(func(d *Data) { d.Truth = nil }), Random, 0, "100 of the 100 images that it may draw have none"},
		{gap, Random, 0, "it needs true classes, and 1 of the 100 images that it may draw have none"},
		{gap, CES, 0, "it needs true classes, and 1 of the 100 images that it may draw have none"},
		{full, SDS, 26, "a budget of 26 labels is more than the 25 images (25 %) that SDS draws from"},
		{full, Random, 101, "a budget of 101 labels is more than the 100 images"},
		{full, CES, 9, "a budget of 9 labels is less than the 10 with which CES starts"},
		{with(tables(func(model int, table []float32) []float32 {
			if model == 2 {
				table[3] += 0.5
			}
			return table
		})), CES, 0, "model m2: the probabilities of image 1 sum to 1.5, not to 1"},
		{with(tables(func(_ int, table []float32) []float32 {
			table[5] = -0.25
			return table
		})), CRC, 0, "model m0: the probability of class 2 on image 1 is -0.25; it must lie between 0 and 1"},
		{with(tables(func(_ int, table []float32) []float32 {
			table[0] = float32(math.NaN())
			return table
		})), CESReference, 0, "model m0: the probability of class 0 on image 0 is NaN"},
		{with(tables(func(_ int, table []float32) []float32 { return table[:299] })), CES, 0, "has 299 probabilities"},
		{with(func(d *Data) { d.Confidence = []float64{0.5, 1.5, 0, 0} }), CRC, 0, "m1 has a mean confidence of 1.5"},
		{with(func(d *Data) {
			d.Softmax = func(context.Context, int) ([]float32, error) { return nil, errors.New("the file is gone") }
		}), CES, 0, "read the probabilities of model m0: the file is gone"},
	} {
		for _, workers := range []int{1, 3} {
			o := Options{Methods: []Method{c.method}, Budget: c.budget, Repetitions: 2, Workers: workers}
			b := testdata.Must(MakeLeaderboard(t.Context(), c.data, o, nil))(t)
			if r := b.of(t, c.method); !strings.Contains(r.Reason.Text, c.reason) || r.Scores != nil || r.Rank != nil ||
				r.Quality.Spearman.Reason != r.Reason {
				t.Errorf("%s: the reason is %q, want %q", c.method, r.Reason, c.reason)
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
		"two models": d.Subset([]int{0, 1}, nil), "no images": d.Subset(nil, []int{}), "no data": {},
	} {
		for what, err := range map[string]error{
			"leaderboard": testdata.Err(MakeLeaderboard(t.Context(), bad, Options{}, nil)),
			"curves":      testdata.Err(Curves(t.Context(), bad, Options{}, []int{30}, nil)),
			"impact":      testdata.Err(Impact(t.Context(), bad, Options{}, nil)),
			"conditions":  testdata.Err(ConditionsOf(t.Context(), "a", bad, Options{})),
			"selection":   testdata.Err(Selection(t.Context(), bad, Random, Options{}, 0)),
		} {
			testdata.Refused(t, name+": "+what, err)
		}
	}
}
