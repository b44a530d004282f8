package app

import (
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/store/shards"
)

// planned are the flags of commands whose runs can be planned for other machines.
type planned struct {
	job.AnyProcessor
	Plan   string `help:"Compute nothing, but write what other machines need to compute it into this folder, for variscope worker." type:"path" placeholder:"DIR"`
	Shards int    `help:"Number of shards of --plan." placeholder:"N"`
}

// check refuses flags that say nothing together. workers is what --workers says.
func (p planned) check(workers int, with others) error {
	switch {
	case p.Plan == "" && p.Shards != 0:
		return usageError("--shards goes with --plan DIR")
	case p.Plan != "" && (p.Shards < 1 || p.Shards > shards.MaxShards):
		return usageError(fmt.Sprintf("--plan goes with --shards N, from 1 to %d", shards.MaxShards))
	case p.Plan != "" && with.asked():
		return usageError("--plan works without connections; --listen, --on and --only-others are for runs that other machines take part in while they last")
	case p.Plan != "" && workers != 0:
		return usageError("--workers does not go with --plan, which computes nothing; variscope worker takes --cores")
	}
	return nil
}

// checkPlan refuses flags of run that say nothing together.
func (c *runCommand) checkPlan() error {
	defines := len(c.Suite)+len(c.Family)+len(c.Models)+len(c.Positions)+len(c.Modalities) > 0 || c.Interpolation != "" || c.Classes != "" || c.Batch != 0 || c.Mixed
	switch {
	case c.Collect != "" && (c.Plan != "" || c.Shards != 0):
		return usageError("--collect takes the results of a plan, --plan and --shards make one; use one after the other")
	case c.Collect != "" && (defines || c.Workers != 0):
		return usageError("--collect takes models, suite, family and all else from the plan; only --out goes with it")
	case c.Collect != "" && c.others.asked():
		return usageError("--collect works without connections; --listen, --on and --only-others are for runs that other machines take part in while they last")
	case c.Plan != "" && (len(c.Suite) > 1 || len(c.Family) > 1):
		return usageError("--plan makes the plan of one run; name one suite and one family, and plan the others into other folders")
	}
	return c.planned.check(c.Workers, c.others)
}

// planReport is what run --plan prints with --json.
type planReport struct {
	Plan    string        `json:"plan"` // hash
	Folder  string        `json:"folder"`
	Suite   string        `json:"suite"`
	Family  string        `json:"family"`
	Mixed   bool          `json:"mixed"`
	Library string        `json:"onnxruntime"`
	Level   string        `json:"level"`
	Arch    string        `json:"arch"`
	Shards  int           `json:"shards"`
	Units   int           `json:"units"`
	Models  int           `json:"models"` // that lack units
	Refused []modelReport `json:"refused"`
	Again   bool          `json:"again"`   // the plan was there already
	Brought []string      `json:"brought"` // files of it that were brought back
}

// write writes the folder of a plan, and the report into the folder out where that is not empty.
func (p planned) write(s *session, ws *store.Workspace, req job.Request, out string) (err error) {
	runtime, err := s.runtime()
	if err != nil {
		return err
	}
	if there := shards.Planned(p.Plan); there != nil && req.Batch == 0 {
		req.Batches = there.Request.Batches
	}
	run, err := job.Prepare(s.ctx, job.Place{Workspace: ws, Runtime: runtime, Limits: planLimits(req.Batch)}, req, engine.NoProgress{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run.Close()) }()
	bar := newBar(s.stderr, "plan")
	defer bar.done()
	plan, err := shards.Write(s.ctx, p.Plan, shards.Making{Program: Version, Run: run, Has: ws.Has, Shards: p.Shards}, bar)
	if err != nil {
		return err
	}
	report := planReport{
		Plan: plan.ID, Folder: p.Plan, Suite: plan.Suite, Family: plan.Request.Family, Mixed: plan.Mixed(), Library: plan.Runtime, Level: plan.Level,
		Arch: plan.Arch, Shards: plan.Shards(), Units: plan.UnitCount(), Models: plan.Models(), Refused: []modelReport{},
		Again: plan.Again, Brought: append([]string{}, plan.Brought...),
	}
	for _, r := range run.Refused {
		report.Refused = append(report.Refused, modelReport{ID: r.ID, Hash: r.Model, Phase: engine.Failed, Error: r.Err.Error()})
	}
	return errors.Join(s.report(out, "plan", report, report.rows()), runReport{Models: report.Refused}.err(), errors.Join(plan.Remarks...))
}

