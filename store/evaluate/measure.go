package evaluate

import (
	"context"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/calibration"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// Measure measures, or reads what is kept, in the order models, suites, families. Progress counts
// sets; p may be nil.
//
// A combination whose signals are missing, stale, damaged or not applicable is left out with the
// reason, also a model that only a round package brought. Errors are what concerns all: a suite or
// family that is not there, a workspace that cannot be read or written, an ended ctx.
func Measure(
	ctx context.Context, ws lookup.Signals, ask Ask, p engine.Progress,
) ([]invariance.Measured, []invariance.LeftOut, error) {
	if p == nil {
		p = engine.NoProgress{}
	}
	jobs, err := plan(ws, ask)
	if err != nil {
		return nil, nil, fmt.Errorf("measure invariance: %w", err)
	}
	err = lookup.Each(ctx, len(jobs), ask.Workers, p, func(ctx context.Context, k int) error {
		j := &jobs[k]
		return j.measure(ws, invariance.Unsuited, func(info store.SetInfo) (err error) {
			j.result, err = ofSignals(ctx, ws, j, info)
			return err
		})
	})
	if err != nil {
		return nil, nil, fmt.Errorf("measure invariance: %w", err)
	}
	measured, left := parted(jobs, func(j *job) invariance.Measured {
		m := invariance.Measured{
			Model: j.model, Suite: j.suite.Hash, SuiteName: j.suite.Name, Family: j.family.String(),
			FamilyName: j.familyName, Key: j.key, Device: j.device, Result: j.result,
		}
		if j.suite.Derived != nil {
			m.Change = j.suite.Derived.Change
		}
		return m
	})
	return measured, left, nil
}

// job is one combination; measure fills in the result or the reason why there is none.
type job struct {
	model  model.Model
	suite  suite.Manifest // whole
	labels []int          // nil for a suite without any
	family transform.Family
	// familyName is the family as people read it.
	familyName  string
	key         string // of the set of signals
	device      string // the kind that has computed them
	result      invariance.Result
	calibration calibration.Result
	reason      result.Reason
}

// plan lists the combinations in order.
func plan(ws lookup.Signals, ask Ask) ([]job, error) {
	models, err := lookup.Models(ws, ask.Models)
	if err != nil {
		return nil, err
	}
	suites, families, err := chosen(ws, ask)
	if err != nil {
		return nil, err
	}
	names := map[transform.Family]string{}
	for _, f := range families {
		names[f] = ws.FamilyName(f.String())
	}
	jobs := make([]job, 0, len(models)*len(suites)*len(families))
	for _, m := range models {
		for _, s := range suites {
			for _, f := range families {
				jobs = append(jobs, job{model: m, suite: s, labels: lookup.Labels(s), family: f, familyName: names[f]})
			}
		}
	}
	return jobs, nil
}

// chosen are the suites and families that are asked for, or all that have signals.
func chosen(ws lookup.Signals, ask Ask) ([]suite.Manifest, []transform.Family, error) {
	hashes, texts := ask.Suites, ask.Families
	if hashes == nil || texts == nil {
		inSuites, inFamilies, err := Available(ws)
		if err != nil {
			return nil, nil, err
		}
		if hashes == nil {
			hashes = inSuites
		}
		if texts == nil {
			texts = inFamilies
		}
	}
	suites, err := lookup.Suites(ws, hashes)
	if err != nil {
		return nil, nil, err
	}
	families := make([]transform.Family, len(texts))
	for i, text := range texts {
		f, err := transform.ParseAny(text)
		if err != nil {
			return nil, nil, err
		}
		families[i] = f
	}
	return suites, families, nil
}

// measure finds the signals and has them read. unsuited says of families that do not suit the
// measure why.
func (j *job) measure(ws lookup.Signals, unsuited func(transform.Family) error, read func(store.SetInfo) error) error {
	if j.reason = j.notApplicable(unsuited); !j.reason.None() {
		return nil
	}
	info, reason, err := lookup.Set(ws, j.model, j.suite.Hash, j.family.String())
	if j.reason = reason; err != nil || !reason.None() {
		return err
	}
	if info.Spec.Channels == 1 && j.family.Name() == transform.Grayscale {
		j.reason = invariance.OneChannel
		return nil
	}
	j.key, j.device = info.Key, info.Spec.Device
	j.reason, err = lookup.Reason(read(info))
	return err
}

// notApplicable says why there cannot be any signals; none where there can.
func (j *job) notApplicable(unsuited func(transform.Family) error) result.Reason {
	input := j.model.Graph.Input
	switch err := unsuited(j.family); {
	case j.model.ID == "":
		return lookup.NotHere
	case err != nil:
		return result.Because(invariance.NotApplicable, "%s", err)
	case j.family.Name() == transform.Grayscale && input.Channels == 1:
		return invariance.OneChannel
	case input.Channels > 0 && input.Height > 0 && input.Width > 0:
		if err := j.family.Fits(input.Channels, input.Height, input.Width); err != nil {
			return result.Because(invariance.NotApplicable, "%s", err)
		}
	}
	return result.Reason{}
}

// ofSignals measures a set, or reads what is kept of it.
func ofSignals(ctx context.Context, ws lookup.Signals, j *job, info store.SetInfo) (invariance.Result, error) {
	name := keptName(info)
	if r, ok := kept(ws, name); ok {
		return r, nil
	}
	meter, err := invariance.NewMeter(j.family.String(), j.labels, info.ClassMap)
	if err != nil {
		return invariance.Result{}, err
	}
	if err := eachPart(ctx, ws, info.Key, func(part *signal.Set) error { return meter.Add(part, nil) }); err != nil {
		return invariance.Result{}, err
	}
	r, err := meter.Result()
	if err == nil {
		err = keep(ws, name, r)
	}
	return r, err
}

// eachPart streams what a meter needs.
func eachPart(ctx context.Context, ws lookup.Signals, key string, visit func(*signal.Set) error) error {
	want := store.Want{Softmax: true, Predictions: true}
	return lookup.EachChunk(ctx, ws, key, want, func(_ int, part *signal.Set) error { return visit(part) })
}

// PerImage measures one set image by image: visit is called in order of images, then
// transformations without the identity.
func PerImage(
	ctx context.Context, ws lookup.Signals, key string, visit func(image, transformation int, v invariance.Values),
) error {
	var meter *invariance.Meter
	return eachPart(ctx, ws, key, func(part *signal.Set) (err error) {
		if meter == nil {
			if meter, err = invariance.NewMeter(part.Spec.Family, nil, nil); err != nil {
				return err
			}
		}
		return meter.Add(part, visit)
	})
}

// parted separates what was measured from what is left out; both keep the order.
func parted[R any](jobs []job, measured func(*job) R) (list []R, left []invariance.LeftOut) {
	for k := range jobs {
		j := &jobs[k]
		if j.reason.None() {
			list = append(list, measured(j))
			continue
		}
		left = append(left, invariance.LeftOut{
			ID: j.model.ID, Hash: j.model.Hash, Suite: j.suite.Hash, SuiteName: j.suite.Name,
			Family: j.family.String(), FamilyName: j.familyName, Reason: j.reason,
		})
	}
	return list, left
}
