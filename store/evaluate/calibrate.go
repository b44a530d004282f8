package evaluate

import (
	"context"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/calibration"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/subject"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// calibrationVersion counts the forms of what is kept of calibration: it changes with the measures
// and with the form.
const calibrationVersion = 1

// Calibrate measures calibration, or reads what is kept of it; order, progress, what is left out
// and errors are those of Measure. Families may leave the images as they are, but not delete
// regions of the model. One set of signals is in memory at a time; its transformations are spread
// over the goroutines.
func Calibrate(
	ctx context.Context, ws lookup.Signals, ask Ask, o calibration.Settings, p engine.Progress,
) ([]calibration.Measured, []invariance.LeftOut, error) {
	if p == nil {
		p = engine.NoProgress{}
	}
	jobs, err := plan(ws, ask)
	if err != nil {
		return nil, nil, fmt.Errorf("measure calibration: %w", err)
	}
	err = lookup.Each(ctx, len(jobs), 1, p, func(ctx context.Context, k int) error {
		j := &jobs[k]
		return j.measure(ws, calibration.Unsuited, func(info store.SetInfo) (err error) {
			j.calibration, err = calibrate(ctx, ws, j, info, o, lookup.Workers(ask.Workers))
			return err
		})
	})
	if err != nil {
		return nil, nil, fmt.Errorf("measure calibration: %w", err)
	}
	measured, left := parted(jobs, func(j *job) calibration.Measured {
		return calibration.Measured{
			Subject: subject.Subject{
				Model: j.model.ID, ModelHash: j.model.Hash, Suite: j.suite.Name, SuiteHash: j.suite.Hash,
				Family: j.family.String(), FamilyName: j.familyName,
			},
			Device: j.device, Result: j.calibration,
		}
	})
	return measured, left, nil
}

// calibrate measures a set, or reads what is kept of it. What is kept of all transformations has
// the images as they are, too.
func calibrate(
	ctx context.Context, ws lookup.Signals, j *job, info store.SetInfo, o calibration.Settings, workers int,
) (r calibration.Result, err error) {
	name := fmt.Sprintf("calibration/%d/%d/%d/%d/%s", calibrationVersion, o.Bins, o.Resamples, o.Seed, setName(info))
	found, err := ws.KeptValue(name, &r)
	whole := err == nil && found && len(r.Rows) == j.family.N()
	if !whole && o.Original {
		name += "/original"
		found, err = ws.KeptValue(name, &r)
		whole = err == nil && found && len(r.Rows) == 1
	}
	if whole {
		r.Describe(j.family)
		return r, nil
	}
	meter, err := calibration.NewMeter(j.family.String(), j.labels, info.ClassMap, o.Original)
	if err != nil {
		return r, err
	}
	if err := eachPart(ctx, ws, info.Key, meter.Add); err != nil {
		return r, err
	}
	if r, err = meter.Result(ctx, o, workers); err == nil {
		err = ws.KeepValue(name, r)
	}
	return r, err
}
