package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/cluster"
)

// others are the flags of commands whose runs other machines may take part in.
type others struct {
	Listen     string `help:"Let other machines compute, too: listen on this address (:0 for all of this computer's addresses and a free port, which stays the same next time) and print the line with which they join." placeholder:"HOST:PORT"`
	On         string `help:"Let other machines compute, too, by way of a NATS server that exists: tls://USER:PASSWORD@HOST:PORT, or nats://HOST:PORT on this computer." placeholder:"URL"`
	OnlyOthers bool   `help:"Compute nothing on this computer; goes with --listen or --on."`
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
func (o others) let(s *session, ws *store.Workspace, mixed bool) error {
	if !o.asked() {
		return nil
	}
	loaded, err := s.runtime()
	if err != nil {
		return err
	}
	options := cluster.Options{Self: thisMachine(loaded, "", 0), Mixed: mixed, Log: s.log(nil)}
	var c *cluster.Coordinator
	if o.On != "" {
		c, err = cluster.Dial(s.ctx, ws.QueueFolder(), o.On, options)
	} else {
		c, err = cluster.Serve(s.ctx, ws.QueueFolder(), o.Listen, options)
	}
	if err != nil {
		return err
	}
	s.onClose(func() error { c.Close(); return nil })
	s.others = c
	fmt.Fprintf(s.stderr, "other machines join with:\n")
	for _, line := range c.Join() {
		fmt.Fprintf(s.stderr, "  variscope worker '%s'\n", line)
	}
	return nil
}

// thisMachine is what this computer says of itself; cores 0 is all.
func thisMachine(loaded engine.Runtime, name string, cores int) cluster.Machine {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return cluster.Machine{
		Name: cmp.Or(name, host), Program: Version, Runtime: loaded.Version(), Arch: runtime.GOARCH, Level: engine.Level(),
		Cores: cmp.Or(cores, runtime.NumCPU()),
	}
}

// join works for a coordinator.
func (c *workerCommand) join(s *session) error {
	line, err := cluster.ParseJoin(c.Join)
	if err != nil {
		return err
	}
	loaded, err := s.runtime()
	if err != nil {
		return err
	}
	self := thisMachine(loaded, c.Name, c.Cores)
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
	bar := newBar(s.stderr, "worker")
	defer bar.done()
	fmt.Fprintf(s.stderr, "variscope: working for %s with %s of %s; Ctrl-C ends it\n", line.Host, result.Counted(self.Cores, "core"), self.Level)
	err = cluster.Work(s.ctx, line, cluster.WorkOptions{
		Self: self, Runtime: loaded, Cache: cmp.Or(c.Cache, workerCachePath()), CacheBytes: int64(c.CacheGB) << 30, UnitTime: c.UnitTime,
		Log: s.log(nil), Show: func(connected bool, d cluster.Doing) { bar.say(doing(connected, d)) },
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
	return fmt.Sprintf("%s; %s images/s, %d units done, %d failed", text, result.Count.Say(d.PerSecond, 0), d.Done, d.Failed)
}
