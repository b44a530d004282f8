package feature

import (
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
	"github.com/variscope/variscope/engine/variance"
)

// meanings say what the features are, in words; spec/features.md has the formulas.
var meanings = [Count]string{
	SVM:      "half the mean square of all elements: how much the output changes",
	Mean:     "mean of the elements below the diagonal",
	Std:      "standard deviation of the elements below the diagonal",
	ASV:      "share of the elements below the diagonal that are above tau",
	SSTY:     "sensitivity: mean squared change when a tenth of the images is left out",
	HGMean:   "horizontal gradient: mean step away from the diagonal, along rows",
	HGStd:    "horizontal gradient: standard deviation of the steps",
	HGRStd:   "horizontal gradient: standard deviation within a row, mean over rows",
	VGMean:   "vertical gradient: mean step away from the diagonal, along columns",
	VGStd:    "vertical gradient: standard deviation of the steps",
	VGCStd:   "vertical gradient: standard deviation within a column, mean over columns",
	DGMean:   "diagonal gradient: mean step straight away from the diagonal",
	DGStd:    "diagonal gradient: standard deviation of the steps",
	GOverall: "mean over the gradients of mean divided by standard deviation: smooth, even growth",
	Dctny:    "discontinuity: unevenness along lines parallel to the diagonal, divided by the mean",
	Asymm:    "asymmetry: difference to the mirror image about the other diagonal, divided by the mean",
}

