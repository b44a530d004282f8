package command

import (
	"context"
	"errors"
	"reflect"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/store/shards"
)

// planned are the flags of commands whose runs can be planned for other machines.
type planned struct {
	job.AnyProcessor
	Plan   string `help:"Compute nothing, but write what other machines need to compute it into this folder, for variscope worker." type:"path" placeholder:"DIR" study:"-"`
	Shards int    `help:"Number of shards of --plan." placeholder:"N" study:"-"`
}

const takePart = "{listen}, {on} and {only-others} are for runs that other machines take part in while they last"

// runPlace are the flags of commands whose runs are computed here, with other machines, or are
// planned for them.
type runPlace struct {
	workersFlag
	planned   `embed:""`
	others    `embed:""`
	outFolder `set:"out=Folder to write the report to, run.json, run.csv and runs.csv."`
}

// carryOut plans the first of the requests, or does all of them, one after the other, and reports
// what they did; options are those that the report has. Of several runs, one that cannot be started
// is reported and the next one begins; an interrupt ends all.
func (p *runPlace) carryOut(s *Session, ws *store.Workspace, reqs []job.Request, batch int, options any) error {
	if p.Plan != "" {
		return p.planned.write(s, ws, reqs[0], p.outFolder)
	}
	if err := p.others.let(s, ws, p.Mixed); err != nil {
		return err
	}
	limits := p.others.limit(RunLimits(p.Workers, batch))
	var runs []job.Ended
	for i, req := range reqs {
		if len(reqs) > 1 {
			on := req.Suite
			if m, err := ws.Suite(req.Suite); err == nil {
				on = m.Name
			}
			s.say("run %d of %d: %s, %s", i+1, len(reqs), on, ws.FamilyName(req.Family))
		}
		one, err := runAndWait(s, ws, req, limits)
		switch {
		case len(reqs) > 1 && s.ctx.Err() != nil:
			return errors.Join(err, context.Cause(s.ctx))
		case len(reqs) > 1 && err != nil:
			one = job.NotStarted(ws, req, err)
		case err != nil:
			return err
		}
		runs = append(runs, one)
	}
	return s.reportRuns(options, p.outFolder, runs, nil)
}

// check refuses flags that say nothing together.
func (p *runPlace) check() error {
	switch {
	case p.Plan == "" && p.Shards != 0:
		return option.Errorf("{shards} goes with {plan} DIR")
	case p.Plan != "" && (p.Shards < 1 || p.Shards > shards.MaxShards):
		return option.Errorf("{plan} goes with {shards} N, from 1 to %d", shards.MaxShards)
	case p.Plan != "" && p.others.asked():
		return option.Errorf("{plan} works without connections; " + takePart)
	case p.Plan != "" && p.Workers != 0:
		return option.Errorf("{workers} does not go with {plan}, which computes nothing; " +
			"variscope worker takes --cores")
	}
	return nil
}

// Check refuses flags that say nothing together.
func (c *runCommand) Check() error {
	defines := !reflect.ValueOf(c.runOptions).IsZero() || c.Mixed
	switch {
	case c.Collect != "" && (c.Plan != "" || c.Shards != 0):
		return option.Errorf("{collect} takes the results of a plan, {plan} and {shards} make one; " +
			"use one after the other")
	case c.Collect != "" && (defines || c.Workers != 0):
		return option.Errorf("{collect} takes models, suite, family and all else from the plan; " +
			"only {out} goes with it")
	case c.Collect != "" && c.others.asked():
		return option.Errorf("{collect} works without connections; " + takePart)
	case c.Plan != "" && (len(c.Suite) > 1 || len(c.Family) > 1):
		return option.Errorf("{plan} makes the plan of one run; name one suite and one family, and plan the others " +
			"into other folders")
	}
	return c.runPlace.check()
}

// write writes the folder of a plan, and the report into the folder out where that is not empty.
func (p planned) write(s *Session, ws *store.Workspace, req job.Request, out outFolder) (err error) {
	runtime, err := s.Runtime()
	if err != nil {
		return err
	}
	// A run that is planned again takes its batches: what is in the workspace by now may be of
	// others.
	if there, err := shards.Open(p.Plan); err == nil && req.Batch == 0 {
		req.Batches = there.Request.Batches
	}
	limits := planLimits(req.Batch)
	limits.Device = s.common.Pick
	run, err := job.Prepare(s.ctx, job.Place{Workspace: ws, Runtime: runtime, Limits: limits}, req, engine.NoProgress{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run.Close()) }()
	plan, err := shards.Write(s.ctx, p.Plan, shards.Making{Program: Version, Run: run, Has: ws.Has, Shards: p.Shards},
		s.bar("plan"))
	if err != nil {
		return err
	}
	plan.Folder, plan.FamilyName = p.Plan, ws.FamilyName(plan.Request.Family)
	refused := job.Ended{FamilyText: plan.Request.Family, Listed: job.Listed{
		ID: plan.ID, Suite: plan.Suite, Family: plan.FamilyName, Models: job.RefusedModels(run.Refused),
	}}
	doc := s.document("plan", &p, shards.Plans.Sheet([]shards.Written{plan}),
		job.Outcomes.Sheet(job.OutcomesOf([]job.Ended{refused})))
	err = s.give(answer{Document: doc, out: output{outFolder: out}, lines: plan.Next()})
	return errors.Join(err, joined(job.Reasons(refused), true), errors.Join(plan.Remarks...))
}

// planLimits are those of a run that other machines compute: a calibration here says nothing about
// them, and would name the units by chance.
func planLimits(batch int) engine.Limits {
	if batch == 0 {
		batch = engine.DefaultBatch
	}
	return engine.Limits{Batch: batch}
}

// collectPlan records the results of a plan.
func (c *runCommand) collectPlan(s *Session) error {
	folder, err := shards.Open(c.Collect)
	if err != nil {
		return err
	}
	ws, err := s.open(c.Workspace)
	if err != nil {
		return err
	}
	runtime, err := s.Runtime()
	if err != nil {
		return err
	}
	eng := engine.New(runtime, ws, engine.Limits{Workers: engine.NoWorkers})
	bar := s.bar("collect")
	collection, err := folder.Collect(s.ctx, job.Place{Workspace: ws, Runtime: runtime, Limits: eng.Limits()}, eng,
		Version)
	if err != nil {
		return errors.Join(err, eng.Close())
	}
	status, err := job.Follow(s.ctx, eng, collection.Run, bar.follow)
	if err = errors.Join(err, eng.Close()); err != nil {
		return err
	}
	one := job.EndedIn(ws, folder.Request.Suite, status, collection.Refused)
	one.Mixed = folder.Request.Mixed
	states := collection.States()
	return s.reportRuns(&c.runOptions, c.outFolder, []job.Ended{one}, shards.Remarks(states),
		shards.Collected.Sheet(states))
}
