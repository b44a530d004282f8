package calibration

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
	"github.com/variscope/variscope/engine/transform"
)

// Measured is one model on one suite under one family or set: a row of Results.
type Measured struct {
	subject.Subject
	Device string // the kind that has computed the signals, empty for the processor
	Result
}

// ID names the row, also after another measuring.
func (m Measured) ID() string { return m.ModelHash + "/" + m.SuiteHash + "/" + m.Family }

// Original is the images as they are.
func (m Measured) Original() Step { return Step{&m, m.Rows[m.Identity]} }

// Step is one transformation of what was measured: a row of Transformations.
type Step struct {
	Of *Measured
	Row
}

// ID names the row, also after another measuring.
func (s Step) ID() string { return s.Of.ID() + "/" + strconv.Itoa(s.Transformation) }

// At is where the step stands on the axis of a figure over the transformations.
func (s Step) At() float64 { return transform.AxisAt(s.Of.Family, s.V, s.Transformation) }

// Steps are the transformations of all rows, in order, the images as they are among them.
func Steps(rows []Measured) (list []Step) {
	for k := range rows {
		for _, row := range rows[k].Rows {
			list = append(list, Step{&rows[k], row})
		}
	}
	return list
}

// StepBin is a bin of a step, from 0 on: a row of Bins.
type StepBin struct {
	Step
	Number int
	Bin
}

// BinsOf are the bins of steps, in order.
func BinsOf(steps []Step) (list []StepBin) {
	for _, s := range steps {
		for k, b := range s.Bins {
			list = append(list, StepBin{s, k, b})
		}
	}
	return list
}

// Sheets are all tables of what was measured.
func Sheets(rows []Measured) []*result.Sheet {
	steps := Steps(rows)
	return []*result.Sheet{Results.Sheet(rows), Transformations.Sheet(steps), Bins.Sheet(BinsOf(steps))}
}

// Results is the table of what was measured, of the images as they are.
var Results = result.Table[Measured]{
	Name: "calibration", Title: "Calibration", Noun: "row", ID: Measured.ID, First: result.Order{Key: "model_id"},
	Columns: slices.Concat(
		result.Lift(subject.Columns, func(m Measured) subject.Subject { return m.Subject }),
		result.Lift(measures, Measured.Original),
		[]result.Column[Measured]{
			result.Counts("images", "images", "images of the suite", func(m Measured) int { return m.Images }),
			result.Counts("labelled", "labelled", "those with a label, on which calibration rests",
				func(m Measured) int { return m.Labelled }).In(result.Offered),
		}),
	More: func(rows []Measured) []result.Column[Measured] {
		return subject.Device(rows, func(m Measured) string { return m.Device })
	},
}

// Transformations is the table of Steps. OfOneRow is the same for the steps of one row: people do
// not see its model, suite and family again.
var (
	Transformations = result.Table[Step]{
		Name: "calibration_transformations", Title: "Calibration per transformation", Noun: "transformation",
		ID: Step.ID,
		Columns: slices.Concat(
			result.Lift(subject.Columns, func(s Step) subject.Subject { return s.Of.Subject }), which, measures),
	}
	OfOneRow = Transformations.Place(result.FileOnly, "model_id", "suite", "family")
)

// Bins is the table of the bins of all reliability diagrams.
var Bins = result.Table[StepBin]{
	Name: "calibration_bins", Title: "Bins of the reliability diagrams", Noun: "bin",
	ID: func(b StepBin) string { return fmt.Sprint(b.Step.ID(), "/", b.Number) },
	Columns: slices.Concat(
		result.Lift(subject.Columns, func(b StepBin) subject.Subject { return b.Of.Subject }),
		result.Lift(which, func(b StepBin) Step { return b.Step }),
		[]result.Column[StepBin]{
			result.Counts("bin", "bin", "its number by confidence, from 0", func(b StepBin) int { return b.Number }),
			result.Counts("images", "images", "labelled images in it", func(b StepBin) int { return b.Images }),
			result.Numbers("confidence", "confidence", "mean over the images", result.Share,
				func(b StepBin) float64 { return b.Bin.Confidence }),
			result.Numbers("lowest", "lowest", "lowest confidence", result.Share,
				func(b StepBin) float64 { return b.Lowest }),
			result.Numbers("highest", "highest", "highest confidence", result.Share,
				func(b StepBin) float64 { return b.Highest }),
			result.Numbers("accuracy", "accuracy",
				"share that is classified rightly, with Wilson's interval", result.Share,
				func(b StepBin) float64 { return b.Bin.Accuracy() }).Between(
				func(b StepBin) float64 { low, _ := b.Interval(); return low },
				func(b StepBin) float64 { _, high := b.Interval(); return high }),
		}),
}

