package assess

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// normalEquations are the values of ordinary least squares with intercept, solved the short way:
// (Z^T Z) b = Z^T y with a column of ones.
func normalEquations(z [][]float64, y []float64) ([]float64, error) {
	a := mat.NewDense(len(z), len(z[0])+1, nil)
	for s, row := range z {
		a.SetRow(s, append(slices.Clone(row), 1))
	}
	var gram, right, solution, values mat.Dense
	gram.Mul(a.T(), a)
	right.Mul(a.T(), mat.NewDense(len(z), 1, slices.Clone(y)))
	if err := solution.Solve(&gram, &right); err != nil {
		return nil, err
	}
	values.Mul(a, &solution)
	return mat.Col(nil, 0, &values), nil
}

func randomRows(rows, columns int, seed uint64) [][]float64 {
	draw := rand.New(rand.NewPCG(seed, 0))
	x := make([][]float64, rows)
	for s := range x {
		x[s] = make([]float64, columns)
		for c := range x[s] {
			x[s][c] = draw.NormFloat64()
		}
	}
	return x
}

func TestRegressionEqualsTheNormalEquations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.IntRange(1, 5).Draw(t, "columns")
		rows := columns + 5 + rapid.IntRange(0, 20).Draw(t, "more rows")
		x := randomRows(rows, columns, rapid.Uint64().Draw(t, "seed"))
		for s := range x {
			x[s][0] += 3 // else one column alone is a row of ±1
		}
		y := make([]float64, rows)
		for s := range y {
			y[s] = float64(s * 7 % 3 / 2)
		}
		zScores := rapid.Bool().Draw(t, "z-scores") || columns == 1
		l := testdata.Must(fitLinear(x, y, zScores))(t)
		z := make([][]float64, rows)
		for s, row := range x {
			z[s] = slowNormal(x, row, zScores)
		}
		want := testdata.Must(normalEquations(z, y))(t)
		for s := range x {
			testdata.Near(t, fmt.Sprintf("value of row %d", s), l.Value(x[s]), want[s], 1e-6)
		}
	})
}

// slowNormal normalises a row by the definitions.
func slowNormal(x [][]float64, row []float64, zScores bool) []float64 {
	z := make([]float64, len(row))
	for c, v := range row {
		var sum, squares float64
		if !zScores {
			for _, w := range row {
				squares += w * w
			}
			z[c] = v / math.Sqrt(squares)
			continue
		}
		for _, other := range x {
			sum += other[c] / float64(len(x))
		}
		for _, other := range x {
			squares += (other[c] - sum) * (other[c] - sum) / float64(len(x))
		}
		z[c] = (v - sum) / math.Sqrt(squares)
	}
	return z
}

func TestRegressionTakesTheSmallestSolution(t *testing.T) {
	x := randomRows(30, 2, 4)
	y := make([]float64, len(x))
	doubled := make([][]float64, len(x))
	for s, row := range x {
		if row[0]+row[1]/2 > 0 {
			y[s] = 1
		}
		doubled[s] = []float64{row[0], row[0], row[1], 0.1}
	}
	one := testdata.Must(fitLinear(x, y, true))(t)
	two := testdata.Must(fitLinear(doubled, y, true))(t)
	want := []float64{one.Coefficients[0] / 2, one.Coefficients[0] / 2, one.Coefficients[1], 0}
	for c, v := range two.Coefficients {
		testdata.Near(t, fmt.Sprintf("coefficient %d", c), v, want[c], 1e-10)
	}
	if two.Mean[3] != 0.1 || two.Std[3] != 1 {
		t.Errorf("a constant column has mean %v and deviation %v, want 0.1 and 1", two.Mean[3], two.Std[3])
	}
}

func TestRegressionOfMoreColumnsThanRowsMeetsEveryLabel(t *testing.T) {
	x := randomRows(12, 40, 5)
	y := []float64{0, 1, 0.5, 1, 0, 1, 0.5, 0, 0, 1, 1, 0}
	l := testdata.Must(fitLinear(x, y, false))(t)
	for s := range x {
		testdata.Near(t, fmt.Sprintf("row %d has the value", s), l.Value(x[s]), y[s], 1e-9)
	}
}

func TestRegressionOfEqualRowsIsTheMean(t *testing.T) {
	x := [][]float64{{0, 0}, {0, 0}, {0, 0}, {0, 0}}
	for _, zScores := range []bool{false, true} {
		l := testdata.Must(fitLinear(x, []float64{1, 0, 0, 0}, zScores))(t)
		testdata.Is(t, "value", l.Value([]float64{0, 0}), 0.25)
	}
}

