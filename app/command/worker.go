package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/cluster"
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
func (c *workerCommand) Run(s *Session) error {
	switch {
	case c.Pipe:
		return usageError("worker --pipe takes no other option: Variscope starts such workers by itself")
	case c.Join != "" && (c.Plan != "" || c.Shard != 0):
		return usageError("worker takes a join line, or --plan DIR --shard K, not both")
	case c.Join == "" && c.Plan == "":
		return usageError("worker takes a join line, or the folder of a plan and the number of one of its shards: " +
			"--plan DIR --shard K")
	case c.Join == "" && c.Shard < 1:
		return usageError("--plan goes with --shard K, the number of one of the plan's shards, from 1")
	case c.Join != "":
		return c.join(s)
	}
	return c.shard(s)
}

// shard computes one shard of a plan.
func (c *workerCommand) shard(s *Session) error {
	folder, err := shards.Open(c.Plan)
	if err != nil {
		return err
	}
	runtime, err := s.Runtime()
	if err != nil {
		return err
	}
	self := shards.Worker{Program: Version, Runtime: runtime, Cores: c.Cores, UnitTime: c.UnitTime}
	report, err := folder.Work(s.ctx, c.Shard, self, s.bar(fmt.Sprintf("shard %d of %d", c.Shard, folder.Shards)))
	if err != nil {
		return err
	}
	doc := s.document("worker", c, shards.Reports.Sheet([]shards.Report{report}),
		shards.Failures.Sheet(report.Failures))
	return errors.Join(s.give(answer{Document: doc}), report.Err())
}

// join works for a coordinator.
func (c *workerCommand) join(s *Session) error {
	line, err := cluster.ParseJoin(c.Join)
	if err != nil {
		return err
	}
	loaded, err := s.Runtime()
	if err != nil {
		return err
	}
	self := ThisMachine(loaded, c.Name, c.Cores)
	choice, err := s.common.Choice()
	for _, d := range choice.Devices() {
		if kind := d.Kind(); kind != "" && !slices.Contains(self.Devices, kind) && err == nil {
			self.Devices, err = append(self.Devices, kind), device.Missing(d, loaded.Devices(s.ctx))
		}
	}
	if err != nil {
		return err
	}
	if runtime.GOMAXPROCS(0) <= self.Cores {
		runtime.GOMAXPROCS(self.Cores + 1) // inference blocks threads: see engine.New
	}
	s.tell("working for %s with %s of %s; Ctrl-C ends it", line.Host, result.Counted(self.Cores, "core"), self.Level)
	bar := s.bar("worker")
	err = cluster.Work(s.ctx, line, cluster.WorkOptions{
		Self: self, Runtime: loaded, Cache: cmp.Or(c.Cache, workerCachePath()), CacheBytes: int64(c.CacheGB) << 30,
		UnitTime: c.UnitTime,
		Log:      s.Log(nil), Show: func(connected bool, d cluster.Doing) { bar.say(doing(connected, d)) },
	})
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// doing is what a worker does in a line.
func doing(connected bool, d cluster.Doing) string {
	if !connected {
		return "the coordinator cannot be reached; trying again"
	}
	text := "waiting for units"
	if len(d.Units) > 0 {
		var units []string
		for _, u := range d.Units {
			units = append(units, fmt.Sprintf("%s/%d", u.Model, u.Chunk+1))
		}
		text = "computing " + strings.Join(units, ", ")
	}
	return fmt.Sprintf("%s; %s images/s, %d units done, %d failed", text, result.Count.Say(d.PerSecond, 0), d.Done,
		d.Failed)
}
