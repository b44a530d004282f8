package findings

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/assess/tables"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/widget"
)

// figureBins are the bins of the histograms, as in Fig. 16.
const figureBins = 10

// LabelBars are the numbers of models per label (the paper's Table 5).
func (v *View) LabelBars() widget.BarsData {
	d := widget.BarsData{Empty: "no model has a label yet"}
	d.Title, d.XName = "Labels of the models", "models"
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
	for _, p := range parts {
		text := fmt.Sprintf("%s (%s)", result.Whole(p.Models), result.Share.Say(p.Share, 0))
		d.Bars.Bars = append(d.Bars.Bars, render.Bar{Name: string(p.Label), To: float64(p.Models), Text: text})
		d.Hints = append(d.Hints, fmt.Sprintf("%s: %s", string(p.Label), text))
	}
	return d
}

// Histogram is one of Fig. 16: the models by a share, divided by label.
func (v *View) Histogram(title, axis string, of func(r Row) float64) widget.StackedData {
	d := widget.StackedData{
		Title: title, Note: v.Caption(), XName: axis, YName: "models", High: 1, Marked: math.NaN(),
		Empty: "the targets have no labels, so that no prediction is right or wrong",
	}
	for _, g := range v.groups() {
		d.Groups = append(d.Groups, widget.Group(g))
	}
	known := 0
	for g := range d.Groups {
		var values []float64
		for _, r := range v.Rows {
			if a := of(r); v.groupOf(r) == g && !math.IsNaN(a) {
				values = append(values, a)
			}
		}
		known += len(values)
		counts, err := tables.Histogram(values, figureBins)
		if err != nil { // no share is outside of 0 to 1
			continue
		}
		d.Counts = append(d.Counts, counts)
	}
	if known == 0 {
		d.Counts = nil
	}
	return d
}
