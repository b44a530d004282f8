package assess

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/result"
)

// Explained is an explanation of the verdict on one model: a row of Explanations.
type Explained struct {
	Explanation
	Judgement Judgement
}

// PartOf is what a feature or a matrix adds to an explained output: a row of Parts or MatrixParts.
type PartOf struct {
	Of *Explained
	Part
}

// Features are the parts of all features, the largest |Phi| first.
func (e *Explained) Features() []PartOf {
	parts := slices.Clone(e.Parts)
	strongestFirst(parts)
	return e.parts(parts)
}

// Matrices are the parts of the matrices, the largest |Phi| first.
func (e *Explained) Matrices() []PartOf { return e.parts(e.ByModality()) }

func (e *Explained) parts(parts []Part) []PartOf {
	list := make([]PartOf, len(parts))
	for k, p := range parts {
		list[k] = PartOf{e, p}
	}
	return list
}

// String says what a feature speaks for, of an explanation of variant.
func (p PartOf) String() string {
	says := "speaks for variant"
	switch {
	case p.Phi < 0 && len(p.Of.Judgement.Classes) == 2:
		says = "speaks for invariant"
	case p.Phi < 0:
		says = "speaks against variant"
	}
	sign := ""
	if p.Phi > 0 {
		sign = "+"
	}
	return fmt.Sprintf("%s = %s %s: %s%s", p.Name, result.Digits(p.Value, 3), says, sign, result.Digits(p.Phi, 2))
}

// Says says where a model's score lies to the nearest threshold.
func (t *Threshold) Says(row Row) string {
	value, near := t.Score.Of(row.Scores), t.Thresholds[0]
	for _, threshold := range t.Thresholds[1:] {
		if math.Abs(value-threshold) < math.Abs(value-near) {
			near = threshold
		}
	}
	said := t.Score.Title(false) + " = " + result.Digits(value, 4)
	switch {
	case math.IsInf(near, -1):
		return said + "; the baseline learned that no score speaks for variant"
	case math.IsInf(near, 1):
		return said + "; the baseline learned that every score speaks for variant"
	case value < near:
		return said + " is below " + result.Digits(near, 4)
	}
	return said + " is not below " + result.Digits(near, 4)
}

// Weighed is how much a feature matters to an assessor: a row of Weights.
type Weighed struct {
	Name string
	Phi  float64 // mean |Phi| over the models
	// Lost and SD are the permutation importance, NaN where there is none; Why then says why.
	Lost, SD float64
	Why      result.Reason
}

// Weigh joins a summary with the permutation importance of the same features, the largest mean
// |Phi| first.
func Weigh(s Summary, i Importance) []Weighed {
	list := make([]Weighed, len(s.Names))
	for k, name := range s.Names {
		list[k] = Weighed{Name: name, Phi: s.Mean[k], Lost: nan, SD: nan}
		if i.Problem != nil {
			list[k].Why = result.Because(NotMeasured, "%s", i.Problem)
		}
		if k < len(i.Features) {
			list[k].Lost, list[k].SD = i.Features[k].Mean, i.Features[k].SD
		}
	}
	slices.SortStableFunc(list, func(a, b Weighed) int { return cmp.Compare(b.Phi, a.Phi) })
	return list
}

// Summed is what Weights are of: a row of Summaries.
type Summed struct {
	Summary
	Importance Importance
	Labelled   int // models with a label
}

// String says what the importance was measured on.
func (i Importance) String() string {
	switch {
	case i.Problem != nil:
		return "no permutation importance: " + i.Problem.Error()
	case i.Refitted:
		return fmt.Sprintf("shuffled on %d models, each judged by an assessor with the same settings that had not "+
			"seen it, since this one has learned from all", i.Models)
	}
	return fmt.Sprintf("shuffled on %d models that the assessor had not seen", i.Models)
}

// Deviating is a feature's deviation over one share of the images: a row of Deviations.
type Deviating struct {
	Of *FeatureCurves
	*CurveDeviation
	K int // among the shares
}

// Spread are the deviations of all features over all shares; features without a deviation are left
// out.
func (c *FeatureCurves) Spread() (list []Deviating) {
	for k := range c.Deviations {
		d := &c.Deviations[k]
		for share := range d.Median {
			list = append(list, Deviating{c, d, share})
		}
	}
	return list
}

// FeatureCurve is a feature of one model over the shares of the images: a row of
// FeaturesOverShares.
type FeatureCurve struct {
	Of      *FeatureCurves
	M, Name int // among the models and the names
}

// Rows are the features of all models.
func (c *FeatureCurves) Rows() (list []FeatureCurve) {
	for m := range c.Models {
		for name := range c.Names {
			list = append(list, FeatureCurve{c, m, name})
		}
	}
	return list
}

// MedianOf is a feature of FeatureCurves: a row of Medians.
type MedianOf struct {
	Of *FeatureCurves
	*CurveDeviation
}

// Medians are the deviations of the curves, a row per feature.
func (c *FeatureCurves) Medians() []MedianOf {
	list := make([]MedianOf, len(c.Deviations))
	for k := range c.Deviations {
		list[k] = MedianOf{c, &c.Deviations[k]}
	}
	return list
}
