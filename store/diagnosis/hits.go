package diagnosis

import (
	"context"
	"fmt"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// answers are what is right per transformation and image with a label: whether the prediction is
// the true class.
type answers [][]bool

// read streams the predictions of a set of signals. An image whose label is a class that the model
// does not know counts, and no prediction is right about it.
func read(ctx context.Context, ws lookup.Signals, info store.SetInfo, labels []int) (answers, error) {
	known := 0
	for _, l := range labels {
		if l >= 0 {
			known++
		}
	}
	a := make(answers, info.Transformations)
	for t := range a {
		a[t] = make([]bool, 0, known)
	}
	err := lookup.EachChunk(ctx, ws, info.Key, store.Want{Predictions: true}, func(first int, part *signal.Set) error {
		if part.Transformations != len(a) {
			return fmt.Errorf("they have %d transformations in place of %d", part.Transformations, len(a))
		}
		for t, row := range part.Predictions() {
			for x, predicted := range row {
				if label := labels[first+x]; label >= 0 {
					a[t] = append(a[t], int(predicted) == variance.ClassOf(label, info.ClassMap))
				}
			}
		}
		return nil
	})
	return a, err
}

// hits reads both sets.
func (j *job) hits(ctx context.Context, ws lookup.Signals) (h dscore.Hits, untouched dscore.Untouched, err error) {
	cells := j.grid.N*j.grid.N + 1
	for _, info := range []store.SetInfo{j.mask, j.shift} {
		if info.Transformations != cells {
			err := fmt.Errorf("signals of %s have %d transformations in place of %d", info.Spec.Family,
				info.Transformations, cells)
			return h, untouched, lookup.Unusable(err)
		}
	}
	masked, err := read(ctx, ws, j.mask, j.labels)
	if err != nil {
		return h, untouched, err
	}
	shifted, err := read(ctx, ws, j.shift, j.labels)
	if err != nil {
		return h, untouched, err
	}
	h = dscore.Hits{
		Grid: j.grid.N, Classes: j.mask.Classes, Original: masked[0], Variants: masked[1:], Shifted: shifted[1:],
	}
	for k, right := range masked[0] {
		untouched.Add(right, shifted[0][k])
	}
	return h, untouched, nil
}
