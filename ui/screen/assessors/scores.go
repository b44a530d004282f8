package assessors

import (
	"fmt"
	"slices"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// Scores are the figures behind one line of the comparison.
type Scores struct {
	None             string // why there are none, "" where there are
	Classes          []string
	Confusion        [][]int
	ROC, PR, Calibre widget.ChartData
	Facts            []evidence.Line
	// Kappas are annotators and assessor (rows) against each other and the majority (last column).
	KappaColumns, KappaRows []string
	Kappas                  [][]widget.GridCell
	KappaNote               string
}

// BuildScores measures an evaluated subject; a saved one has its scores in its file.
func BuildScores(s Subject) Scores {
	v := Scores{Classes: classWords(s.Data.Classes)}
	if s.Evaluation == nil {
		v.None = s.savedScores()
		return v
	}
	m := s.Evaluation.Metrics
	v.Confusion = m.Confusion
	v.ROC = curve("ROC", "false positive rate", "true positive rate", m.ROC)
	v.ROC.Series = append(v.ROC.Series, diagonal("chance"))
	v.ROC.Title, v.ROC.Note = fmt.Sprintf("ROC of %s", s.Name), fmt.Sprintf("AUC %s", result.Coefficient.Say(m.AUC, 0))
	v.PR = curve("precision over recall", "recall", "precision", m.PR)
	v.PR.Title, v.PR.Note = fmt.Sprintf("Precision and recall of %s", s.Name), fmt.Sprintf("average precision %s", result.Coefficient.Say(m.AveragePrecision, 0))
	v.Calibre = calibration(s.Name, m)
	v.Facts = facts(s)
	v.kappas(s)
	return v
}

func classWords(classes []label.Value) []string {
	list := make([]string, len(classes))
	for k, c := range classes {
		list[k] = string(c)
	}
	return list
}

// curve is a curve as chart data with both axes from 0 to 1; x ascends.
func curve(name, x, y string, points []assess.Point) widget.ChartData {
	data := widget.ChartData{XName: x, YName: y, High: 1.02, Empty: "undefined: only one class among the labels"}
	if len(points) == 0 {
		return data
	}
	var s widget.Series
	s.Name = name
	for _, p := range points {
		s.X, s.Y = append(s.X, p.X), append(s.Y, p.Y)
	}
	if s.X[0] > s.X[len(s.X)-1] {
		slices.Reverse(s.X)
		slices.Reverse(s.Y)
	}
	data.Series = []widget.Series{s}
	return data
}

func diagonal(name string) widget.Series {
	return widget.Series{Name: name, X: []float64{0, 1}, Y: []float64{0, 1}}
}

func calibration(name string, m assess.Metrics) widget.ChartData {
	data := widget.ChartData{
		Title: fmt.Sprintf("Calibration of %s", name), XName: "predicted probability of variant", YName: "share that is variant",
		High: 1.02, Empty: "the baseline has no probabilities", Note: fmt.Sprintf("Brier score %s", result.Coefficient.Say(m.Brier, 0)),
	}
	var s widget.Series
	s.Name = "calibration"
	for _, b := range m.Calibration {
		if b.N > 0 {
			s.X, s.Y = append(s.X, b.Predicted), append(s.Y, b.Observed)
		}
	}
	if len(s.X) > 0 {
		data.Series = []widget.Series{s, diagonal("perfect")}
	}
	return data
}

// facts are all measures as lines.
func facts(s Subject) []evidence.Line {
	e, m := s.Evaluation, s.Evaluation.Metrics
	lines := []evidence.Line{
		{Name: "verdicts", Value: result.Whole(m.N)},
		{Name: "accuracy", Value: fmt.Sprintf("%s ± %s (mean of repetitions)", percent(e.Accuracy), percent(e.LargestDeviation))},
		{Name: "pooled accuracy", Value: percent(m.Accuracy)},
		{Name: "balanced accuracy", Value: percent(m.Balanced)},
		{Name: "precision", Value: percent(m.Precision)},
		{Name: "recall", Value: percent(m.Recall)},
		{Name: "F1 of variant", Value: percent(m.F1)},
		{Name: "F1, mean of classes", Value: percent(m.MacroF1)},
		{Name: "AUC", Value: result.Coefficient.Say(m.AUC, 0)},
		{Name: "average precision", Value: result.Coefficient.Say(m.AveragePrecision, 0)},
		{Name: "Brier score", Value: result.Coefficient.Say(m.Brier, 0)},
		{Name: "kappa", Value: fmt.Sprintf("%s ± %s (mean of repetitions)", result.Coefficient.Say(e.Kappa.Mean, 0), result.Coefficient.Say(e.Kappa.Largest, 0))},
	}
	return append(lines, foldLines(e)...)
}

// foldLines are the mean accuracies of the folds over the repetitions.
func foldLines(e *assess.Evaluation) []evidence.Line {
	var names []string
	sums, times := map[string]float64{}, map[string]int{}
	for _, repetition := range e.Folds {
		for _, f := range repetition {
			if times[f.Name] == 0 {
				names = append(names, f.Name)
			}
			sums[f.Name] += f.Accuracy
			times[f.Name]++
		}
	}
	var lines []evidence.Line
	for _, name := range names {
		lines = append(lines, evidence.Line{Name: fmt.Sprintf("tested on %s", name), Value: percent(sums[name] / float64(times[name]))})
	}
	return lines
}

// kappas puts the assessor into the table of the annotators.
func (v *Scores) kappas(s Subject) {
	t := assess.Join(s.Data, s.votes(), s.Name, measure.Options{})
	v.KappaRows = t.Report.Raters
	v.KappaColumns = append(slices.Clone(t.Report.Raters), referenceWord(t.Reference))
	v.KappaNote = t.Report.Note
	n := len(t.Report.Raters)
	v.Kappas = make([][]widget.GridCell, n)
	for a := range n {
		v.Kappas[a] = make([]widget.GridCell, n+1)
		for b := range n {
			v.Kappas[a][b] = widget.GridCell{Text: present.None, Shade: -1}
			if p, ok := t.Report.Pair(a, b); ok {
				v.Kappas[a][b] = kappaCell(p.Cohen)
			}
		}
		v.Kappas[a][n] = widget.GridCell{Text: present.None, Shade: -1}
	}
	for _, against := range t.Report.VsMajority {
		if against.Index < n {
			v.Kappas[against.Index][n] = kappaCell(against.Cohen)
		}
	}
}

func kappaCell(c measure.Cohen) widget.GridCell {
	cell := present.KappaCell(c.Kappa.Value.Number(), c.Kappa.Value.Reason.Text)
	hint := cell.Hint
	if hint == "" {
		hint = fmt.Sprintf("%s, %s", c.Kappa.Words, result.Counted(c.N, "common model"))
	}
	return widget.GridCell{Text: cell.Text, Hint: hint, Shade: cell.Shade}
}

// referenceWord is what raters are compared with.
func referenceWord(reference string) string {
	if reference == assess.TrainingLabel {
		return "label"
	}
	return "majority"
}
