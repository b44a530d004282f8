package chance

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/variscope/variscope/engine/recipe"
)

// TestMcNemarEqualsSlowVersion adds the probabilities of all outcomes with as many or more images.
func TestMcNemarEqualsSlowVersion(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 22))
	for range 200 {
		first, second := make([]bool, r.IntN(40)), []bool{}
		only, differing := 0, 0
		for i := range first {
			first[i] = r.IntN(2) == 0
			second = append(second, r.IntN(2) == 0)
			if first[i] != second[i] {
				differing++
			}
			if second[i] && !first[i] {
				only++
			}
		}
		want, ways := 0., 1. // ways is differing over k
		for k := range differing + 1 {
			if k >= only {
				want += ways
			}
			ways *= float64(differing-k) / float64(k+1)
		}
		want /= math.Pow(2, float64(differing))
		if got := McNemar(first, second); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%d of %d: %v, want %v", only, differing, got, want)
		}
	}
}

// TestLook: a candidate counts when it is right for over 10 points more images and the test says so.
func TestLook(t *testing.T) {
	list := recipe.Candidates(3)
	if len(list) != 5 || len(recipe.Candidates(1)) != 3 || list[1].Text() != "resize=stretch;depth=float;scale=255" {
		t.Fatalf("%d and %d candidates, %s", len(list), len(recipe.Candidates(1)), list[1].Text())
	}
	rows := func(counts ...int) [][]bool { // the first images of each candidate are right
		right := make([][]bool, len(list))
		for k := range right {
			right[k] = make([]bool, LookImages)
			for i := range counts[k] {
				right[k][i] = true
			}
		}
		return right
	}
	for _, c := range []struct {
		counts []int
		want   string
	}{
		{[]int{22, 52, 30, 10, 0}, "looks as if it wants 0..255: 81.3 % instead of 34.4 % of 64 images right"},
		{[]int{22, 30, 52, 52, 0}, "looks as if it wants -1..1: 81.3 % instead of 34.4 % of 64 images right"}, // the first of equals
		{[]int{60, 10, 10, 10, 10}, ""},
		{[]int{22, 28, 20, 10, 0}, ""}, // 9.4 points more, p = 0.016
		{[]int{0, 6, 0, 0, 0}, ""},     // 9.4 points more
		{[]int{0, 7, 0, 0, 0}, "looks as if it wants 0..255: 10.9 % instead of 0 % of 64 images right"},
	} {
		if got := Look(list, rows(c.counts...)).String(); got != c.want {
			t.Errorf("%v: %q, want %q", c.counts, got, c.want)
		}
	}
	if got := Look(list, [][]bool{{}, {}, {}, {}, {}}); got.Doubtful() {
		t.Errorf("no images: %v", got)
	}
}
