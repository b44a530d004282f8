package app

import (
	"errors"
	"fmt"
	"time"

	"github.com/variscope/variscope/store/shards"
)

// workerCommand computes units of work for a workspace that is elsewhere.
type workerCommand struct {
	Join     string        `arg:"" optional:"" help:"Line that variscope run --listen shows; works for that workspace until it is told otherwise." placeholder:"JOIN"`
	Plan     string        `help:"Folder of a plan that variscope run --plan has made; computes one of its shards, which goes on where it was interrupted." type:"path" placeholder:"DIR"`
	Shard    int           `help:"Number of the shard, from 1." placeholder:"K"`
	Cores    int           `help:"Cores to use (default: all)." placeholder:"N" min:"0"`
	Name     string        `help:"Name of this worker in the list of workers (default: the computer's)."`
	Cache    string        `help:"Folder in which models and images are kept (default: in the user's cache)." type:"path" placeholder:"DIR"`
	CacheGB  int           `name:"cache-gb" help:"Size of that folder." default:"20" min:"1" unit:"GB"`
	Pipe     bool          `help:"Compute what the program that has started this one asks for, on standard input and output."`
	UnitTime time.Duration `help:"Longest time for one unit of work, up to 256 images of a model under all transformations." default:"6h" above:"0s"`
}

// Run computes what it is told to.
func (c *workerCommand) Run(s *session) error {
	switch {
	case c.Pipe:
		return usageError("worker --pipe takes no other option: Variscope starts such workers by itself")
	case c.Join != "" && (c.Plan != "" || c.Shard != 0):
		return usageError("worker takes a join line, or --plan DIR --shard K, not both")
	case c.Join == "" && c.Plan == "":
		return usageError("worker takes a join line, or the folder of a plan and the number of one of its shards: --plan DIR --shard K")
	case c.Join == "" && c.Shard < 1:
		return usageError("--plan goes with --shard K, the number of one of the plan's shards, from 1")
	case c.Join != "":
		return c.join(s)
	}
	return c.shard(s)
}

// shard computes one shard of a plan.
func (c *workerCommand) shard(s *session) error {
	folder, err := shards.Open(c.Plan)
	if err != nil {
		return err
	}
	runtime, err := s.runtime()
	if err != nil {
		return err
	}
	bar := newBar(s.stderr, fmt.Sprintf("shard %d of %d", c.Shard, folder.Shards))
	defer bar.done()
	report, err := folder.Work(s.ctx, c.Shard, shards.Worker{Program: Version, Runtime: runtime, Cores: c.Cores, UnitTime: c.UnitTime}, bar)
	if err != nil {
		return err
	}
	doc := s.document("worker", c, shards.Reports.Sheet([]shards.Report{report}), shards.Failures.Sheet(report.Failures))
	return errors.Join(s.give(answer{Document: doc}), report.Err())
}
