package command

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
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
	for _, name := range orCurrent(c.Suite) {
		manifest, err := suiteNamed(ws, name)
		if err != nil {
			return nil, err
		}
		for _, text := range orCurrent(c.Family) {
			text, err := familyText(ws, text)
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
