package assess

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/result"
)

// shareAxis is an axis of shares from 0 to 1; a line along 1 is not cut off.
func shareAxis(name string) result.Axis {
	return result.Axis{Name: name, Format: result.Number, High: 1.02}
}

// ROCFigure is the ROC curve of an evaluation, whose assessor has a name.
func (e Evaluation) ROCFigure(name string) result.Figure {
	return curveFigure(e.Metrics.ROC, result.Figure{
		Title: "ROC of " + name, Note: "AUC " + result.Coefficient.Say(e.Metrics.AUC, 0),
		X: shareAxis("false positive rate"), Y: shareAxis("true positive rate"),
		Lines: []result.Line{{Name: "ROC"}, diagonal("chance")},
	})
}

// PRFigure is the curve of precision over recall of an evaluation, whose assessor has a name.
func (e Evaluation) PRFigure(name string) result.Figure {
	return curveFigure(e.Metrics.PR, result.Figure{
		Title: "Precision and recall of " + name,
		Note:  "average precision " + result.Coefficient.Say(e.Metrics.AveragePrecision, 0),
		X:     shareAxis("recall"), Y: shareAxis("precision"), Lines: []result.Line{{Name: "precision over recall"}},
	})
}

// curveFigure puts points into the first line of a figure, ascending in X; without points it has no
// lines.
func curveFigure(points []Point, f result.Figure) result.Figure {
	f.Empty = "undefined: only one class among the labels"
	if len(points) == 0 {
		f.Lines = nil
		return f
	}
	l := &f.Lines[0]
	for _, p := range points {
		l.X, l.Y = append(l.X, p.X), append(l.Y, p.Y)
	}
	if l.X[0] > l.X[len(l.X)-1] {
		slices.Reverse(l.X)
		slices.Reverse(l.Y)
	}
	return f
}

func diagonal(name string) result.Line {
	return result.Line{Name: name, X: []float64{0, 1}, Y: []float64{0, 1}}
}

// CalibrationFigure is how often models are variant over the probability that the assessor gives to
// that; the baseline gives none.
func (e Evaluation) CalibrationFigure(name string) result.Figure {
	f := result.Figure{
		Title: "Calibration of " + name, Note: "Brier score " + result.Coefficient.Say(e.Metrics.Brier, 0),
		X: shareAxis("predicted probability of variant"), Y: shareAxis("share that is variant"),
		Empty: "the baseline has no probabilities",
	}
	l := result.Line{Name: "calibration"}
	for _, b := range e.Metrics.Calibration {
		if b.N > 0 {
			l.X, l.Y = append(l.X, b.Predicted), append(l.Y, b.Observed)
		}
	}
	if len(l.X) > 0 {
		f.Lines = []result.Line{l, diagonal("perfect")}
	}
	return f
}

// Figure is the deviation of a feature over the shares of the images: the median of the models and
// the farthest one. It has no lines where the feature is 0 for all models.
func (m MedianOf) Figure() result.Figure {
	whole := "images"
	if interpolated(m.Of.Names) {
		whole = "targets"
	}
	f := result.Figure{
		Title: "Deviation of " + m.Name, Note: result.Counted(m.N, "model"), Empty: "0 for all models",
		X: result.Axis{Name: "share of the " + whole, Format: result.Share},
		Y: result.Axis{Name: fmt.Sprintf("deviation from all %s", whole), Format: result.Share},
	}
	if m.N > 0 {
		f.Lines = []result.Line{
			{Name: "median of the models", X: m.Of.Shares, Y: m.Median},
			{Name: "farthest model", X: m.Of.Shares, Y: m.Largest},
		}
	}
	return f
}

// Figure is the median deviation of every feature over the shares of the images, a row per feature:
// what Tables XII to XX of the ML4ML paper show of single models. colours are those from 0 on.
func (c FeatureCurves) Figure(colours result.Colours) result.Figure {
	f := result.Figure{
		Title: "Features of shares of the images", X: result.Axis{Name: "share of the images"},
		Note: "deviation from the value of all images, relative to that: median of the models",
		Y:    result.Axis{Names: c.Names, Down: true},
		Matrix: &result.Matrix{
			Rows: len(c.Names), Columns: len(c.Shares), Colours: colours,
			Value: result.Axis{Name: "deviation", Format: result.Share},
			Text:  func(v float64) string { return result.Share.Say(v, 0) }, Barless: true,
		},
	}
	for _, share := range c.Shares {
		f.X.Names = append(f.X.Names, result.Share.Say(share, 0))
	}
	for _, d := range c.Deviations {
		for k := range c.Shares {
			v := math.NaN() // 0 for all models
			if d.N > 0 {
				v = d.Median[k]
			}
			f.Matrix.Values = append(f.Matrix.Values, v)
		}
	}
	return f
}
