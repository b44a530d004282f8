package variance

import (
	"cmp"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
)

// Judged is a matrix of a model with what its largest element is worth and which images make it,
// or why there is no matrix.
type Judged struct {
	Modality  string
	Matrix    Matrix // N is 0 where there is none
	Why       result.Reason
	Low, High float64 // ends of the colour range
	// Largest is f+ of spec/variance.md section 9, 0 where it is not known. Estimated says that it
	// is the largest difference that was observed, since no larger one is known to be impossible.
	Largest   float64
	Estimated bool
	Images    int  // that count
	Ranked    bool // images were looked at one by one for Extremes
	Extremes  []Extreme
}

// Certainty is that of the largest element, at Confidence and Precision.
func (j Judged) Certainty() Certainty {
	return Certain(j.Images, j.Matrix.Max(), j.Largest, Confidence, Precision)
}

// Judge finds f+ and, where they are to be ranked, the flagged images of a matrix from its
// differences over the images. bound is the largest possible difference, where that is known.
func (j *Judged) Judge(d Differences, images []int, bound float64, known, ranked bool) (flagged []Share) {
	if j.Largest, j.Estimated = bound, !known; !known {
		for _, k := range images {
			a, b := d.Widest(k)
			j.Largest = max(j.Largest, math.Abs(d.At(a, b, k)))
		}
	}
	if j.Ranked = ranked; ranked {
		flagged = d.Flagged(images)
	}
	return flagged
}

func (j Judged) colours() string {
	if j.Matrix.N == 0 {
		return ""
	}
	return result.Number.Write(j.Low) + " to " + result.Number.Write(j.High)
}

// JudgedTable has a row per matrix.
var JudgedTable = result.Table[Judged]{
	Name: "matrices", Title: "Matrices", Noun: "matrix", ID: func(j Judged) string { return j.Modality },
	Columns: []result.Column[Judged]{
		result.Texts("matrix", "matrix", "reducer and position of its signals",
			func(j Judged) string { return j.Modality }),
		result.Texts("colours", "colour range", "values of both ends of the colours, or why there is no matrix",
			Judged.colours).Told(func(j Judged) string {
			return cmp.Or(j.colours(), j.Why.Text)
		}).Because(func(j Judged) result.Reason { return j.Why }),
		judged("largest", "largest", "largest element, δ", false, func(j Judged) float64 { return j.Matrix.Max() }),
		judged("mean", "mean of all", "mean of all elements", false, func(j Judged) float64 { return j.Matrix.Mean() }),
		judged("f_plus", "f+", "largest possible difference of two signals, or the largest that was observed", true,
			func(j Judged) float64 { return j.Largest }),
		result.Texts("f_plus_is", "f+ is", "known, or observed: the half-widths are estimates then",
			func(j Judged) string {
				switch {
				case j.Matrix.N == 0 || j.Largest == 0:
					return ""
				case j.Estimated:
					return "observed"
				}
				return "known"
			}),
		judged("half_width_squares", "half-width, δ²", "of the interval around δ² (Hoeffding)", true,
			func(j Judged) float64 { return j.Certainty().EpsSquares }),
		judged("half_width", "half-width, δ", "of the interval around δ (Hoeffding)", true,
			func(j Judged) float64 { return j.Certainty().HalfWidth }),
		{
			Key: "needed", Title: "images needed", Help: "to know δ to within a share of it", Format: result.Count,
			Value: func(j Judged) float64 {
				switch n := j.Certainty().Needed; {
				case j.Matrix.N == 0 || j.Largest == 0 || n == 0:
					return math.NaN()
				case n == math.MaxInt:
					return math.Inf(1)
				default:
					return float64(n)
				}
			},
		},
		{
			Key: "flagged", Title: "flagged", Help: "images whose share in the matrix is 20 times an equal one or more",
			Format: result.Count,
			Value: func(j Judged) float64 {
				if j.Matrix.N == 0 || !j.Ranked {
					return math.NaN()
				}
				return float64(len(j.Extremes))
			},
		},
	},
}

// judged is a column of numbers as large as the signals are; bound says that f+ must be known.
func judged(key, title, help string, bound bool, of func(Judged) float64) result.Column[Judged] {
	c := result.Numbers(key, title, help, result.Number, func(j Judged) float64 {
		if j.Matrix.N == 0 || bound && j.Largest == 0 {
			return math.NaN()
		}
		return of(j)
	}).Because(func(j Judged) result.Reason { return j.Why })
	c.Decimals = -4
	return c
}

// Extreme is an image whose share in a matrix is far above an equal one (FlagExtremes), and what
// the model made of it.
type Extreme struct {
	Modality         string
	Image            int
	File             string // "" for images of one data file
	Share            float64
	Class, Predicted string
	Confidence       float64
}

