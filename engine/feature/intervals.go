package feature

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/engine/subject"
	"github.com/variscope/variscope/engine/variance"
)

// Resample measures a model on resamples of the images (ascending). visit gets the resample's
// number, its images, and the vector, several at a time. All matrices of a vector are
// of one resample. The reduced matrix of SSTY takes those images of it that are drawn for Vector's,
// as often as they are repeated. Errors are those of Vector and variance.Bootstrap.Each.
func (l Layout) Resample(
	ctx context.Context, set *signal.Set, images []int, b variance.Bootstrap, p progress.Progress,
	visit func(r int, drawn []int, v Vector) error,
) error {
	all := make([]variance.Differences, len(l.Modalities))
	for k, text := range l.Modalities {
		m, err := signal.ParseModality(text)
		if err != nil {
			return err
		}
		if all[k], err = variance.DifferencesOf(set, m); err != nil {
			return err
		}
	}
	reduced := l.Drawn(set.Images)
	return b.Each(ctx, images, p, func(r int, drawn []int) error {
		fewer := among(drawn, reduced)
		v := Vector{Matrices: map[string]variance.Matrix{}, Flags: map[string][]Flag{}}
		for k, name := range l.Modalities {
			if err := l.extend(&v, name, all[k].Matrix, drawn, fewer); err != nil {
				return fmt.Errorf("%s, a resample of the images: %w", name, err)
			}
		}
		return visit(r, drawn, v)
	})
}

// Interval is a feature of a model with what resamples of the images say of it: a row of Intervals.
type Interval struct {
	Model, Matrix string
	Feature       Feature
	Value         float64 // over the images at hand, NaN where it is undefined
	// Low and High are the percentiles 2.5 and 97.5 over the resamples, SD their standard deviation,
	// and Bias is their mean less Value; all NaN where Value is undefined or stands by convention, or
	// where most resamples do. Those that do are left out.
	Low, High, SD, Bias float64
	Resamples           int // that have a value
	Caveat              result.Reason
}

// noticeable is the bias, as a share of the standard deviation, above which percentiles do not
// centre on the value (Efron and Tibshirani, An introduction to the bootstrap, section 10.3).
const noticeable = 0.25

// Intervals resamples the images of a vector. shown are its values, NaN for undefined ones, and
// flags those of Vector.
//
// What measures roughness (the deviations of gradients, dctny, asymm) grows with the noise that a
// resample adds to a matrix, and g_overall falls with it: resamples lie beside the value as the value
// lies beside that of endless images. Percentiles then miss that too often, and Caveat says so where
// Bias is above a quarter of SD. SSTY goes to 0 with the number of images, and always has one. In a
// simulation of 100 to 1000 images (TestCoverage) percentiles without a Caveat held the value of
// 100,000 images in 92 to 97 % of the samples.
func (l Layout) Intervals(
	ctx context.Context, set *signal.Set, images []int, shown []float64, flags map[string][]Flag,
	b variance.Bootstrap, p progress.Progress,
) ([]Interval, error) {
	values := make([][]float64, len(shown)) // by feature
	for c := range values {
		values[c] = make([]float64, b.Resamples)
	}
	err := l.Resample(ctx, set, images, b, p, func(r int, _ []int, of Vector) error {
		for c, v := range of.Values {
			if !caveatOf(Feature(c%Count), of.Flags[l.Modalities[c/Count]]).None() {
				v = math.NaN()
			}
			values[c][r] = v
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	list := make([]Interval, len(shown))
	for c, v := range shown {
		defined := slices.DeleteFunc(values[c], math.IsNaN)
		iv := Interval{Matrix: l.Modalities[c/Count], Feature: Feature(c % Count), Value: v, Resamples: len(defined)}
		left := b.Resamples - len(defined)
		if iv.Caveat = caveatOf(iv.Feature, flags[iv.Matrix]); iv.Caveat.None() && 2*left > b.Resamples {
			iv.Caveat = result.Because("rarely_defined", "undefined in %d of %d resamples", left, b.Resamples)
		}
		if math.IsNaN(v) || !iv.Caveat.None() {
			iv.Low, iv.High, iv.SD, iv.Bias = math.NaN(), math.NaN(), math.NaN(), math.NaN()
			list[c] = iv
			continue
		}
		mean, sd := stats.Moments(defined)
		iv.SD, iv.Bias = sd, mean-v
		iv.Low, iv.High = variance.Percentiles(defined)
		side := "above"
		switch {
		case iv.Feature == SSTY:
			iv.Caveat = result.Because("few_images", "falls with the number of images; not an interval of what more images give")
		case left > 0:
			iv.Caveat = result.Because("sometimes_undefined", "undefined in %d of %d resamples, which are left out", left, b.Resamples)
		case math.Abs(iv.Bias) > noticeable*sd:
			if iv.Bias < 0 {
				side = "below"
			}
			iv.Caveat = result.Because("biased", "resamples lie %s it; the interval misses too often", side)
		}
		list[c] = iv
	}
	return list, nil
}

// Intervals is the table of features with their intervals, a row for each feature of a matrix.
var Intervals = result.Table[Interval]{
	Name: "features_intervals", Title: "Features with intervals", Noun: "feature",
	ID: func(i Interval) string { return i.Model + "/" + i.Matrix + "/" + i.Feature.String() },
	Columns: append(
		result.Lift(subject.Columns[:1], func(i Interval) subject.Subject { return subject.Subject{Model: i.Model} }),
		result.Texts("matrix", "matrix", "reducer and position whose variance matrix is measured, such as max@CONF",
			func(i Interval) string { return i.Matrix }),
		result.Texts("feature", "feature", "one of the 16 features", func(i Interval) string { return i.Feature.String() }),
		spread("value", "value", "over the images at hand, with the percentiles 2.5 and 97.5 over resamples of these",
			func(i Interval) float64 { return i.Value }).
			Between(func(i Interval) float64 { return i.Low }, func(i Interval) float64 { return i.High }),
		spread("sd", "SD", "standard deviation over the resamples", func(i Interval) float64 { return i.SD }),
		spread("bias", "bias", "mean over the resamples less the value", func(i Interval) float64 { return i.Bias }),
		result.Texts("caution", "caution", "what to know about the value or its interval",
			func(i Interval) string { return i.Caveat.Text }),
		result.Counts("resamples", "resamples", "of the images",
			func(i Interval) int { return i.Resamples }).In(result.FileOnly)),
}

// spread is a column of numbers as large as the feature is.
func spread(key, title, help string, of func(Interval) float64) result.Column[Interval] {
	c := result.Numbers(key, title, help, result.Number, of)
	c.Decimals = -3
	return c
}
