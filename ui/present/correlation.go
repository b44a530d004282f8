package present

import (
	"fmt"

	"github.com/variscope/variscope/engine/stats"
)

// PValue writes a p- or q-value with three decimals, and "<0.001" for less; NaN is None.
func PValue(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return Kappa(p)
}

// Ends are the ends of a correlation's 95 % interval: "0.610 .. 0.880", None where there is none.
func Ends(c stats.Correlation) string {
	if !c.HasInterval() {
		return None
	}
	return Kappa(c.Low) + " .. " + Kappa(c.High)
}

// Correlation is "Pearson r 0.931 (95 % 0.870 .. 0.964, p <0.001)", without the interval where
// there is none; None stands for a correlation that is undefined.
func Correlation(name string, c stats.Correlation) string {
	switch {
	case !c.Defined():
		return name + " " + None
	case !c.HasInterval():
		return fmt.Sprintf("%s %s (p %s)", name, Kappa(c.Value), PValue(c.P))
	}
	return fmt.Sprintf("%s %s (95 %% %s, p %s)", name, Kappa(c.Value), Ends(c), PValue(c.P))
}
