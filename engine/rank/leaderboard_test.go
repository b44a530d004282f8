package rank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

// leaderboard makes a leaderboard that must not fail.
func leaderboard(t *testing.T, d Data, o Options) Leaderboard {
	t.Helper()
	p := &testdata.Progress{}
	if o.Workers == 0 {
		o.Workers = 1
	}
	b := testdata.Must(MakeLeaderboard(t.Context(), d, o, p))(t)
	p.Whole(t, max(1, p.Total.Load()))
	return b
}

// of is the only ranking by a method.
func (b Leaderboard) of(t *testing.T, m Method) Ranking {
	t.Helper()
	found := slices.DeleteFunc(slices.Clone(b.Rankings), func(r Ranking) bool { return r.Method != m })
	if len(found) != 1 {
		t.Fatalf("%d rankings by %s, want 1", len(found), m)
	}
	return found[0]
}

func withGiven(d Data) Data {
	scores := make([]float64, len(d.Models))
	for j := range scores {
		scores[j] = float64(j * j % 7)
	}
	d.Given = []Given{
		{Method: EI, Scores: scores, Note: "rot90"},
		{Method: EI, Scores: d.Accuracy(), Note: "grayscale"},
		{Method: RobustAccuracy, Scores: append([]float64{math.NaN()}, d.Accuracy()[1:]...), Note: "rotation"},
	}
	return d
}

func TestABoardAsksAllThatTheDataAllow(t *testing.T) {
	d := withGiven(simulated(1, 8, 400, 5))
	b := leaderboard(t, d, Options{Methods: []Method{AllMethods}, Repetitions: 4})
	var got []Method
	for _, r := range b.Rankings {
		got = append(got, r.Method)
		if !r.Reason.None() || len(r.Scores) != 8 || !slices.Equal(r.Rank, Competition(r.Scores)) {
			t.Errorf("%s: %+v", r.Method, r)
		}
		if sampled := r.Method.Sampled(); sampled != (r.SD != nil) || sampled != (r.Budget > 0) ||
			len(r.Quality.Jaccard) != 4 {
			t.Errorf("%s: %+v", r.Method, r)
		}
	}
	want := []Method{
		LaFMethod, LaFReference, LaFUnpruned, LaFUnoptimised, CRC, Random, SDS, CES, CESReference, CESOracle, EI,
		EI, RobustAccuracy,
	}
	testdata.Equal(t, "the rankers", got, want)
	testdata.Equal(t, "compared", b.Compared, append([]Method{TruthMethod}, want...))
	if b.LaF == nil || !slices.Equal(b.LaF.Specialty, b.of(t, LaFMethod).Scores) ||
		!slices.Equal(b.Truth, d.Accuracy()) {
		t.Errorf("LaF and the truth are %+v, %v", b.LaF, b.Truth)
	}
	if r := b.of(t, RobustAccuracy); r.Rank[0] != 0 || !math.IsNaN(r.Scores[0]) || r.Quality.Spearman.Mean < 1 {
		t.Errorf("a model without a score is ranked: %+v", r)
	}
	for _, m := range []Method{LaFMethod, LaFReference, LaFUnpruned, LaFUnoptimised} {
		if r := b.of(t, m); r.Quality.Spearman.Mean < 0.5 {
			t.Errorf("%s ranks easy models with a correlation of %.2f", m, r.Quality.Spearman.Mean)
		}
	}
}

func TestABoardWithoutTruthAsksNoSampledRanker(t *testing.T) {
	d := simulated(1, 5, 200, 4)
	d.Truth, d.Softmax = nil, nil
	b := leaderboard(t, d, Options{Methods: []Method{AllMethods}})
	for _, r := range b.Rankings {
		if !r.Method.laf() || !r.Reason.None() || r.Quality.Spearman.N != 0 || r.Quality.Spearman.Reason != noTruth {
			t.Errorf("%s: %+v", r.Method, r)
		}
	}
	if len(b.Rankings) != 4 || b.Truth != nil || b.Compared[0] != LaFMethod {
		t.Errorf("%d rankings, compared %v", len(b.Rankings), b.Compared)
	}
}

