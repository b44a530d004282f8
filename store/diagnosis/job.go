package diagnosis

import (
	"context"
	"slices"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// The reasons that are not the store's, nor lookup.NotHere. A set without usable signals is named
// in front of the store's reason, "mask:3: REASON"; two of them have "; " between them, and the
// code of the first.
var (
	noLabels      = result.Because(dscore.NoLabels, "the suite has no labels, and a D-Score is made of accuracies")
	otherSettings = result.Because(dscore.OtherSettings,
		"its masks and its padded translations were run with other settings of the model: run both again")
	otherClasses = result.Because(dscore.OtherClasses,
		"its masks and its padded translations were run with other mappings of classes: "+
			"run both again with the same one")
)

// job is one combination; diagnose fills in the result or the reason why there is none.
type job struct {
	model       model.Model
	suite       suite.Manifest // whole
	labels      []int          // nil for a suite without any
	grid        dscore.Grid
	mask, shift store.SetInfo
	counted     counted
	score       dscore.Score
	intervals   dscore.Intervals
	reason      result.Reason
	sets        []string // that a run is missing of
}

// plan lists the combinations in order.
func plan(ws lookup.Signals, ask Ask) ([]job, error) {
	models, err := lookup.Models(ws, ask.Models)
	if err != nil {
		return nil, err
	}
	hashes, grids, err := ask.chosen(ws)
	if err != nil {
		return nil, err
	}
	suites, err := lookup.Suites(ws, hashes)
	if err != nil {
		return nil, err
	}
	jobs := make([]job, 0, len(models)*len(suites)*len(grids))
	for _, m := range models {
		for _, s := range suites {
			for _, g := range grids {
				jobs = append(jobs, job{model: m, suite: s, labels: lookup.Labels(s), grid: g})
			}
		}
	}
	return jobs, nil
}

// chosen are the suites and grids that are asked for, or all that some model has both sets of.
func (a Ask) chosen(ws lookup.Signals) (suites []string, grids []dscore.Grid, err error) {
	var found finding
	if a.Suites == nil || a.Grids == nil {
		if found, err = find(ws, ""); err != nil {
			return nil, nil, err
		}
	}
	if suites = a.Suites; suites == nil {
		if suites, err = lookup.InOrder(ws, found.suites()); err != nil {
			return nil, nil, err
		}
	}
	if a.Grids == nil {
		return suites, found.grids(suites), nil
	}
	for _, g := range a.Grids {
		full, err := g.Whole()
		if err != nil {
			return nil, nil, err
		}
		grids = append(grids, full)
	}
	return suites, grids, nil
}

// how is what the combinations of one question share.
type how struct {
	scoresOnly bool
	bootstrap  dscore.BootstrapOptions
}

// how fills in the defaults, which names of what is kept have in them. Goroutines that the
// combinations do not take are left to the intervals of each.
func (a Ask) how(jobs int) (how, error) {
	o := a.Bootstrap
	if o.Workers == 0 {
		o.Workers = max(1, lookup.Workers(a.Workers)/max(1, jobs))
	}
	o, err := o.Filled()
	return how{scoresOnly: a.ScoresOnly, bootstrap: o}, err
}

// diagnose finds both sets of signals and computes, or reads what is kept.
func (j *job) diagnose(ctx context.Context, ws lookup.Signals, how how) error {
	if err := j.find(ws); err != nil || !j.reason.None() {
		return err
	}
	if j.reason = j.unlike(); !j.reason.None() {
		return nil
	}
	err := j.fill(ctx, ws, how)
	if err == nil {
		return nil
	}
	reason, err := lookup.Reason(err)
	if err == nil && reason.Code == signal.DamagedFile {
		err = j.find(ws) // says which set has to be run again, now that the damage is known
	}
	if j.reason.None() {
		j.reason = reason
	}
	return err
}

// find finds both sets, or the reasons why there are none.
func (j *job) find(ws lookup.Signals) error {
	if j.model.ID == "" {
		j.reason = lookup.NotHere
		return nil
	}
	if j.labels == nil {
		j.reason = noLabels
		return nil
	}
	for _, part := range []struct {
		text string
		into *store.SetInfo
	}{{j.grid.Mask, &j.mask}, {j.grid.Shift, &j.shift}} {
		info, reason, err := lookup.Set(ws, j.model, j.suite.Hash, part.text)
		if err != nil {
			return err
		}
		*part.into = info
		if !reason.None() {
			text := part.text + ": " + reason.Text
			if j.reason.None() {
				j.reason = result.Reason{Code: reason.Code, Text: text}
			} else {
				j.reason.Text += "; " + text
			}
			j.sets = append(j.sets, part.text)
		}
	}
	return nil
}

// unlike says what sets the two sets of signals apart, so that their accuracies cannot be
// compared; none where they are of the same model in the same state.
func (j *job) unlike() result.Reason {
	a, b := j.mask.Spec, j.shift.Spec
	switch {
	case a.OutputKind != b.OutputKind, a.Output != b.Output, a.Images != b.Images, a.Edit != b.Edit,
		a.Channels != b.Channels, a.Height != b.Height, a.Width != b.Width,
		!a.Preprocessing.Equal(b.Preprocessing), j.mask.Classes != j.shift.Classes:
		j.sets = []string{j.grid.Mask, j.grid.Shift}
		return otherSettings
	case !slices.Equal(j.mask.ClassMap, j.shift.ClassMap):
		j.sets = []string{j.grid.Mask, j.grid.Shift}
		return otherClasses
	case len(j.labels) != a.Images:
		return unlabelled(j.labels, j.mask)
	}
	return result.Reason{}
}

// unlabelled is the reason for labels that are not one for each image of the signals.
func unlabelled(labels []int, info store.SetInfo) result.Reason {
	return result.Because(signal.Damaged, "the suite has labels for %d images, and there are signals for %d",
		len(labels), info.Spec.Images)
}
