package command

import (
	"cmp"
	"fmt"
	"os"
	"runtime"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/cluster"
)

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