func TestTheSameBitsForAnyNumberOfWorkers(t *testing.T) {
	d := withGiven(simulated(3, 7, 300, 4))
	o := Options{Methods: []Method{AllMethods}, Repetitions: 5, Budget: 60, Seed: 12}
	text := func(workers int) string {
		o.Workers = workers
		b := testdata.Must(MakeLeaderboard(t.Context(), d, o, nil))(t)
		c := testdata.Must(Curves(t.Context(), d, o, []int{30, 40, 60, 75}, nil))(t)
		return fmt.Sprint(b.Rankings, b.Spearman, b.Kendall, b.Jaccard, c) // in which NaN equals NaN
	}
	want := text(1)
	for _, workers := range []int{2, 5, 16} {
		testdata.Is(t, fmt.Sprintf("%d workers find something else", workers), text(workers), want)
	}
	o.Seed = 13
	if text(1) == want {
		t.Error("another seed draws the same")
	}
}

func TestSampledScoresAgainstTheirDefinition(t *testing.T) {
	d := simulated(5, 6, 120, 3)
	o := Options{Methods: []Method{AllMethods}, Repetitions: 9, Budget: 25, Seed: 4, Top: []int{2}}
	b := leaderboard(t, d, o)
	for _, m := range []Method{Random, SDS, CES, CESReference} {
		r := b.of(t, m)
		s := d.sampling(o, d.Accuracy(), nil)
		var each [][]float64 // repetition x model
		var spearman, kendall, jaccard []float64
		for repetition := range o.Repetitions {
			chosen := testdata.Must(s.selections(t.Context(), m, repetition))(t)
			means := make([]float64, 6)
			var rho, tau, similar []float64
			for _, samples := range chosen {
				part := d.Subset(nil, wide(samples)).Accuracy()
				for j, v := range part {
					means[j] += v / float64(len(chosen))
				}
				c := Compare(b.Truth, part, o.Top)
				rho, tau, similar = append(rho, valueOf(c.Spearman)), append(tau, valueOf(c.Kendall)),
					append(similar, c.Jaccard[0])
			}
			each = append(each, means)
			spearman, kendall, jaccard = append(spearman, mean(rho)), append(kendall, mean(tau)),
				append(jaccard, mean(similar))
		}
		for j := range 6 {
			var column []float64
			for _, means := range each {
				column = append(column, means[j])
			}
			testdata.Near(t, "score", r.Scores[j], spread(column, result.Reason{}).Mean, 1e-12)
			testdata.Near(t, "deviation", r.SD[j], spread(column, result.Reason{}).SD, 1e-12)
		}
		for _, pair := range []struct {
			got  Spread
			want []float64
		}{{r.Quality.Spearman, spearman}, {r.Quality.Kendall, kendall}, {r.Quality.Jaccard[0], jaccard}} {
			testdata.Near(t, "quality", pair.got.Mean, spread(pair.want, result.Reason{}).Mean, 1e-12)
			testdata.Near(t, "deviation of quality", pair.got.SD, spread(pair.want, result.Reason{}).SD, 1e-12)
			if pair.got.N != 9 || pair.got.Of != 9 {
				t.Errorf("%s: %+v, want 9 repetitions", m, pair.got)
			}
		}
		testdata.Is(t, fmt.Sprintf("%s: a budget of", m), r.Budget, 25)
	}
}

