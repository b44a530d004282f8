package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

// Place is where a run is prepared.
type Place struct {
	Workspace *store.Workspace
	Runtime   engine.Runtime
	Limits    engine.Limits // of the engine that gets the run
}

// ModelStore is where a run finds its models, the images of its suite and what is known of them: a
// workspace, or memory for a model file that is in none (store/memory).
type ModelStore interface {
	Model(hash string) (model.Model, error)
	UpdateModel(hash string, change func(*model.Model) error) error
	HasFile(hash string) bool
	ModelPath(hash string) string
	Sets(model, suite, family string) ([]store.SetInfo, error)
	Look(m model.Model, suite string) (store.Look, bool, error)
	KeepLook(m model.Model, suite string, l store.Look) error
	OpenSuiteContext(ctx context.Context, hash string) (*suite.Suite, error)
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
	ws     *store.Workspace // nil for a model file that is in none
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
	scenes, err := backgroundsOf(at.Workspace, family)
	if err != nil {
		return Prepared{}, err
	}
	plan := planner{models: at.Workspace, rt: at.Runtime, req: req, suite: manifest, scenes: scenes, family: family}
	var closed func() error
	if plan.source, closed, err = sourceOf(ctx, at.Workspace, manifest, family); err != nil {
		return Prepared{}, err
	}
	out, err := plan.prepare(ctx, at.Limits, models, closed, p)
	out.ws = at.Workspace
	return out, err
}

// prepare plans and probes the models of a run whose source closed closes.
func (p planner) prepare(
	ctx context.Context, limits engine.Limits, models []model.Model, closed func() error, progress engine.Progress,
) (out Prepared, err error) {
	p.req.Device.Device = cmp.Or(p.req.Device.Device, limits.Device.Device)
	p.req.Device.AnyDifference = p.req.Device.AnyDifference || limits.Device.AnyDifference
	out = Prepared{Suite: p.suite.Name, Source: p.source, closed: closed}
	p.batch = newBatching(p.req, limits, models)
	if p.on, err = newDevices(ctx, p.rt, p.req); err == nil {
		out.Tasks, out.Refused, err = p.all(ctx, models, progress)
	}
	out.plan = p
	if err == nil && len(out.Tasks) == 0 {
		err = fmt.Errorf("suite %s: %w; the first reason: %w", p.suite.Name, ErrNothingToRun, out.Refused[0].Err)
	}
	if err != nil {
		return out, errors.Join(err, out.Close())
	}
	return out, nil
}

// StartFile starts a run of one model on a suite that are in no workspace. Its signals are
// recorded by the engine's recorder, and nothing else is written down of it; the engine runs
// nothing besides. The errors are those of Start.
func StartFile(
	ctx context.Context, from ModelStore, eng *engine.Engine, rt engine.Runtime,
	m model.Model, on suite.Manifest, req Request,
) (id string, refused []Refused, err error) {
	plan := planner{models: from, rt: rt, req: req, suite: on}
	if plan.family, err = transform.ParseAny(req.Family); err != nil {
		return "", nil, err
	}
	if _, _, scened := plan.family.Scened(); scened {
		return "", nil, fmt.Errorf("%s: testing scenes are those of a selection in a workspace; run the model there",
			req.Family)
	}
	opened, err := newSource(ctx, from, on)
	if err != nil {
		return "", nil, err
	}
	plan.source = opened
	run, err := plan.prepare(ctx, eng.Limits(), []model.Model{m}, opened.close, engine.NoProgress{})
	if err != nil {
		return "", run.Refused, err
	}
	if err := run.look(ctx, eng); err != nil {
		return "", run.Refused, errors.Join(err, run.Close())
	}
	id = plan.family.String()
	if err := eng.Submit(run.begin(id, nil)); err != nil {
		return "", run.Refused, errors.Join(err, run.Close())
	}
	return id, run.Refused, nil
}

// begin is the run for the engine.
func (r Prepared) begin(id string, x engine.Executor) engine.Run {
	return engine.Run{
		ID: id, Suite: r.Suite, Family: r.plan.family.String(), Source: r.Source, Tasks: r.Tasks, Close: r.closed,
		Workers: r.plan.on.workers(r.plan.batch, r.Tasks), Executor: x,
	}
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
func (r Prepared) Fits(ctx context.Context) error { return r.plan.room(ctx, r.ws, r.Tasks) }

// Submit writes the run down and hands it to the engine, which closes the source when the run has
// ended; where that fails, it is closed. x alone computes it, the engine's own workers and those
// that are attached where x is nil. After an error a record that was written says that the run has
// failed: nobody shall take it for one that was killed.
func (r Prepared) Submit(eng *engine.Engine, x engine.Executor) (string, error) {
	record := r.plan.record(r.Tasks, r.Refused)
	record.ID = r.ws.NewID()
	if err := errors.Join(lookAt(r.ws, r.plan), r.ws.PutRun(record)); err != nil {
		return "", errors.Join(err, r.Close())
	}
	run := r.begin(record.ID, x)
	// Without it a crash names fewer models, and that is all.
	run.Working = func(models []string) { _ = r.ws.Working(record.ID, models) }
	if err := eng.Submit(run); err != nil {
		record.Phase, record.Ended = engine.Failed, time.Now().UTC()
		return "", errors.Join(err, r.ws.PutRun(record), r.Close())
	}
	return record.ID, nil
}
