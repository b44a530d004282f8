package tree

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/variscope/variscope/internal/testdata"
)

func mustGrow(t testing.TB, s Sample, weights []float64, opts Options) *Tree {
	t.Helper()
	grown := testdata.Must(Grow(s, weights, opts))(t)
	testdata.OK(t, grown.Validate(len(s.X[0])))
	return grown
}

// sameTree compares trees whose impurities may differ by rounding.
func sameTree(t *testing.T, what string, got, want *Tree) {
	t.Helper()
	testdata.NoDiff(t, fmt.Sprintf("%s (-want +got):\n", what),
		cmp.Diff(want, got, cmpopts.EquateApprox(1e-12, 1e-12)))
}

func TestGrowIsTheSlowTree(t *testing.T) {
	if testing.Short() {
		return // one goroutine grows these
	}
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 1))
		make := []func(*rand.Rand, int, int, int) Sample{coarse, smooth}[seed%2]
		s := make(rng, 1+rng.IntN(60), 1+rng.IntN(6), 2+rng.IntN(3))
		opts := Options{MaxDepth: rng.IntN(5), MinLeaf: rng.IntN(4)}
		weights := slices.Repeat([]float64{1}, len(s.X))
		given := weights
		switch rng.IntN(3) {
		case 0:
			given = nil
		case 1: // as a bootstrap has them, some 0
			for i := range weights {
				weights[i] = float64(rng.IntN(4))
			}
			weights[0] = 1
		case 2:
			for i := range weights {
				weights[i] = 0.01 + rng.Float64()
			}
		}
		sameTree(t, fmt.Sprintf("seed %d", seed), mustGrow(t, s, given, opts), growSlowly(s, weights, opts))
	}
}

// TestGrowByHand has the splits of few rows: the columns, and the thresholds of nodes that split.
func TestGrowByHand(t *testing.T) {
	below, above, zero := math.Nextafter(1, 0), math.Nextafter(1, 2), math.Copysign(0, -1)
	for name, c := range map[string]struct {
		x         [][]float64
		y         []int
		feature   []int
		threshold []float64
	}{
		"one row":                   {[][]float64{{3}}, []int{1}, []int{-1}, []float64{0}},
		"equal rows of two classes": {[][]float64{{3, 1}, {3, 1}}, []int{1, 0}, []int{-1}, []float64{0}},
		"zero and minus zero":       {[][]float64{{0}, {zero}}, []int{0, 1}, []int{-1}, []float64{0}},
		"a tie of columns": {
			[][]float64{{7, 1, 0}, {7, 3, 9}}, []int{0, 1}, []int{1, -1, -1}, []float64{2, 0, 0},
		},
		"a midpoint that rounds up": {
			[][]float64{{below}, {1}}, []int{1, 0}, []int{0, -1, -1}, []float64{below, 0, 0},
		},
		"a midpoint that rounds down": {
			[][]float64{{1}, {above}}, []int{1, 0}, []int{0, -1, -1}, []float64{1, 0, 0},
		},
		"numbers whose sum overflows": {
			[][]float64{{math.MaxFloat64 / 2}, {math.MaxFloat64}},
			[]int{1, 0},
			[]int{0, -1, -1},
			[]float64{math.MaxFloat64 * 0.75, 0, 0},
		},
		"a tie of thresholds": {
			[][]float64{{1}, {2}, {3}}, []int{0, 1, 0}, []int{0, -1, 0, -1, -1}, []float64{1.5, 0, 2.5, 0, 0},
		},
		"no first split helps": {
			[][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}},
			[]int{0, 1, 1, 0},
			[]int{0, 1, -1, -1, 1, -1, -1},
			[]float64{0.5, 0.5, 0, 0, 0.5, 0, 0},
		},
	} {
		got := mustGrow(t, Sample{X: c.x, Y: c.y, Classes: 2}, nil, Options{})
		testdata.Equal(t, name, got.Feature, c.feature)
		testdata.Equal(t, name, got.Threshold, c.threshold)
	}
}

// TestLargeNodes uses a node that is sorted by itself as well as one that is picked from the sorted
// column, and numbers that share all the bits that fit beside a row's number.
func TestLargeNodes(t *testing.T) {
	for _, classes := range []int{2, 3} {
		rng := rand.New(rand.NewPCG(uint64(classes), 3))
		s := coarse(rng, 400, 5, classes)
		for i := range s.X {
			s.X[i][2], s.X[i][3] = rng.NormFloat64(), 1+float64(i*37%64)*0x1p-52
		}
		weights := slices.Repeat([]float64{1}, len(s.X))
		sameTree(t, fmt.Sprint(classes, " classes"), mustGrow(t, s, nil, Options{}), growSlowly(s, weights, Options{}))
	}
}

func TestErrorsNameWhatIsWrong(t *testing.T) {
	good := Sample{X: [][]float64{{1, 2}, {3, 4}}, Y: []int{0, 1}, Classes: 2}
	tests := []struct {
		change  func(s *Sample)
		weights []float64
		opts    Options
		want    string
	}{
		{func(s *Sample) { s.Classes = 1 }, nil, Options{}, "1 classes"},
		{func(s *Sample) { s.X, s.Y = nil, nil }, nil, Options{}, "no rows"},
		{func(s *Sample) { s.X = [][]float64{{}, {}} }, nil, Options{}, "no columns"},
		{func(s *Sample) { s.Y = []int{0} }, nil, Options{}, "1 classes for 2 rows"},
		{func(s *Sample) { s.Y = []int{0, 2} }, nil, Options{}, "row 1 is of class 2"},
		{func(s *Sample) { s.Y = []int{-1, 1} }, nil, Options{}, "row 0 is of class -1"},
		{func(s *Sample) { s.X = [][]float64{{1, 2}, {3}} }, nil, Options{}, "row 1 has 1 columns"},
		{func(s *Sample) { s.X = [][]float64{{1, 2}, {3, math.NaN()}} }, nil, Options{}, "row 1, column 1 is NaN"},
		{func(s *Sample) { s.X = [][]float64{{math.Inf(-1), 2}, {3, 4}} }, nil, Options{}, "row 0, column 0 is -Inf"},
		{func(*Sample) {}, []float64{1}, Options{}, "1 weights for 2 rows"},
		{func(*Sample) {}, []float64{1, -1}, Options{}, "row 1 has weight -1"},
		{func(*Sample) {}, []float64{1, math.NaN()}, Options{}, "row 1 has weight NaN"},
		{func(*Sample) {}, []float64{0, 0}, Options{}, "sum to 0"},
		{func(*Sample) {}, []float64{1, math.Inf(1)}, Options{}, "sum to +Inf"},
		{func(*Sample) {}, nil, Options{MaxDepth: -1}, "negative"},
		{func(*Sample) {}, nil, Options{MinLeaf: -1}, "negative"},
	}
	for _, test := range tests {
		t.Run(test.want, func(t *testing.T) {
			s := good
			test.change(&s)
			_, err := Grow(s, test.weights, test.opts)
			testdata.Refused(t, "error", err, test.want)
		})
	}
}
