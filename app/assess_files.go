package app

import (
	"io"
	"math"
	"path/filepath"
	"strconv"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/store/durable"
)

// write writes eval.json, the same as a table, and what is behind it.
func (r evalReport) write(folder string, d assess.Data) error {
	for _, file := range []struct {
		name string
		rows [][]string
	}{
		{"eval.csv", r.summaryRows()},
		{"predictions.csv", r.predictionRows(d)},
		{"curves.csv", r.curveRows()},
		{"doubts.csv", r.doubtRows()},
	} {
		err := durable.WriteFile(filepath.Join(folder, file.name), func(w io.Writer) error { return writeCSV(w, file.rows) })
		if err != nil {
			return err
		}
	}
	return durable.WriteFile(filepath.Join(folder, "eval.json"), func(w io.Writer) error { return writeJSON(w, r) })
}

// summaryRows is the table of the algorithms with one number per cell, shares between 0 and 1.
func (r evalReport) summaryRows() [][]string {
	header := []string{
		"algorithm", "models", "accuracy", "largest_deviation", "sd", "balanced_accuracy", "precision", "recall", "f1", "macro_f1",
		"auc", "average_precision", "brier", "kappa", "kappa_largest_deviation", "kappa_sd",
	}
	for _, k := range r.Results[0].Kappas {
		header = append(header, "most frequent verdict: kappa "+k.B)
	}
	rows := [][]string{header}
	for _, a := range r.Results {
		row := []string{string(a.Algorithm), strconv.Itoa(r.Models), exact(a.Accuracy), exact(a.LargestDeviation)}
		for _, v := range []*float64{a.SD, a.Balanced, a.Precision, a.Recall, a.F1, a.MacroF1, a.AUC, a.AveragePrecision, a.Brier, a.Kappa, a.KappaLargest, a.KappaSD} {
			row = append(row, orEmpty(v))
		}
		for _, k := range a.Kappas {
			row = append(row, kappaCell(k))
		}
		rows = append(rows, row)
	}
	return rows
}

func orEmpty(v *float64) string {
	if v == nil {
		return "-"
	}
	return exact(*v)
}

func kappaCell(k kappaReport) string {
	if !k.Kappa.Value.Defined() {
		return "-"
	}
	return exact(k.Kappa.Value.Value)
}

// predictionRows are all verdicts on models that the assessor had not seen.
func (r evalReport) predictionRows(d assess.Data) [][]string {
	rows := [][]string{{"algorithm", "repetition", "fold", "model_id", "model_hash", "label", "verdict", "probability_variant", "score"}}
	for _, a := range r.Results {
		for _, p := range a.evaluation.Predictions {
			model := d.Rows[p.Row]
			fold := a.evaluation.Folds[p.Repetition][p.Fold].Name
			rows = append(rows, []string{
				string(a.Algorithm), strconv.Itoa(p.Repetition + 1), fold, model.ID, model.Hash, string(d.Classes[p.Truth]), string(p.Label),
				exact(p.Variant()), exact(p.Score),
			})
		}
	}
	return rows
}

// curveRows are the points of the ROC and the precision-recall curve, and the bins of the calibration.
func (r evalReport) curveRows() [][]string {
	rows := [][]string{{"algorithm", "curve", "x", "y", "threshold", "n"}}
	for _, a := range r.Results {
		m := a.evaluation.Metrics
		for _, curve := range []struct {
			name   string
			points []assess.Point
		}{
			{"roc", m.ROC},
			{"pr", m.PR},
		} {
			for _, p := range curve.points {
				rows = append(rows, []string{string(a.Algorithm), curve.name, exact(p.X), exact(p.Y), exact(p.Threshold), "-"})
			}
		}
		for _, b := range m.Calibration {
			rows = append(rows, []string{string(a.Algorithm), "calibration", exact(b.Predicted), exact(b.Observed), "-", strconv.Itoa(b.N)})
		}
	}
	return rows
}

func (r evalReport) doubtRows() [][]string {
	rows := [][]string{{"algorithm", "model_id", "label", "verdict", "own_probability"}}
	for _, a := range r.Results {
		for _, d := range a.Doubts {
			rows = append(rows, []string{string(a.Algorithm), d.Model, d.Label, d.Verdict, exact(d.Own)})
		}
	}
	return rows
}

// exact is a number with all its digits; a dash, which is an empty cell in files, where it is undefined.
func exact(v float64) string {
	switch {
	case math.IsNaN(v):
		return "-"
	case math.IsInf(v, 0):
		return "inf" // the threshold that no score reaches
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
