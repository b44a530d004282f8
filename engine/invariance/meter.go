package invariance

import (
	"errors"
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
)

// Row is one transformation of a family or set, over all images.
type Row struct {
	Transformation int     // index in the family or set
	Name           string  // transform.Family.Describe
	V              float64 // value of the sampling variable, NaN for sets
	Mean           Values
	Accuracy       float64 // under the transformation; NaN without labels
	AccuracyDrop   float64 // accuracy of the original minus this; NaN without labels
}

// Result is one model on one suite under one family or set.
type Result struct {
	Images   int
	Labelled int     // images with a label
	Accuracy float64 // under the identity; NaN without labels
	Rows     []Row   // all but the identity, in the family's order
	Mean     Values  // mean over Rows; for rot90 this is rotation invariance
	Drop     float64 // mean accuracy drop over Rows; NaN without labels
	Scores   assess.Scores
	Chance   chance.Counts // of the images as they are
	// Missing says why JS, L2 and KL are NaN: the model has more classes than whole softmax vectors
	// are kept for (NoSoftmax). None where they are there.
	Missing result.Reason
}

// Meter adds up a model's results chunk by chunk, so that no more than one chunk is in memory. The
// chunks must come in order; the result then has the same bits whatever their size in memory was.
type Meter struct {
	family          transform.Family
	labels, classes []int
	images          int // taken in so far
	number          int // of classes; 0 before the first image
	whole           bool
	sums            []Values // per transformation
	tally           assess.Tally
	chance          chance.Tally
	p, q            *vector
	every           []int // 0..n-1 of a chunk
}

// Unsuited says why invariance cannot be measured under a family or set: because it leaves the
// images as they are. It is nil for all that change images.
func Unsuited(f transform.Family) error {
	if _, masked := f.Masked(); masked {
		return fmt.Errorf("%s deletes regions inside the model and leaves the images as they are; invariance needs a "+
			"transformation of images, such as %s", f, transform.Rot90)
	}
	if !f.ChangesImages() {
		return fmt.Errorf("%s holds the images as they are; invariance needs a transformation, such as %s",
			f, transform.Rot90)
	}
	return nil
}

// NewMeter starts for the family or set with this canonical text. labels and classes are those of
// assess.Robust; labels nil for a suite without labels. A set that leaves the images as they are
// is an error (Unsuited).
func NewMeter(family string, labels, classes []int) (*Meter, error) {
	f, err := transform.ParseAny(family)
	if err != nil {
		return nil, err
	}
	if err := Unsuited(f); err != nil {
		return nil, err
	}
	return &Meter{family: f, labels: labels, classes: classes, sums: make([]Values, f.N())}, nil
}

// Add takes in the next images: a set that holds some images in order with predictions,
// confidences and, where they are kept, whole softmax vectors. Where perImage is not nil it is
// called with every image's index, transformation and values, in the order of images, then of
// transformations without the identity.
//
// EI, its product and consistency rest on predictions and confidences, so that they do not depend
// on whether whole vectors are kept; JS, L2 and KL are NaN where these are not. An error leaves
// the meter without a use.
func (m *Meter) Add(part *signal.Set, perImage func(image, transformation int, v Values)) error {
	if part.Images == 0 {
		return nil
	}
	if err := m.check(part); err != nil {
		return err
	}
	m.begin(part)
	for k := range part.Images {
		if err := m.image(part, k, perImage); err != nil {
			return fmt.Errorf("image %d: %w", m.images+k, err)
		}
	}
	var labels []int
	if m.labels != nil {
		labels = m.labels[m.images : m.images+part.Images]
	}
	for k := len(m.every); k < part.Images; k++ {
		m.every = append(m.every, k)
	}
	predictions, identity := part.Predictions(), m.family.Identity()
	m.tally.Add(predictions, labels, m.classes, identity, m.every[:part.Images])
	m.chance.Add(predictions[identity], labels, m.classes, m.every[:part.Images])
	m.images += part.Images
	return nil
}

// check tells whether a part fits the family, the labels and the parts before it.
func (m *Meter) check(part *signal.Set) error {
	cells := part.Transformations * part.Images
	switch {
	case part.Transformations != m.family.N():
		return fmt.Errorf("signals of %d transformations for %s, which has %d", part.Transformations, m.family,
			m.family.N())
	case part.Images < 0 || len(part.Prediction) != cells || len(part.Confidence) != cells:
		return fmt.Errorf("%d predictions and %d confidences for %d images under %d transformations",
			len(part.Prediction), len(part.Confidence), part.Images, part.Transformations)
	case part.Softmax == nil && part.Classes <= signal.FullSoftmaxClasses:
		return fmt.Errorf("softmax vectors of %d classes: %w", part.Classes, signal.ErrNotLoaded)
	case part.Softmax != nil && len(part.Softmax) != cells*part.Classes:
		return fmt.Errorf("%d softmax entries for %d vectors of %d classes", len(part.Softmax), cells, part.Classes)
	case m.number != 0 && (part.Classes != m.number || (part.Softmax != nil) != m.whole):
		return errors.New("the parts are of different models")
	case m.labels != nil && m.images+part.Images > len(m.labels):
		return fmt.Errorf("signals of %d images, but labels of %d", m.images+part.Images, len(m.labels))
	}
	return nil
}

