// Package predictions gathers what rankings read: the predictions of a workspace's models on a
// suite, tables of predictions that were made elsewhere, and labels of single images.
package predictions

import (
	"context"
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/rank"
)

// Table is predictions that were made elsewhere: of models that cannot be run here.
type Table struct {
	Name    string
	Suite   string // content hash of the suite whose images these are, in order; "" for a table that stands for itself
	Models  []string
	Samples int
	Classes int
	// ClassNames in the order of class numbers; nil for numbers.
	ClassNames  []string
	SampleNames []string // nil for numbers
	Labels      []int32  // Labels[i*n+j]
	Truth       []int32  // -1 where one is not known; nil when the file has none
	// Probabilities per model, m x C; nil for a model, or all, where only classes are known.
	Probabilities [][]float32
	// LeftOut are the columns and arrays that are no models, with what each is taken for.
	LeftOut []rank.LeftOut
	Form    string // how a CSV is separated and encoded, in words; "" for commas and UTF-8
}

// Data are a table's predictions for ranking. Softmax is there when every model has probabilities.
func (t Table) Data() rank.Data {
	d := rank.Data{
		Models: make([]rank.Model, len(t.Models)), Samples: t.Samples, Classes: t.Classes, Labels: t.Labels,
		Truth: t.Truth,
	}
	soft := len(t.Probabilities) == len(t.Models)
	for j, name := range t.Models {
		d.Models[j].ID = name
		if j >= len(t.Probabilities) || t.Probabilities[j] == nil {
			soft = false
			continue
		}
		d.Confidence = confidences(d.Confidence, len(t.Models))
		d.Confidence[j] = meanConfidence(t.Probabilities[j], t.Classes)
	}
	if soft {
		d.Softmax = func(ctx context.Context, model int) ([]float32, error) {
			if model < 0 || model >= len(t.Probabilities) {
				return nil, fmt.Errorf("predictions %s: there is no model number %d", t.Name, model)
			}
			return t.Probabilities[model], ctx.Err()
		}
	}
	return d
}

// confidences is list, or a list of n unknown confidences in the place of nil.
func confidences(list []float64, n int) []float64 {
	if list != nil {
		return list
	}
	list = make([]float64, n)
	for j := range list {
		list[j] = math.NaN()
	}
	return list
}

// meanConfidence is the mean of the largest probability of every row of m x classes.
func meanConfidence(rows []float32, classes int) float64 {
	sum := 0.0
	for at := 0; at < len(rows); at += classes {
		sum += float64(rows[at+largest(rows[at:at+classes])])
	}
	return sum / float64(len(rows)/classes)
}

// largest is the place of the largest number, the first of equal ones.
func largest(row []float32) int {
	best := 0
	for c, p := range row {
		if p > row[best] {
			best = c
		}
	}
	return best
}
