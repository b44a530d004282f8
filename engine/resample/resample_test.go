package resample

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// slowWeight is the weight of source entry k for output o, from the formula alone: every entry is
// looked at.
func slowWeight(src, dst, o, k int) float64 {
	tent := func(k int) float64 {
		s := float64(src) / float64(dst)
		return math.Max(0, 1-math.Abs(float64(k)+0.5-(float64(o)+0.5)*s)/math.Max(s, 1))
	}
	total := 0.0
	for q := range src {
		total += tent(q)
	}
	return tent(k) / total
}

func TestTriangleAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src, dst := rapid.IntRange(1, 60).Draw(t, "src"), rapid.IntRange(1, 60).Draw(t, "dst")
		filters := Triangle(src, dst)
		if len(filters) != dst {
			t.Fatalf("%d filters for %d outputs", len(filters), dst)
		}
		for o, f := range filters {
			if f.First < 0 || f.First+len(f.Weights) > src || len(f.Weights) == 0 {
				t.Fatalf("output %d: entries %d..%d of %d", o, f.First, f.First+len(f.Weights)-1, src)
			}
			for k := range src {
				got := 0.0
				if k >= f.First && k < f.First+len(f.Weights) {
					got = f.Weights[k-f.First]
				}
				if want := slowWeight(src, dst, o, k); math.Abs(got-want) > 1e-12 {
					t.Fatalf("output %d, entry %d: %v, want %v", o, k, got, want)
				}
			}
		}
	})
}

func TestTriangleKnown(t *testing.T) {
	for _, test := range []struct {
		name     string
		src, dst int
		line     []float64
		want     []float64
	}{
		{"halved", 4, 2, []float64{1, 0, 0, 0}, []float64{3. / 7, 0}},
		{"to one", 3, 1, []float64{1, 2, 3}, []float64{2}},
		{"doubled", 2, 4, []float64{0, 1}, []float64{0, .25, .75, 1}},
		{"from one", 1, 3, []float64{.3}, []float64{.3, .3, .3}},
	} {
		for o, f := range Triangle(test.src, test.dst) {
			if got := f.Sum(test.line, 1); math.Abs(got-test.want[o]) > 1e-15 {
				t.Errorf("%s: output %d = %v, want %v", test.name, o, got, test.want[o])
			}
		}
	}
}

func TestSameSizeIsLeftToTheBit(t *testing.T) {
	for size := 1; size < 70; size++ {
		line := make([]float64, 2*size) // every second entry
		for k := range line {
			line[k] = math.Sqrt(float64(k + 2))
		}
		for o, f := range Triangle(size, size) {
			testdata.Is(t, fmt.Sprintf("size %d: output %d", size, o), f.Sum(line, 2), line[2*o])
		}
	}
}

func TestMirroredSourceGivesMirroredResult(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src, dst := rapid.IntRange(1, 40).Draw(t, "src"), rapid.IntRange(1, 40).Draw(t, "dst")
		line := rapid.SliceOfN(rapid.Float64Range(0, 1), src, src).Draw(t, "line")
		mirrored := make([]float64, src)
		for k, v := range line {
			mirrored[src-1-k] = v
		}
		filters := Triangle(src, dst)
		for o := range filters {
			if a, b := filters[o].Sum(line, 1), filters[dst-1-o].Sum(mirrored, 1); math.Abs(a-b) > 1e-12 {
				t.Fatalf("output %d: %v and %v", o, a, b)
			}
		}
	})
}

// TestFiltersAgainstFormulas holds every filter to its formula over all entries: weights sum to 1,
// lie where Pillow's lie, and a window of outputs is the same as those of all.
func TestFiltersAgainstFormulas(t *testing.T) {
	sinc := func(x float64) float64 {
		if x == 0 {
			return 1
		}
		return math.Sin(math.Pi*x) / (math.Pi * x)
	}
	formulas := map[Kernel]func(x float64) float64{
		Box:      func(x float64) float64 { return map[bool]float64{true: 1}[-0.5 < x && x <= 0.5] },
		Bilinear: func(x float64) float64 { return math.Max(0, 1-math.Abs(x)) },
		Bicubic: func(x float64) float64 {
			if x = math.Abs(x); x < 1 {
				return 1.5*x*x*x - 2.5*x*x + 1
			} else if x < 2 {
				return -0.5*x*x*x + 2.5*x*x - 4*x + 2
			}
			return 0
		},
		Lanczos: func(x float64) float64 { return map[bool]float64{true: sinc(x) * sinc(x/3)}[-3 <= x && x < 3] },
	}
	rapid.Check(t, func(t *rapid.T) {
		kernel := rapid.SampledFrom(Kernels()[1:]).Draw(t, "kernel")
		src, dst, widened := rapid.IntRange(1, 40).Draw(t, "src"), rapid.IntRange(1, 40).Draw(t, "dst"),
			rapid.Bool().Draw(t, "widened")
		all := Filters(kernel, src, dst, 0, dst, widened)
		first := rapid.IntRange(0, dst-1).Draw(t, "first")
		for o, f := range Filters(kernel, src, dst, first, dst-first, widened) {
			if f.First != all[first+o].First || !slices.Equal(f.Weights, all[first+o].Weights) {
				t.Fatalf("output %d of the window is %v, %v of all", first+o, f, all[first+o])
			}
		}
		scale, wider := float64(src)/float64(dst), 1.
		if widened {
			wider = max(1, scale)
		}
		for o, f := range all {
			total := 0.
			for k := range src {
				total += formulas[kernel]((float64(k) + 0.5 - (float64(o)+0.5)*scale) / wider)
			}
			for k := range src {
				got, want := 0., formulas[kernel]((float64(k)+0.5-(float64(o)+0.5)*scale)/wider)/total
				if k >= f.First && k < f.First+len(f.Weights) {
					got = f.Weights[k-f.First]
				}
				testdata.Near(t, fmt.Sprintf("%s, output %d, entry %d", kernel, o, k), got, want, 1e-9)
			}
		}
	})
}
