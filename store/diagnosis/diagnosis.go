// Package diagnosis gathers D-Scores of a workspace's models: it finds the sets of signals of
// masks and of padded translations, and computes scores, intervals, single images and layers from
// them (spec/dscore.md). What is computed once is kept.
package diagnosis

import (
	"context"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/store/lookup"
)

// Ask says what is wanted: models x suites x grids.
type Ask struct {
	Models []string      // hashes; nil for all
	Suites []string      // content hashes; nil for all on which some model has both sets of a grid
	Grids  []dscore.Grid // nil for all for which some model has both sets on one of the suites; see NewGrid
	// ScoresOnly leaves the intervals out, which take long the first time.
	ScoresOnly bool
	Bootstrap  dscore.BootstrapOptions
	Workers    int // 0 for one per processor; the results are the same for any number
}

// Diagnose computes, or reads what is kept, in the order models, suites, grids. progress (may be
// nil) counts combinations. Combinations without signals, without labels, or with damaged signals
// are left out with the reason. Errors are what concerns all: a suite that is not there, a grid
// that makes no sense, a workspace that cannot be read or written, an ended ctx.
func Diagnose(
	ctx context.Context, ws lookup.Signals, ask Ask, progress engine.Progress,
) ([]dscore.Diagnosis, []dscore.LeftOut, error) {
	if progress == nil {
		progress = engine.NoProgress{}
	}
	jobs, err := plan(ws, ask)
	if err != nil {
		return nil, nil, fmt.Errorf("D-Score: %w", err)
	}
	how, err := ask.how(len(jobs))
	if err != nil {
		return nil, nil, fmt.Errorf("D-Score: %w", err)
	}
	err = lookup.Each(ctx, len(jobs), ask.Workers, progress, func(ctx context.Context, k int) error {
		return jobs[k].diagnose(ctx, ws, how)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("D-Score: %w", err)
	}
	list, left := parted(jobs)
	return list, left, nil
}

// parted separates what was computed from what is left out; both keep the order.
func parted(jobs []job) (list []dscore.Diagnosis, left []dscore.LeftOut) {
	for _, j := range jobs {
		if !j.reason.None() {
			left = append(left, dscore.LeftOut{
				ID: j.model.ID, Hash: j.model.Hash, Suite: j.suite.Hash, SuiteName: j.suite.Name, Grid: j.grid, Reason: j.reason,
				Sets: j.sets,
			})
			continue
		}
		input := Input(j.model, j.suite)
		list = append(list, dscore.Diagnosis{
			Model: j.model, Suite: j.suite.Hash, SuiteName: j.suite.Name, Grid: j.grid, Height: input.Height,
			Width:  input.Width,
			Images: j.counted.Images, Accuracies: j.counted.Accuracies, Score: j.score, Intervals: j.intervals,
			Untouched: j.counted.Untouched, MaskKey: j.mask.Key, ShiftKey: j.shift.Key, ClassMap: j.mask.ClassMap,
		})
	}
	return list, left
}
