package variance

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestContributionsAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		narrow, wide, images := drawSignals(t)
		got := Contributions(narrow, images)
		parts := make([]float64, len(images))
		total := 0.0
		for x, k := range images {
			for i := range wide {
				for j := range i {
					d := wide[i][k] - wide[j][k]
					parts[x] += d * d
				}
			}
			total += parts[x]
		}
		sum := 0.0
		for x := range images {
			want := 0.0
			if total > 0 {
				want = parts[x] / total
			}
			if math.Abs(got[x]-want) > 1e-12 {
				t.Fatalf("share %d is %v, want %v", x, got[x], want)
			}
			sum += got[x]
		}
		if total > 0 && math.Abs(sum-1) > 1e-12 || total == 0 && sum != 0 {
			t.Fatalf("shares sum to %v", sum)
		}
	})
}

func TestContributionsOfZeroMatrix(t *testing.T) {
	signals := [][]float32{{.1, .7}, {.1, .7}, {.1, .7}}
	for _, s := range slices.Concat(Contributions(signals, []int{0, 1}), CellContributions(signals, []int{0, 1}, 2, 0)) {
		if s != 0 {
			t.Errorf("share %v of a zero matrix", s)
		}
	}
}

func TestRankTies(t *testing.T) {
	ranked := Rank([]float64{.1, .4, .1, .4}, []int{9, 8, 2, 3})
	var order []int
	for _, s := range ranked {
		order = append(order, s.Image)
	}
	if !slices.Equal(order, []int{3, 8, 2, 9}) {
		t.Errorf("order %v", order)
	}
}

// withExtremes are m images whose signals differ by 1 between two transformations, but for some with the given
// difference.
func withExtremes(m int, extremes map[int]float32) [][]float32 {
	signals := [][]float32{make([]float32, m), make([]float32, m)}
	for k := range m {
		signals[1][k] = 1
		if d, ok := extremes[k]; ok {
			signals[1][k] = d
		}
	}
	return signals
}

func TestFlagExtremes(t *testing.T) {
	// With 100 images the threshold is 20%: d^2 = 25 of 99+25 is 20.2%, d^2 = 24 is 19.5%.
	flagged := FlagExtremes(withExtremes(100, map[int]float32{7: 5}), upTo(100))
	if len(flagged) != 1 || flagged[0].Image != 7 || math.Abs(flagged[0].Share-25.0/124) > 1e-9 {
		t.Errorf("flagged %v", flagged)
	}
	if flagged := FlagExtremes(withExtremes(100, map[int]float32{7: 4.898}), upTo(100)); len(flagged) != 0 {
		t.Errorf("below the threshold: %v", flagged)
	}
	if flagged := FlagExtremes(withExtremes(39, map[int]float32{7: 1000}), upTo(39)); len(flagged) != 0 {
		t.Errorf("39 images: %v", flagged)
	}
	if flagged := FlagExtremes(withExtremes(40, map[int]float32{7: 1000}), upTo(40)); len(flagged) != 1 {
		t.Errorf("40 images: %v", flagged)
	}
}

func TestClean(t *testing.T) {
	images := func(s []Share) (out []int) {
		for _, e := range s {
			out = append(out, e.Image)
		}
		return out
	}
	for name, tt := range map[string]struct {
		m        int
		extremes map[int]float32
		want     []int
	}{
		"nothing":                     {300, nil, nil},
		"one round":                   {300, map[int]float32{5: 50, 8: 51}, []int{8, 5}},
		"hidden behind a larger one":  {300, map[int]float32{5: 1e4, 8: 20}, []int{5, 8}},
		"one percent is the most":     {200, map[int]float32{1: 90, 2: 91, 3: 92}, []int{3, 2}},
		"one of few images":           {50, map[int]float32{1: 900, 2: 901}, []int{2}},
		"too few images for the rule": {30, map[int]float32{1: 900}, nil},
	} {
		kept, removed := ScalarDifferences(withExtremes(tt.m, tt.extremes)).Clean(upTo(tt.m))
		if !slices.Equal(images(removed), tt.want) {
			t.Errorf("%s: removed %v, want %v", name, removed, tt.want)
		}
		if len(kept)+len(removed) != tt.m || !slices.IsSorted(kept) {
			t.Errorf("%s: %d kept of %d", name, len(kept), tt.m)
		}
		for _, e := range removed {
			if slices.Contains(kept, e.Image) {
				t.Errorf("%s: image %d is kept and removed", name, e.Image)
			}
		}
	}
}

func TestHoeffding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.Float64Range(.01, 100).Draw(t, "range")
		c := rapid.Float64Range(.5, .999).Draw(t, "confidence")
		m := rapid.IntRange(1, 100000).Draw(t, "images")
		eps := HalfWidth(m, r, c)
		if b := Bound(m, eps, r); math.Abs(b-(1-c)) > 1e-9 {
			t.Fatalf("bound at the half-width is %v, want %v", b, 1-c)
		}
		need := ImagesNeeded(eps*(1+1e-9), r, c)
		if need > m || need < m-1 {
			t.Fatalf("%d images needed for the half-width of %d", need, m)
		}
	})
	if b := Bound(1, 1e-6, 1); b != 1 {
		t.Errorf("bound %v is not cut to 1", b)
	}
	if n := ImagesNeeded(0, 1, .9); n != math.MaxInt {
		t.Errorf("%d images for no width", n)
	}
	for _, tt := range []struct{ eps, delta, want float64 }{{.01, .5, .02}, {.01, .01, .1}, {.01, 0, .1}} {
		if got := DeltaHalfWidth(tt.eps, tt.delta); math.Abs(got-tt.want) > 1e-15 {
			t.Errorf("half-width of delta %v: %v, want %v", tt.delta, got, tt.want)
		}
	}
}

func BenchmarkContributions(b *testing.B) {
	signals, images := randomSignals(31, 10000), upTo(10000)
	for b.Loop() {
		Contributions(signals, images)
	}
}
