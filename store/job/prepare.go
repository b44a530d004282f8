package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

// Place is where a run is prepared.
type Place struct {
	Workspace *store.Workspace
	Runtime   engine.Runtime
	Limits    engine.Limits // of the engine that gets the run
}

// Prepared is a run that could begin: its models are planned and probed, its images are there.
// Nothing of it is recorded yet.
type Prepared struct {
	Tasks   []engine.Task
	Refused []Refused // models that cannot take part
	// Source is what the run reads, until Close.
	Source engine.Source
	// Suite is the suite's name.
	Suite  string
	plan   planner
	closed func() error
}

// Prepare plans and probes the models of a request. Its errors are those of Start, except that the
// disk is not looked at; Refused is set with each of them. The caller calls Submit or Close.
func Prepare(ctx context.Context, at Place, req Request, p engine.Progress) (Prepared, error) {
	if at.Runtime == nil {
		return Prepared{}, engine.ErrNoRuntime
	}
	family, err := transform.ParseAny(req.Family)
	if err != nil {
		return Prepared{}, err
	}
	manifest, err := at.Workspace.Suite(req.Suite)
	if err != nil {
		return Prepared{}, err
	}
	models, err := chosen(at.Workspace, req.Models)
	if err != nil {
		return Prepared{}, err
	}
	if len(models) == 0 {
		return Prepared{}, fmt.Errorf("suite %s: %w; import a model first", manifest.Name, ErrNothingToRun)
	}
	out := Prepared{Suite: manifest.Name}
	if out.Source, out.closed, err = sourceOf(ctx, at.Workspace, manifest, family); err != nil {
		return Prepared{}, err
	}
	scenes, err := backgroundsOf(at.Workspace, family)
	if err != nil {
		return out, errors.Join(err, out.Close())
	}
	req.Device.Device = cmp.Or(req.Device.Device, at.Limits.Device.Device)
	req.Device.AnyDifference = req.Device.AnyDifference || at.Limits.Device.AnyDifference
	on, err := newDevices(ctx, at.Runtime, req)
	if err != nil {
		return out, errors.Join(err, out.Close())
	}
	out.plan = planner{
		ws: at.Workspace, rt: at.Runtime, req: req, suite: manifest, scenes: scenes, family: family,
		batch: newBatching(req, at.Limits, models), on: on, source: out.Source,
	}
	out.Tasks, out.Refused, err = out.plan.all(ctx, models, p)
	if err == nil && len(out.Tasks) == 0 {
		err = fmt.Errorf("suite %s: %w; the first reason: %w", manifest.Name, ErrNothingToRun, out.Refused[0].Err)
	}
	if err != nil {
		return out, errors.Join(err, out.Close())
	}
	return out, nil
}

// Request is what repeats the run exactly, on any computer that has the workspace: its models with
// their batches, the family in its canonical form.
func (r Prepared) Request() Request {
	req := r.plan.req
	req.Models, req.Batches, req.Batch, req.Family = nil, map[string]int{}, 0, r.plan.family.String()
	req.Device, req.On = device.Pick{Device: string(device.CPU)}, nil
	for _, t := range r.Tasks {
		if t.Spec.Device != "" {
			if req.On == nil {
				req.On = map[string]string{}
			}
			req.On[t.Spec.Model] = t.Spec.Device
		}
		req.Models = append(req.Models, t.Spec.Model)
		req.Batches[t.Spec.Model] = t.Spec.Batch
	}
	return req
}

// Close frees the source of a run that was not submitted.
func (r Prepared) Close() error { return r.closed() }

// Fits is an error that wraps ErrNoRoom when the signals that the run adds do not fit on the
// workspace's disk.
func (r Prepared) Fits(ctx context.Context) error { return r.plan.room(ctx, r.Tasks) }

// Submit writes the run down and hands it to the engine, which closes the source when the run has
// ended; where that fails, it is closed. x alone computes it, the engine's own workers and those
// that are attached where x is nil. After an error a record that was written says that the run has
// failed: nobody shall take it for one that was killed.
func (r Prepared) Submit(eng *engine.Engine, x engine.Executor) (string, error) {
	p := r.plan
	record := p.record(r.Tasks, r.Refused)
	if err := errors.Join(lookAt(p), p.ws.PutRun(record)); err != nil {
		return "", errors.Join(err, r.Close())
	}
	err := eng.Submit(engine.Run{
		ID: record.ID, Suite: p.suite.Name, Family: record.Family, Source: r.Source, Tasks: r.Tasks, Close: r.closed,
		Workers: p.on.workers(p.batch, r.Tasks), Executor: x,
		Working: func(models []string) { _ = p.ws.Working(record.ID, models) }, // without it a crash names fewer, and that is all
	})
	if err != nil {
		record.Phase, record.Ended = engine.Failed, time.Now().UTC()
		return "", errors.Join(err, p.ws.PutRun(record), r.Close())
	}
	return record.ID, nil
}
