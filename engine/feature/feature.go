// Package feature measures variance matrices: 16 numbers per matrix, and the vector of them that
// assessors learn from (spec/features.md; the ML4ML paper's appendix A).
package feature

import (
	"cmp"
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/variance"
)

// Feature is one of the 16 measurements, in the order of spec/features.md.
type Feature int

// The features; meanings says what they are.
const (
	SVM Feature = iota
	Mean
	Std
	ASV
	SSTY
	HGMean
	HGStd
	HGRStd
	VGMean
	VGStd
	VGCStd
	DGMean
	DGStd
	GOverall
	Dctny
	Asymm
	Count = iota // their number
)

var names = [Count]string{
	"svm", "mean", "std", "asv", "ssty", "hg_mean", "hg_std", "hg_rstd", "vg_mean", "vg_std", "vg_cstd",
	"dg_mean", "dg_std", "g_overall", "dctny", "asymm",
}

// String is the spec's word: "svm", "hg_mean", ...
func (f Feature) String() string { return names[f] }

// Parse reads one of the spec's words.
func Parse(text string) (Feature, error) {
	for f, name := range names {
		if name == text {
			return Feature(f), nil
		}
	}
	return 0, fmt.Errorf("no feature %q; there are %v", text, names)
}

// DefaultTau is the threshold of ASV.
const DefaultTau = 0.15

// Profile says by whose formulas a matrix is measured.
type Profile string

// The profiles of spec/features.md: the printed formulas, and the arithmetic of the published code.
const (
	Paper   Profile = "paper"
	Refcode Profile = "refcode"
)

// Flag says why a feature has a value by convention.
type Flag string

// The flags, in the order in which they are listed.
const (
	NoReducedMatrix    Flag = "no_reduced_matrix"
	NoDiagonalGradient Flag = "no_diagonal_gradient"
	HGRatioUndefined   Flag = "hg_ratio_undefined"
	VGRatioUndefined   Flag = "vg_ratio_undefined"
	DGRatioUndefined   Flag = "dg_ratio_undefined"
	MeanZero           Flag = "mean_zero"
	RefcodeUndefined   Flag = "refcode_undefined" // a feature of the published code that is NaN; it counts as 0
)

// Options are the choices of Measure; the zero value is the paper's profile with tau 0.15, which is
// also that of the published code.
type Options struct {
	Tau     float64 `help:"Threshold of asv." default:"0.15" above:"0"`
	Profile Profile `help:"paper: the formulas as printed in ${ml4ml}; refcode: the arithmetic of its published code." enum:"paper,refcode" default:"paper"`
}

// VectorOptions are the choices of a vector, as commands take them: its matrices, and how they are
// measured.
type VectorOptions struct {
	Options
	Modalities []string `help:"Modalities, such as max@CONF (default: the five of ${ml4ml})." placeholder:"M" aliases:"modality"`
}

// Layout is the vector that is asked for. Errors are those of Layout.Validate.
func (o VectorOptions) Layout() (Layout, error) {
	layout := DefaultLayout()
	layout.Tau, layout.Profile = o.Tau, o.Profile
	if len(o.Modalities) > 0 {
		layout.Modalities = o.Modalities
	}
	return layout.Validate()
}

// Measurement holds the features of one matrix. All numbers are finite.
type Measurement struct {
	Values [Count]float64
	Flags  []Flag
	// Undefined are the features that the published code leaves NaN (profile refcode); their value
	// is 0.
	Undefined []Feature
}

// Measure computes the features of a variance matrix. reduced is the same matrix from 90 % of the
// images, nil where there is none: SSTY is then 0 and flagged. Errors say what is wrong with a
// matrix: not square, fewer than two transformations, not finite, negative, too large to be
// squared, a diagonal that is not zero, not symmetric (beyond 1e-9 of the largest element); a
// threshold that is not above 0; for profile refcode also an even N or one below 7.
func Measure(delta variance.Matrix, reduced *variance.Matrix, opts Options) (Measurement, error) {
	opts, err := opts.validate()
	if err != nil {
		return Measurement{}, err
	}
	if err := check(delta); err != nil {
		return Measurement{}, err
	}
	var m Measurement
	if reduced == nil {
		m.Flags = append(m.Flags, NoReducedMatrix)
	} else if err := checkReduced(*reduced, delta.N); err != nil {
		return Measurement{}, err
	}
	if opts.Profile == Paper {
		m.measurePaper(delta, reduced, opts.Tau)
		return m, nil
	}
	if delta.N%2 == 0 || delta.N < refcodeLeast {
		return Measurement{}, fmt.Errorf("profile refcode needs an odd number of transformations from %d; this "+
			"matrix has %d: use profile paper", refcodeLeast, delta.N)
	}
	m.measureRefcode(delta, reduced, opts.Tau)
	return m, nil
}

func (o Options) validate() (Options, error) {
	o.Profile = cmp.Or(o.Profile, Paper)
	if o.Profile != Paper && o.Profile != Refcode {
		return o, fmt.Errorf("no profile %q; there are %s and %s", o.Profile, Paper, Refcode)
	}
	o.Tau = cmp.Or(o.Tau, DefaultTau)
	if !(o.Tau > 0 && o.Tau <= math.MaxFloat64) {
		return o, fmt.Errorf("threshold %v of asv is not a finite number above 0", o.Tau)
	}
	return o, nil
}
