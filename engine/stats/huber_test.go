package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
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
			if !got.Defined() || !got.Settled || !near(got.Intercept, c.intercept, 1e-9*(1+math.Abs(c.intercept))) ||
				!near(got.Slope, c.slope, 1e-9) {
				t.Errorf("%s of %s: %+v, want %v and %v", name, c.name, got, c.intercept, c.slope)
			}
		}
	}
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

// The line minimises no other sum: at the fixed point the weighted residuals are free of x and of a
// level.
func TestHuberIsAFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 30).Draw(t, "n")
		x := rapid.SliceOfN(rapid.Map(rapid.IntRange(-50, 50), func(v int) float64 { return float64(v) / 10 }), n,
			n).Draw(t, "x")
		y := rapid.SliceOfN(rapid.Map(rapid.IntRange(-500, 500), func(v int) float64 { return float64(v) / 7 }), n,
			n).Draw(t, "y")
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
		values := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-1e6, 1e6), rapid.Just(1.0), rapid.Just(0.0)), 1,
			60).Draw(t, "values")
		sorted := slices.Sorted(slices.Values(values))
		want := (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
		if got := median(slices.Clone(values)); !near(got, want, 1e-9*max(1, math.Abs(want))) {
			t.Fatalf("median %v of %v, want %v", got, values, want)
		}
	})
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

// Scores that differ little, such as those of models that hardly change their minds, must not cost
// 5000 rounds of rounding.
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
				t.Errorf("width %v: slope %v and scale %v, want %v and %v", width, got.Slope*width, got.Scale,
					want.Slope, want.Scale)
			}
		}
	}
}
