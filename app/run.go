package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/store/speed"
)

type runCommand struct {
	Workspace  string `arg:"" help:"Workspace folder."`
	runOptions `embed:""`
	Workers    int `help:"Goroutines (default: one per processor)." min:"0"`
	planned    `embed:""`
	Collect    string `help:"Record what the shards of this folder have computed." type:"path" placeholder:"DIR"`
	others     `embed:""`
	Out        string `help:"Folder to write the report to, run.json, run.csv and runs.csv." type:"path"`
}

// runOptions say what is computed.
type runOptions struct {
	Suite         []string `help:"Suite, by name or hash (default: the workspace's current one). Repeat it for several runs, one after the other." sep:"none"`
	Family        []string `help:"Family, such as rotation:-15:15:1, or transformation set: plain, rot90, grayscale (default: the workspace's current family). Repeat it for several runs." sep:"none"`
	Interpolation string   `help:"nearest, bilinear or bicubic, in place of that of the family." enum:",nearest,bilinear,bicubic" default:""`
	Models        []string `help:"Models by id (default: all)." placeholder:"ID"`
	Positions     []string `help:"Positions inside the models (default: CONF,CONV-1,CONV-2; none for a transformation set, which stores predictions and softmax)."`
	Modalities    []string `help:"Modalities; their positions are added, and vector ones (L2@CONV-1) keep pair distances." placeholder:"M"`
	Classes       string   `help:"Table of suite class and model class, where one holds only part of the other's." type:"existingfile" placeholder:"map.csv"`
	Batch         int      `help:"Images per inference (default: that of the signals that are there, else chosen by a short calibration for runs of more than a minute, else 32)." min:"0"`
}

// Run computes the signals of every suite under every family that was named, plans that for other
// machines, or collects what those did.
func (c *runCommand) Run(s *session) error {
	if err := errors.Join(c.checkPlan(), needFolder(c.Out)); err != nil {
		return err
	}
	if c.Collect != "" {
		return c.collectPlan(s)
	}
	ws, err := s.open(c.Workspace)
	if err != nil {
		return err
	}
	reqs, err := c.requests(ws)
	if err != nil {
		return err
	}
	if c.Plan != "" {
		return c.planned.write(s, ws, reqs[0], c.Out)
	}
	if err := c.others.let(s, ws, c.Mixed); err != nil {
		return err
	}
	return runAll(s, ws, reqs, c.others.limit(runLimits(c.Workers, c.Batch)), option.Record(&c.runOptions), c.Out)
}

// runLimits are the bounds of runs whose batch a calibration chooses, unless it was said.
func runLimits(workers, batch int) engine.Limits {
	limits := engine.Limits{Workers: workers, Batch: batch}
	if batch == 0 {
		limits.Tune = &speed.Tuner{File: tuningPath()}
	}
	return limits
}

// runAll does one run or several, one after the other, and reports what they did, into the folder
// out where that is not empty. Of several, one that cannot be started is reported and the next one
// begins; an interrupt ends all.
func runAll(s *session, ws *store.Workspace, reqs []job.Request, limits engine.Limits, options any, out string) error {
	var runs []ran
	for i, req := range reqs {
		if len(reqs) > 1 {
			s.say("run %d of %d: %s, %s", i+1, len(reqs), suiteName(ws, req.Suite), ws.FamilyName(req.Family))
		}
		one, err := runAndWait(s, ws, req, limits)
		switch {
		case len(reqs) > 1 && s.ctx.Err() != nil:
			return errors.Join(err, context.Cause(s.ctx))
		case len(reqs) > 1 && err != nil:
			one = notStarted(ws, req, err)
		case err != nil:
			return err
		}
		runs = append(runs, one)
	}
	return s.reportRuns(options, out, runs, nil)
}

// requests are one per suite and family, all families of a suite one after the other.
func (c *runCommand) requests(ws *store.Workspace) ([]job.Request, error) {
	base, err := c.request(ws)
	if err != nil {
		return nil, err
	}
	var reqs []job.Request
	for _, name := range orCurrent(c.Suite) {
		manifest, err := suiteNamed(ws, name)
		if err != nil {
			return nil, err
		}
		for _, text := range orCurrent(c.Family) {
			req, err := c.under(ws, base, text)
			if err != nil {
				return nil, err
			}
			req.Suite = manifest.Hash
			reqs = append(reqs, req)
		}
	}
	return reqs, nil
}

