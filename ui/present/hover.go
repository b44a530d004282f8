package present

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
)

// Hover is the read-out of element (i, j): "V_i = -3°, V_j = 12°, δ = 0.0413". An axis without
// values gives the indices. It is empty outside the matrix.
func Hover(axis render.Axis, m variance.Matrix, i, j int) string {
	if i < 0 || j < 0 || i >= m.N || j >= m.N {
		return ""
	}
	delta := m.At(i, j)
	text := result.Significant(delta, 3)
	if math.IsNaN(delta) {
		text = "not a number"
	}
	if len(axis.Values) != m.N {
		return fmt.Sprintf("i = %s, j = %s, δ = %s", result.Whole(i), result.Whole(j), text)
	}
	return fmt.Sprintf("V_i = %s, V_j = %s, δ = %s", result.Digits(axis.Values[i], 6)+axis.Unit,
		result.Digits(axis.Values[j], 6)+axis.Unit, text)
}
