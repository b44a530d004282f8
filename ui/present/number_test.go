package present

import (
	"math"
	"testing"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/variance"
)

func TestHover(t *testing.T) {
	axis := render.Axis{Name: "rotation", Unit: "°", Values: []float64{-3, 12}}
	m := variance.Matrix{N: 2, Data: []float64{0, 0.04127, math.NaN(), 0}}
	for _, c := range []struct {
		axis render.Axis
		i, j int
		want string
	}{
		{axis, 0, 1, "V_i = -3°, V_j = 12°, δ = 0.0413"},
		{axis, 0, 0, "V_i = -3°, V_j = -3°, δ = 0"},
		{axis, 1, 0, "V_i = 12°, V_j = -3°, δ = not a number"},
		{render.Axis{}, 0, 1, "i = 0, j = 1, δ = 0.0413"},
		{axis, 2, 0, ""},
		{axis, 0, -1, ""},
	} {
		if got := Hover(c.axis, m, c.i, c.j); got != c.want {
			t.Errorf("Hover(%d, %d) = %q, want %q", c.i, c.j, got, c.want)
		}
	}
}