// begin takes from the first part what holds for all.
func (m *Meter) begin(part *signal.Set) {
	if m.number != 0 {
		return
	}
	m.number, m.whole = part.Classes, part.Softmax != nil
	if m.whole {
		m.p, m.q = newVector(part.Classes), newVector(part.Classes)
	}
}

// image adds one image's values under all transformations.
func (m *Meter) image(part *signal.Set, k int, perImage func(image, transformation int, v Values)) error {
	identity := m.family.Identity()
	class, before, err := predicted(part, identity, k)
	if err != nil {
		return err
	}
	take, compare := set[float32], (*Values).spread
	if part.Spec.OutputKind == model.Sigmoid {
		take, compare = setIndependent, (*Values).independent
	}
	if m.whole {
		if err := take(m.p, softmax(part, identity, k)); err != nil {
			return err
		}
	}
	for t := range part.Transformations {
		if t == identity {
			continue
		}
		other, after, err := predicted(part, t, k)
		if err == nil && m.whole {
			err = take(m.q, softmax(part, t, k))
		}
		if err != nil {
			return fmt.Errorf("transformation %d: %w", t, err)
		}
		v := undefined()
		v.predicted(class == other, before, after)
		if m.whole {
			compare(&v, m.p, m.q)
		}
		for i, value := range v {
			m.sums[t][i] += value
		}
		if perImage != nil {
			perImage(m.images+k, t, v)
		}
	}
	return nil
}

// predicted is an image's prediction and its confidence under a transformation.
func predicted(part *signal.Set, t, k int) (class int32, confidence float64, err error) {
	at := t*part.Images + k
	class, confidence = part.Prediction[at], float64(part.Confidence[at])
	if class < 0 || int(class) >= part.Classes {
		return 0, 0, fmt.Errorf("prediction %d of a model with %d classes", class, part.Classes)
	}
	if !(confidence >= 0 && confidence <= 1+sumTolerance) {
		return 0, 0, fmt.Errorf("confidence %v; it must lie between 0 and 1", confidence)
	}
	return class, min(confidence, 1), nil
}

// softmax is an image's vector under a transformation.
func softmax(part *signal.Set, t, k int) []float32 {
	at := (t*part.Images + k) * part.Classes
	return part.Softmax[at : at+part.Classes]
}

// Result is the result of what was added; it is an error when that is no image, or fewer images
// than there are labels.
func (m *Meter) Result() (Result, error) {
	switch {
	case m.images == 0:
		return Result{}, errors.New("no image was measured")
	case m.labels != nil && m.images != len(m.labels):
		return Result{}, fmt.Errorf("signals of %d images, but labels of %d", m.images, len(m.labels))
	}
	identity := m.family.Identity()
	r := Result{
		Images: m.images, Labelled: m.tally.Labelled(), Scores: m.tally.Scores(), Chance: m.chance.Counts(m.number),
		Accuracy: math.NaN(), Drop: math.NaN(),
	}
	accuracies := m.tally.Accuracies()
	if accuracies != nil {
		r.Accuracy, r.Drop = accuracies[identity], 0
	}
	others := float64(len(m.sums) - 1)
	for t := range m.sums {
		if t == identity {
			continue
		}
		row := m.row(t, r.Accuracy, accuracies)
		for i, value := range row.Mean {
			r.Mean[i] += value / others
		}
		r.Drop += row.AccuracyDrop / others
		r.Rows = append(r.Rows, row)
	}
	if !m.whole {
		r.Missing = result.Because(NoSoftmax, "the model has %d classes; whole softmax vectors are kept for at most %d",
			m.number, signal.FullSoftmaxClasses)
	}
	return r, nil
}

// row is the means of one transformation.
func (m *Meter) row(t int, original float64, accuracies []float64) Row {
	row := Row{
		Transformation: t, Name: m.family.Describe(t), V: math.NaN(), Accuracy: math.NaN(), AccuracyDrop: math.NaN(),
	}
	if !m.family.IsSet() {
		row.V = m.family.Values()[t]
	}
	for i, sum := range m.sums[t] {
		row.Mean[i] = sum / float64(m.images)
	}
	if accuracies != nil {
		row.Accuracy, row.AccuracyDrop = accuracies[t], original-accuracies[t]
	}
	return row
}
