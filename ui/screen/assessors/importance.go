package assessors

import (
	"context"
	"math"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/ui/words"
)

// repeats is how often permutation importance shuffles each feature.
const repeats = 5

// Importance is permutation importance with what it was measured on. A forest that has seen its models judges them rightly
// whatever one feature says, so it is measured on models that it has not seen where there are any.
type Importance struct {
	Features []assess.Permuted
	Models   int
	Seen     bool // the models are those that it learned from
}

// measureImportance shuffles the features of models that the assessor has not seen. For one of a training these are the test
// models of the first repetition, judged by assessors that were trained on the rest, with their mean weighted by the
// number of models; for a saved one the labelled models that are not in its training set, or else those that are.
func measureImportance(ctx context.Context, s Subject) (Importance, error) {
	if s.Evaluation != nil {
		return overFolds(ctx, s)
	}
	rows := s.Data.Labelled()
	unseen := slices.DeleteFunc(slices.Clone(rows), func(row int) bool {
		return slices.ContainsFunc(s.File.Training, func(e saved.Example) bool { return e.Hash == s.Data.Rows[row].Hash })
	})
	i := Importance{Models: len(unseen)}
	if len(unseen) == 0 {
		i.Models, i.Seen, unseen = len(rows), true, rows
	}
	if len(unseen) == 0 {
		return i, nil
	}
	var err error
	i.Features, err = assess.Permute(ctx, s.Assessor, s.Data, unseen, repeats, s.Assessor.Settings.Seed, engine.NoProgress{})
	return i, err
}

// overFolds joins the importances of the folds of the first repetition.
func overFolds(ctx context.Context, s Subject) (Importance, error) {
	repetitions, _, err := s.Data.Folds(s.Evaluation.Scheme)
	if err != nil {
		return Importance{}, err
	}
	var i Importance
	for k, fold := range repetitions[0] {
		a, err := assess.Train(ctx, s.Data, fold.Train, s.Evaluation.Folds[0][k].Chosen)
		if err != nil {
			return i, err
		}
		part, err := assess.Permute(ctx, a, s.Data, fold.Test, repeats, s.Assessor.Settings.Seed+uint64(k), engine.NoProgress{})
		if err != nil {
			return i, err
		}
		i.add(part, len(fold.Test))
	}
	for k := range i.Features {
		i.Features[k].Mean /= float64(i.Models)
		i.Features[k].SD = math.Sqrt(i.Features[k].SD) / float64(i.Models)
	}
	return i, nil
}

// add sums a fold of n models: n times the means, and n squared times the variances.
func (i *Importance) add(part []assess.Permuted, n int) {
	if i.Features == nil {
		for _, p := range part {
			i.Features = append(i.Features, assess.Permuted{Name: p.Name})
		}
	}
	for k, p := range part {
		i.Features[k].Mean += float64(n) * p.Mean
		i.Features[k].SD += float64(n*n) * p.SD * p.SD
	}
	i.Models += n
}

// note says how the importances are to be read.
func (i Importance) note() string {
	switch {
	case len(i.Features) == 0:
		return words.T("No model has a label, so there is no accuracy to lose.")
	case i.Seen:
		return words.T("How much accuracy shuffling a feature costs, on the models that the assessor has learned from: of these it needs no single feature much.")
	}
	return words.F("How much accuracy shuffling a feature costs, on %d models that the assessor had not seen.", i.Models)
}
