package command

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/demo"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/job"
)

type demoCommand struct {
	Dir string `arg:"" optional:"" help:"Workspace folder to make, NAME.variscope (default: demo.variscope in the user's data folder)."`
	Out string `help:"Folder for the matrices, tables and agreement (default: demo-results beside the workspace)." type:"path"`
}

// demoMade is what demo has made: its workspace and what is in it, the folder with the results and
// the number of their files, and the file to look at first.
type demoMade struct {
	workspace, holds, out string
	files                 int
	first                 string
}

// demos is the table of what demo has made; it has one row.
var demos = result.Table[demoMade]{
	Name: "demo", Title: "Demo", Noun: "workspace", ID: func(m demoMade) string { return m.workspace },
	Columns: []result.Column[demoMade]{
		result.Texts("workspace", "workspace", "folder of the workspace",
			func(m demoMade) string { return m.workspace }).
			Told(func(m demoMade) string { return m.workspace + ": " + m.holds }),
		result.Texts("out", "results", "folder with matrices, tables and agreement",
			func(m demoMade) string { return m.out }).
			Told(func(m demoMade) string { return m.out + ": " + result.Counted(m.files, "file") }),
		result.Counts("files", "files", "in the folder", func(m demoMade) int { return m.files }).In(result.FileOnly),
		result.Texts("first", "look first at", "file that shows what it is about",
			func(m demoMade) string { return m.first }),
		result.Texts("window", "in the window", "command that opens it there",
			func(m demoMade) string { return "variscope " + m.workspace }),
	},
}

// demo fills a workspace of the demo, with what people should know on the terminal.
func (s *Session) Demo(ws *store.Workspace, rt engine.Runtime) demo.Demo {
	return demo.Demo{
		Workspace: ws, Runtime: rt, Read: onnx.Read, Version: Version, Say: func(text string) { s.say("%s", text) },
	}
}

func (c *demoCommand) Run(s *Session) error {
	path := c.Dir
	if path == "" {
		var err error
		if path, err = DemoPath(); err != nil {
			return err
		}
	}
	made := demoMade{workspace: path, out: c.Out}
	if made.out == "" {
		made.out = filepath.Join(filepath.Dir(filepath.Clean(path)), "demo-results")
	}
	runtime, err := s.Runtime()
	if err != nil {
		return err
	}
	ws, err := s.openOrCreate(path)
	if err != nil {
		return err
	}
	s.say("filling %s with the demo's models and images", path)
	d := s.Demo(ws, runtime)
	if err := d.Fill(s.ctx, stages{s.bar("demo")}); err != nil {
		return err
	}
	requests, err := demo.Runs(ws)
	if err != nil {
		return err
	}
	var runs []job.Ended
	for i, req := range requests {
		s.say("run %d of %d: %d models under %s", i+1, len(requests), len(req.Models), ws.FamilyName(req.Family))
		done, err := runAndWait(s, ws, req, engine.Limits{})
		if err != nil {
			return err
		}
		runs = append(runs, done)
	}
	if err := d.Rounds(s.ctx, engine.NoProgress{}); err != nil {
		return err
	}
	rounds, err := ws.Rounds()
	if err != nil {
		return err
	}
	files, err := export.Export(s.ctx, ws, export.Options{Out: made.out, Force: true, Version: Version},
		s.bar("export"))
	if err != nil {
		return err
	}
	made.files = len(files)
	manifest, err := ws.FindSuite(demo.Suite)
	if err != nil {
		return err
	}
	models, err := ws.Models()
	if err != nil {
		return err
	}
	made.holds = fmt.Sprintf("%s, %s, %d families of transformations, a round without labels",
		result.Counted(len(models), "model"), result.Counted(manifest.Images, "image"), len(demo.Families()))
	if slices.ContainsFunc(rounds, func(r label.Round) bool { return r.ByRule }) {
		made.holds += ", one with " + label.ByRuleNote
	}
	made.first = filepath.Join(made.out, "README.md")
	if pictures, err := filepath.Glob(filepath.Join(made.out, "matrices", "*",
		"max@CONF.png")); err == nil && len(pictures) > 0 {
		made.first = pictures[0] + " (a variance matrix), then " + made.first
	}
	doc := s.document("demo", c, append([]*result.Sheet{demos.Sheet([]demoMade{made})}, job.Sheets(runs)...)...)
	return s.give(answer{Document: doc, card: true})
}
