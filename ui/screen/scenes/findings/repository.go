package findings

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/assess/tables"
	"github.com/variscope/variscope/engine/result"
)

// figureBins are the bins of the histograms, as in Fig. 16.
const figureBins = 10

// LabelBars are the numbers of models per label (the paper's Table 5).
func (v *View) LabelBars() result.Figure {
	d := result.Figure{
		Title: "Labels of the models", Empty: "no model has a label yet",
		X: result.Axis{Name: "models", Format: result.Count},
	}
	parts, unlabelled := tables.Table5(v.Assess)
	if len(v.Classes) == 0 {
		parts, unlabelled = nil, len(v.Rows)
	}
	if unlabelled > 0 {
		d.Note = result.Counted(unlabelled, "model") + " without a label"
	}
	labelled := 0
	for _, p := range parts {
		labelled += p.Models
	}
	if labelled == 0 {
		return d
	}
	d.Groups = []result.Group{{Look: result.Category(0)}}
	for _, p := range parts {
		text := fmt.Sprintf("%s (%s)", result.Whole(p.Models), result.Share.Say(p.Share, 0))
		d.AddBar(string(p.Label), text, fmt.Sprintf("%s: %s", string(p.Label), text), 0, float64(p.Models), 0)
	}
	return d
}

// Histogram is one of Fig. 16: the models by a share, divided by label.
func (v *View) Histogram(title, axis string, of func(r Row) float64) result.Figure {
	f := result.Figure{
		Title: title, Note: v.Caption(), X: result.Axis{Name: axis, Format: result.Share},
		Y: result.Axis{Name: "models", Format: result.Count}, Groups: v.groups(),
		Empty: "the targets have no labels, so that no prediction is right or wrong",
	}
	known, counts := 0, make([][]int, len(f.Groups))
	for g := range f.Groups {
		var values []float64
		for _, r := range v.Rows {
			if a := of(r); r.Label.Group(v.Classes) == g && !math.IsNaN(a) {
				values = append(values, a)
			}
		}
		known += len(values)
		var err error
		if counts[g], err = tables.Histogram(values, figureBins); err != nil { // no share is outside of 0 to 1
			counts[g] = make([]int, figureBins)
		}
	}
	if known > 0 {
		f.Boxes = result.Stacked(result.Edges(0, 1, figureBins), counts)
	}
	return f
}
