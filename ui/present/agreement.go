package present

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/result"
)

// Cell is a cell of an agreement table. Shade is the strength of its background from 0 to 1, -1
// for none.
type Cell struct {
	Text, Hint string
	Shade      float64
}

// KappaCell is a coefficient with 3 decimals, shaded from 0 (no better than chance) to 1; when it
// is undefined, a dash whose hint is the reason.
func KappaCell(value float64, reason string) Cell {
	if reason == "" && math.IsNaN(value) {
		reason = "not a number"
	}
	if reason != "" {
		return Cell{Text: None, Hint: fmt.Sprintf("undefined: %s", reason), Shade: -1}
	}
	return Cell{Text: result.Coefficient.Say(value, 0), Shade: min(1, max(0, value))}
}
