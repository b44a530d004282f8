// Package diagnosis gathers D-Scores of a workspace's models: it finds the sets of signals of masks and of padded translations,
// and computes scores, intervals, single images and layers from them (spec/dscore.md). What is computed once is kept.
package diagnosis

import (
	"context"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// Ask says what is wanted: models x suites x grids.
type Ask struct {
	Models []string // hashes; nil for all
	Suites []string // content hashes; nil for all on which some model has both sets of a grid
	Grids  []Grid   // nil for all for which some model has both sets on one of the suites; see NewGrid
	// ScoresOnly leaves the intervals out, which take long the first time.
	ScoresOnly bool
	Bootstrap  dscore.BootstrapOptions
	Workers    int // 0 for one per processor; the results are the same for any number
}

// Diagnosis is one model on one suite with one grid.
type Diagnosis struct {
	Model     model.Model
	Suite     string // content hash
	SuiteName string
	Grid
	Images     int // with a label: all that a score rests on
	Accuracies dscore.Accuracies
	Score      dscore.Score
	Intervals  dscore.Intervals // zero with Ask.ScoresOnly
	// Untouched compares what both sets of signals say of the untouched model; f_b and a-hat are those of the masks.
	Untouched Untouched
	// MaskKey and ShiftKey name the sets of signals.
	MaskKey, ShiftKey string
	// ClassMap is the run's: the model's class of each of the suite's labels; nil for the same numbers.
	ClassMap []int
}

// Untouched is what the signals of the masks and those of the padded translations, computed apart, say of the same images and the
// same model. In another batch or on another processor an output can be rounded otherwise, and a prediction change with it.
type Untouched struct {
	Masks, Shifts int // images with a label that are predicted rightly in the signals of the masks, of the padded translations
	Differ        int // images with a label that only one of both is right about
}

// Remark says in words that the two sets of signals disagree about the untouched model, "" where they do not.
func (u Untouched) Remark() string {
	if u.Differ == 0 {
		return ""
	}
	return fmt.Sprintf("the signals of the masks have %d images right without a mask, those of the shifts %d without a shift "+
		"(%d differ); the score rests on the former", u.Masks, u.Shifts, u.Differ)
}

// LeftOut is a combination without a score, with the reason in words.
type LeftOut struct {
	ID, Hash, Suite string
	Grid            Grid
	Reason          string
	// Sets are the canonical texts of the sets without usable signals: a run of them is what is missing. Empty where a run does not
	// help.
	Sets []string
}

// Diagnose computes, or reads what is kept, in the order models, suites, grids. progress (may be nil) counts combinations.
// Combinations without signals, without labels, or with damaged signals are left out with the reason. Errors are what concerns
// all: a suite that is not there, a grid that makes no sense, a workspace that cannot be read or written, an ended ctx.
func Diagnose(ctx context.Context, ws *store.Workspace, ask Ask, progress engine.Progress) ([]Diagnosis, []LeftOut, error) {
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
func parted(jobs []job) (list []Diagnosis, left []LeftOut) {
	for _, j := range jobs {
		if j.reason != "" {
			left = append(left, LeftOut{j.model.ID, j.model.Hash, j.suite.Hash, j.grid, j.reason, j.sets})
			continue
		}
		list = append(list, Diagnosis{
			Model: j.model, Suite: j.suite.Hash, SuiteName: j.suite.Name, Grid: j.grid,
			Images: j.counted.Images, Accuracies: j.counted.Accuracies, Score: j.score, Intervals: j.intervals,
			Untouched: j.counted.Untouched, MaskKey: j.mask.Key, ShiftKey: j.shift.Key, ClassMap: j.mask.ClassMap,
		})
	}
	return list, left
}
