package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/cluster"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/store/shards"
	"github.com/variscope/variscope/store/speed"
)

type runCommand struct {
	Workspace  string `arg:"" help:"Workspace folder." study:"-"`
	runOptions `embed:""`
	LeaveOut   []string `help:"Models to leave out, by id, such as those that were being computed when an earlier run was cut off." placeholder:"ID"`
	Collect    string   `help:"Record what the shards of this folder have computed." type:"path" placeholder:"DIR" study:"-"`
	runPlace   `embed:""`
}

// runOptions say what is computed.
type runOptions struct {
	Suite         []string `help:"Suite, by name or hash (default: the workspace's current one). Repeat it for several runs, one after the other." sep:"none"`
	Family        []string `help:"Family, such as rotation:-15:15:1, or transformation set: plain, rot90, grayscale (default: the workspace's current family). Repeat it for several runs." sep:"none"`
	Interpolation string   `help:"nearest, bilinear or bicubic, in place of that of the family." enum:",nearest,bilinear,bicubic" default:""`
	job.Which
	job.Options
	batchFlag
}

// workersFlag bounds what computes at a time.
type workersFlag struct {
	Workers int `help:"Goroutines (default: one per processor)." min:"0"`
}

// batchFlag sets the batches of a run.
type batchFlag struct {
	Batch int `help:"Images per inference (default: that of the signals that are there, else chosen by a short calibration for runs of more than a minute, else 32)." min:"0"`
}

// Run computes the signals of every suite under every family that was named, plans that for other
// machines, or collects what those did.
func (c *runCommand) Run(s *Session) error {
	if c.Collect != "" {
		return c.collectPlan(s)
	}
	ws, err := s.open(c.Workspace)
	if err != nil {
		return err
	}
	reqs, err := c.requests(ws)
	if err == nil {
		err = c.leaveOut(s, ws, reqs)
	}
	if err != nil {
		return err
	}
	return c.carryOut(s, ws, reqs, c.Batch, &c.runOptions)
}

// leaveOut takes models out of requests, and says which were being computed when an earlier run of
// the same was cut off: they may be why.
func (c *runCommand) leaveOut(s *Session, ws *store.Workspace, reqs []job.Request) error {
	without, err := hashes(ws, c.LeaveOut)
	if err != nil {
		return err
	}
	list, err := ws.Models()
	if err != nil {
		return err
	}
	names, err := job.ReadNames(ws)
	if err != nil {
		return err
	}
	records, err := ws.Runs()
	if err != nil {
		return err
	}
	for i := range reqs {
		req := &reqs[i]
		if at := job.CutOff(records, *req, without); len(at) > 0 {
			ids := each(at, names.Model)
			s.mention("an earlier run of this was cut off; %s To leave out: --leave-out %s", job.AtWork(ids),
				strings.Join(ids, ","))
		}
		if len(without) == 0 {
			continue
		}
		if len(req.Models) == 0 {
			req.Models = each(list, hashOf)
		}
		var ok bool
		if *req, ok = req.Without(without); !ok {
			return usageError("--leave-out leaves no model to run")
		}
	}
	return nil
}

// RunLimits are the bounds of runs whose batch a calibration chooses, unless it was said.
func RunLimits(workers, batch int) engine.Limits {
	limits := engine.Limits{Workers: workers, Batch: batch}
	if batch == 0 {
		limits.Tune = &speed.Tuner{File: tuningPath()}
	}
	return limits
}

// requests are one per suite and family, all families of a suite one after the other.
func (c *runCommand) requests(ws *store.Workspace) (reqs []job.Request, err error) {
	models, err := hashes(ws, c.Models)
	if err != nil {
		return nil, err
	}
	for _, name := range orOne(c.Suite) {
		manifest, err := suiteNamed(ws, name)
		if err != nil {
			return nil, err
		}
		for _, text := range orOne(c.Family) {
			text, err := orCurrent(ws, text, "family")
			if err != nil {
				return nil, err
			}
			family, err := transform.ParseAny(text)
			if err == nil {
				family, err = family.With(transform.Interpolation(c.Interpolation), "")
			}
			if err != nil {
				return nil, err
			}
			req, err := c.Request(family)
			if err != nil {
				return nil, err
			}
			req.Models, req.Suite, req.Batch, req.Mixed = models, manifest.Hash, c.Batch, c.Mixed
			reqs = append(reqs, req)
		}
	}
	return reqs, nil
}

// runAndWait starts a run and shows its progress until it has ended. An interrupt cancels the run;
// its finished units stay.
func runAndWait(s *Session, ws *store.Workspace, req job.Request, limits engine.Limits) (job.Ended, error) {
	start := func(eng *engine.Engine, rt engine.Runtime) (string, []job.Refused, error) {
		return job.Start(s.ctx, ws, eng, rt, req, engine.NoProgress{})
	}
	status, refused, err := s.runToEnd(ws, limits, start)
	if err != nil {
		return job.Ended{}, err
	}
	one := job.EndedIn(ws, req.Suite, status, refused)
	one.Mixed = req.Mixed
	return one, nil
}

