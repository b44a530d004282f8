package app

import (
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store/job"
)

type backgroundRunCommand struct {
	Workspace string   `arg:"" help:"Workspace folder."`
	Selection []string `required:"" help:"Selections, by name or hash; one run each." sep:"none" placeholder:"NAME"`
	Models    []string `aliases:"model" help:"Models by id (default: all)." placeholder:"ID"`
	Classes   string   `help:"Table of suite class and model class, where one holds only part of the other's." type:"existingfile" placeholder:"map.csv"`
	Batch     int      `help:"Images per inference (default: that of the signals that are there, else chosen by a short calibration for runs of more than a minute, else 32)."`
	Workers   int      `help:"Goroutines (default: one per processor)."`
	Out       string   `help:"Folder to write the report to, run.json and run.csv." type:"path"`
}

// Run puts models through the targets and their composites. What was finished before an interrupt is kept; the same line goes on.
func (c *backgroundRunCommand) Run(s *session) error {
	if err := needFolder(c.Out); err != nil {
		return err
	}
	ws, err := s.open(c.Workspace)
	if err != nil {
		return err
	}
	base := job.Request{Positions: []string{model.CONF, model.Head}, Batch: c.Batch}
	if base.Models, err = hashes(ws, c.Models); err != nil {
		return err
	}
	if c.Classes != "" {
		if base.ClassMap, err = readClassMap(c.Classes); err != nil {
			return err
		}
	}
	var reqs []job.Request
	for _, name := range c.Selection {
		record, err := findSelection(ws, name)
		if err != nil {
			return err
		}
		set, err := transform.Scenes(record.Hash, record.Selection.N())
		if err != nil {
			return err
		}
		req := base
		req.Suite, req.Family = record.Selection.Targets, set.String()
		reqs = append(reqs, req)
	}
	return runAll(s, ws, reqs, runLimits(c.Workers, c.Batch), c.Out)
}
