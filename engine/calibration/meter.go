package calibration

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
)

// The codes of why there is no value, beside those of engine/invariance.
const (
	OneClass      = "one_class"      // the model has one class
	FewImages     = "few_images"     // fewer than two images have a label
	UnknownClass  = "unknown_class"  // the model has no class for some labels
	Independent   = "independent"    // the model's outputs are no softmax
	NoTemperature = "no_temperature" // the best one lies outside of those that are tried
)

// steps is the number of steps of Row.Spread.
const steps = 20

// Row is the calibration under one transformation, over the labelled images.
type Row struct {
	Transformation int        // index in the family or set
	Name           string     `json:"-"` // transform.Family.Describe
	V              float64    `json:"-"` // value of the sampling variable, NaN for sets
	Confidence     float64    // mean; over all images where none has a label
	Spread         [steps]int // the same images by confidence, in steps of 0.05
	Bins           []Bin      // of the labelled images, by ascending confidence
	// Low and High are the 95 % interval of the ECE, Chance is the ECE of a calibrated model with
	// the same confidences.
	Low, High, Chance float64
	Brier, NLL        float64 // undefined where Result.Part is given
	// Temperature and Scaled, the ECE after temperatures of the other half of the images, are
	// undefined where Result.Part, Unfitted or Unscaled says why.
	Temperature, Scaled float64
	Unfitted, Unscaled  result.Reason
}

// Accuracy is the share of the labelled images that are classified rightly, NaN without any.
func (r Row) Accuracy() float64 {
	var all Bin
	for _, b := range r.Bins {
		all.Images, all.Correct = all.Images+b.Images, all.Correct+b.Correct
	}
	return all.Accuracy()
}

// ECE is the expected calibration error, NaN without labels.
func (r Row) ECE() float64 { return expected(r.Bins) }

// Largest is the largest distance of a bin's accuracy from its confidence, NaN without labels.
func (r Row) Largest() float64 {
	largest := math.NaN()
	for _, b := range r.Bins {
		if gap := math.Abs(b.gap()); !(gap <= largest) {
			largest = gap
		}
	}
	return largest
}

// Result is one model on one suite under one family or set.
type Result struct {
	Images, Labelled int
	Identity         int   `json:"-"` // index into Rows
	Rows             []Row // of the transformations that were measured, in the family's order
	// Part says why there are no Brier score, NLL and temperature: they need whole softmax vectors
	// and labels of the model's classes. None where they are there.
	Part result.Reason
}

// Unsuited says why calibration cannot be measured under a family or set, nil where it can.
func Unsuited(f transform.Family) error {
	if _, masked := f.Masked(); masked {
		return fmt.Errorf("%s deletes regions inside the model; calibration needs the model as it is, with images as "+
			"they are or transformed, such as %s", f, transform.Rot90)
	}
	return nil
}

// Meter gathers a model's predictions chunk by chunk, in order. It keeps all probabilities of
// labelled images: 124 MB for 10,000 images of 100 classes under 31 transformations.
type Meter struct {
	family          transform.Family
	labels, classes []int
	images          int // taken in so far
	labelled        int
	number          int   // of classes
	truth           []int // class of each labelled image
	part            result.Reason
	rows            []gathered
}

// gathered is what is kept of a transformation: of the labelled images, of all where none has a
// label.
type gathered struct {
	transformation int
	confidence     []float64
	correct        []bool
	class          []int     // predicted
	probabilities  []float32 // images x classes
}

// NewMeter starts for the family or set with this canonical text. labels and classes are those of
// assess.Robust; labels nil for a suite without labels. With original only the images as they are
// are measured.
func NewMeter(family string, labels, classes []int, original bool) (*Meter, error) {
	f, err := transform.ParseAny(family)
	if err == nil {
		err = Unsuited(f)
	}
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(labels, func(l int) bool { return l >= 0 }) {
		labels = nil
	}
	m := &Meter{family: f, labels: labels, classes: classes}
	for t := range f.N() {
		if !original || t == f.Identity() {
			m.rows = append(m.rows, gathered{transformation: t})
		}
	}
	return m, nil
}

