package rank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/testdata"
)

func mustLaF(t *testing.T, d Data, o LaFOptions) LaFResult {
	t.Helper()
	return testdata.Must(LaF(context.Background(), d, o))(t)
}

// figure4 is the example of the LaF paper; the last sample is unanimous.
func figure4() Data {
	return goldenLabels([][]int32{{0, 0, 2}, {0, 1, 0}, {1, 2, 0}, {2, 1, 2}, {2, 2, 1}, {1, 1, 1}}, 3)
}

func TestFigure4(t *testing.T) {
	want := []int{1, 3, 2} // as printed
	for name, o := range map[string]LaFOptions{
		"exact": {}, "reference": {Reference: true}, "without pruning": {NoPruning: true},
		"without optimising": {NoOptimising: true},
	} {
		r := mustLaF(t, figure4(), o)
		if !slices.Equal(r.Rank, want) || !r.Settled || !r.Reason.None() {
			t.Errorf("%s: rank %v, settled %v, reason %q", name, r.Rank, r.Settled, r.Reason)
		}
		testdata.Is(t, name, len(r.Kept), map[bool]int{false: 5, true: 6}[o.NoPruning])
		if o.NoOptimising { // the vote ranks
			testdata.Equal(t, "scores", r.Scores(), []float64{0.8, 0.4, 0.6})
			testdata.Is(t, "without rounds", r.Specialty == nil && r.Rounds == 0, true)
		}
	}
}

func TestUnanimousModelsHaveNoRanking(t *testing.T) {
	d := goldenLabels([][]int32{{1, 1, 1}, {0, 0, 0}}, 2)
	for _, o := range []LaFOptions{{}, {NoPruning: true}, {NoOptimising: true}, {Reference: true}} {
		r := mustLaF(t, d, o)
		if r.Reason != everyUnanimous || !slices.Equal(r.Rank, []int{1, 1, 1}) || r.Scores() != nil {
			t.Errorf("%+v: %+v", o, r)
		}
	}
}

func TestLaFOfBadData(t *testing.T) {
	d := figure4()
	d.Models, d.Labels = d.Models[:1], d.Labels[:d.Samples]
	testdata.Refused(t, "one model",
		testdata.Err(LaF(context.Background(), d, LaFOptions{})), "at least 2 models, there are 1")
	d = figure4()
	d.Labels[4] = 3
	testdata.Refused(t, "class outside",
		testdata.Err(LaF(context.Background(), d, LaFOptions{})), "class 3 for image 1")
}

// TestTwoModels: with two models every kept sample is a tie, which the smaller label wins.
func TestTwoModels(t *testing.T) {
	d := goldenLabels([][]int32{{0, 1}, {0, 2}, {2, 1}, {1, 1}, {0, 1}}, 3)
	for _, o := range []LaFOptions{{}, {Reference: true}} {
		r := mustLaF(t, d, o)
		if !slices.Equal(r.Rank, []int{1, 2}) || !slices.Equal(r.PriorSpecialty, []float64{0.75, 0.25}) {
			t.Errorf("%+v: rank %v, prior %v", o, r.Rank, r.PriorSpecialty)
		}
	}
}

func TestModelsOfTheSamePredictionsTie(t *testing.T) {
	base := simulated(4, 8, 500, 6)
	d := base.Subset([]int{0, 1, 2, 3, 4, 5, 6, 7, 2, 5, 2}, nil)
	for _, o := range []LaFOptions{{}, {Reference: true}, {NoPruning: true}} {
		r := mustLaF(t, d, o)
		for _, pair := range [][2]int{{2, 8}, {2, 10}, {5, 9}} {
			a, b := pair[0], pair[1]
			if math.Abs(r.Specialty[a]-r.Specialty[b]) > Tie || r.Rank[a] != r.Rank[b] {
				t.Errorf("%+v: %v and %v, ranks %d and %d", o, r.Specialty[a], r.Specialty[b], r.Rank[a], r.Rank[b])
			}
		}
	}
}

func TestAnyNumberOfWorkersGivesTheSameBits(t *testing.T) {
	d := simulated(7, 12, 1000, 7)
	for _, o := range []LaFOptions{{}, {Reference: true}, {NoPruning: true}} {
		o.Workers = 1
		want := mustLaF(t, d, o)
		for _, workers := range []int{0, 2, 3, 16} {
			o.Workers = workers
			if got := mustLaF(t, d, o); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v: not the same bits", o)
			}
		}
	}
}

func TestWhatTheLastEStepSays(t *testing.T) {
	d := simulated(9, 5, 200, 4)
	r := mustLaF(t, d, LaFOptions{})
	if len(r.Posterior) != len(r.Kept)*d.Classes {
		t.Fatalf("%d probabilities for %d images", len(r.Posterior), len(r.Kept))
	}
	for k := range r.Kept {
		row, sum := r.Posterior[k*d.Classes:(k+1)*d.Classes], 0.0
		for _, p := range row {
			sum += p
		}
		if math.Abs(sum-1) > 1e-12 || r.Sure[k] != slices.Max(row) || int(r.Labels[k]) != slices.Index(row, r.Sure[k]) {
			t.Fatalf("sample %d: %v, label %d, sure %v", k, row, r.Labels[k], r.Sure[k])
		}
	}
	d.Classes = 10_000 // more numbers than are kept
	if r := mustLaF(t, d, LaFOptions{}); r.Posterior != nil || len(r.Labels) != len(r.Kept) {
		t.Errorf("%d probabilities kept, %d labels", len(r.Posterior), len(r.Labels))
	}
}

func TestLaFStopsWithinAMoment(t *testing.T) {
	d := simulated(10, 60, 30_000, 10)
	for _, o := range []LaFOptions{{}, {Reference: true}} {
		ctx, cancel := context.WithCancel(context.Background())
		timer := time.AfterFunc(50*time.Millisecond, cancel)
		_, err := LaF(ctx, d, o)
		timer.Stop()
		testdata.ErrorIs(t, fmt.Sprintf("%+v", o), err, context.Canceled)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := LaF(ended, d, LaFOptions{NoOptimising: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
}

// TestLaFKeepsFewNumbersPerSample: neither a number per prediction nor one per sample and class.
// All that is allocated counts, also what is given back.
func TestLaFKeepsFewNumbersPerSample(t *testing.T) {
	const models, samples = 60, 20_000
	d := simulated(11, models, samples, 20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := mustLaF(t, d, LaFOptions{Workers: 2})
	runtime.ReadMemStats(&after)
	if len(r.Posterior) > mostPosterior {
		t.Errorf("%d probabilities are kept", len(r.Posterior))
	}
	const matrices = (stripes + 200) * models * models * 8
	if got, bound := after.TotalAlloc-before.TotalAlloc, uint64(80*8*samples+matrices); got > bound {
		t.Errorf("%d bytes were allocated for %d predictions, want at most %d", got, models*samples, bound)
	}
}
