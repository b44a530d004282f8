package tree

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/internal/testdata"
)

func mustBoost(t testing.TB, s Sample, opts BoostOptions) *Boost {
	t.Helper()
	b := testdata.Must(GrowBoost(s, opts))(t)
	if err := b.Validate(len(s.X[0]), s.Classes); err != nil {
		t.Fatalf("grown boosting: %v", err)
	}
	return b
}

// slowBoost is spec/assessors.md's text for two classes and scikit-learn's for more, row by row, on slow trees.
type slowBoost struct {
	Sample
	stumps         []*Tree
	weights, error []float64
}

func boostSlowly(s Sample, opts BoostOptions) slowBoost {
	n, k := len(s.X), float64(s.Classes)
	chance := (1 - 1/k) * (1 - float64(n)*math.Pow(2, -52)) // rounding aside
	b := slowBoost{Sample: s}
	w := slices.Repeat([]float64{1 / float64(n)}, n)
	for range opts.Rounds {
		for i := range w {
			w[i] = math.Max(w[i], math.Pow(2, -52))
		}
		stump := growSlowly(s, w, Options{MaxDepth: opts.Depth})
		wrong, sum := 0.0, 0.0
		for i, x := range s.X {
			sum += w[i]
			if slowClass(stump, x) != s.Y[i] {
				wrong += w[i]
			}
		}
		wrong /= sum
		if opts.Algorithm == SAMME && wrong >= chance {
			return b
		}
		a := 1.0
		if opts.Algorithm == SAMME && wrong > 0 {
			a = opts.LearningRate * (math.Log((1-wrong)/wrong) + math.Log(k-1))
		}
		b.stumps, b.weights, b.error = append(b.stumps, stump), append(b.weights, a), append(b.error, wrong)
		if wrong <= 0 {
			return b
		}
		total := 0.0
		for i, x := range s.X {
			w[i] *= math.Exp(b.change(stump, x, s.Y[i], a, opts))
			total += w[i]
		}
		for i := range w {
			w[i] /= total
		}
	}
	return b
}

func (b slowBoost) change(stump *Tree, x []float64, class int, a float64, opts BoostOptions) float64 {
	if opts.Algorithm == SAMME {
		if slowClass(stump, x) != class {
			return a
		}
		return 0
	}
	k := float64(b.Classes)
	sum := 0.0
	for c, p := range stump.Shares(nil, x) {
		code := 1.0
		if c != class {
			code = -1 / (k - 1)
		}
		sum += code * math.Log(math.Max(p, math.Pow(2, -52)))
	}
	return -opts.LearningRate * (k - 1) / k * sum
}

func slowClass(t *Tree, x []float64) int {
	shares := t.Shares(nil, x)
	return slices.Index(shares, slices.Max(shares))
}

// decision follows scikit-learn's decision_function.
func (b slowBoost) decision(x []float64) []float64 {
	k := float64(b.Classes)
	sums, total := make([]float64, b.Classes), 0.0
	for m, stump := range b.stumps {
		total += b.weights[m]
		if b.weights[m] != 1 || b.isSAMME() {
			sums[slowClass(stump, x)] += b.weights[m]
			continue
		}
		mean := 0.0
		shares := stump.Shares(nil, x)
		for c := range shares {
			shares[c] = math.Log(math.Max(shares[c], math.Pow(2, -52)))
			mean += shares[c] / k
		}
		for c := range shares {
			sums[c] += (k - 1) * (shares[c] - mean)
		}
	}
	for c := range sums {
		sums[c] /= total
	}
	if b.Classes == 2 {
		d := sums[1] - sums[0]
		return []float64{-d, d}
	}
	return sums
}

// isSAMME: weights that are not all 1, of more than one stump.
func (b slowBoost) isSAMME() bool {
	return slices.ContainsFunc(b.weights, func(w float64) bool { return w != 1 })
}

func TestBoostIsTheSlowBoost(t *testing.T) {
	if testing.Short() {
		return // one goroutine grows these
	}
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 11))
		s := made(20+rng.IntN(30), 2+rng.IntN(4), 2+rng.IntN(3), seed)
		opts := BoostOptions{
			Algorithm: []Boosting{SAMME, SAMMER}[seed%2], Rounds: 2 + rng.IntN(12), LearningRate: []float64{1, 0.5}[rng.IntN(2)], Depth: 1 + rng.IntN(2),
		}
		got, err := GrowBoost(s, opts)
		want := boostSlowly(s, opts)
		if len(want.stumps) == 0 {
			testdata.ErrorIs(t, fmt.Sprintf("seed %d", seed), err, ErrNoStump)
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		compareBoosts(t, fmt.Sprintf("seed %d (%s)", seed, opts.Algorithm), got, want)
	}
}

