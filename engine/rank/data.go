package rank

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/stats"
)

// Model is one ranked model.
type Model struct {
	ID, Hash string // Hash is empty for predictions that came from elsewhere
	Device   string // the kind that has computed the predictions, empty for the processor
}

// Data are the predictions of several models on the same samples. It is immutable once made.
type Data struct {
	Models  []Model
	Samples int
	Classes int // of the task, not the number seen
	// Labels holds the predicted classes, n per sample: Labels[i*n+j].
	Labels []int32
	// Truth is the true class of each sample, -1 where it is not known; nil when none is.
	Truth []int32
	// Confidence is the mean largest softmax probability per model over all samples (CRC), NaN
	// where it is not known; nil when none is.
	Confidence []float64
	// Softmax reads the probabilities of a model, m x C, row by row; nil when there are none. It
	// may be called for several models at the same time, and the result is not kept.
	Softmax func(ctx context.Context, model int) ([]float32, error)
	// Given are scores that were measured elsewhere, per model, NaN where there is none: effective
	// invariance, D-Score, robust accuracy, mean variance.
	Given []Given
}

// Given is a ranker that was measured elsewhere.
type Given struct {
	Method Method
	Scores []float64 // one per model, larger is better
	// Note is what it rests on, for people: "rot90", "rotation -15..15°, max@CONF", "3 × 3
	// regions, t = 5"; Family is the canonical text of that, several apart by ", ".
	Note, Family string
}

// minModels is the fewest models that a comparison of rankings says anything about; LaF itself
// does with two.
const minModels = 3

// mostClasses bounds tables with a number per class; no task has as many.
const mostClasses = 1 << 20

// Check says what is wrong with data for ranking: fewer than 3 models, fewer than 2 classes or
// more than a million, no samples, lists of different length, a class outside 0..C-1.
func (d Data) Check() error { return d.check(minModels) }

func (d Data) check(fewest int) error {
	switch {
	case len(d.Models) < fewest:
		return refuse(FewModels,
			"ranking needs predictions of at least %d models, there are %d", fewest, len(d.Models))
	case d.Classes < 2:
		return fmt.Errorf("ranking needs at least 2 classes, there are %d", d.Classes)
	case d.Classes > mostClasses:
		return fmt.Errorf("%d classes are too many for ranking, %d is the most", d.Classes, mostClasses)
	case d.Samples < 1:
		return errors.New("ranking needs at least one image, there is none")
	case len(d.Labels)%len(d.Models) != 0 || len(d.Labels)/len(d.Models) != d.Samples:
		return fmt.Errorf("%d predictions are not one for each of %d images and %d models", len(d.Labels), d.Samples,
			len(d.Models))
	case d.Truth != nil && len(d.Truth) != d.Samples:
		return fmt.Errorf("%d true classes are not one for each of %d images", len(d.Truth), d.Samples)
	case d.Confidence != nil && len(d.Confidence) != len(d.Models):
		return fmt.Errorf("%d confidences are not one for each of %d models", len(d.Confidence), len(d.Models))
	}
	for _, g := range d.Given {
		if len(g.Scores) != len(d.Models) {
			return fmt.Errorf("%d scores of %s are not one for each of %d models", len(g.Scores), g.Method.Title(),
				len(d.Models))
		}
	}
	n := len(d.Models)
	for k, class := range d.Labels {
		if class < 0 || int(class) >= d.Classes {
			return fmt.Errorf("model %s predicts class %d for image %d, but the classes are 0 to %d", d.Models[k%n].ID,
				class, k/n, d.Classes-1)
		}
	}
	for i, class := range d.Truth {
		if class < -1 || int(class) >= d.Classes {
			return fmt.Errorf("the true class %d of image %d is not one of 0 to %d", class, i, d.Classes-1)
		}
	}
	return nil
}

// row holds the classes that the models predict for a sample, one per model.
func (d Data) row(sample int) []int32 {
	n := len(d.Models)
	return d.Labels[sample*n : (sample+1)*n]
}

// Accuracy is the share of samples with a known truth that each model predicts rightly, NaN
// without any.
func (d Data) Accuracy() []float64 {
	hits, known := make([]int, len(d.Models)), 0
	for i, class := range d.Truth {
		if class < 0 {
			continue
		}
		known++
		for j, label := range d.row(i) {
			if label == class {
				hits[j]++
			}
		}
	}
	shares := make([]float64, len(hits))
	for j, count := range hits {
		shares[j] = undefined
		if known > 0 {
			shares[j] = float64(count) / float64(known)
		}
	}
	return shares
}

// Chance are the models' chance levels on the samples with a known truth.
func (d Data) Chance() []chance.Level {
	levels, every := make([]chance.Level, len(d.Models)), stats.UpTo(d.Samples)
	labels := make([]int, len(d.Truth))
	for i, class := range d.Truth {
		labels[i] = int(class)
	}
	prediction := make([]int32, d.Samples)
	for j := range d.Models {
		for i := range prediction {
			prediction[i] = d.row(i)[j]
		}
		levels[j] = chance.Count(prediction, labels, nil, every[:len(labels)], d.Classes).Level()
	}
	return levels
}

// Identical tells whether all models predict the same everywhere, so that no ranking can tell them
// apart.
func (d Data) Identical() bool {
	for i := range d.Samples {
		if !unanimous(d.row(i)) {
			return false
		}
	}
	return true
}

// unanimous tells whether the models agree on a sample.
func unanimous(row []int32) bool {
	return !slices.ContainsFunc(row, func(label int32) bool { return label != row[0] })
}

// Subset is the data of some models and samples, in this order; nil for all. Confidence and Given
// rest on all samples and are left out when samples are chosen. It panics for an index that is not
// there.
func (d Data) Subset(models, samples []int) Data {
	part := Data{Samples: d.Samples, Classes: d.Classes, Truth: d.Truth, Softmax: d.softmaxOf(models, samples)}
	if samples == nil {
		part.Confidence, part.Given = chosen(d.Confidence, models), givenTo(d.Given, models)
	} else {
		part.Samples, part.Truth = len(samples), chosen(d.Truth, samples)
	}
	part.Models = chosen(d.Models, models)
	part.Labels = make([]int32, 0, part.Samples*len(part.Models))
	for i := range part.Samples {
		part.Labels = append(part.Labels, chosen(d.row(index(samples, i)), models)...)
	}
	return part
}

// index is the k-th of the chosen indices, k itself when all are.
func index(of []int, k int) int {
	if of == nil {
		return k
	}
	return of[k]
}

// chosen are the list's values at the indices, the list itself when all are wanted or there is
// none.
func chosen[T any](list []T, indices []int) []T {
	if list == nil || indices == nil {
		return list
	}
	part := make([]T, len(indices))
	for k, from := range indices {
		part[k] = list[from]
	}
	return part
}

func givenTo(given []Given, models []int) []Given {
	part := make([]Given, len(given))
	for k, g := range given {
		g.Scores = chosen(g.Scores, models)
		part[k] = g
	}
	return part
}

// softmaxOf reads the rows of the chosen samples.
func (d Data) softmaxOf(models, samples []int) func(context.Context, int) ([]float32, error) {
	if d.Softmax == nil || models == nil && samples == nil {
		return d.Softmax
	}
	return func(ctx context.Context, model int) ([]float32, error) {
		all, err := d.Softmax(ctx, index(models, model))
		if err != nil || samples == nil {
			return all, err
		}
		part := make([]float32, 0, len(samples)*d.Classes)
		for _, i := range samples {
			part = append(part, all[i*d.Classes:(i+1)*d.Classes]...)
		}
		return part, nil
	}
}
