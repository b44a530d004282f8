package scatter

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// cloudOf draws a small cloud. Grids of distances make ties and points on the edge of circles
// likely.
func cloudOf(t *rapid.T) Cloud {
	targets, m := rapid.IntRange(1, 5).Draw(t, "targets"), rapid.IntRange(1, 6).Draw(t, "images")
	steps := rapid.SampledFrom([]int{1, 2, 8, 16, 1 << 30}).Draw(t, "steps")
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	c := Cloud{D: rapid.SampledFrom([]float64{1, 0.3, 4, 1.0345}).Draw(t, "D")}
	for range targets {
		distances, signals := make([]float64, m), make([]float64, m)
		for i := range m {
			if i > 0 {
				distances[i] = float64(random.IntN(steps+1)) / float64(steps) * c.D
			}
			signals[i] = float64(random.IntN(64)) / 8
		}
		c.Distances, c.Signals = append(c.Distances, distances), append(c.Signals, signals)
	}
	return c
}

func interpolantOf(t *rapid.T) Interpolant {
	return Interpolant{
		Size:  rapid.SampledFrom([]float64{0.5, 1, 2, 5, 8.5, 16, 32, 200}).Draw(t, "size"),
		Sigma: rapid.SampledFrom([]float64{0.4, 1, 2, 5, 10, 1e6}).Draw(t, "sigma"),
		K:     rapid.SampledFrom([]int{0, 1, 2, 5, 32, 100000}).Draw(t, "K"),
	}
}

// differ says where two matrices differ by more than a tolerance; NaN equals NaN.
func differ(got, want Matrix, tolerance float64) error {
	if got.R != want.R || len(got.Values) != len(want.Values) {
		return fmt.Errorf("%d x %d elements (%d), want %d", got.R, got.R, len(got.Values), want.R)
	}
	for e, w := range want.Values {
		if g := got.Values[e]; math.IsNaN(g) != math.IsNaN(w) || math.Abs(g-w) > tolerance {
			return fmt.Errorf("element %d, %d is %v, want %v", e%got.R, e/got.R, g, w)
		}
	}
	return nil
}

func TestInterpolateEqualsTheDirectFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, raster := cloudOf(t), rapid.SampledFrom([]int{4, 7, 16, 20}).Draw(t, "raster")
		list := []Interpolant{interpolantOf(t), interpolantOf(t)}
		got := testdata.Must(Interpolate(context.Background(), c, raster, list))(t)
		for k, p := range list {
			testdata.OK(t, differ(got[k], slow(c, raster, p), 1e-9))
		}
	})
}

// The cloud has enough targets for several chunks and a grid of many cells.
func TestInterpolateManyTargetsEqualsTheDirectFormula(t *testing.T) {
	c := published(40)
	for _, p := range append(Interpolants(), Interpolant{6, 1.5, 0}) {
		got := testdata.Must(Interpolate(t.Context(), c, 16, []Interpolant{p}))(t)
		testdata.OK(t, differ(got[0], slow(c, 16, p), 1e-9))
	}
}

func TestSameBitsForAnyNumberOfGoroutines(t *testing.T) {
	c := published(150)
	p := place(c.Distances, c.value, c.D, 32)
	var first []Matrix
	for _, workers := range []int{1, 2, 8} {
		got := testdata.Must(p.interpolate(t.Context(), Interpolants(), workers))(t)
		if first == nil {
			first = got
		}
		for k := range got {
			testdata.Equal(t, fmt.Sprintf("%s has other bits with %d goroutines", Interpolants()[k], workers),
				got[k].Values, first[k].Values)
		}
	}
}

func TestInterpolateEdges(t *testing.T) {
	point := Cloud{Distances: [][]float64{{0}}, Signals: [][]float64{{3}}, D: 1}
	two := Cloud{Distances: [][]float64{{0, 0}}, Signals: [][]float64{{1, 3}}, D: 1}
	corner := Cloud{Distances: [][]float64{{0, 1}}, Signals: [][]float64{{1, 3}}, D: 1}
	for _, test := range []struct {
		name string
		c    Cloud
		p    Interpolant
		a, b int
		want float64
	}{
		{"one point is 0", point, Interpolant{16, 5, 32}, 0, 0, 0},
		{"the circle is empty without neighbours", point, Interpolant{4, 2, 0}, 7, 7, math.NaN()},
		{"the circle is empty with neighbours", point, Interpolant{4, 2, 1}, 7, 7, 0},
		{"weights of 0 far off", two, Interpolant{100, 1e-3, 0}, 7, 7, math.NaN()},
		{"weights that are rounding noise", point, Interpolant{100, 0.28, 0}, 7, 7, math.NaN()},
		{"a narrow sigma on a point's own element", corner, Interpolant{100, 1e-200, 2}, 3, 3, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := testdata.Must(Interpolate(t.Context(), test.c, 8, []Interpolant{test.p}))(t)
			if v := got[0].At(test.a, test.b); math.Abs(v-test.want) > 1e-12 || math.IsNaN(v) != math.IsNaN(test.want) {
				t.Errorf("element %d, %d is %v, want %v", test.a, test.b, v, test.want)
			}
		})
	}
	testdata.Is(t, "no interpolants", len(testdata.Must(Interpolate(t.Context(), point, 8, nil))(t)), 0)
}

