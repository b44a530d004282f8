package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func TestHuberKnownLines(t *testing.T) {
	for _, c := range []struct {
		name             string
		x, y             []float64
		intercept, slope float64
	}{
		{"two points", []float64{1, 3}, []float64{2, 6}, 0, 2},
		{"a line", []float64{0, 1, 2, 5}, []float64{1, -1, -3, -9}, 1, -2},
		{"a level", []float64{0, 1, 2}, []float64{7, 7, 7}, 7, 0},
		{"equal points", []float64{1, 1, 2}, []float64{1, 1, 3}, -1, 2},
		{"far from the origin", []float64{1e6, 1e6 + 1, 1e6 + 2}, []float64{1, 2, 3}, 1 - 1e6, 1},
	} {
		for name, fit := range map[string]func(x, y []float64) Line{"Huber": Huber, "LeastSquares": LeastSquares} {
			got := fit(c.x, c.y)
			if !got.Defined() || !got.Settled || !near(got.Intercept, c.intercept, 1e-9*(1+math.Abs(c.intercept))) || !near(got.Slope, c.slope, 1e-9) {
				t.Errorf("%s of %s: %+v, want %v and %v", name, c.name, got, c.intercept, c.slope)
			}
		}
	}
}

// A point far away draws the line of least squares to itself, the robust one by no more than any other point beyond the bound.
func TestHuberBearsOutliers(t *testing.T) {
	x, y := []float64{0, 1, 2, 3, 4, 5, 6, 7}, []float64{0.1, 0.9, 2.1, 2.9, 4.1, 4.9, 6.1, 6.9}
	clean := Huber(x, y)
	y[7] = 500
	near500, far := Huber(x, y), LeastSquares(x, y)
	y[7] = 5000
	near5000 := Huber(x, y)
	if math.Abs(near500.Slope-clean.Slope) > 0.2 || math.Abs(far.Slope-clean.Slope) < 10 {
		t.Errorf("slopes: %v without, %v with the outlier, %v by least squares", clean.Slope, near500.Slope, far.Slope)
	}
	testdata.Near(t, "the outlier's distance counts", near500.Slope, near5000.Slope, 1e-9)
}

func TestLinesUndefined(t *testing.T) {
	for _, c := range []struct {
		name   string
		x, y   []float64
		reason string
	}{
		{"nothing", nil, nil, FewPoints},
		{"one point", []float64{1}, []float64{1}, FewPoints},
		{"all x equal", []float64{2, 2, 2}, []float64{1, 2, 3}, XFixed},
		{"too large", []float64{-1e300, 0, 1e300}, []float64{1e300, 0, 1e300}, TooFar},
	} {
		for name, fit := range map[string]func(x, y []float64) Line{"Huber": Huber, "LeastSquares": LeastSquares} {
			if got := fit(c.x, c.y); got.Defined() || got.Reason != c.reason {
				t.Errorf("%s of %s: %+v, want %q", name, c.name, got, c.reason)
			}
		}
	}
}

// slowHuber is spec/ei.md word by word, with the normal equations in place of centred sums.
func slowHuber(x, y []float64) (c0, c1, scale float64, settled bool) {
	weights := make([]float64, len(x))
	for k := range weights {
		weights[k] = 1
	}
	c0, c1 = slowFit(x, y, weights)
	for range 5000 {
		var sizes []float64
		largest := 1.0
		for k := range x {
			sizes = append(sizes, math.Abs(y[k]-(c0+c1*x[k])))
			largest = math.Max(largest, math.Abs(y[k]))
		}
		scale = sortedMedian(sizes) / 0.6744897501960817
		if scale <= 1e-12*largest {
			return c0, c1, scale, true
		}
		for k, size := range sizes {
			weights[k] = 1
			if u := size / scale; u > 1.345 {
				weights[k] = 1.345 / u
			}
		}
		was0, was1 := c0, c1
		c0, c1 = slowFit(x, y, weights)
		if math.Abs(c0-was0) < 1e-12*(1+math.Abs(c0)) && math.Abs(c1-was1) < 1e-12*(1+math.Abs(c1)) {
			return c0, c1, scale, true
		}
	}
	return c0, c1, scale, false
}