// orCurrent is what a repeated flag names, or one empty name, which stands for the workspace's
// current suite or family.
func orCurrent(names []string) []string {
	if len(names) == 0 {
		return []string{""}
	}
	return names
}

// request is what all runs have in common.
func (c *runCommand) request(ws *store.Workspace) (req job.Request, err error) {
	req.Batch, req.Mixed = c.Batch, c.Mixed
	if req.Models, err = hashes(ws, c.Models); err != nil {
		return req, err
	}
	if c.Classes != "" {
		req.ClassMap, err = readClassMap(c.Classes)
	}
	return req, err
}

// under adds a family with its positions and vector modalities.
func (c *runCommand) under(ws *store.Workspace, req job.Request, text string) (job.Request, error) {
	family, err := familyOrSet(ws, text)
	if err != nil {
		return req, err
	}
	if family, err = family.With(transform.Interpolation(c.Interpolation), ""); err != nil {
		return req, err
	}
	asked := c.Positions
	if len(asked) == 0 && !family.IsSet() {
		asked = model.DefaultPositions()
	}
	req.Family = family.String()
	if family.IsSet() && len(asked)+len(c.Modalities) == 0 {
		return req, nil // predictions alone
	}
	req.Positions, req.Vectors, err = positions(asked, c.Modalities)
	return req, err
}

// positions adds the positions of the modalities to those asked for, CONF first, and picks the
// vector modalities.
func positions(asked, modalities []string) (names, vectors []string, err error) {
	names = []string{model.CONF}
	add := func(name string) {
		for _, n := range names {
			if n == name {
				return
			}
		}
		names = append(names, name)
	}
	for _, name := range asked {
		add(name)
	}
	for _, text := range modalities {
		m, err := signal.ParseModality(text)
		if err != nil {
			return nil, nil, err
		}
		add(m.Position)
		if m.Order != 0 {
			vectors = append(vectors, m.String())
		}
	}
	return names, vectors, nil
}

// runAndWait starts a run and shows its course until it has ended. An interrupt cancels the run;
// its finished units stay.
func runAndWait(s *session, ws *store.Workspace, req job.Request, limits engine.Limits) (ran, error) {
	runtime, err := s.runtime()
	if err != nil {
		return ran{}, err
	}
	eng := engine.New(runtime, ws, limits)
	if s.others != nil {
		eng.Attach(s.others)
	}
	bar := newBar(s.stderr, "run")
	defer bar.done()
	id, refused, err := job.Start(s.ctx, ws, eng, runtime, req, engine.NoProgress{})
	if err != nil {
		return ran{}, errors.Join(err, eng.Close())
	}
	status, err := follow(s.ctx, eng, id, func(now engine.Status) { bar.show(now.Done, now.Total, now.Left) })
	if err = errors.Join(err, eng.Close()); err != nil {
		return ran{}, err
	}
	one := newRan(ws, req.Suite, status, refused)
	one.Mixed = req.Mixed
	return one, nil
}

// follow waits for a run to end and shows its course five times a second.
func follow(ctx context.Context, eng *engine.Engine, id string, show func(engine.Status)) (engine.Status, error) {
	ended := make(chan struct{})
	drawn := make(chan struct{})
	go func() {
		defer close(drawn)
		ticker := time.NewTicker(200 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ticker.C:
			}
			for _, status := range eng.Snapshot() {
				if status.ID == id {
					show(status)
				}
			}
		}
	}()
	status, err := eng.Wait(ctx, id)
	close(ended)
	<-drawn
	return status, err
}

// readClassMap reads a CSV of suite class and model class; a header of those words is passed over.
func readClassMap(path string) (map[string]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("class map %s: %w", path, err)
	}
	defer file.Close()
	reader := comma.NewReader(file)
	reader.FieldsPerRecord = 2
	rows, err := reader.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("class map %s: %w; it needs two columns, suite class and model class", path, err)
	}
	table := map[string]string{}
	for i, row := range rows {
		if i == 0 && strings.EqualFold(row[0], "suite") && strings.EqualFold(row[1], "model") {
			continue
		}
		if other, twice := table[row[0]]; twice && other != row[1] {
			return nil, fmt.Errorf("class map %s: class %s of the suite is there twice, for %s and for %s; keep one", path, row[0], other, row[1])
		}
		table[row[0]] = row[1]
	}
	return table, nil
}
