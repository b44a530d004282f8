// Package job prepares runs: it plans every model, probes what was not probed before, writes down
// what was asked and hands the run to the engine. The Run dialog, Resume and the command line all
// come through here.
package job

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

// Request is what a person asks for: which models, on which suite, under which family.
type Request struct {
	Models    []string // hashes; empty for all models of the workspace
	Suite     string   // content hash
	Family    string   // any accepted text of a family or transformation set
	Positions []string // empty for the default three, of a set for none; of a set of scenes for CONF and HEAD
	Vectors   []string // vector modalities, whose pair distances are stored beside the reducers
	ClassMap  map[string]string
	Batch     int // 0 for the batch of the signals that are there, else the engine's choice
	// Batches are those of single models by hash, where Batch is 0: as they were chosen before.
	// nil for none.
	Batches map[string]int
	// Mixed lets processors of any kind compute units (signal.Mixed).
	Mixed bool
	// Device says what computes; zero for what the engine's limits say.
	Device device.Pick
	// On are, by hash, the kinds of device of models that are not computed on the processor, as
	// they were chosen before, maybe on another computer: nothing is looked for or compared. nil
	// for none, and then Device counts.
	On map[string]string
}

// Refused is a model that cannot take part in a run, with the reason.
type Refused struct {
	Model, ID string
	Err       error
}

// ErrNothingToRun means that every model of the request was refused.
var ErrNothingToRun = errors.New("none of the models can run on this suite")

// Again is the request that repeats a recorded run; units that are on disk are not computed again.
func Again(r store.RunRecord) Request {
	return Request{
		Models: r.Models, Suite: r.Suite, Family: r.Family, Positions: r.Positions,
		Vectors: r.Vectors, ClassMap: r.ClassMap, Batch: r.Batch, Mixed: r.Mixed,
		Device: device.Pick{Device: r.Device, AnyDifference: r.AnyDifference},
	}
}

// CutOff are the models, without some, that were being computed when the newest run on the
// request's suite under its family died with its program; none where that run has ended.
func CutOff(records []store.RunRecord, req Request, without []string) (models []string) {
	for _, r := range slices.Backward(records) {
		if r.Suite != req.Suite || r.Family != req.Family {
			continue
		}
		if !r.Unfinished() {
			return nil
		}
		return slices.DeleteFunc(slices.Clone(r.Working), func(hash string) bool {
			return slices.Contains(without, hash) || len(req.Models) > 0 && !slices.Contains(req.Models, hash)
		})
	}
	return nil
}

// AtWork is the sentence about models that were being computed when a program died, by name.
func AtWork(models []string) string {
	verb := "was"
	if len(models) > 1 {
		verb = "were"
	}
	return result.Some(models) + " " + verb + " being computed then."
}

// Without leaves models out of a request that names its models; ok is false where none is left.
func (r Request) Without(models []string) (rest Request, ok bool) {
	r.Models = slices.DeleteFunc(slices.Clone(r.Models),
		func(hash string) bool { return slices.Contains(models, hash) })
	return r, len(r.Models) > 0
}

// Start plans, probes, records and submits a run and returns its id. Models that cannot take part
// are returned with their reasons and the others run; with none left it returns ErrNothingToRun,
// wrapped together with the first reason. Images, masks and scenes that are gone
// (store.ErrNoImages) or changed (suite.ErrChanged) are found before the first probe, and signals
// that do not fit on the disk (ErrNoRoom) before the first unit. Models of which nothing says
// range or channels are looked at (store.Workspace.Looks). Progress counts models.
func Start(
	ctx context.Context, ws *store.Workspace, eng *engine.Engine, rt engine.Runtime, req Request, p engine.Progress,
) (string, []Refused, error) {
	run, err := Prepare(ctx, Place{ws, rt, eng.Limits()}, req, p)
	if err == nil {
		err = run.Fits(ctx)
	}
	if err == nil {
		err = run.look(ctx, eng)
	}
	if err != nil {
		return "", run.Refused, err
	}
	id, err := run.Submit(eng, nil)
	return id, run.Refused, err
}

