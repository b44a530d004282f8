package present

import (
	"math"
	"slices"

	"github.com/variscope/variscope/engine/label"
)

// Cell is a cell of an agreement table. Shade is the strength of its background from 0 to 1, -1 for none.
type Cell struct {
	Text, Hint string
	Shade      float64
}

// KappaCell is a coefficient with 3 decimals, shaded from 0 (no better than chance) to 1; when it is undefined, a dash
// whose hint is the reason.
func KappaCell(value float64, reason string) Cell {
	if reason == "" && math.IsNaN(value) {
		reason = "not a number"
	}
	if reason != "" {
		return Cell{Text: None, Hint: "undefined: " + reason, Shade: -1}
	}
	return Cell{Text: Kappa(value), Shade: min(1, max(0, value))}
}

// Disagreement is an item that the annotators do not label alike.
type Disagreement struct {
	Model, ID string
	// Labels are in the order of the annotators, "" where one has not labelled the item.
	Labels []label.Value
	// Spread is the distance between the extreme labels: 2 from invariant to variant, 1 to or from borderline.
	Spread int
}

// rank puts the labels in their order.
var rank = map[label.Value]int{label.Invariant: 0, label.Borderline: 1, label.Variant: 2}

// Disagreements are the items with at least two labels that differ: widest spread first, then natural order of name.
// label returns "" for a missing label.
func Disagreements(models, annotators []string, name func(model string) string,
	label func(model, annotator string) label.Value,
) []Disagreement {
	var list []Disagreement
	for _, m := range models {
		d := Disagreement{Model: m, ID: name(m)}
		low, high := len(rank), -1
		for _, a := range annotators {
			value := label(m, a)
			d.Labels = append(d.Labels, value)
			if r, known := rank[value]; known {
				low, high = min(low, r), max(high, r)
			}
		}
		if d.Spread = high - low; d.Spread > 0 {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b Disagreement) int {
		if a.Spread != b.Spread {
			return b.Spread - a.Spread
		}
		return Natural(a.ID, b.ID)
	})
	return list
}
