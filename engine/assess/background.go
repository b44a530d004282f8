package assess

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/tree"
)

// Usual are an algorithm's settings as the papers use them, for a layout: scikit-learn 1.2's
// defaults, but SAMME in place of SAMME.R for AdaBoost on interpolated matrices (spec/background.md
// section 13).
func Usual(algorithm Algorithm, layout feature.Layout, seed uint64) Settings {
	s := Settings{Algorithm: algorithm, Seed: seed}
	if algorithm == AdaBoost && layout.OfBackground() {
		s.Boosting = tree.SAMME
	}
	return s
}

// UsualScheme is the protocol of an evaluation: the paper's hold-out and two halves, and for
// interpolated matrices 3-fold without hold-out, repeated (spec/background.md section 13).
func UsualScheme(layout feature.Layout, seed uint64) Scheme {
	if layout.OfBackground() {
		return Scheme{Kind: KFold, Folds: defaultFolds, Repetitions: defaultRepetitions, Seed: seed}
	}
	return Scheme{Kind: PaperScheme, Repetitions: defaultRepetitions, Seed: seed}
}

// Shown is the class whose output explanations show first: variant, and invariant for an assessor
// of interpolated matrices (spec/background.md section 13).
func (a *Assessor) Shown() int {
	if a.OfScenes() {
		return 0
	}
	return len(a.Classes) - 1
}

// OfScenes tells whether the assessor judges interpolated matrices of testing scenes.
func (a *Assessor) OfScenes() bool { return interpolated(a.Names) }

// interpolated tells whether columns are of interpolated matrices.
func interpolated(names []string) bool {
	if len(names) == 0 {
		return false
	}
	_, _, err := feature.SplitBackground(names[0])
	return err == nil
}

// Select keeps the columns of a layout, in its order. How the columns were measured is not
// compared. The error names a column that is missing.
func (d Data) Select(layout feature.Layout) (Data, error) {
	kept, missing := d.columns(layout)
	if missing != "" {
		return d, fmt.Errorf("the models have no column %s", missing)
	}
	return kept, nil
}

// Matrices keeps the columns of some matrices, in their order. How they were measured is for the
// data to say, but for the interpolants and measurements of a layout of interpolated matrices.
// missing is the first column that d does not have; then nothing is kept.
func (d Data) Matrices(wanted feature.Layout) (kept Data, missing string) {
	layout := d.Layout
	layout.Modalities = wanted.Modalities
	if wanted.OfBackground() && layout.OfBackground() {
		layout.Background.Interpolants, layout.Background.Set = wanted.Background.Interpolants, wanted.Background.Set
	}
	return d.columns(layout)
}

// columns keeps the columns of a layout; missing is the first that is not there.
func (d Data) columns(layout feature.Layout) (kept Data, missing string) {
	names := layout.Names()
	places := make([]int, len(names))
	for k, name := range names {
		if places[k] = slices.Index(d.Names, name); places[k] < 0 {
			return Data{}, name
		}
	}
	rows := slices.Clone(d.Rows)
	for i := range rows {
		x := make([]float64, len(places))
		for k, place := range places {
			x[k] = rows[i].X[place]
		}
		rows[i].X = x
	}
	d.Layout, d.Names, d.Rows = layout, names, rows
	return d, ""
}
