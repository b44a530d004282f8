package tree

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/internal/testdata"
)

func mustBoost(t testing.TB, s Sample, opts BoostOptions) *Boost {
	t.Helper()
	b := testdata.Must(GrowBoost(s, opts))(t)
	testdata.OK(t, b.Validate(len(s.X[0]), s.Classes))
	return b
}

// TestShares checks the probabilities against their definitions.
func TestBoostShares(t *testing.T) {
	two := mustBoost(t, made(60, 4, 2, 3), BoostOptions{Rounds: 5})
	x := made(60, 4, 2, 3).X[7]
	d := two.Decision(x)
	want := 1 / (1 + math.Exp(-d[1]))
	if p := SharesOf(two.Decision(x)); math.Abs(p[1]-want) > 1e-14 || math.Abs(p[0]+p[1]-1) > 1e-15 || d[0] != -d[1] {
		t.Errorf("decision %v gives %v, want %v", d, p, want)
	}
	three := mustBoost(t, made(60, 4, 3, 3), BoostOptions{Rounds: 5, Algorithm: SAMME})
	d = three.Decision(x)
	sum := math.Exp(d[0]/2) + math.Exp(d[1]/2) + math.Exp(d[2]/2)
	for c, p := range SharesOf(three.Decision(x)) {
		testdata.Near(t, fmt.Sprintf("class %d of decision %v", c, d), p, math.Exp(d[c]/2)/sum, 1e-14)
	}
}

// TestPerfectStumpEndsBoosting keeps the stump with weight 1 and adds none.
func TestPerfectStumpEndsBoosting(t *testing.T) {
	s := Sample{X: [][]float64{{1}, {2}, {3}, {4}}, Y: []int{0, 0, 1, 1}, Classes: 2}
	for _, algorithm := range []Boosting{SAMME, SAMMER} {
		b := mustBoost(t, s, BoostOptions{Algorithm: algorithm})
		if diff := cmp.Diff([]float64{1}, b.Weights); diff != "" || b.Errors[0] != 0 {
			t.Errorf("%s: weights %v, errors %v", algorithm, b.Weights, b.Errors)
		}
		want := map[Boosting]float64{SAMME: 1, SAMMER: -math.Log(0x1p-52)}[algorithm]
		if d := b.Decision([]float64{9}); math.Abs(d[1]-want) > 1e-12 {
			t.Errorf("%s: decision %v, want %v", algorithm, d, want)
		}
	}
}

func TestNoStumpBeatsChance(t *testing.T) {
	xor := Sample{X: [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, Y: []int{0, 1, 1, 0}, Classes: 2}
	if _, err := GrowBoost(xor, BoostOptions{Algorithm: SAMME}); !errors.Is(err, ErrNoStump) ||
		!strings.Contains(err.Error(), "0.5") {
		t.Errorf("SAMME on XOR: %v", err)
	}
	b := mustBoost(t, xor, BoostOptions{})
	if d := b.Decision(xor.X[1]); d[1] != 0 {
		t.Errorf("SAMME.R on XOR decides %v", d)
	}
	if deep := mustBoost(t, xor, BoostOptions{Algorithm: SAMME, Depth: 2}); len(deep.Stumps) != 1 {
		t.Errorf("%d trees of depth 2 on XOR", len(deep.Stumps))
	}
}

// TestRoundingMakesNoStumpUseful sums the weights of so many rows that a useless stump's error
// comes out on either side of 1/2.
func TestRoundingMakesNoStumpUseful(t *testing.T) {
	for rows := 4; rows <= 800; rows += 4 {
		s := Sample{Classes: 2}
		for i := range rows {
			a, b := i&1, i>>1&1
			s.X, s.Y = append(s.X, []float64{float64(a), float64(b)}), append(s.Y, a^b)
		}
		if b, err := GrowBoost(s, BoostOptions{Algorithm: SAMME}); !errors.Is(err, ErrNoStump) {
			t.Errorf("SAMME on XOR of %d rows: error %v, boosting %v", rows, err, b)
		}
	}
}

// TestHardRowsStayFinite boosts long and fast, until weights hit their floor.
func TestHardRowsStayFinite(t *testing.T) {
	s := made(80, 3, 2, 12)
	s.Y[0], s.X[0] = 1-s.Y[0], slices.Clone(s.X[1]) // two equal rows; at most one can be right
	s.Y[0] = 1 - s.Y[1]
	for _, rate := range []float64{0.1, 1, 30, 1e9} {
		for _, algorithm := range []Boosting{SAMME, SAMMER} {
			b := mustBoost(t, s, BoostOptions{Algorithm: algorithm, Rounds: 400, LearningRate: rate, Depth: 3})
			for _, x := range s.X {
				if p := SharesOf(b.Decision(x)); !(p[1] >= 0 && p[1] <= 1) {
					t.Fatalf("%s, rate %v: shares %v after %d rounds", algorithm, rate, p, len(b.Stumps))
				}
			}
		}
	}
}

func TestBoostDefaults(t *testing.T) {
	s := made(90, 3, 2, 12)
	want := mustBoost(t, s, BoostOptions{Algorithm: SAMMER, Rounds: 50, LearningRate: 1, Depth: 1})
	testdata.NoDiff(t, "by default", cmp.Diff(want, mustBoost(t, s, BoostOptions{})))
}

func TestBoostErrors(t *testing.T) {
	s := made(10, 4, 2, 1)
	for _, test := range []struct {
		opts BoostOptions
		want string
	}{
		{BoostOptions{Algorithm: "LogitBoost"}, `"LogitBoost"`},
		{BoostOptions{Rounds: -1}, "-1 rounds"},
		{BoostOptions{Depth: -1}, "depth -1"},
		{BoostOptions{LearningRate: -1}, "learning rate -1"},
		{BoostOptions{LearningRate: math.NaN()}, "learning rate NaN"},
		{BoostOptions{LearningRate: math.Inf(1)}, "learning rate +Inf"},
		{BoostOptions{LearningRate: 1e10}, "at most 1e+09"},
	} {
		testdata.Refused(t, "error", testdata.Err(GrowBoost(s, test.opts)), test.want)
	}
	s.Y = s.Y[1:]
	testdata.Refused(t, "a sample with too few classes was boosted", testdata.Err(GrowBoost(s, BoostOptions{})))
}
