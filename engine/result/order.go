package result

import (
	"cmp"
	"math"
)

// Compare orders numbers for a table, from the smallest or, descending, from the largest; NaN,
// which is no value, comes last in both orders.
func Compare(x, y float64, descending bool) int {
	switch {
	case math.IsNaN(x) && math.IsNaN(y):
		return 0
	case math.IsNaN(x):
		return 1
	case math.IsNaN(y):
		return -1
	case descending:
		return cmp.Compare(y, x)
	}
	return cmp.Compare(x, y)
}