// planLimits are those of a run that other machines compute: a calibration here says nothing about
// them, and would name the units by chance.
func planLimits(batch int) engine.Limits {
	if batch == 0 {
		batch = engine.DefaultBatch
	}
	return engine.Limits{Batch: batch}
}

func (r planReport) rows() [][]string {
	rows := [][]string{
		{"suite", "family", "models", "units", "shards", "folder"},
		{r.Suite, r.Family, fmt.Sprint(r.Models), fmt.Sprint(r.Units), fmt.Sprint(r.Shards), r.Folder},
	}
	if r.Again {
		rows = append(rows, []string{fmt.Sprintf("the plan was there already; of its files %d were brought back", len(r.Brought))})
	}
	return append(rows, [][]string{
		{fmt.Sprintf("compute the shards: sbatch job.sh inside the folder, or sh job.sh K for each K from 1 to %d; README.txt there says more", r.Shards)},
		{"then collect them: variscope run WORKSPACE --collect " + r.Folder},
	}...)
}

// collectPlan records the results of a plan.
func (c *runCommand) collectPlan(s *session) error {
	folder, err := shards.Open(c.Collect)
	if err != nil {
		return err
	}
	ws, err := s.open(c.Workspace)
	if err != nil {
		return err
	}
	runtime, err := s.runtime()
	if err != nil {
		return err
	}
	eng := engine.New(runtime, ws, engine.Limits{Workers: engine.NoWorkers})
	bar := newBar(s.stderr, "collect")
	defer bar.done()
	collection, err := folder.Collect(s.ctx, job.Place{Workspace: ws, Runtime: runtime, Limits: eng.Limits()}, eng, Version)
	if err != nil {
		return errors.Join(err, eng.Close())
	}
	status, err := follow(s.ctx, eng, collection.Run, func(now engine.Status) { bar.show(now.Done, now.Total, now.Left) })
	if err = errors.Join(err, eng.Close()); err != nil {
		return err
	}
	report := newRunReport(ws, folder.Request.Suite, status, collection.Refused)
	report.Mixed = folder.Mixed()
	report.Shards = newShardStates(collection.States())
	if err := s.report(c.Out, "run", report, report.rows()); err != nil {
		return err
	}
	return report.err()
}

// shardState is what a collection found of a shard.
type shardState struct {
	Shard    int  `json:"shard"`
	Units    int  `json:"units"`
	Missing  int  `json:"missing"`
	Damaged  int  `json:"damaged"`
	Failed   int  `json:"failed"`
	Left     int  `json:"left"` // of models that were left out
	Complete bool `json:"complete"`
}

func newShardStates(states []shards.State) (list []shardState) {
	for _, s := range states {
		list = append(list, shardState{s.Shard, s.Units, s.Missing, s.Damaged, s.Failed, s.Left, s.Complete()})
	}
	return list
}

// remarksOn are lines about the shards of a collected plan.
func remarksOn(states []shardState) (rows [][]string) {
	var complete []int
	for _, s := range states {
		if s.Complete {
			complete = append(complete, s.Shard)
		}
	}
	if len(complete) > 0 {
		rows = append(rows, []string{fmt.Sprintf("complete: %s, of %d", shards.ShardList(complete), len(states))})
	}
	for _, s := range states {
		if s.Complete {
			continue
		}
		text := fmt.Sprintf("shard %d: of %d units, %d have no result (%d failed) and %d a damaged one", s.Shard, s.Units, s.Missing, s.Failed, s.Damaged)
		if s.Left > 0 {
			text += fmt.Sprintf("; %d are of models that were left out", s.Left)
		}
		rows = append(rows, []string{text})
	}
	return rows
}
