package training

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store/durable"
)

// Figures of a course are the deviations of all features and, for each of some models (ids, the
// first one without any), its matrices over the shares of the images. The error names a model that
// the course does not have.
func (s Stability) Figures(models []string) ([]result.Drawn, error) {
	if len(models) == 0 {
		models = []string{s.Measured[0][0].Model.ID}
	}
	pale := render.Scale{High: 1, Map: &render.Pale, Over: render.Pale[255], NaN: render.FieldNaN}
	list, taken := []result.Drawn{{Name: "deviations", Figure: s.Curves.Figure(pale)}}, map[string]bool{}
	for _, id := range models {
		at := slices.IndexFunc(s.Measured[0], func(m Measured) bool { return m.Model.ID == id })
		if at < 0 {
			return nil, fmt.Errorf("draw model %s: it is not among the %s that were measured", id,
				result.Counted(len(s.Measured[0]), "model"))
		}
		name := durable.Unused(taken, durable.FileName("shares_"+id))
		list = append(list, result.Drawn{Name: name, Figure: s.sharesOf(at)})
	}
	return list, nil
}

// sharesOf are the matrices of a model over the shares of the images, as in Figs. 5 to 7 of the
// ML4ML paper: a row per matrix and a column per share, then a row per matrix with its difference
// from that of all images.
func (s Stability) sharesOf(model int) result.Figure {
	whole := s.Measured[len(s.Measured)-1][model]
	f := result.Figure{
		Title: whole.Model.ID + ": matrices of shares of the images",
		Note:  "Each share holds those before it. Below: the difference from the matrix of all images.",
	}
	for _, share := range s.Curves.Shares {
		f.X.Names = append(f.X.Names, result.Share.Say(share, 0))
	}
	add := func(name string, scale render.Scale, of func(variance.Matrix) variance.Matrix) {
		row := make([]result.Figure, len(s.Measured))
		for k, share := range s.Measured {
			row[k] = of(share[model].Vector.Matrices[name]).Figure(result.Axis{}, scale, name)
		}
		f.Grid = append(f.Grid, row)
	}
	names := s.Layout.Matrices()
	for _, name := range names {
		var values []float64
		for _, share := range s.Measured {
			values = append(values, share[model].Vector.Matrices[name].Data...)
		}
		scale := render.FieldScale(render.FieldHigh, nil)
		if !s.Layout.OfBackground() {
			low, high := render.DefaultRange(name, values)
			scale = render.Scale{Low: low, High: high}
		}
		f.Y.Names = append(f.Y.Names, name)
		add(name, scale, func(m variance.Matrix) variance.Matrix { return m })
	}
	for _, name := range names {
		all, most := whole.Vector.Matrices[name], 0.0
		less := func(m variance.Matrix) variance.Matrix {
			made := variance.Matrix{N: m.N, Data: make([]float64, len(m.Data))}
			for k, v := range m.Data {
				made.Data[k] = v - all.Data[k]
			}
			return made
		}
		for _, share := range s.Measured {
			for _, v := range less(share[model].Vector.Matrices[name]).Data {
				if !math.IsNaN(v) {
					most = max(most, math.Abs(v))
				}
			}
		}
		if most == 0 {
			most = 1
		}
		f.Y.Names = append(f.Y.Names, name+", difference")
		add(name, render.Scale{Low: -most, High: most}, less)
	}
	return f
}

// EvaluationFigures are the curves of evaluations that have some: roc_ASSESSOR,
// precision_recall_ASSESSOR and calibration_ASSESSOR.
func EvaluationFigures(list []assess.Evaluation) (figures []result.Drawn) {
	for _, e := range list {
		title, key := e.Settings.Algorithm.Title(true), string(e.Settings.Algorithm)
		for _, d := range []result.Drawn{
			{Name: "roc_" + key, Figure: e.ROCFigure(title)},
			{Name: "precision_recall_" + key, Figure: e.PRFigure(title)},
			{Name: "calibration_" + key, Figure: e.CalibrationFigure(title)},
		} {
			if d.Figure.Drawable() {
				figures = append(figures, d)
			}
		}
	}
	return figures
}
