package scatter

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestScale(t *testing.T) {
	for _, test := range []struct {
		own     []float64
		want    float64
		flagged bool
	}{
		{[]float64{2, -4, 6}, 4, false},
		{[]float64{5}, 5, false},
		{[]float64{1e-13, -1e-13}, 1, true},
		{[]float64{1e-12}, 1e-12, false},
		{[]float64{0, 0}, 1, true},
		{nil, 1, true},
		{[]float64{math.NaN(), 1}, 1, true},
	} {
		if got, flagged := Scale(test.own); got != test.want || flagged != test.flagged {
			t.Errorf("%v: %v, %v, want %v, %v", test.own, got, flagged, test.want, test.flagged)
		}
	}
}

func TestDifference(t *testing.T) {
	nan := math.NaN()
	a := Matrix{2, []float64{1, 2, 3, nan}}
	for _, test := range []struct {
		b    Matrix
		want float64
	}{
		{a, 0},
		{Matrix{2, []float64{1, 2, 6, 7}}, math.Sqrt(3)},
		{Matrix{2, []float64{nan, nan, 6, 7}}, 3},
		{Matrix{2, []float64{4, 2, 7, 0}}, 5 / math.Sqrt(3)},
		{Matrix{2, []float64{nan, nan, nan, 7}}, nan},
		{Matrix{1, []float64{1}}, nan},
	} {
		if got := Difference(a, test.b); math.Abs(got-test.want) > 1e-12 || math.IsNaN(got) != math.IsNaN(test.want) {
			t.Errorf("%v: %v, want %v", test.b.Values, got, test.want)
		}
		if back := Difference(test.b, a); back != Difference(a, test.b) && !math.IsNaN(back) {
			t.Errorf("%v: %v the other way round", test.b.Values, back)
		}
	}
}

func TestDraw(t *testing.T) {
	for _, test := range []struct {
		n     int
		share float64
		want  int
	}{{1712, 0.25, 428}, {1712, 1, 1712}, {1712, 0.05, 85}, {100, 0.29, 29}, {3, 0.05, 1}, {1, 0.5, 1}, {10, 0.75, 7}} {
		got := Draw(test.n, test.share, 1, 0)
		if len(got) != test.want || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) ||
			got[0] < 0 || got[len(got)-1] >= test.n {
			t.Errorf("%v of %d targets: %v, want %d", test.share, test.n, got, test.want)
		}
	}
	if !slices.Equal(Draw(50, 0.5, 3, 2), Draw(50, 0.5, 3, 2)) {
		t.Error("the same draw gives other targets")
	}
	if slices.Equal(Draw(50, 0.5, 3, 2), Draw(50, 0.5, 3, 1)) ||
		slices.Equal(Draw(50, 0.5, 3, 2), Draw(50, 0.5, 4, 2)) {
		t.Error("another draw or seed gives the same targets")
	}
}

func TestByShare(t *testing.T) {
	c, list := published(10), []Interpolant{{8, 2, 4}, {4, 1, 0}}
	s := Sampling{Shares: []float64{1, 0.5, 0.1}, Draws: 4, Seed: 9}
	var p testdata.Progress
	effects := testdata.Must(ByShare(t.Context(), c, 16, list, s, &p))(t)
	p.Whole(t, 13)
	for k, p := range list {
		whole := slow(c, 16, p)
		for n := range s.Shares {
			e := effects[k][n]
			if e.Share != s.Shares[n] || len(e.Differences) != 4 {
				t.Errorf("%s: share %v has %d draws", p, e.Share, len(e.Differences))
			}
			mean := 0.0
			for draw, d := range e.Differences {
				sample := slow(c.Of(Draw(10, s.Shares[n], 9, draw)), 16, p)
				if want := Difference(sample, whole); math.Abs(d-want) > 1e-9 {
					t.Errorf("%s, share %v, draw %d: %v, want %v", p, e.Share, draw, d, want)
				}
				if draw == 0 {
					testdata.OK(t, differ(e.Example, sample, 1e-9))
				}
				mean += d / 4
			}
			spread := 0.0
			for _, d := range e.Differences {
				spread += (d - mean) * (d - mean) / 4
			}
			if math.Abs(e.Mean-mean) > 1e-12 || math.Abs(e.Std-math.Sqrt(spread)) > 1e-12 {
				t.Errorf("%s, share %v: %v ± %v, want %v ± %v", p, e.Share, e.Mean, e.Std, mean, math.Sqrt(spread))
			}
		}
		if effects[k][0].Mean != 0 || !(effects[k][2].Mean > effects[k][1].Mean) {
			t.Errorf("%s: differences %v, %v, %v do not grow",
				p, effects[k][0].Mean, effects[k][1].Mean, effects[k][2].Mean)
		}
	}
}

// Matrices of all targets that are known already are taken as they are.
func TestByShareTakesTheWhole(t *testing.T) {
	c, list := published(6), []Interpolant{{8, 2, 4}}
	whole := Matrix{R: 8, Values: make([]float64, 64)}
	effects, err := ByShare(t.Context(), c, 8, list,
		Sampling{Shares: []float64{0.5}, Draws: 1, Whole: []Matrix{whole}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e := effects[0][0]; e.Mean != Difference(e.Example, whole) || e.Mean == 0 {
		t.Errorf("%v from the given matrix, want %v", e.Mean, Difference(e.Example, whole))
	}
}

func TestByShareEnds(t *testing.T) {
	for _, share := range []float64{0, -1, 1.5, math.NaN()} {
		testdata.Refused(t, fmt.Sprintf("a share of %v", share),
			testdata.Err(ByShare(t.Context(), published(2), 4, nil, Sampling{Shares: []float64{share}}, nil)),
			"share of targets")
	}
	if _, err := ByShare(t.Context(), Cloud{}, 4, nil, Sampling{}, nil); err == nil ||
		!strings.Contains(err.Error(), "no targets") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	p := &testdata.Progress{After: 3, Stop: cancel}
	if _, err := ByShare(ctx, published(8), 8, Interpolants(), Sampling{Shares: []float64{0.5}}, p); !errors.Is(err,
		context.Canceled) || p.Done.Load() != 3 {
		t.Errorf("cancelled after %d: %v", p.Done.Load(), err)
	}
}

func TestPairwise(t *testing.T) {
	one := func(v float64) Matrix { return Matrix{1, []float64{v}} }
	mean, pairs := Pairwise([]Matrix{one(0), one(1), one(4)})
	if mean != 8.0/3 || !slices.Equal(pairs, []float64{1, 4, 3}) {
		t.Errorf("%v of %v", mean, pairs)
	}
	for n := range 2 {
		if mean, pairs := Pairwise(make([]Matrix, n)); !math.IsNaN(mean) || pairs != nil {
			t.Errorf("%d matrices: %v of %v", n, mean, pairs)
		}
	}
}
