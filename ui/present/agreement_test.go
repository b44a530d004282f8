package present

import (
	"math"
	"testing"
)

func TestKappaCell(t *testing.T) {
	for _, c := range []struct {
		value  float64
		reason string
		want   Cell
	}{
		{0.8123, "", Cell{Text: "0.812", Shade: 0.8123}},
		{-0.2, "", Cell{Text: "-0.200", Shade: 0}},
		{1, "", Cell{Text: "1.000", Shade: 1}},
		{0, "expected agreement is 1", Cell{Text: "-", Hint: "undefined: expected agreement is 1", Shade: -1}},
		{math.NaN(), "", Cell{Text: "-", Hint: "undefined: not a number", Shade: -1}},
	} {
		if got := KappaCell(c.value, c.reason); got != c.want {
			t.Errorf("KappaCell(%v, %q) = %+v, want %+v", c.value, c.reason, got, c.want)
		}
	}
}