// runToEnd starts a run on an engine of its own that records into rec, and waits for its end.
func (s *Session) runToEnd(
	rec engine.Recorder, limits engine.Limits,
	start func(*engine.Engine, engine.Runtime) (id string, refused []job.Refused, err error),
) (status engine.Status, refused []job.Refused, err error) {
	runtime, err := s.Runtime()
	if err != nil {
		return status, nil, err
	}
	limits.Device = s.common.Pick
	var eng *engine.Engine
	ws, _ := rec.(*store.Workspace)
	shared := ws != nil && s.at(ws.Path()) != nil
	if shared {
		eng = s.at(ws.Path()).Engine // whose window shows the run
	} else {
		eng = engine.New(runtime, rec, limits)
		defer func() { err = errors.Join(err, eng.Close()) }()
	}
	if s.others != nil {
		defer eng.Attach(s.others)()
	}
	id, refused, err := start(eng, runtime)
	if err != nil {
		return status, refused, err
	}
	bar := s.bar("run")
	status, err = job.Follow(s.ctx, eng, id, bar.follow)
	if shared && s.ctx.Err() != nil { // the engine would go on
		err = errors.Join(err, job.Withdraw(eng, id))
	}
	return status, refused, err
}

// reportRuns writes what runs did into the folder out, where that is not empty, and prints it, with
// remarks below, and with more sheets in files. What went wrong is the error.
func (s *Session) reportRuns(
	options any, out outFolder, runs []job.Ended, remarks []string, more ...*result.Sheet,
) error {
	doc := s.document("run", options, append(job.Sheets(runs), more...)...)
	table := job.Outcomes
	remarks = append(job.Doubts(runs), remarks...)
	if len(runs) == 1 {
		table = table.Place(result.FileOnly, "suite", "family")
		if n := runs[0].Skipped; n > 0 {
			remarks = append([]string{result.Counted(n, "corrupt image") + " of the suite left out"}, remarks...)
		}
	}
	shown := []any{table.Sheet(job.OutcomesOf(runs))}
	err := s.give(answer{Document: doc, out: output{outFolder: out}, shown: shown, lines: remarks})
	done := func(o job.Outcome) bool { return o.Phase == engine.Done }
	return cmp.Or(err, joined(job.Reasons(runs...), slices.ContainsFunc(job.OutcomesOf(runs), done)))
}

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

// others are the flags of commands whose runs other machines may take part in.
type others struct {
	Listen     string `help:"Let other machines compute, too: listen on this address (:0 for all of this computer's addresses and a free port, which stays the same next time) and print the line with which they join." placeholder:"HOST:PORT" study:"-"`
	On         string `help:"Let other machines compute, too, by way of a NATS server that exists: tls://USER:PASSWORD@HOST:PORT, or nats://HOST:PORT on this computer." placeholder:"URL" study:"-"`
	OnlyOthers bool   `help:"Compute nothing on this computer; goes with --listen or --on." study:"-"`
}

func (o others) asked() bool { return o != others{} }

// Check refuses options that say nothing together.
func (o *others) Check() error {
	switch {
	case o.Listen != "" && o.On != "":
		return option.Errorf("{listen} serves a queue and {on} uses one that exists; choose one")
	case o.OnlyOthers && o.Listen == "" && o.On == "":
		return option.Errorf("{only-others} goes with {listen} or {on}: somebody has to compute")
	}
	return nil
}

// limit takes this computer's own workers out where only others compute; a calibration here then
// says nothing about them.
func (o others) limit(l engine.Limits) engine.Limits {
	if o.OnlyOthers {
		l = planLimits(l.Batch)
		l.Workers = engine.NoWorkers
	}
	return l
}

// let lets other machines in for the rest of the command and says how they join.
func (o others) let(s *Session, ws *store.Workspace, mixed bool) error {
	if !o.asked() {
		return nil
	}
	loaded, err := s.Runtime()
	if err != nil {
		return err
	}
	options := cluster.Options{Self: ThisMachine(loaded, "", 0), Mixed: mixed, Log: s.Log(nil)}
	var c *cluster.Coordinator
	if o.On != "" {
		c, err = cluster.Dial(s.ctx, ws.QueueFolder(), o.On, options)
	} else {
		c, err = cluster.Serve(s.ctx, ws.QueueFolder(), o.Listen, options)
	}
	if err != nil {
		return err
	}
	s.OnClose(func() error { c.Close(); return nil })
	s.others = c
	fmt.Fprintf(s.stderr, "other machines join with:\n")
	for _, line := range c.Join() {
		fmt.Fprintf(s.stderr, "  variscope worker '%s'\n", line)
	}
	return nil
}

// ThisMachine is what this computer says of itself; cores 0 is all.
func ThisMachine(loaded engine.Runtime, name string, cores int) cluster.Machine {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return cluster.Machine{
		Name: cmp.Or(name, host), Program: Version, Runtime: loaded.Version(), Arch: runtime.GOARCH,
		Level: engine.Level(), Cores: cmp.Or(cores, runtime.NumCPU()),
	}
}