// look looks at the models under other recipes (planner.look). That this fails keeps no run from
// beginning.
func (r Prepared) look(ctx context.Context, eng *engine.Engine) error {
	if err := r.plan.look(ctx, eng.Limits().Workers, r.Tasks); err != nil && ctx.Err() == nil {
		slog.Warn("models were not looked at under other recipes", "suite", r.Suite, "error", err)
	}
	return ctx.Err()
}

// Withdraw cancels runs that somebody started and no longer wants, and returns when nothing of
// them is at work. What they have computed is kept. Runs that have ended are left as they are.
func Withdraw(eng *engine.Engine, ids ...string) (err error) {
	for _, id := range ids {
		if gone := eng.Cancel(id); !errors.Is(gone, engine.ErrEnded) {
			err = errors.Join(err, gone)
		}
	}
	for _, id := range ids {
		_, waited := eng.Wait(context.Background(), id)
		err = errors.Join(err, waited)
	}
	return err
}

// StartEach starts one run per request, in their order, and returns their ids. Refused are the
// models that some run refused, each once, with the first reason. The first run that cannot be
// started ends it: the ids are those of the runs before. Progress counts requests.
func StartEach(
	ctx context.Context, ws *store.Workspace, eng *engine.Engine, rt engine.Runtime, reqs []Request, p engine.Progress,
) (ids []string, refused []Refused, err error) {
	p.SetTotal(int64(len(reqs)))
	known := map[string]bool{}
	for _, req := range reqs {
		id, some, err := Start(ctx, ws, eng, rt, req, engine.NoProgress{})
		for _, one := range some {
			if !known[one.Model] {
				known[one.Model] = true
				refused = append(refused, one)
			}
		}
		if err != nil {
			return ids, refused, err
		}
		ids = append(ids, id)
		p.Add(1)
	}
	return ids, refused, nil
}

// OnEach is a request for each of several suites.
func (r Request) OnEach(suites []string) []Request {
	list := make([]Request, len(suites))
	for i, hash := range suites {
		list[i] = r
		list[i].Suite = hash
	}
	return list
}

