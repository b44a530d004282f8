package app

import (
	"errors"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
)

type backgroundRunCommand struct {
	Workspace string   `arg:"" help:"Workspace folder."`
	Selection []string `required:"" help:"Selections, by name or hash; one run each." sep:"none" placeholder:"NAME"`
	Models    []string `aliases:"model" help:"Models by id (default: all)." placeholder:"ID"`
	ClassMap  string   `aliases:"classes" help:"Table of suite class and model class, where one holds only part of the other's." type:"existingfile" placeholder:"map.csv"`
	Batch     int      `help:"Images per inference (default: that of the signals that are there, else chosen by a short calibration for runs of more than a minute, else 32)." min:"0"`
	Workers   int      `help:"Goroutines (default: one per processor)." min:"0"`
	planned   `embed:""`
	others    `embed:""`
	Out       string `help:"Folder to write the report to, run.json, run.csv and runs.csv." type:"path"`
}

// Run puts models through the targets and their composites, here or with other machines, or plans
// that for them; variscope run --collect takes what they did. What was finished before an
// interrupt is kept; the same line goes on.
func (c *backgroundRunCommand) Run(s *session) error {
	if err := errors.Join(c.check(), needFolder(c.Out)); err != nil {
		return err
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
	return runAll(s, ws, reqs, c.others.limit(runLimits(c.Workers, c.Batch)), nil, c.Out)
}

// check refuses flags that say nothing together.
func (c *backgroundRunCommand) check() error {
	if c.Plan != "" && len(c.Selection) > 1 {
		return usageError("--plan makes the plan of one run; name one selection, and plan the others into other folders")
	}
	return c.planned.check(c.Workers, c.others)
}

// requests are one per selection.
func (c *backgroundRunCommand) requests(ws *store.Workspace) (reqs []job.Request, err error) {
	base := job.Request{Positions: []string{model.CONF, model.Head}, Batch: c.Batch, Mixed: c.Mixed}
	if base.Models, err = hashes(ws, c.Models); err != nil {
		return nil, err
	}
	if c.ClassMap != "" {
		if base.ClassMap, err = job.ReadClassMap(c.ClassMap); err != nil {
			return nil, err
		}
	}
	for _, name := range c.Selection {
		record, err := findSelection(ws, name)
		if err != nil {
			return nil, err
		}
		req := base
		req.Suite = record.Targets
		if req.Family, err = record.Family(); err != nil {
			return nil, err
		}
		reqs = append(reqs, req)
	}
	return reqs, nil
}
