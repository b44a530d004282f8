package rank

import (
	"fmt"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func discriminated(tb testing.TB, d Data) discrimination {
	tb.Helper()
	return testdata.Must(discriminate(tb.Context(), d))(tb)
}

func TestSizesOfTheGroupsOfSDS(t *testing.T) {
	for _, c := range []struct{ models, top, bottom int }{
		{3, 1, 1}, {4, 1, 2}, {10, 2, 3}, {20, 5, 6}, {25, 6, 7}, {30, 8, 9}, {100, 27, 27}, {165, 44, 45},
	} {
		d := simulated(1, c.models, 8, 3)
		s := discriminated(t, d)
		if len(s.top) != c.top || len(s.bottom) != c.bottom {
			t.Errorf("%d models: %d at the top, %d at the bottom, want %d and %d", c.models, len(s.top), len(s.bottom),
				c.top, c.bottom)
		}
	}
	for samples, want := range map[int]int{1: 0, 3: 0, 4: 1, 24: 6, 8154: 2038, 10000: 2500} {
		testdata.Is(t, fmt.Sprintf("the pool of %d samples", samples), poolSize(samples), want)
	}
}

func TestEqualSharesAreEqualInThePool(t *testing.T) {
	// 100 models: both groups have 27. A sample on which 18 of the top and none of the bottom agree
	// and one on which 27 and 9 do discriminate equally, though 27/27 - 9/27 is larger than 18/27
	// as a float; the first comes first.
	const models = 100
	s := discrimination{pseudo: make([]int32, 8), share: make([]float64, 8)}
	for j := range models {
		s.order = append(s.order, j)
	}
	s.top, s.bottom = s.order[:27], s.order[73:]
	d := Data{Models: make([]Model, models), Samples: 8, Classes: 2, Labels: make([]int32, 8*models)}
	agree := func(sample, top, bottom int) {
		for j := range models {
			d.Labels[sample*models+j] = 1
			if j < top || j >= 73 && j < 73+bottom {
				d.Labels[sample*models+j] = 0
			}
		}
	}
	for i := range 8 {
		agree(i, 0, 27)
	}
	agree(2, 18, 0)
	agree(5, 27, 9)
	testdata.OK(t, s.choose(t.Context(), d))
	testdata.Equal(t, "the pool", s.pool, []int32{2, 5})
}
