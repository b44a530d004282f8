package variance

import (
	"math"
	"testing"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

func TestRankTies(t *testing.T) {
	ranked := Rank([]float64{.1, .4, .1, .4}, []int{9, 8, 2, 3})
	var order []int
	for _, s := range ranked {
		order = append(order, s.Image)
	}
	testdata.Equal(t, "order", order, []int{3, 8, 2, 9})
}

// withExtremes are m images whose signals differ by 1 between two transformations, but for some
// with the given difference.
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

// TestTypicalFigureCountsEveryImageOnce: all bars of a group together are its images, and exactly
// the flagged ones lie beyond the limit.
func TestTypicalFigureCountsEveryImageOnce(t *testing.T) {
	d := ScalarDifferences(withExtremes(100, map[int]float32{7: 5, 8: 2}))
	f := d.TypicalFigure("max@CONF", testdata.UpTo(100), []int{7})
	testdata.OK(t, f.Check())
	var images [2]int
	for _, b := range f.Boxes {
		n := int(math.Round(math.Pow(10, b.Y1)))
		if b.Y1 <= result.LogCount(0) {
			n = 0
		}
		if images[b.Group] += n; n > 0 && (b.X1 > f.Rules[0].X) != (b.X0 <= 5 && b.X1 >= 5) {
			t.Errorf("%d images of group %d at %v..%v, the limit is %v", n, b.Group, b.X0, b.X1, f.Rules[0].X)
		}
	}
	testdata.Is(t, "images and extreme ones", images, [2]int{100, 1})
	if f := ScalarDifferences(withExtremes(9, nil)).TypicalFigure("", testdata.UpTo(9), nil); len(f.Rules) > 0 ||
		f.Check() != nil {
		t.Errorf("of few images none is flagged: %+v", f.Rules)
	}
	if f := ScalarDifferences([][]float32{{1, 1}, {1, 1}}).TypicalFigure("", []int{0, 1}, nil); f.Drawable() {
		t.Errorf("images that do not differ are drawn: %+v", f)
	}
}

// TestHalfWidthsOfEdges: the golden file has the others.
func TestHalfWidthsOfEdges(t *testing.T) {
	testdata.Is(t, "images for no width", ImagesNeeded(0, 1, .9), math.MaxInt)
	for _, tt := range []struct{ eps, delta, want float64 }{{.01, .5, .02}, {.01, .01, .1}, {.01, 0, .1}} {
		if got := DeltaHalfWidth(tt.eps, tt.delta); math.Abs(got-tt.want) > 1e-15 {
			t.Errorf("half-width of delta %v: %v, want %v", tt.delta, got, tt.want)
		}
	}
}
