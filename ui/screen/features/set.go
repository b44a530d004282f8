package features

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/training"
)

// Row is a model with its features.
type Row struct {
	Model model.Model
	// Label is the model's training label, empty where there is none; NoLabel then says why.
	Label   label.Value
	NoLabel result.Reason
	// X are the features as assessors see them, all finite; Shown are the same with NaN for what the
	// published code leaves undefined.
	X, Shown         []float64
	Accuracy, Robust float64 // NaN without labels of the suite
	Chance           chance.Level
	Flags            map[string][]feature.Flag
	Matrices         map[string]variance.Matrix
}

// Set is what was measured: models x features under one layout, with labels. It is immutable.
type Set struct {
	Layout  feature.Layout
	Names   []string // columns of X
	Classes []label.Value
	Rows    []Row
	// Left are models without features, Unlabelled those without a label though labels were asked for.
	Left, Unlabelled []training.LeftOut
	// Where it comes from, for titles: the suite's name and the family as people read it, and the
	// axis of the matrices.
	Suite, Family string
	Axis          render.Axis
	// Scales are the shared colour scales by modality.
	Scales map[string]render.Scale
}

// newSet joins what was measured with its labels. It measures again where the published code
// leaves features undefined.
func newSet(layout feature.Layout, measured []training.Measured, data assess.Data) (Set, error) {
	set := Set{Layout: layout, Names: layout.Names(), Classes: data.Classes, Rows: make([]Row, len(measured))}
	for i, m := range measured {
		shown, err := export.FeaturesOf(layout, m.Vector)
		if err != nil {
			return Set{}, fmt.Errorf("model %s: %w", m.Model.ID, err)
		}
		set.Rows[i] = Row{
			Model: m.Model, Label: data.Rows[i].Label, NoLabel: data.Rows[i].NoLabel, X: m.Vector.Values, Shown: shown,
			Accuracy: m.Accuracy, Chance: m.Chance, Robust: m.Scores.CorrectProduct, Flags: m.Vector.Flags, Matrices: m.Vector.Matrices,
		}
	}
	return set, nil
}

// scales are the shared colour scales of the set's matrices (DESIGN.md section 7) in a colour map.
func (s Set) scales(colours *render.Map) map[string]render.Scale {
	scales := make(map[string]render.Scale, len(s.Layout.Modalities))
	for _, name := range s.Layout.Modalities {
		var values []float64
		for _, r := range s.Rows {
			values = append(values, r.Matrices[name].Data...)
		}
		low, high := render.DefaultRange(name, values)
		scales[name] = render.Scale{Low: low, High: high, Map: colours}
	}
	return scales
}

// Reason says why a feature of a row has its value by convention, "" where it was measured.
func (s Set) Reason(r Row, at int) string {
	if at < 0 || at >= len(s.Names) {
		return ""
	}
	f := feature.Feature(at % feature.Count)
	if math.IsNaN(r.Shown[at]) {
		return "undefined in the published code; it counts as 0"
	}
	for _, flag := range r.Flags[s.Layout.Modalities[at/feature.Count]] {
		if slices.Contains(concerned(flag), f) {
			return flagText(flag)
		}
	}
	return ""
}

// concerned are the features that a flag is about.
func concerned(flag feature.Flag) []feature.Feature {
	switch flag {
	case feature.NoReducedMatrix:
		return []feature.Feature{feature.SSTY}
	case feature.NoDiagonalGradient:
		return []feature.Feature{feature.DGMean, feature.DGStd}
	case feature.HGRatioUndefined, feature.VGRatioUndefined, feature.DGRatioUndefined:
		return []feature.Feature{feature.GOverall}
	case feature.MeanZero:
		return []feature.Feature{feature.Dctny, feature.Asymm}
	}
	return nil
}

// flagText is a flag in words.
func flagText(flag feature.Flag) string {
	switch flag {
	case feature.NoReducedMatrix:
		return "there are too few images for a reduced matrix; it counts as 0"
	case feature.NoDiagonalGradient:
		return "two transformations have no diagonal gradient; it counts as 0"
	case feature.HGRatioUndefined:
		return "the horizontal gradient does not vary; its ratio counts as 0"
	case feature.VGRatioUndefined:
		return "the vertical gradient does not vary; its ratio counts as 0"
	case feature.DGRatioUndefined:
		return "the diagonal gradient does not vary; its ratio counts as 0"
	case feature.MeanZero:
		return "all elements of the matrix are 0; it counts as 0"
	}
	return string(flag)
}

// labelText is the row's label as people read it, "" for none.
func (r Row) labelText() string {
	if r.Label == "" {
		return ""
	}
	return string(r.Label)
}

// Table is the set as a file of features holds it, with these rows (indices).
func (s Set) Table(rows []int) export.FeatureTable {
	layout := s.Layout
	t := export.FeatureTable{Names: s.Names, Layout: &layout}
	for _, at := range rows {
		r := s.Rows[at]
		t.Rows = append(t.Rows, export.FeatureRow{ModelID: r.Model.ID, ModelHash: r.Model.Hash, Values: r.Shown, Final: r.Label})
	}
	return t
}

// short is a feature's name without its matrix: "svm".
func short(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