func slowFit(x, y, weights []float64) (c0, c1 float64) {
	var w, wx, wy, wxx, wxy float64
	for k := range x {
		w, wx, wy = w+weights[k], wx+weights[k]*x[k], wy+weights[k]*y[k]
		wxx, wxy = wxx+weights[k]*x[k]*x[k], wxy+weights[k]*x[k]*y[k]
	}
	c1 = (w*wxy - wx*wy) / (w*wxx - wx*wx)
	return (wy - c1*wx) / w, c1
}

func sortedMedian(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// Random points with some outliers. Where both settle they agree far below the tolerance of the golden values.
func TestHuberEqualsSlowVersion(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for round := range 300 {
		n := 3 + random.IntN(40)
		x, y := make([]float64, n), make([]float64, n)
		for k := range x {
			x[k] = random.Float64()
			y[k] = 2*x[k] - 1 + 0.3*random.NormFloat64()
			if random.IntN(6) == 0 {
				y[k] += 10 * random.NormFloat64()
			}
		}
		got := Huber(x, y)
		c0, c1, scale, settled := slowHuber(x, y)
		testdata.Is(t, fmt.Sprintf("round %d: settled", round), got.Settled, settled)
		if settled && !(near(got.Intercept, c0, 1e-8) && near(got.Slope, c1, 1e-8) && near(got.Scale, scale, 1e-8)) {
			t.Errorf("round %d: %+v, want %v, %v, scale %v", round, got, c0, c1, scale)
		}
	}
}

// The line minimises no other sum: at the fixed point the weighted residuals are free of x and of a level.
func TestHuberIsAFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 30).Draw(t, "n")
		x := rapid.SliceOfN(rapid.Map(rapid.IntRange(-50, 50), func(v int) float64 { return float64(v) / 10 }), n, n).Draw(t, "x")
		y := rapid.SliceOfN(rapid.Map(rapid.IntRange(-500, 500), func(v int) float64 { return float64(v) / 7 }), n, n).Draw(t, "y")
		keptX, keptY := slices.Clone(x), slices.Clone(y)
		line := Huber(x, y)
		if !slices.Equal(x, keptX) || !slices.Equal(y, keptY) {
			t.Fatal("the points have changed")
		}
		if !line.Defined() || !line.Settled || line.Scale < 1e-9 {
			return
		}
		var level, along float64
		for k := range x {
			r := y[k] - line.At(x[k])
			r = max(-1.345*line.Scale, min(1.345*line.Scale, r))
			level, along = level+r, along+r*x[k]
		}
		if math.Abs(level) > 1e-6 || math.Abs(along) > 1e-6 {
			t.Fatalf("%+v leaves %v and %v", line, level, along)
		}
	})
}

func TestMedianEqualsSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-1e6, 1e6), rapid.Just(1.0), rapid.Just(0.0)), 1, 60).Draw(t, "values")
		want := sortedMedian(values)
		if got := median(slices.Clone(values)); !near(got, want, 1e-9*max(1, math.Abs(want))) {
			t.Fatalf("median %v of %v, want %v", got, values, want)
		}
	})
}

func TestLinesPanicOnDifferentLengths(t *testing.T) {
	testdata.Panics(t, "different lengths", func() { Huber([]float64{1, 2, 3}, []float64{1, 2}) })
}

func BenchmarkHuber150(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	x, y := make([]float64, 150), make([]float64, 150)
	for k := range x {
		x[k] = random.Float64()
		y[k] = 4*x[k] + random.NormFloat64()
	}
	for b.Loop() {
		Huber(x, y)
	}
}

// Scores that differ little, such as those of models that hardly change their minds, must not cost 5000 rounds of rounding.
func TestHuberSettlesWhereXLieCloseTogether(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, width := range []float64{1, 1e-3, 1e-6, 1e-9, 1e-12} {
		for range 100 {
			u, x, y := make([]float64, 20), make([]float64, 20), make([]float64, 20)
			for k := range x {
				x[k] = 1 - width*random.Float64()
				u[k] = (x[k] - 1) / width // exact but for the division
				y[k] = 3*u[k] + 0.3*random.NormFloat64()
			}
			got, want := Huber(x, y), Huber(u, y)
			if !got.Settled || got.Rounds > 200 {
				t.Fatalf("width %v: %+v", width, got)
			}
			if !near(got.Slope*width, want.Slope, 1e-8) || !near(got.Scale, want.Scale, 1e-8) {
				t.Errorf("width %v: slope %v and scale %v, want %v and %v", width, got.Slope*width, got.Scale, want.Slope, want.Scale)
			}
		}
	}
}
