package findings

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/assess/tables"
	"github.com/variscope/variscope/engine/render"
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

// figureLines are the accuracies as lines of a table: name, then models, mean, largest, smallest, standard deviation.
func (s Statistics) figureLines() [][]string {
	var lines [][]string
	for _, f := range s.figures() {
		lines = append(lines, []string{
			f.name, present.Count(int64(f.N)), present.Percent(f.Mean), present.Percent(f.Max), present.Percent(f.Min), present.Percent(f.Std),
		})
	}
	return lines
}

type namedFigures struct {
	name, key string
	tables.Figures
}

func (s Statistics) figures() []namedFigures {
	return []namedFigures{{"accuracy", "accuracy", s.Accuracy}, {"worst case", keyWorst, s.Worst}}
}

func figureTitles() []string {
	return []string{"of the models", "models", "mean", "largest", "smallest", "SD"}
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

// Table are both tables for a file: a line per figure, then per label.
func (s Statistics) Table() (head []string, rows [][]string) {
	head = []string{"what", "models", "share", "mean", "max", "min", "std"}
	for _, f := range s.figures() {
		rows = append(rows, []string{f.key, whole(float64(f.N)), "", whole(f.Mean), whole(f.Max), whole(f.Min), whole(f.Std)})
	}
	for _, p := range s.Parts {
		rows = append(rows, []string{string(p.Label), whole(float64(p.Models)), whole(p.Share), "", "", "", ""})
	}
	return head, rows
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