func TestInterpolateRefuses(t *testing.T) {
	good := func() Cloud {
		return Cloud{Distances: [][]float64{{0, 0.5}, {0, 1}}, Signals: [][]float64{{1, 2}, {3, 4}}, D: 1}
	}
	by := Interpolant{16, 5, 32}
	for want, spoil := range map[string]func(c *Cloud){
		"the cloud has no targets":                  func(c *Cloud) { *c = Cloud{D: 1} },
		"distances of 1 targets and signals of 2":   func(c *Cloud) { c.Distances = c.Distances[:1] },
		"target 1 has 1 distances and 2 signals":    func(c *Cloud) { c.Distances[1] = c.Distances[1][:1] },
		"target 1 has 2 distances and 1 signals":    func(c *Cloud) { c.Signals[1] = c.Signals[1][:1] },
		"lies at distance NaN":                      func(c *Cloud) { c.Distances[0][1] = math.NaN() },
		"lies at distance 1.01":                     func(c *Cloud) { c.Distances[0][1] = 1.01 },
		"image 1 of target 0 lies at distance -0.1": func(c *Cloud) { c.Distances[0][1] = -0.1 },
		"signal of image 1 of target 1 is NaN":      func(c *Cloud) { c.Signals[1][1] = math.NaN() },
		"is +Inf":                                   func(c *Cloud) { c.Signals[1][1] = math.Inf(1) },
		"end at 0; the largest distance must":       func(c *Cloud) { c.D = 0 },
		"end at NaN; the largest distance must":     func(c *Cloud) { c.D = math.NaN() },
	} {
		c := good()
		spoil(&c)
		testdata.Refused(t, want, testdata.Err(Interpolate(t.Context(), c, 64, []Interpolant{by})), want)
	}
	for want, p := range map[string]Interpolant{
		"size of the circle": {0, 5, 32}, "sigma": {16, math.NaN(), 32}, "K must be": {16, 5, -1},
	} {
		testdata.Refused(t, want, testdata.Err(Interpolate(t.Context(), good(), 64, []Interpolant{p})), want)
	}
	for _, raster := range []int{3, 513} {
		testdata.Refused(t, "raster", testdata.Err(Interpolate(t.Context(), good(), raster, []Interpolant{by})),
			fmt.Sprintf("raster of %d", raster))
	}
	testdata.OK(t, good().Check())
}

func TestInterpolateIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	testdata.ErrorIs(t, "error",
		testdata.Err(Interpolate(ctx, published(100), 64, Interpolants())), context.Canceled)
}

func TestOf(t *testing.T) {
	c := published(5)
	of := c.Of([]int{1, 4})
	if of.D != c.D || of.Points() != 2*33*33 || &of.Signals[1][0] != &c.Signals[4][0] ||
		&of.Distances[0][0] != &c.Distances[1][0] {
		t.Errorf("%d points, D %v", of.Points(), of.D)
	}
}

func TestInterpolantTexts(t *testing.T) {
	for text, want := range map[string]Interpolant{
		"I1": {16, 5, 32}, "i2": {32, 2, 32}, " I3 ": {32, 10, 32}, "16,5,32": {16, 5, 32}, "8, 0.5 ,0": {8, 0.5, 0},
		"1e2,3,4": {100, 3, 4},
	} {
		got, err := ParseInterpolant(text)
		if err != nil || got != want {
			t.Errorf("%q is %v (%v), want %v", text, got, err, want)
		}
		testdata.Is(t, "again", testdata.Must(ParseInterpolant(got.String()))(t), got)
	}
	for text, want := range map[string]string{
		"": "three numbers", "I4": "three numbers", "1,2": "three numbers", "1,2,3,4": "three numbers",
		"x,2,3": "size \"x\" is no number", "1,,3": "sigma", "1,2,3.5": "whole number", "0,2,3": "above 0",
		"1,-2,3": "above 0", "NaN,2,3": "above 0", "1,Inf,3": "above 0", "1,2,-1": "K must be",
	} {
		testdata.Refused(t, text, testdata.Err(ParseInterpolant(text)), want)
	}
	testdata.Is(t, "name", (Interpolant{32, 2, 32}).Name(), "I2")
	testdata.Is(t, "name", (Interpolant{32, 2.5, 0}).Name(), "32,2.5,0")
}

func FuzzParseInterpolant(f *testing.F) {
	for _, text := range []string{"I1", "16,5,32", "32,2.5,0", ",,", "1e999,1,1", "-1,2,3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseInterpolant(text)
		if err != nil {
			return
		}
		testdata.OK(t, p.Check())
		testdata.Is(t, fmt.Sprintf("%q", text), testdata.Must(ParseInterpolant(p.String()))(t), p)
	})
}