// which are the columns that name the transformation of a step.
var which = []result.Column[Step]{
	result.Texts("name", "transformation", "what is done to the images", func(s Step) string { return s.Name }),
	result.Counts("transformation", "number", "of the transformation in its family",
		func(s Step) int { return s.Transformation }).In(result.FileOnly),
	result.Numbers("v", "v", "value of the family's sampling variable; sets have none", result.Number,
		func(s Step) float64 { return s.V }).In(result.FileOnly),
}

// measures are the columns of what is measured of a step.
var measures = []result.Column[Step]{
	result.Numbers("accuracy", "accuracy", "share of the labelled images that are classified rightly", result.Share,
		Step.Accuracy).Because(Step.unlabelled),
	result.Numbers("confidence", "confidence",
		"probability of the predicted class, mean over the labelled images, over "+
			"all where none has a label", result.Share, func(s Step) float64 { return s.Confidence }),
	result.Numbers("overconfidence", "overconfidence",
		"mean confidence minus accuracy: "+
			"above 0 the model is surer than it is right", result.Points, func(s Step) float64 {
			return s.Confidence - s.Accuracy()
		}).Because(Step.unlabelled),
	result.Numbers("ece", "ECE", "expected calibration error: distance of accuracy and mean confidence in bins of "+
		"equally many images, mean over the images; "+
		"with 95 % interval, which corrects that an ECE of few images is too large", result.Share, Step.ECE).Between(
		func(s Step) float64 { return known(s.Low, s.unlabelled()) },
		func(s Step) float64 { return known(s.High, s.unlabelled()) }).Because(Step.unlabelled),
	result.Numbers("ece_chance", "ECE by chance",
		"ECE that a calibrated model with the same confidences would have on "+
			"as many images, mean over draws", result.Share,
		func(s Step) float64 { return known(s.Chance, s.unlabelled()) }).Because(Step.unlabelled),
	result.Numbers("mce", "MCE", "maximum calibration error: the largest distance in a bin", result.Share,
		Step.Largest).Because(Step.unlabelled).In(result.Offered),
	result.Numbers("temperature", "temperature",
		"T for which softmax(logits / T) is most likely: "+
			"above 1 the model is too sure", result.Number, func(s Step) float64 {
			return known(s.Temperature, s.unfitted())
		}).Because(Step.unfitted),
	result.Numbers("ece_scaled", "ECE at temperature", "ECE of even images at the temperature of odd ones, and the "+
		"other way round: no image is measured at a temperature that was fitted to it", result.Share,
		func(s Step) float64 { return known(s.Scaled, s.unscaled()) }).Because(Step.unscaled),
	result.Numbers("nll", "NLL", "negative log-likelihood of the labels, natural logarithm, mean over the labelled "+
		"images; a probability of 0 counts as 1.4e-45", result.Number,
		func(s Step) float64 { return known(s.NLL, s.partial()) }).Because(Step.partial),
	result.Numbers("brier", "Brier",
		"Brier score: squared distance of the probabilities from those of one who knows the "+
			"label, mean over the labelled images; 0 to 2", result.Number,
		func(s Step) float64 { return known(s.Brier, s.partial()) }).Because(Step.partial),
}

// known is a value without a reason why it is missing, NaN with one.
func known(v float64, why result.Reason) float64 {
	if why.None() {
		return v
	}
	return math.NaN()
}

// partial says why there is nothing that needs whole softmax vectors, unlabelled why no accuracy,
// unfitted why no temperature, unscaled why no ECE at it.
func (s Step) partial() result.Reason { return s.Of.Part }

func (s Step) unlabelled() result.Reason {
	if s.Of.Labelled > 0 {
		return result.Reason{}
	}
	return s.Of.Part
}

func (s Step) unfitted() result.Reason { return cmp.Or(s.Of.Part, s.Unfitted) }

func (s Step) unscaled() result.Reason { return cmp.Or(s.Of.Part, s.Unscaled) }
