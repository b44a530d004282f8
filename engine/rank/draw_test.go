package rank

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestASmallerDrawIsTheStartOfALargerOne(t *testing.T) {
	large := drawFirst(source(5, randomStream, 3, 0), upTo(100), 60)
	for count := range 60 {
		testdata.Equal(t, fmt.Sprintf("%d drawn", count),
			drawFirst(source(5, randomStream, 3, 0), upTo(100), count), large[:count])
	}
	seen := map[int32]bool{}
	for _, i := range large {
		if i < 0 || i >= 100 || seen[i] {
			t.Fatalf("%d is drawn twice or is none of 100", i)
		}
		seen[i] = true
	}
}

func TestDrawsAreEven(t *testing.T) {
	const repetitions, items, count = 4000, 20, 5
	first, any := make([]float64, items), make([]float64, items)
	for r := range repetitions {
		drawn := drawFirst(source(1, sdsStream, r, 0), upTo(items), count)
		first[drawn[0]]++
		for _, i := range drawn {
			any[i]++
		}
	}
	// Chi squared with 19 degrees of freedom is above 43.8 in one of a thousand cases; the seed is
	// fixed.
	for name, counts := range map[string][]float64{"first": first, "any": any} {
		expected, sum := 0.0, 0.0
		for _, n := range counts {
			expected += n / items
		}
		for _, n := range counts {
			sum += (n - expected) * (n - expected) / expected
		}
		if sum > 43.8 {
			t.Errorf("%s drawn: chi squared is %.1f for %v", name, sum, counts)
		}
	}
}

func TestStreamsDiffer(t *testing.T) {
	seen := map[uint64]string{}
	for _, ranker := range []uint64{randomStream, sdsStream, cesStream, cesReferenceStream, shareStream} {
		for repetition := range 50 {
			for model := range 40 {
				v := source(1, ranker, repetition, model).Uint64()
				if before, twice := seen[v]; twice {
					t.Fatalf("stream %d %d %d starts as %s does", ranker, repetition, model, before)
				}
				seen[v] = "another"
			}
		}
	}
	if source(1, cesStream, 0, 0).Uint64() == source(2, cesStream, 0, 0).Uint64() {
		t.Error("two seeds draw the same")
	}
}

func TestTheRestLosesWhatIsTaken(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for range 500 {
		samples := 1 + random.IntN(12)
		left, want := rest(upTo(samples)), upTo(samples)
		for len(left) > 0 {
			places := make([]int, 1+random.IntN(len(left)))
			left.places(random, places)
			taken := make([]int32, len(places))
			left.pick(places, taken)
			if distinct := slices.Compact(slices.Sorted(slices.Values(taken))); len(distinct) != len(places) {
				t.Fatalf("%v are drawn twice", taken)
			}
			left = left.without(places)
			want = slices.DeleteFunc(want, func(i int32) bool { return slices.Contains(taken, i) })
			testdata.Equal(t, fmt.Sprintf("without %v", taken),
				slices.Sorted(slices.Values(left)), slices.Sorted(slices.Values(want)))
		}
	}
}

func TestPlacesAreEven(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	counts := make([]float64, 12)
	left, places := rest(upTo(12)), make([]int, cesGroup)
	const rounds = 6000
	for range rounds {
		left.places(random, places)
		for _, p := range places {
			counts[p]++
		}
	}
	for p, n := range counts {
		testdata.Near(t, fmt.Sprintf("place %d is in", p), n/rounds, 5.0/12, 0.03)
	}
}