func TestTheOracleIsTheBestSelector(t *testing.T) {
	d := simulated(6, 5, 200, 4)
	o := Options{Repetitions: 6, Budget: 33, Methods: []Method{CES, CESOracle}}
	b := leaderboard(t, d, o)
	oracle := b.of(t, CESOracle)
	s := d.sampling(o.filled(d), d.Accuracy(), nil)
	best, scores := math.Inf(-1), []float64(nil)
	for selector := range 5 {
		var rho []float64
		sum := make([]float64, 5)
		for repetition := range 6 {
			chosen := testdata.Must(s.selections(t.Context(), CES, repetition))(t)
			part := d.Subset(nil, wide(chosen[selector])).Accuracy()
			rho = append(rho, valueOf(Compare(b.Truth, part, nil).Spearman))
			for j, v := range part {
				sum[j] += v / 6
			}
		}
		if v := mean(rho); v > best {
			best, scores = v, sum
		}
	}
	testdata.Near(t, "quality of the oracle", oracle.Quality.Spearman.Mean, best, 1e-12)
	for j, want := range scores {
		testdata.Near(t, "score of the oracle", oracle.Scores[j], want, 1e-12)
	}
	if oracle.Budget != 30 || oracle.Quality.Spearman.Mean < b.of(t, CES).Quality.Spearman.Mean ||
		!strings.Contains(oracle.Note, "150 labels") {
		t.Errorf("the oracle is %+v", oracle)
	}
}

func TestABoardEndsWithItsContext(t *testing.T) {
	d := simulated(1, 6, 400, 4)
	for _, m := range []Method{LaFMethod, CRC, Random, SDS, CES, CESReference, CESOracle} {
		ctx, cancel := context.WithCancel(t.Context())
		d.Softmax = func(context.Context, int) ([]float32, error) {
			cancel()
			return nil, ctx.Err()
		}
		if m != CRC && !m.entropy() {
			cancel()
		}
		if _, err := MakeLeaderboard(ctx, d, Options{Methods: []Method{m}}, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the error is %v, want that of the context", m, err)
		}
		cancel()
	}
}

func TestSampledRankersStopBetweenRepetitions(t *testing.T) {
	d := simulated(1, 5, 200, 4)
	for _, m := range []Method{Random, SDS, CES, CESReference} {
		ctx, cancel := context.WithCancel(t.Context())
		p := &testdata.Progress{Stop: cancel}
		_, err := MakeLeaderboard(ctx, d, Options{Methods: []Method{m}, Repetitions: 100_000, Workers: 1}, p)
		if !errors.Is(err, context.Canceled) || p.Done.Load() != 1 {
			t.Errorf("%s: %d repetitions before the end, error %v", m, p.Done.Load(), err)
		}
	}
}

func TestComparedRankings(t *testing.T) {
	d := withGiven(simulated(2, 9, 200, 4))
	b := leaderboard(t, d, Options{Repetitions: 3, Methods: []Method{LaFMethod, DScore, Random, EI}, Top: []int{1, 4}})
	columns := [][]float64{
		b.Truth, b.Rankings[0].Scores, b.Rankings[2].Scores, b.Rankings[3].Scores, b.Rankings[4].Scores,
	}
	testdata.Equal(t, "compared", b.Compared, []Method{TruthMethod, LaFMethod, Random, EI, EI})
	for row := range columns {
		for column := range columns {
			c := Compare(columns[row], columns[column], b.TopK)
			testdata.Near(t, "spearman", b.Spearman[row][column], c.Spearman.Value, 1e-12)
			testdata.Near(t, "kendall", b.Kendall[row][column], c.Kendall.Value, 1e-12)
			testdata.Near(t, "jaccard at 1", b.Jaccard[0][row][column], c.Jaccard[0], 1e-12)
			testdata.Near(t, "jaccard at 4", b.Jaccard[1][row][column], c.Jaccard[1], 1e-12)
		}
	}
}

func TestARankingPutIntoABoardIsCompared(t *testing.T) {
	d := simulated(2, 9, 200, 4)
	b := leaderboard(t, d, Options{Methods: []Method{LaFMethod, Random}, Repetitions: 2})
	want := leaderboard(t, d, Options{Methods: []Method{LaFMethod, Random, CRC}, Repetitions: 2})
	b.Rankings = append(b.Rankings, want.of(t, CRC))
	b.Correlate()
	testdata.Is(t, "with another ranking", fmt.Sprint(b.Spearman, b.Kendall, b.Jaccard),
		fmt.Sprint(want.Spearman, want.Kendall, want.Jaccard))
	testdata.Equal(t, "compared", b.Compared, want.Compared)
}
