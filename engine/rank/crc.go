package rank

import (
	"context"
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/result"
)

// sumSlack is how far from 1 the probabilities of a sample may sum up (DESIGN.md section 4).
const sumSlack = 1e-3

// number is what probabilities are stored in.
type number interface{ float32 | float64 }

// meanLargest is the mean over samples of the largest probability (CRC), of a table of samples x
// classes.
func meanLargest[T number](table []T, classes int) float64 {
	sum := 0.0
	for from := 0; from < len(table); from += classes {
		largest := table[from]
		for _, p := range table[from+1 : from+classes] {
			largest = max(largest, p)
		}
		sum += float64(largest)
	}
	return sum / float64(len(table)/classes)
}

// probabilities reads the softmax table of a model, samples x classes. What is not one probability
// per class, summing to 1, is an error that names the model and the sample.
func (d Data) probabilities(ctx context.Context, model int) ([]float32, error) {
	name := d.Models[model].ID
	table, err := d.Softmax(ctx, model)
	if err != nil {
		return nil, fmt.Errorf("read the probabilities of model %s: %w", name, err)
	}
	if len(table) != d.Samples*d.Classes {
		return nil, fmt.Errorf("model %s has %d probabilities for %d images of %d classes",
			name, len(table), d.Samples, d.Classes)
	}
	for i := range d.Samples {
		sum := 0.0
		for c, p := range table[i*d.Classes : (i+1)*d.Classes] {
			if !(p >= 0) || math.IsInf(float64(p), 1) {
				return nil, fmt.Errorf("model %s: the probability of class %d on image %d is %v; "+
					"it must lie between 0 and 1", name, c, i, p)
			}
			sum += float64(p)
		}
		if math.Abs(sum-1) > sumSlack {
			return nil, fmt.Errorf("model %s: the probabilities of image %d sum to %s, not to 1", name, i,
				result.Digits(sum, 4))
		}
	}
	return table, nil
}

// confidences are CRC's scores: what is known already, else measured from the probabilities.
func (d Data) confidences(ctx context.Context, workers int) ([]float64, error) {
	if d.Confidence == nil {
		scores := make([]float64, len(d.Models))
		err := eachModel(ctx, len(d.Models), workers, func(j int) error {
			table, err := d.probabilities(ctx, j)
			if err != nil {
				return err
			}
			scores[j] = meanLargest(table, d.Classes)
			return nil
		})
		return scores, err
	}
	for j, v := range d.Confidence {
		if v < 0 || v > 1+sumSlack {
			return nil, fmt.Errorf("model %s has a mean confidence of %v; it must lie between 0 and 1",
				d.Models[j].ID, v)
		}
	}
	return d.Confidence, nil
}
