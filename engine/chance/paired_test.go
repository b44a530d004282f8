package chance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/internal/testdata"
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

// TestLook: a candidate counts when it is right for over 10 points more images and the test says
// so.
func TestLook(t *testing.T) {
	list := recipe.Candidates(3, false)
	if len(list) != 5 || len(recipe.Candidates(1, false)) != 3 || list[0].Text() != "" ||
		list[1].Text() != "scale=255" ||
		len(recipe.Candidates(1, true)) != 1 || recipe.Candidates(3, true)[1].Text() != "channels=bgr" {
		t.Fatalf("candidates %v", list)
	}
	for _, c := range list[1:] { // what is taken is read back
		if part, err := recipe.Read(c.Text()); err != nil || part.Text() != c.Text() || part.Sets != c.Sets {
			t.Errorf("%s: %q, %v", c.Name, part.Text(), err)
		}
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
		{[]int{22, 52, 30, 10, 0}, "looks as if it wants 0..255: 81.3 % instead of 34.4 %"},
		{[]int{22, 30, 52, 52, 0}, "looks as if it wants -1..1: 81.3 % instead of 34.4 %"}, // the first of equals
		{[]int{60, 10, 10, 10, 10}, ""},
		{[]int{22, 28, 20, 10, 0}, ""}, // 9.4 points more, p = 0.016
		{[]int{0, 6, 0, 0, 0}, ""},     // 9.4 points more
		{[]int{0, 7, 0, 0, 0}, "looks as if it wants 0..255: 10.9 % instead of 0 %"},
	} {
		got := Look(list, rows(c.counts...))
		if got.Sentence() != c.want || got.Doubtful() != (c.want != "") || got.Doubtful() && !got.Improvable() ||
			len(got.Tried) != 5 {
			t.Errorf("%v: %q, want %q", c.counts, got.Sentence(), c.want)
		}
	}
	if got := Look(list, [][]bool{{}, {}, {}, {}, {}}); got.Doubtful() || (Looks{}).Doubtful() {
		t.Errorf("no images: %v", got)
	}
	for right, want := range map[int]bool{57: true, 58: false} { // of 64: 10.9 and 9.4 points are left
		testdata.Is(t, fmt.Sprintf("%d right: improvable", right),
			Look(list[:1], rows(right, 0, 0, 0, 0)).Improvable(), want)
	}
}
