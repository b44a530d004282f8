package assess

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/progress"
)

// ShuffleOptions are the options of permutation importance.
type ShuffleOptions struct {
	// Repeats is how often each feature is shuffled.
	Repeats int `help:"Shuffles per feature of the permutation importance." default:"10" min:"1"`
	// Seed is that of the shuffles; nil for the seed of the assessor's settings.
	Seed *uint64 `help:"Seed of the shuffles (default: the assessor's)." placeholder:"N"`
}

// Importance is permutation importance on models that were not learned from, with what it was
// measured on. A forest that has seen its models judges them rightly whatever one feature says, so
// on these every importance would be 0.
type Importance struct {
	Features []Permuted // nil where there is no importance
	Models   int        // that it was measured on
	// Refitted tells that the assessor had learned from every labelled model: assessors with its
	// settings were trained on all folds but one, and shuffled on the models of that one.
	Refitted bool
	Problem  error // why there is none
}

// importanceFolds is the number of folds of models where the assessor has seen all of them.
const importanceFolds = 3

// MeasureImportance shuffles the features of the labelled models from which the assessor has not
// learned. Where it has learned from all of them, assessors with its settings are trained on two
// of three stratified folds, cut by the seed of its settings, and shuffled on the third; their
// losses are averaged, weighted by the number of models. learned tells whether the assessor
// learned from a row of d. Progress counts the shuffles of a fold. The error is one of Permute, or
// ctx's.
func MeasureImportance(ctx context.Context, a *Assessor, d Data, learned func(row int) bool, o ShuffleOptions,
	p progress.Progress,
) (Importance, error) {
	seed := a.Settings.Seed
	if o.Seed != nil {
		seed = *o.Seed
	}
	rows := d.Labelled()
	if len(rows) == 0 {
		return Importance{Problem: errors.New("no model has a label, so there is no accuracy to lose; label models")},
			nil
	}
	if unseen := slices.DeleteFunc(slices.Clone(rows), learned); len(unseen) > 0 {
		features, err := Permute(ctx, a, d, unseen, o.Repeats, seed, p)
		return Importance{Features: features, Models: len(unseen)}, err
	}
	repetitions, _, err := d.Folds(Scheme{Kind: KFold, Folds: importanceFolds, Repetitions: 1, Seed: a.Settings.Seed})
	if err != nil {
		return Importance{Problem: fmt.Errorf("the assessor has learned from every labelled model, "+
			"and these cannot be cut into folds: %w", err)}, nil
	}
	joined := Importance{Refitted: true}
	for k, fold := range repetitions[0] {
		refitted, err := Train(ctx, d, fold.Train, a.Settings)
		if err != nil {
			return Importance{}, fmt.Errorf("permute %s: %w", fold.Name, err)
		}
		part, err := Permute(ctx, refitted, d, fold.Test, o.Repeats, derived(seed, k), p)
		if err != nil {
			return Importance{}, err
		}
		joined.add(part, len(fold.Test))
	}
	for k := range joined.Features {
		joined.Features[k].Mean /= float64(joined.Models)
		joined.Features[k].SD = math.Sqrt(joined.Features[k].SD) / float64(joined.Models)
	}
	return joined, nil
}

// add sums a fold of n models: n times the means, and n squared times the variances.
func (i *Importance) add(part []Permuted, n int) {
	if i.Features == nil {
		for _, p := range part {
			i.Features = append(i.Features, Permuted{Name: p.Name})
		}
	}
	for k, p := range part {
		i.Features[k].Mean += float64(n) * p.Mean
		i.Features[k].SD += float64(n*n) * float64(p.SD*p.SD)
	}
	i.Models += n
}
