// Package job prepares runs: it plans every model, probes what was not probed before, writes down what was asked and
// hands the run to the engine. The Run dialog, Resume and the command line all come through here.
package job

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

// Request is what a person asks for: which models, on which suite, under which family.
type Request struct {
	Models    []string // hashes; empty for all models of the workspace
	Suite     string   // content hash
	Family    string   // any accepted text
	Positions []string // empty for the default three
	Vectors   []string // vector modalities, whose pair distances are stored beside the reducers
	ClassMap  map[string]string
	Batch     int // 0 for the engine's default
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
		Vectors: r.Vectors, ClassMap: r.ClassMap, Batch: r.Batch,
	}
}

// Start plans, probes, records and submits a run and returns its id. Models that cannot take part are returned with
// their reasons and the others run; with none left it returns ErrNothingToRun, wrapped. Progress counts models.
func Start(ctx context.Context, ws *store.Workspace, eng *engine.Engine, rt engine.Runtime, req Request, p engine.Progress) (string, []Refused, error) {
	if rt == nil {
		return "", nil, engine.ErrNoRuntime
	}
	family, err := transform.Parse(req.Family)
	if err != nil {
		return "", nil, err
	}
	manifest, err := ws.Suite(req.Suite)
	if err != nil {
		return "", nil, err
	}
	models, err := chosen(ws, req.Models)
	if err != nil {
		return "", nil, err
	}
	plan := planner{ws: ws, rt: rt, req: req, suite: manifest, family: family}
	tasks, refused, err := plan.all(ctx, models, p)
	if err != nil {
		return "", refused, err
	}
	if len(tasks) == 0 {
		return "", refused, fmt.Errorf("suite %s: %w%s", manifest.Name, ErrNothingToRun, firstReason(refused))
	}
	return submit(ws, eng, plan, tasks, refused)
}

func chosen(ws *store.Workspace, hashes []string) ([]model.Model, error) {
	if len(hashes) == 0 {
		return ws.Models()
	}
	models := make([]model.Model, 0, len(hashes))
	for _, hash := range hashes {
		m, err := ws.Model(hash)
		if err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	return models, nil
}

func firstReason(refused []Refused) string {
	if len(refused) == 0 {
		return "; import a model first"
	}
	return fmt.Sprintf("; the first reason: %v", refused[0].Err)
}

func submit(ws *store.Workspace, eng *engine.Engine, plan planner, tasks []engine.Task, refused []Refused) (string, []Refused, error) {
	source, err := ws.OpenSuite(plan.suite.Hash)
	if err != nil {
		return "", refused, err
	}
	record := store.RunRecord{
		ID: ulid.Make().String(), Suite: plan.suite.Hash, Family: plan.family.String(), Positions: plan.req.Positions,
		Vectors: plan.req.Vectors, ClassMap: plan.req.ClassMap, Batch: plan.req.Batch, Phase: engine.Queued, Started: time.Now().UTC(),
		Failures: map[string]string{},
	}
	for _, t := range tasks {
		record.Models = append(record.Models, t.Spec.Model)
		record.Total += int64(t.Spec.Images * plan.family.N())
	}
	for _, r := range refused {
		record.Failures[r.Model] = r.Err.Error()
	}
	if err := errors.Join(ws.PutRun(record), lookAt(ws, plan)); err != nil {
		return "", refused, errors.Join(err, source.Close())
	}
	err = eng.Submit(engine.Run{
		ID: record.ID, Suite: plan.suite.Name, Family: record.Family, Source: source, Tasks: tasks, Close: source.Close,
	})
	if err != nil {
		return "", refused, errors.Join(err, source.Close())
	}
	return record.ID, refused, nil
}

// lookAt makes suite and family of the first run the workspace's current ones.
func lookAt(ws *store.Workspace, plan planner) error {
	current, err := ws.Current()
	if err != nil || current.Suite != "" && current.Family != "" {
		return err
	}
	if current.Suite == "" {
		current.Suite = plan.suite.Hash
	}
	if current.Family == "" {
		current.Family = plan.family.String()
	}
	return ws.SetCurrent(current)
}

// planner turns models into tasks for one suite and family.
type planner struct {
	ws     *store.Workspace
	rt     engine.Runtime
	req    Request
	suite  suite.Manifest
	family transform.Family
}

func (p planner) all(ctx context.Context, models []model.Model, progress engine.Progress) ([]engine.Task, []Refused, error) {
	var tasks []engine.Task
	var refused []Refused
	progress.SetTotal(int64(len(models)))
	for _, m := range models {
		task, err := p.task(ctx, m)
		if ctx.Err() != nil {
			return nil, refused, ctx.Err()
		}
		if err != nil {
			refused = append(refused, Refused{m.Hash, m.ID, err})
		} else {
			tasks = append(tasks, task)
		}
		progress.Add(1)
	}
	return tasks, refused, nil
}

// task plans one model and probes its feed unless that very feed has passed before.
func (p planner) task(ctx context.Context, m model.Model) (engine.Task, error) {
	task, err := p.plan(m)
	if err != nil {
		return task, err
	}
	name := task.Feed.ProbeName()
	if slices.Contains(m.Probes, name) {
		return task, nil
	}
	found, err := p.rt.Probe(ctx, task.Feed)
	if err != nil {
		return task, fmt.Errorf("model %s: %w", m.ID, err)
	}
	err = p.ws.UpdateModel(m.Hash, func(m *model.Model) error {
		Probed(m, task.Feed, found)
		return nil
	})
	if err != nil {
		return task, err
	}
	if m, err = p.ws.Model(m.Hash); err != nil {
		return task, err
	}
	return p.plan(m)
}

func (p planner) plan(m model.Model) (engine.Task, error) {
	return engine.Plan(engine.PlanInput{
		Model: m, Path: p.ws.ModelPath(m.Hash), Suite: p.suite, Family: p.family, Positions: p.req.Positions,
		Vectors: p.req.Vectors, ClassMap: p.req.ClassMap, Runtime: p.rt.Version(), Batch: p.req.Batch,
	})
}

// Probed writes what a probe found into the model: that this feed passed, the number of classes where the file does
// not say, and the kind of output that the numbers look like.
func Probed(m *model.Model, feed engine.Feed, found engine.Probe) {
	if name := feed.ProbeName(); !slices.Contains(m.Probes, name) {
		m.Probes = append(m.Probes, name)
	}
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