// TestRegressionLearnsNothingFromRounding has rows of one direction: after normalising they differ
// in their last bits alone.
func TestRegressionLearnsNothingFromRounding(t *testing.T) {
	y := []float64{0, 1, 0, 1, 1, 0, 1}
	for _, direction := range [][]float64{{0.1, 0.7, 0.3}, {0.37}, {-3, 1e-9, 0.2, 7, 1e5}} {
		x := make([][]float64, len(y))
		for s := range x {
			for _, v := range direction {
				x[s] = append(x[s], v*0.37*float64(s+1))
			}
		}
		l := testdata.Must(fitLinear(x, y, false))(t)
		if floats.Norm(l.Coefficients, 2) != 0 || math.Abs(l.Intercept-4./7) > 1e-15 {
			t.Errorf("%v: coefficients %v, intercept %v", direction, l.Coefficients, l.Intercept)
		}
	}
}

// TestRegressionKeepsSmallColumns has columns that are far smaller than the first, which alone
// would say nothing.
func TestRegressionKeepsSmallColumns(t *testing.T) {
	x := [][]float64{{1, 1e-9}, {1, 3e-9}, {1, 2e-9}, {1, 4e-9}}
	y := []float64{0, 1, 0, 1}
	l := testdata.Must(fitLinear(x, y, false))(t)
	for s, want := range []float64{-0.1, 0.7, 0.3, 1.1} { // the line through y at 1, 3, 2, 4: 1/2 + 2/5 (x - 5/2)
		testdata.Near(t, fmt.Sprintf("row %d has the value", s), l.Value(x[s]), want, 1e-6)
	}
}

func TestRowsOfAnyLengthAreNormalised(t *testing.T) {
	for _, scale := range []float64{1e-300, 1, 1e300, math.MaxFloat64 / 4} {
		x := []float64{3 * scale, 0, -4 * scale}
		z := (&Linear{}).normal(make([]float64, 3), x)
		for c, want := range []float64{0.6, 0, -0.8} {
			if math.Abs(z[c]-want) > 1e-15 {
				t.Errorf("scale %g: column %d becomes %v, want %v", scale, c, z[c], want)
			}
		}
		testdata.Is(t, fmt.Sprintf("scale %g: the row was changed to %v", scale, x), x[0], 3*scale)
	}
}

func TestRegressionTakesColumnsWhoseDeviationVanishes(t *testing.T) {
	x := [][]float64{{1e-200, 1}, {0, 2}, {0, 4}, {1e-200, 3}} // squares of the first column are 0
	l := testdata.Must(fitLinear(x, []float64{0, 0, 1, 1}, true))(t)
	if l.Std[0] != 1 || math.Abs(l.Value(x[2])-l.Value([]float64{5e-200, 4})) > 1e-12 {
		t.Errorf("deviation %v, coefficients %v", l.Std[0], l.Coefficients)
	}
}

func TestRegressionRefusesNumbersThatOverflow(t *testing.T) {
	x := [][]float64{{math.MaxFloat64, 1}, {-math.MaxFloat64, 2}, {math.MaxFloat64, 3}}
	if _, err := fitLinear(x, []float64{0, 1, 0}, true); err == nil {
		t.Error("columns whose deviation overflows were fitted")
	}
	if l, err := fitLinear(x, []float64{0, 1, 0}, false); err != nil || math.Abs(l.Value(x[1])-1) > 1e-9 {
		t.Errorf("rows of length 1 do not overflow, but: %v", err)
	}
}

func TestPositionsBecomeClassesAndProbabilities(t *testing.T) {
	below := func(v float64) float64 { return math.Nextafter(v, -1) }
	var l Linear
	for _, c := range []struct {
		classes     int
		value       float64
		class       int
		probability []float64
	}{
		{2, -3, 0, []float64{1, 0}},
		{2, below(0.5), 0, []float64{1 - below(0.5), below(0.5)}},
		{2, 0.5, 1, []float64{0.5, 0.5}},
		{2, math.Inf(1), 1, []float64{0, 1}},
		{3, -0.1, 0, []float64{1, 0, 0}},
		{3, below(0.25), 0, []float64{1 - 2*below(0.25), 2 * below(0.25), 0}},
		{3, 0.25, 1, []float64{0.5, 0.5, 0}},
		{3, 0.5, 1, []float64{0, 1, 0}},
		{3, below(0.75), 1, []float64{0, 1 - (2*below(0.75) - 1), 2*below(0.75) - 1}},
		{3, 0.75, 2, []float64{0, 0.5, 0.5}},
		{3, 7, 2, []float64{0, 0, 1}},
	} {
		testdata.Is(t, fmt.Sprintf("value %v of %d classes is class", c.value, c.classes),
			l.class(c.value, c.classes), c.class)
		testdata.Equal(t, fmt.Sprintf("value %v of %d classes has probabilities", c.value, c.classes),
			l.shares(c.value, c.classes), c.probability)
	}
}