func compareBoosts(t *testing.T, what string, got *Boost, want slowBoost) {
	t.Helper()
	if len(got.Stumps) != len(want.stumps) {
		t.Fatalf("%s: %d stumps, want %d", what, len(got.Stumps), len(want.stumps))
	}
	for m, stump := range want.stumps {
		if diff := cmp.Diff(stump.Threshold, got.Stumps[m].Threshold); diff != "" {
			t.Fatalf("%s: stump %d: %s", what, m, diff)
		}
	}
	near := func(name string, got, want []float64) {
		for k := range want {
			if len(got) != len(want) || math.Abs(got[k]-want[k]) > 1e-8 {
				t.Fatalf("%s: %s %v, want %v", what, name, got, want)
			}
		}
	}
	near("weights", got.Weights, want.weights)
	near("errors", got.Errors, want.error)
	for _, x := range want.X {
		near("decision", got.Decision(nil, x), want.decision(x))
	}
}

// TestShares checks the probabilities against their definitions.
func TestBoostShares(t *testing.T) {
	two := mustBoost(t, made(60, 4, 2, 3), BoostOptions{Rounds: 5})
	x := made(60, 4, 2, 3).X[7]
	d := two.Decision(nil, x)
	want := 1 / (1 + math.Exp(-d[1]))
	if p := two.Shares(nil, x); math.Abs(p[1]-want) > 1e-14 || math.Abs(p[0]+p[1]-1) > 1e-15 || d[0] != -d[1] {
		t.Errorf("decision %v gives %v, want %v", d, p, want)
	}
	three := mustBoost(t, made(60, 4, 3, 3), BoostOptions{Rounds: 5, Algorithm: SAMME})
	d = three.Decision(nil, x)
	sum := math.Exp(d[0]/2) + math.Exp(d[1]/2) + math.Exp(d[2]/2)
	for c, p := range three.Shares([]float64{1, 2, 3}, x) {
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
		if d := b.Decision(nil, []float64{9}); math.Abs(d[1]-want) > 1e-12 {
			t.Errorf("%s: decision %v, want %v", algorithm, d, want)
		}
	}
}

func TestNoStumpBeatsChance(t *testing.T) {
	xor := Sample{X: [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, Y: []int{0, 1, 1, 0}, Classes: 2}
	if _, err := GrowBoost(xor, BoostOptions{Algorithm: SAMME}); !errors.Is(err, ErrNoStump) || !strings.Contains(err.Error(), "0.5") {
		t.Errorf("SAMME on XOR: %v", err)
	}
	b := mustBoost(t, xor, BoostOptions{})
	if d := b.Decision(nil, xor.X[1]); d[1] != 0 {
		t.Errorf("SAMME.R on XOR decides %v", d)
	}
	if deep := mustBoost(t, xor, BoostOptions{Algorithm: SAMME, Depth: 2}); len(deep.Stumps) != 1 {
		t.Errorf("%d trees of depth 2 on XOR", len(deep.Stumps))
	}
}

// TestRoundingMakesNoStumpUseful sums the weights of so many rows that a useless stump's error comes out on either side of 1/2.
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
				if p := b.Shares(nil, x); !(p[1] >= 0 && p[1] <= 1) {
					t.Fatalf("%s, rate %v: shares %v after %d rounds", algorithm, rate, p, len(b.Stumps))
				}
			}
		}
	}
}

func TestBoostDefaults(t *testing.T) {
	s := made(90, 3, 2, 12)
	want := mustBoost(t, s, BoostOptions{Algorithm: SAMMER, Rounds: 50, LearningRate: 1, Depth: 1})
	got := mustBoost(t, s, BoostOptions{})
	if diff := cmp.Diff(want, got); diff != "" || len(got.Stumps) != 50 {
		t.Errorf("%d stumps by default: %s", len(got.Stumps), diff)
	}
}

func TestBoostImportance(t *testing.T) {
	s := made(90, 6, 2, 12)
	b := mustBoost(t, s, BoostOptions{Algorithm: SAMME, Rounds: 10})
	want, total := make([]float64, 6), 0.0
	for m, stump := range b.Stumps {
		want[stump.Feature[0]] += b.Weights[m]
		total += b.Weights[m]
	}
	for c, v := range b.Importance(6) {
		testdata.Near(t, fmt.Sprintf("column %d has importance", c), v, want[c]/total, 1e-12)
	}
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

func TestTermsSumToTheDecision(t *testing.T) {
	for _, classes := range []int{2, 3} {
		s := made(60, 4, classes, 3)
		for _, algorithm := range []Boosting{SAMME, SAMMER} {
			b := mustBoost(t, s, BoostOptions{Algorithm: algorithm, Rounds: 7})
			for _, x := range s.X {
				sum := make([]float64, classes)
				for m, stump := range b.Stumps {
					for class, v := range b.Terms(nil, m, stump.Leaf(x)) {
						sum[class] += v
					}
				}
				if diff := cmp.Diff(b.Decision(nil, x), sum); diff != "" {
					t.Fatalf("%s, %d classes: %s", algorithm, classes, diff)
				}
			}
		}
	}
}