// Add takes in the next images: a set with predictions, confidences and, where they are kept, whole
// softmax vectors. An error leaves the meter without a use.
func (m *Meter) Add(part *signal.Set) error {
	switch cells := part.Transformations * part.Images; {
	case part.Transformations != m.family.N():
		return fmt.Errorf("signals of %d transformations for %s, which has %d", part.Transformations, m.family,
			m.family.N())
	case len(part.Prediction) != cells || len(part.Confidence) != cells:
		return fmt.Errorf("%d predictions and %d confidences for %d images under %d transformations",
			len(part.Prediction), len(part.Confidence), part.Images, part.Transformations)
	case part.Softmax != nil && len(part.Softmax) != cells*part.Classes:
		return fmt.Errorf("%d softmax entries for %d vectors of %d classes", len(part.Softmax), cells, part.Classes)
	case m.labels != nil && m.images+part.Images > len(m.labels):
		return fmt.Errorf("signals of %d images, but labels of %d", m.images+part.Images, len(m.labels))
	}
	m.number = part.Classes
	switch {
	case m.labels == nil:
		m.part = result.Because(invariance.NoLabels, "the suite has no labels")
	case part.Softmax == nil:
		m.part = result.Because(invariance.NoSoftmax,
			"the model has %d classes; "+
				"whole softmax vectors are kept for at most %d", part.Classes, signal.FullSoftmaxClasses)
	case part.Spec.OutputKind == model.Sigmoid:
		m.part = result.Because(Independent,
			"the model's outputs are independent probabilities, which no temperature of a softmax scales")
	}
	for k := range part.Images {
		truth := -1
		if m.labels != nil {
			if m.labels[m.images+k] < 0 {
				continue
			}
			m.labelled++
			truth = variance.ClassOf(m.labels[m.images+k], m.classes)
			if (truth < 0 || truth >= part.Classes) && m.part.None() {
				m.part = result.Because(UnknownClass, "the model has no class for some labels of the suite")
			}
		}
		m.truth = append(m.truth, truth)
		for i := range m.rows {
			g := &m.rows[i]
			if err := g.add(part, g.transformation*part.Images+k, truth, m.part.None()); err != nil {
				return fmt.Errorf("image %d: transformation %d: %w", m.images+k, g.transformation, err)
			}
		}
	}
	m.images += part.Images
	return nil
}

// slack is how far above 1 a confidence, and from 1 the sum of a softmax, may be (spec/ei.md).
const slack = 1e-3

// add takes in the image in a cell of a part.
func (g *gathered) add(part *signal.Set, cell, truth int, whole bool) error {
	class, confidence := int(part.Prediction[cell]), float64(part.Confidence[cell])
	if class < 0 || class >= part.Classes {
		return fmt.Errorf("prediction %d of a model with %d classes", class, part.Classes)
	}
	if !(confidence >= 0 && confidence <= 1+slack) { // also NaN
		return fmt.Errorf("confidence %v; it must lie between 0 and 1", confidence)
	}
	g.confidence, g.correct = append(g.confidence, min(confidence, 1)), append(g.correct, class == truth)
	if !whole {
		return nil
	}
	row, sum := part.Softmax[cell*part.Classes:(cell+1)*part.Classes], 0.0
	for c, p := range row {
		if !(p >= 0) {
			return fmt.Errorf("softmax entry %d is %v; entries must not be negative", c, p)
		}
		sum += float64(p)
	}
	if !(math.Abs(sum-1) <= slack) {
		return fmt.Errorf("a softmax vector sums to %v; it must be 1 within %v", sum, slack)
	}
	g.class, g.probabilities = append(g.class, class), append(g.probabilities, row...)
	return nil
}

// Result measures what was added, with at most so many goroutines: the same bits for any number. It
// is an error when that is no image, or fewer images than there are labels.
func (m *Meter) Result(ctx context.Context, s Settings, workers int) (Result, error) {
	switch {
	case m.images == 0:
		return Result{}, errors.New("no image was measured")
	case m.labels != nil && m.images != len(m.labels):
		return Result{}, fmt.Errorf("signals of %d images, but labels of %d", m.images, len(m.labels))
	}
	r := Result{Images: m.images, Labelled: m.labelled, Part: m.part, Rows: make([]Row, len(m.rows))}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(workers)
	for k, g := range m.rows {
		work.Go(func() error {
			r.Rows[k] = m.row(ctx, g, s)
			r.Rows[k].Transformation = g.transformation
			return ctx.Err()
		})
	}
	if err := work.Wait(); err != nil {
		return Result{}, err
	}
	r.Describe(m.family)
	return r, nil
}

// Describe fills in what the family says of the transformations.
func (r *Result) Describe(f transform.Family) {
	for k := range r.Rows {
		row := &r.Rows[k]
		if row.Transformation == f.Identity() {
			r.Identity = k
		}
		row.Name, row.V = f.Describe(row.Transformation), math.NaN()
		if !f.IsSet() {
			row.V = f.Values()[row.Transformation]
		}
	}
}

// row measures one transformation. Once ctx ends it means nothing.
func (m *Meter) row(ctx context.Context, g gathered, s Settings) (r Row) {
	for _, c := range g.confidence {
		r.Confidence += c / float64(len(g.confidence))
		r.Spread[min(int(c*steps), steps-1)]++
	}
	if m.labelled == 0 {
		return r
	}
	p := newPool(g.confidence, g.correct)
	r.Bins = append(r.Bins, p.bins(s.Bins)...)
	r.Low, r.High, r.Chance = p.interval(ctx, s)
	if !m.part.None() {
		return r
	}
	l := newLogits(g.probabilities, m.number, m.truth)
	r.Brier = l.brier()
	r.NLL, _, _ = l.loss(1, 0, 1)
	r.Temperature, r.Unfitted = l.temperature(0, 1)
	r.Scaled, r.Unscaled = l.scaled(g.class, g.correct, s.Bins)
	return r
}
