package region

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func TestEdgesCutASideIntoEvenParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size, n := rapid.IntRange(0, 300).Draw(t, "size"), rapid.IntRange(1, MaxGrid).Draw(t, "n")
		edges := Edges(size, n)
		if len(edges) != n+1 || edges[0] != 0 || edges[n] != size {
			t.Fatalf("%v", edges)
		}
		for r := range n {
			if part := edges[r+1] - edges[r]; part != size/n && part != (size+n-1)/n {
				t.Fatalf("row %d of %v has %d of %d entries", r, edges, part, size)
			}
		}
	})
}

// slowEmpty asks every entry of the map which region it lies in, and names the regions that none
// lies in.
func slowEmpty(height, width, n int) []int {
	rows, columns := Edges(height, n), Edges(width, n)
	var empty []int
	for i := 1; i <= n*n; i++ {
		entries := 0
		for y := rows[(i-1)/n]; y < rows[(i-1)/n+1]; y++ {
			for x := columns[(i-1)%n]; x < columns[(i-1)%n+1]; x++ {
				entries++
			}
		}
		if entries == 0 {
			empty = append(empty, i)
		}
	}
	return empty
}

func TestEmptyAgainstSlow(t *testing.T) {
	side := rapid.IntRange(1, 9)
	rapid.Check(t, func(t *rapid.T) {
		height, width, n := side.Draw(t, "height"), side.Draw(t, "width"), side.Draw(t, "n")
		if got, want := Empty(height, width, n), slowEmpty(height, width, n); !slices.Equal(got, want) {
			t.Fatalf("Empty(%d, %d, %d) = %v, want %v", height, width, n, got, want)
		}
	})
	testdata.Equal(t, "a map of one row", Empty(1, 8, 2), []int{1, 2})
}

func TestPad(t *testing.T) {
	for _, test := range []struct {
		height, width, n, t, region int
		want                        Padding
	}{
		{28, 28, 4, 5, 7, Padding{5, 10, 10, 5}}, // the paper's example
		{20, 30, 4, 5, 7, Padding{4, 8, 12, 6}},  // l/t, 2l/t, 2k/t, k/t
		{28, 28, 2, 5, 1, Padding{0, 5, 0, 5}},
		{28, 28, 2, 5, 4, Padding{5, 0, 5, 0}},
		{28, 28, 1, 5, 1, Padding{}},
		{28, 28, 3, 29, 5, Padding{}},
		{4, 9, 3, 5, 9, Padding{0, 0, 2, 0}}, // t above the height alone
		{7, 7, 3, 1, 5, Padding{7, 7, 7, 7}},
	} {
		testdata.Is(t, fmt.Sprintf("%+v", test), Pad(test.height, test.width, test.n, test.t, test.region), test.want)
	}
}

func TestPaddingsAddUpAndMirror(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(1, 70)
		height, width, n := side.Draw(t, "height"), side.Draw(t, "width"), rapid.IntRange(1, MaxGrid).Draw(t, "n")
		parameter := side.Draw(t, "t")
		high, wide := PaddedSize(height, width, n, parameter)
		for i := 1; i <= n*n; i++ {
			p := Pad(height, width, n, parameter, i)
			if height+p.Top+p.Bottom != high || width+p.Left+p.Right != wide {
				t.Fatalf("region %d: %+v does not make %d x %d", i, p, high, wide)
			}
			testdata.Is(t, fmt.Sprintf("regions %d and %d: %+v and", i, n*n+1-i, p),
				Pad(height, width, n, parameter, n*n+1-i), (Padding{p.Bottom, p.Top, p.Right, p.Left}))
		}
	})
}

func TestNumbersOfNoRegionPanic(t *testing.T) {
	s := testdata.Must(NewShifter(2, 2, 2, 1))(t)
	image := make([]float32, 4)
	for name, call := range map[string]func(){
		"0":               func() { Pad(8, 8, 2, 2, 0) },
		"5 of 4":          func() { Pad(8, 8, 2, 2, 5) },
		"no regions":      func() { Pad(8, 8, 0, 2, 1) },
		"shift to 0":      func() { s.Apply(make([]float32, 4), image, 1, 0) },
		"shift to 5 of 4": func() { s.Apply(make([]float32, 4), image, 1, 5) },
		"short source":    func() { s.Apply(make([]float32, 4), image[:3:3], 1, 1) },
		"short target":    func() { s.Apply(make([]float32, 3), image, 1, 1) },
		"short for three": func() { s.Apply(make([]float32, 12), image, 3, 1) },
		"cut off":         func() { Place(make([]float32, 4), image, 1, 2, 2, Padding{Left: -1}) },
		"no rows":         func() { Place(make([]float32, 4), image, 1, 0, 2, Padding{}) },
	} {
		testdata.Panics(t, name, call)
	}
}
