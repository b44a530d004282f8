package present

import (
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// PValue writes a p- or q-value with three decimals, and "<0.001" for less; NaN is None.
func PValue(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return result.Coefficient.Say(p, 0)
}

// Ends are the ends of a correlation's 95 % interval: "0.610 .. 0.880", None where there is none.
func Ends(c stats.Correlation) string {
	if !c.HasInterval() {
		return None
	}
	return result.Coefficient.Say(c.Low, 0) + " .. " + result.Coefficient.Say(c.High, 0)
}