// chosen are the models of a request, each once.
func chosen(ws *store.Workspace, hashes []string) ([]model.Model, error) {
	if len(hashes) == 0 {
		return ws.Models()
	}
	models := make([]model.Model, 0, len(hashes))
	for i, hash := range hashes {
		if slices.Contains(hashes[:i], hash) {
			continue
		}
		m, err := ws.Model(hash)
		if err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	return models, nil
}

// record is what is written down of a run, but for its id.
func (p planner) record(tasks []engine.Task, refused []Refused) store.RunRecord {
	r := store.RunRecord{
		Suite: p.suite.Hash, Family: p.family.String(), Positions: p.req.Positions, Vectors: p.req.Vectors,
		ClassMap: p.req.ClassMap, Batch: p.batch.inForce(), Phase: engine.Queued, Started: time.Now().UTC(),
		Mixed: p.req.Mixed, Skipped: len(p.suite.Skipped), Failures: map[string]string{},
		Device: p.req.Device.Device, AnyDifference: p.req.Device.AnyDifference, Devices: p.on.record(tasks),
	}
	for _, t := range tasks {
		r.Models = append(r.Models, t.Spec.Model)
		r.Total += int64(t.Spec.Images) * int64(p.family.N())
	}
	for _, one := range refused {
		r.Failures[one.Model] = one.Err.Error()
	}
	return r
}

// lookAt makes suite and family of the first run the workspace's current ones. A transformation
// set has no matrices to look at and never becomes the current family.
func lookAt(ws *store.Workspace, p planner) error {
	before, err := ws.Current()
	if err != nil {
		return err
	}
	current := before
	if current.Suite == "" {
		current.Suite = p.suite.Hash
	}
	if current.Family == "" && !p.family.IsSet() {
		current.Family = p.family.String()
	}
	if current == before {
		return nil
	}
	return ws.SetCurrent(current)
}

// planner turns models into tasks for one suite and family.
type planner struct {
	models ModelStore
	rt     engine.Runtime
	req    Request
	suite  suite.Manifest
	scenes suite.Manifest // backgrounds of a set of scenes, empty for every other family
	family transform.Family
	batch  *batching
	on     *devices
	source engine.Source
}

// all makes the tasks of the models that can take part, in their order. The error is the end of
// ctx, or what the workspace says: neither is a model's fault.
func (p planner) all(
	ctx context.Context, models []model.Model, progress engine.Progress,
) ([]engine.Task, []Refused, error) {
	var tasks []engine.Task
	var refused []Refused
	progress.SetTotal(int64(len(models)))
	for _, m := range models {
		p.on.take(m.Hash)
		task, reason, err := p.task(ctx, m)
		if err == nil && reason != nil && p.on.leave(m.Hash) {
			p.batch.forget(m.Hash)
			task, reason, err = p.task(ctx, m)
		}
		switch {
		case err != nil:
			return nil, refused, err
		case reason != nil:
			refused = append(refused, Refused{m.Hash, m.ID, reason})
		default:
			tasks = append(tasks, task)
			p.on.taken++
		}
		progress.Add(1)
	}
	return tasks, refused, nil
}

// task makes the task of a model on its device. reason says why it cannot take part.
func (p planner) task(ctx context.Context, m model.Model) (task engine.Task, reason, err error) {
	if err := p.chooseBatch(ctx, m); err != nil {
		return task, nil, err
	}
	if m, reason, err = p.tried(ctx, m); err != nil || reason != nil {
		return task, reason, err
	}
	if task, reason = p.plan(m); reason != nil {
		return task, reason, nil
	}
	reason, err = p.compared(ctx, m, task)
	return task, reason, err
}

// tried probes a model's feed unless that very feed has passed before, and returns the model as it
// is after that. reason says why this model cannot take part.
func (p planner) tried(ctx context.Context, m model.Model) (after model.Model, reason, err error) {
	if ctx.Err() != nil {
		return m, nil, ctx.Err()
	}
	first := p
	if settings, err := m.Settings(); err == nil && settings.Classes == 0 {
		first.suite.Classes = nil // which class is which can be told once the probe has counted them
	}
	task, reason := first.plan(m)
	if reason != nil || task.Probed {
		return m, reason, nil
	}
	found, reason := p.rt.Probe(ctx, task.Feed)
	if ctx.Err() != nil {
		return m, nil, ctx.Err()
	}
	if reason == nil && m.Unsteady == "" {
		reason = Steady(found)
	}
	if reason != nil {
		return m, fmt.Errorf("model %s: %w", m.ID, reason), nil
	}
	err = p.models.UpdateModel(m.Hash, func(m *model.Model) error {
		Probed(m, task.Feed, found)
		return nil
	})
	if err != nil {
		return m, nil, err
	}
	after, err = p.models.Model(m.Hash)
	return after, nil, err
}

func (p planner) plan(m model.Model) (engine.Task, error) {
	if !p.models.HasFile(m.Hash) {
		return engine.Task{}, fmt.Errorf("model %s: %w", m.ID, store.ErrNoFile)
	}
	return engine.Plan(engine.PlanInput{
		Model: m, Path: p.models.ModelPath(m.Hash), Suite: p.suite, Backgrounds: p.scenes, Family: p.family,
		Positions: p.req.Positions, Vectors: p.req.Vectors, ClassMap: p.req.ClassMap, Runtime: p.rt.Version(),
		Batch: p.batch.of(m), Mixed: p.req.Mixed, Device: p.on.of[m.Hash],
	})
}

// Steady is an error that goes on behind a model's name where a probe found that results for an
// image are not the same each time.
func Steady(found engine.Probe) error {
	if found.Unsteady == "" {
		return nil
	}
	return fmt.Errorf("does not give the same results for an image each time: %s; import it with "+
		"--allow-nondeterministic (in the window: under Advanced) to take it all the same", found.Unsteady)
}

// Probed writes what a probe found into the model: that this feed passed and the shapes of its
// results, the number of classes where the file does not say, and the kind of output that the
// numbers look like.
func Probed(m *model.Model, feed engine.Feed, found engine.Probe) {
	probes := map[string][][]int64{} // the map itself may be another copy's
	maps.Copy(probes, m.Probes)
	probes[feed.ProbeName()] = found.Shapes
	m.Probes = probes
	for i := range m.Graph.Outputs {
		if o := &m.Graph.Outputs[i]; o.Name == feed.Output && o.Classes == 0 {
			o.Classes = found.Classes
		}
	}
	m.ProbedKind = model.Logits
	if found.Sums {
		m.ProbedKind = model.Probabilities
	}
}