// Extremes has a row per matrix and image.
var Extremes = result.Table[Extreme]{
	Name: "extremes", Title: "Images flagged as extreme", Noun: "image",
	ID: func(x Extreme) string { return x.Modality + " " + result.Count.Write(float64(x.Image)) },
	Columns: []result.Column[Extreme]{
		result.Texts("matrix", "matrix", "reducer and position of its signals",
			func(x Extreme) string { return x.Modality }),
		{
			Key: "image", Title: "image", Help: "number in the suite, from 0 on", Format: result.Count,
			Value: func(x Extreme) float64 { return float64(x.Image) },
		},
		result.Numbers("share", "share", "of the image in the whole matrix", result.Share,
			func(x Extreme) float64 { return x.Share }),
		result.Texts("class", "class", "the image's", func(x Extreme) string { return x.Class }),
		result.Texts("predicted", "predicted", "class that the model predicts for the image as it is",
			func(x Extreme) string { return x.Predicted }),
		result.Numbers("confidence", "confidence", "in that prediction", result.Coefficient,
			func(x Extreme) float64 { return x.Confidence }),
		result.Texts("file", "file", "of the image", func(x Extreme) string { return x.File }),
	},
}

// JudgedOf is a judged matrix of a model, with what Differences.Clean does to it: a row of
// Certainties.
type JudgedOf struct {
	Model string
	Judged
	Flagged, Removed int
	Cleaned          Matrix // without the removed images; N is 0 where none is removed
	// Typical is Differences.TypicalFigure, where images were looked at one by one.
	Typical result.Figure
}

// Certainties is JudgedTable for several models, with what becomes of matrices without extreme
// images.
var Certainties = result.Table[JudgedOf]{
	Name: "certainty", Title: "Certainty of the matrices", Noun: "matrix",
	ID: func(j JudgedOf) string { return j.Model + "/" + j.Modality },
	Columns: slices.Concat(
		result.Lift(subject.Columns[:1], func(j JudgedOf) subject.Subject { return subject.Subject{Model: j.Model} }),
		result.Lift(slices.DeleteFunc(slices.Clone(JudgedTable.Columns), func(c result.Column[Judged]) bool {
			return c.Key == "colours" || c.Key == "flagged"
		}), func(j JudgedOf) Judged { return j.Judged }),
		[]result.Column[JudgedOf]{
			ranked("flagged", "flagged",
				"images whose share in the matrix is 20 times an equal one or more", result.Count,
				func(j JudgedOf) float64 { return float64(j.Flagged) }),
			ranked("removed", "removed",
				"images that are left out until none is flagged, at most 1 % of them", result.Count,
				func(j JudgedOf) float64 { return float64(j.Removed) }),
			ranked("mean_without", "mean without", "mean of all elements without the removed images", result.Number,
				func(j JudgedOf) float64 {
					if j.Cleaned.N == 0 {
						return j.Matrix.Mean()
					}
					return j.Cleaned.Mean()
				}),
		}),
}

func ranked(key, title, help string, format result.Format, of func(JudgedOf) float64) result.Column[JudgedOf] {
	c := result.Numbers(key, title, help, format, func(j JudgedOf) float64 {
		if j.Matrix.N == 0 || !j.Ranked {
			return math.NaN()
		}
		return of(j)
	})
	if format == result.Number {
		c.Decimals = -4
	}
	return c.Because(func(j JudgedOf) result.Reason { return j.Why })
}

// ExtremeOf is an image of a model's matrix that is flagged or removed: a row of ExtremesOf.
type ExtremeOf struct {
	Model, Modality string
	Image           int
	File, Class     string // "" where they are not known
	Share           float64
	Removed         bool
}

// ExtremesOf has a row per model, matrix and image.
var ExtremesOf = result.Table[ExtremeOf]{
	Name: "extremes", Title: "Extreme images", Noun: "image",
	ID: func(x ExtremeOf) string {
		return x.Model + "/" + x.Modality + "/" + result.Count.Write(float64(x.Image))
	},
	Columns: append(
		result.Lift(subject.Columns[:1], func(x ExtremeOf) subject.Subject { return subject.Subject{Model: x.Model} }),
		result.Texts("matrix", "matrix", "reducer and position of its signals",
			func(x ExtremeOf) string { return x.Modality }),
		result.Counts("image", "image", "number in the suite, from 0 on", func(x ExtremeOf) int { return x.Image }),
		result.Numbers("share", "share", "of the image in the whole matrix, or in what was left when it was removed",
			result.Share, func(x ExtremeOf) float64 { return x.Share }),
		result.Bools("removed", "removed", "it is left out until no image is flagged",
			func(x ExtremeOf) bool { return x.Removed }),
		result.Texts("class", "class", "the image's", func(x ExtremeOf) string { return x.Class }),
		result.Texts("file", "file", "of the image", func(x ExtremeOf) string { return x.File })),
}
