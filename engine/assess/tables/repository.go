package tables

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/stats"
)

// Diversity is a line of Table 4: what a way of choosing so many scenes per target is worth.
type Diversity struct {
	N        int     // scenes per target
	Models   int     // with a coverage
	Coverage float64 // recall: neuron coverage, the mean over the models; NaN without any
	Fleiss   agreement.Value
	F1       float64 // of coverage and Fleiss' kappa, NaN where either is undefined
}

// Table4 is the line of a selection with n scenes per target: coverages has one neuron coverage per
// model (background.Coverage.Share; NaN for a model without one), ratings are the annotators'
// labels on the matrices that the selection gave, raters x models with classes 0..classes-1 or
// agreement.Missing.
func Table4(n int, coverages []float64, ratings [][]int, classes int) Diversity {
	d := Diversity{N: n, Coverage: math.NaN(), F1: math.NaN()}
	sum := 0.0
	for _, v := range coverages {
		if !math.IsNaN(v) {
			sum += v
			d.Models++
		}
	}
	if d.Models > 0 {
		d.Coverage = sum / float64(d.Models)
	}
	d.Fleiss = agreement.Measure(ratings, classes, make([]string, len(ratings)), agreement.Options{}).Fleiss.Value
	if d.Models > 0 && d.Fleiss.Defined() {
		d.F1 = background.F1(d.Coverage, d.Fleiss.Value)
	}
	return d
}

// Part is a line of Table 5: how many models have a label.
type Part struct {
	Label  label.Value
	Models int
	Share  float64 // of the labelled models, NaN without any
}

// Table5 counts the labels of a repository, in the order of the classes. Models without a label do
// not count; their number is the second result.
func Table5(d assess.Data) (parts []Part, unlabelled int) {
	labelled := d.Labelled()
	for _, class := range d.Classes {
		p := Part{Label: class, Share: math.NaN()}
		for _, i := range labelled {
			if d.Rows[i].Label == class {
				p.Models++
			}
		}
		if len(labelled) > 0 {
			p.Share = float64(p.Models) / float64(len(labelled))
		}
		parts = append(parts, p)
	}
	return parts, len(d.Rows) - len(labelled)
}

// Figures are a line of Table 6: mean, extremes and standard deviation (population form) of a
// figure of the models. All are NaN where no model has it.
type Figures struct {
	N                   int // models that have it
	Mean, Max, Min, Std float64
}

// Table6 summarises accuracy and worst-case accuracy over a repository, labelled or not. Models for
// which one is NaN do not count for it.
func Table6(d assess.Data) (accuracy, worst Figures) {
	a, w := AccuraciesOf(d)
	return figures(a), figures(w)
}

// AccuraciesOf are the models' accuracies and worst-case accuracies in the order of the rows, NaN
// where there is none.
func AccuraciesOf(d assess.Data) (accuracy, worst []float64) {
	for _, r := range d.Rows {
		accuracy, worst = append(accuracy, r.Accuracy), append(worst, r.Scores.CorrectProduct)
	}
	return accuracy, worst
}

// known are the values that are numbers.
func known(values []float64) []float64 {
	var list []float64
	for _, v := range values {
		if !math.IsNaN(v) {
			list = append(list, v)
		}
	}
	return list
}

func figures(values []float64) Figures {
	list := known(values)
	if len(list) == 0 {
		nan := math.NaN()
		return Figures{Mean: nan, Max: nan, Min: nan, Std: nan}
	}
	f := Figures{N: len(list), Max: slices.Max(list), Min: slices.Min(list)}
	f.Mean, f.Std = stats.Moments(list)
	return f
}

// Histogram counts shares into so many equal bins over [0, 1], as Fig. 16 does with accuracies and
// worst-case accuracies: bin k holds [k/bins, (k+1)/bins), the last one 1, too. NaN are left out.
// The error names a value outside of [0, 1], or fewer bins than one.
func Histogram(values []float64, bins int) ([]int, error) {
	if bins < 1 {
		return nil, fmt.Errorf("a histogram of %d bins; it needs one or more", bins)
	}
	counts := make([]int, bins)
	for _, v := range known(values) {
		if !(v >= 0 && v <= 1) {
			return nil, fmt.Errorf("%v is no share between 0 and 1", v)
		}
		k := min(int(v*float64(bins)), bins-1)
		// The product may round across the border that the bin's own quotient draws.
		if k+1 < bins && v >= float64(k+1)/float64(bins) {
			k++
		}
		if k > 0 && v < float64(k)/float64(bins) {
			k--
		}
		counts[k]++
	}
	return counts, nil
}
