// Package diagnosis gathers D-Scores of a workspace's models: it finds the sets of signals of
// masks and of padded translations, and computes scores, intervals, single images and layers from
// them (spec/dscore.md). What is computed once is kept.
package diagnosis

import (
	"context"
	"errors"
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
				ID: j.model.ID, Hash: j.model.Hash, Suite: j.suite.Hash, SuiteName: j.suite.Name, Grid: j.grid,
				Reason: j.reason, Sets: j.sets,
			})
			continue
		}
		list = append(list, j.diagnosis())
	}
	return list, left
}

// diagnosis is what was computed.
func (j *job) diagnosis() dscore.Diagnosis {
	input := Input(j.model, j.suite)
	return dscore.Diagnosis{
		Model: j.model, Suite: j.suite.Hash, SuiteName: j.suite.Name, Grid: j.grid, Height: input.Height,
		Width:  input.Width,
		Images: j.counted.Images, Accuracies: j.counted.Accuracies, Score: j.score, Intervals: j.intervals,
		Untouched: j.counted.Untouched, MaskKey: j.mask.Key, ShiftKey: j.shift.Key, ClassMap: j.mask.ClassMap,
	}
}

// Compare says what sets two models apart, those that the question names, for each suite and grid
// on which both have a score; other combinations are left out. Progress (may be nil) counts them.
// The errors are those of Diagnose.
func Compare(ctx context.Context, ws lookup.Signals, ask Ask, progress engine.Progress) ([]dscore.Pair, error) {
	if progress == nil {
		progress = engine.NoProgress{}
	}
	ask.ScoresOnly = true
	jobs, err := plan(ws, ask)
	half := len(jobs) / 2 // of the first model
	how, err2 := ask.how(half)
	if err = errors.Join(err, err2); err != nil {
		return nil, fmt.Errorf("compare D-Scores: %w", err)
	}
	found := make([]*dscore.Pair, half)
	err = lookup.Each(ctx, half, ask.Workers, progress, func(ctx context.Context, k int) (err error) {
		found[k], err = compare(ctx, ws, &jobs[k], &jobs[half+k], how)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("compare D-Scores: %w", err)
	}
	var pairs []dscore.Pair
	for _, p := range found {
		if p != nil {
			pairs = append(pairs, *p)
		}
	}
	return pairs, nil
}

// compare computes the difference of two models, or reads what is kept of it; nil where one of
// them has no score.
func compare(ctx context.Context, ws lookup.Signals, a, b *job, how how) (*dscore.Pair, error) {
	var hits [2]dscore.Hits
	var pair dscore.Pair
	for k, j := range []*job{a, b} {
		if err := j.diagnose(ctx, ws, how); err != nil || !j.reason.None() {
			return nil, err
		}
		pair.Models[k] = j.diagnosis()
	}
	name := fmt.Sprintf("dscore-pair/%d/%s/%s/%s", keptVersion, a.keptName(), b.keptName(), optionText(how.bootstrap))
	if found, err := ws.KeptValue(name, &pair.Differences); err == nil && found {
		return &pair, nil
	}
	for k, j := range []*job{a, b} {
		h, _, err := j.hits(ctx, ws)
		if err != nil {
			_, err = lookup.Reason(err)
			return nil, err
		}
		hits[k] = h
	}
	var err error
	if pair.Differences, err = dscore.Differ(ctx, hits[0], hits[1], how.bootstrap, nil); err != nil {
		return nil, err
	}
	return &pair, ws.KeepValue(name, pair.Differences)
}