// short is a feature's name without its matrix: "svm".
func short(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// Columns are columns of the features with these names, such as "max@CONF.svm" or
// "max@CONF.I1.mean"; value k of a record is of names[k], NaN where it is undefined.
func Columns[R any](names []string, values func(R) []float64) []result.Column[R] {
	list := make([]result.Column[R], len(names))
	for k, name := range names {
		help := ""
		if f, err := Parse(short(name)); err == nil {
			help = meanings[f]
		}
		list[k] = result.Numbers(name, name, help, result.Number, func(r R) float64 { return values(r)[k] })
		list[k].Decimals = result.Fitting
	}
	return list
}

// ColumnsOf are the columns of a vector of variance matrices in a window: those of one matrix are
// called by the feature alone, and the others are for files; for matrix "" all are shown. flags are
// those of a record by matrix.
func ColumnsOf[R any](l Layout, matrix string, values func(R) []float64, flags func(R) map[string][]Flag,
) []result.Column[R] {
	list := Columns(l.Names(), values)
	for k := range list {
		f, of := Feature(k%Count), l.Modalities[k/Count]
		list[k].Why = func(R) result.Reason { return RefcodeUndefined.because() }
		list[k].Caveat = func(r R) result.Reason { return caveatOf(f, flags(r)[of]) }
		switch matrix {
		case "":
		case of:
			list[k].Title = f.String()
		default:
			list[k].Show = result.FileOnly
		}
	}
	return list
}

// caveatOf is why a feature stands by convention, none where it does not.
func caveatOf(f Feature, flags []Flag) result.Reason {
	for _, flag := range flags {
		if slices.Contains(flag.concerned(), f) {
			return flag.because()
		}
	}
	return result.Reason{}
}

// concerned are the features that a flag is about; of RefcodeUndefined, those without a value.
func (f Flag) concerned() []Feature {
	switch f {
	case NoReducedMatrix:
		return []Feature{SSTY}
	case NoDiagonalGradient:
		return []Feature{DGMean, DGStd}
	case HGRatioUndefined, VGRatioUndefined, DGRatioUndefined:
		return []Feature{GOverall}
	case MeanZero:
		return []Feature{Dctny, Asymm}
	}
	return nil
}

// because is the flag as a reason.
func (f Flag) because() result.Reason {
	text := map[Flag]string{
		NoReducedMatrix:    "there are too few images for a reduced matrix; it counts as 0",
		NoDiagonalGradient: "two transformations have no diagonal gradient; it counts as 0",
		HGRatioUndefined:   "the horizontal gradient does not vary; its ratio counts as 0",
		VGRatioUndefined:   "the vertical gradient does not vary; its ratio counts as 0",
		DGRatioUndefined:   "the diagonal gradient does not vary; its ratio counts as 0",
		MeanZero:           "all elements of the matrix are 0; it counts as 0",
		RefcodeUndefined:   "undefined in the published code; it counts as 0",
	}[f]
	return result.Because(string(f), "%s", text)
}

// OfMatrix is the measurement of one matrix of a model: a row of Matrices.
type OfMatrix struct {
	Model, Matrix string // ID and modality, "" where they are not known
	Values        []float64
	Flags         []Flag
	// Measured is the matrix, empty where its extra numbers (ScaleFree) are not known.
	Measured variance.Matrix
}

// Shown are the values with NaN for those that the published code leaves undefined.
func (m Measurement) Shown() []float64 {
	values := slices.Clone(m.Values[:])
	for _, f := range m.Undefined {
		values[f] = math.NaN()
	}
	return values
}

// Matrices is the table of the features of single matrices, a row for each. People see the extra
// numbers.
var Matrices = result.Table[OfMatrix]{
	Name: "features_matrices", Title: "Features of matrices", Noun: "matrix",
	ID: func(o OfMatrix) string { return o.Model + "/" + o.Matrix },
	Columns: slices.Concat(
		result.Lift(subject.Columns[:1], func(o OfMatrix) subject.Subject { return subject.Subject{Model: o.Model} }),
		MatrixColumns[:1+Count],
		scaleFree("", func(o OfMatrix) variance.Matrix { return o.Measured }),
		MatrixColumns[1+Count:]),
}

// ScaleFreeColumns are the extra numbers of the matrices of a vector, which people may choose to
// see beside ColumnsOf; those of other matrices than this one ("" for all) are for files. There are
// none of the profile refcode.
func ScaleFreeColumns[R any](
	l Layout, matrix string, matrices func(R) map[string]variance.Matrix,
) (list []result.Column[R]) {
	if l.Profile == Refcode {
		return nil
	}
	for _, name := range l.Modalities {
		for _, c := range scaleFree(name+".", func(r R) variance.Matrix { return matrices(r)[name] }) {
			switch c.Show = result.Offered; matrix {
			case "":
			case name:
				c.Title = short(c.Key)
			default:
				c.Show = result.FileOnly
			}
			list = append(list, c)
		}
	}
	return list
}

// scaleFree are the columns of the extra numbers of a matrix, NaN of an empty one.
func scaleFree[R any](before string, of func(R) variance.Matrix) []result.Column[R] {
	extra := func(name, help string, number func(dctny, asymm float64) float64) result.Column[R] {
		c := result.Numbers(before+name, before+name, help, result.Number, func(r R) float64 {
			if m := of(r); m.N > 0 {
				return number(ScaleFree(m))
			}
			return math.NaN()
		})
		c.Decimals = result.Fitting
		return c
	}
	return []result.Column[R]{
		extra("dctny_scale_free", "dctny by the root of the mean square of a line, which does not grow with the matrix",
			func(dctny, _ float64) float64 { return dctny }),
		extra("asymm_mean", "asymm divided by the number of elements below the diagonal",
			func(_, asymm float64) float64 { return asymm }),
	}
}

// MatrixColumns are the matrix, its features and its flags.
var MatrixColumns = slices.Concat(
	[]result.Column[OfMatrix]{result.Texts("matrix", "matrix",
		"reducer and position whose variance matrix is measured, such as max@CONF",
		func(o OfMatrix) string { return o.Matrix })},
	Columns(names[:], func(o OfMatrix) []float64 { return o.Values }),
	[]result.Column[OfMatrix]{result.Texts("flags", "flags", "which features have a value by convention",
		OfMatrix.flags)})

func (o OfMatrix) flags() string {
	texts := make([]string, len(o.Flags))
	for k, flag := range o.Flags {
		texts[k] = string(flag)
	}
	return strings.Join(texts, " ")
}
