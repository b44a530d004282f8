package findings

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/assess/tables"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// figureBins are the bins of the histograms, as in Fig. 16.
const figureBins = 10

// Statistics are those of a repository of models: the paper's Tables 5 and 6, and Fig. 16.
type Statistics struct {
	Parts           []tables.Part // nil where nothing is labelled
	Unlabelled      int
	Accuracy, Worst tables.Figures
}

// Statistics are those of the models that ran.
func (v *View) Statistics() Statistics {
	s := Statistics{Unlabelled: len(v.Rows)}
	s.Accuracy, s.Worst = tables.Table6(v.Assess)
	if len(v.Classes) > 0 {
		s.Parts, s.Unlabelled = tables.Table5(v.Assess)
	}
	return s
}

type namedFigures struct {
	name, key string
	tables.Figures
}

func (s Statistics) figures() []namedFigures {
	return []namedFigures{{"accuracy", "accuracy", s.Accuracy}, {"worst case", keyWorst, s.Worst}}
}

// figuresTable are the accuracies of all models in a few numbers.
var figuresTable = result.Table[namedFigures]{
	Name: "repository", Title: "Accuracies", Noun: "line", ID: func(f namedFigures) string { return f.key },
	Columns: []result.Column[namedFigures]{
		{
			Key: "what", Title: "of the models", Text: func(f namedFigures) string { return f.key },
			Said: func(f namedFigures) string { return f.name },
		},
		{Key: "models", Title: "models", Format: result.Count, Value: func(f namedFigures) float64 { return float64(f.N) }},
		{Key: "mean", Title: "mean", Format: result.Share, Value: func(f namedFigures) float64 { return f.Mean }},
		{Key: "max", Title: "largest", Format: result.Share, Value: func(f namedFigures) float64 { return f.Max }},
		{Key: "min", Title: "smallest", Format: result.Share, Value: func(f namedFigures) float64 { return f.Min }},
		{
			Key: "std", Title: "SD", Help: "standard deviation over the models", Format: result.Share,
			Value: func(f namedFigures) float64 { return f.Std },
		},
	},
}

// LabelBars are the numbers of models per label.
func (s Statistics) LabelBars() widget.BarsData {
	d := widget.BarsData{Empty: "no model has a label yet"}
	d.Title, d.XName = "Labels of the models", "models"
	if s.Unlabelled > 0 {
		d.Note = fmt.Sprintf("%s without a label", present.Counted(int64(s.Unlabelled), "model"))
	}
	labelled := 0
	for _, p := range s.Parts {
		labelled += p.Models
	}
	if labelled == 0 {
		return d
	}
	for _, p := range s.Parts {
		text := fmt.Sprintf("%s (%s)", present.Count(int64(p.Models)), present.Percent(p.Share))
		d.Bars.Bars = append(d.Bars.Bars, render.Bar{Name: string(p.Label), To: float64(p.Models), Text: text})
		d.Hints = append(d.Hints, fmt.Sprintf("%s: %s", string(p.Label), text))
	}
	return d
}

// Histogram is one of Fig. 16: the models by a share, divided by label.
func (v *View) Histogram(title, axis string, of func(r Row) float64) widget.StackedData {
	d := widget.StackedData{
		Title: title, Note: v.Caption(), XName: axis, YName: "models", High: 1, Groups: v.groups(), Marked: math.NaN(),
		Empty: "the targets have no labels, so that no prediction is right or wrong",
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
