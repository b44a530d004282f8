package result

import (
	"math"
	"slices"
	"testing"
)

func TestCompareKeepsWhatHasNoValueLast(t *testing.T) {
	for _, test := range []struct {
		descending bool
		want       []float64
	}{{false, []float64{-1, 0, 2}}, {true, []float64{2, 0, -1}}} {
		list := []float64{math.NaN(), 2, -1, math.NaN(), 0}
		slices.SortFunc(list, func(x, y float64) int { return Compare(x, y, test.descending) })
		if !slices.Equal(list[:3], test.want) || !math.IsNaN(list[3]) || !math.IsNaN(list[4]) {
			t.Errorf("descending %v: %v", test.descending, list)
		}
	}
}
