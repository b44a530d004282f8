package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/store/job"
)

type demoCommand struct {
	Dir string `arg:"" optional:"" help:"Workspace folder to make, NAME.variscope (default: demo.variscope in the user's data folder)."`
	Out string `help:"Folder for the matrices, tables and agreement (default: demo-results beside the workspace)." type:"path"`
}

// demoFamilies are run in this order; the first becomes the workspace's current family.
func demoFamilies() []string { return []string{"rotation:-15:15:1", "brightness:-0.3:0.3:0.02"} }

// demoSuite is the name of the demo's suite.
const demoSuite = "scenes"

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
			func(m demoMade) string { return m.workspace }).Told(func(m demoMade) string { return m.workspace + ": " + m.holds }),
		result.Texts("out", "results", "folder with matrices, tables and agreement",
			func(m demoMade) string { return m.out }).Told(func(m demoMade) string { return m.out + ": " + result.Counted(m.files, "file") }),
		result.Counts("files", "files", "in the folder", func(m demoMade) int { return m.files }).In(result.FileOnly),
		result.Texts("first", "look first at", "file that shows what it is about", func(m demoMade) string { return m.first }),
		result.Texts("window", "in the window", "command that opens it there", func(m demoMade) string { return "variscope " + m.workspace }),
	},
}

func (c *demoCommand) Run(s *session) error {
	path := c.Dir
	if path == "" {
		var err error
		if path, err = demoPath(); err != nil {
			return err
		}
	}
	made := demoMade{workspace: path, out: c.Out}
	if made.out == "" {
		made.out = filepath.Join(filepath.Dir(filepath.Clean(path)), "demo-results")
	}
	runtime, err := s.runtime()
	if err != nil {
		return err
	}
	ws, err := s.openOrCreate(path)
	if err != nil {
		return err
	}
	s.say("filling %s with the demo's models and images", path)
	progress := newBar(s.stderr, "demo")
	err = fillDemo(s.ctx, ws, runtime, stages{progress})
	progress.done()
	if err != nil {
		return err
	}
	requests, err := demoRuns(ws)
	if err != nil {
		return err
	}
	var runs []ran
	for i, req := range requests {
		s.say("run %d of %d: %d models under %s", i+1, len(requests), len(req.Models), ws.FamilyName(req.Family))
		done, err := runAndWait(s, ws, req, engine.Limits{})
		if err != nil {
			return err
		}
		runs = append(runs, done)
	}
	if err := exampleRound(s.ctx, ws); err != nil {
		return err
	}
	files, err := exportTo(s, ws, export.Options{Out: made.out, Force: true})
	if err != nil {
		return err
	}
	made.files = len(files)
	manifest, err := ws.FindSuite(demoSuite)
	if err != nil {
		return err
	}
	models, err := ws.Models()
	if err != nil {
		return err
	}
	made.holds = fmt.Sprintf("%s, %s, %d families of transformations, a round without labels",
		result.Counted(len(models), "model"), result.Counted(manifest.Images, "image"), len(demoFamilies()))
	made.first = filepath.Join(made.out, "README.md")
	if pictures, err := filepath.Glob(filepath.Join(made.out, "matrices", "*", "max@CONF.png")); err == nil && len(pictures) > 0 {
		made.first = pictures[0] + " (a variance matrix), then " + made.first
	}
	doc := s.document("demo", c, append([]*result.Sheet{demos.Sheet([]demoMade{made})}, sheets(runs)...)...)
	return s.give(answer{Document: doc, card: true})
}

// fillDemo puts the embedded models and images into a workspace, and what background invariance
// needs of them, as far as they are not there. Progress counts models and images.
func fillDemo(ctx context.Context, ws *store.Workspace, rt engine.Runtime, p engine.Progress) (err error) {
	current, err := ws.Current()
	if err != nil {
		return err
	}
	selections, err := ws.Selections()
	if err != nil || current.Suite != "" && len(selections) > 0 {
		return err
	}
	folder, err := os.MkdirTemp("", "variscope-demo-")
	if err != nil {
		return fmt.Errorf("unpack the demo: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := os.CopyFS(folder, assets.Demo()); err != nil {
		return fmt.Errorf("unpack the demo: %w", err)
	}
	if current.Suite == "" {
		if err := fillTargets(ctx, ws, rt, folder, p); err != nil {
			return err
		}
	}
	targets, err := ws.FindSuite(demoSuite)
	if errors.Is(err, store.ErrNotFound) {
		return nil // somebody removed it
	}
	if err != nil {
		return err
	}
	return fillScenes(ctx, ws, targets, folder, p)
}

// fillTargets brings in the demo's models and targets, and makes these the current suite.
func fillTargets(ctx context.Context, ws *store.Workspace, rt engine.Runtime, folder string, p engine.Progress) error {
	report, err := intake.Models(ctx, ws, rt, onnx.Read, []string{folder}, intake.ModelOptions{}, p)
	if err != nil {
		return err
	}
	for _, failed := range report.Failed {
		return failed.Err
	}
	manifest, err := intake.Suite(ctx, ws, filepath.Join(folder, "targets"), intake.SuiteOptions{Name: demoSuite, Copy: true}, p)
	if err != nil {
		return err
	}
	family, err := transform.Parse(demoFamilies()[0])
	if err != nil {
		return err
	}
	return ws.SetCurrent(store.Current{Suite: manifest.Hash, Family: family.String()})
}

// demoRuns are the runs of the demo that have models left to do.
func demoRuns(ws *store.Workspace) ([]job.Request, error) {
	manifest, err := ws.FindSuite(demoSuite)
	if err != nil {
		return nil, err
	}
	models, err := ws.Models()
	if err != nil {
		return nil, err
	}
	var requests []job.Request
	for _, text := range demoFamilies() {
		family, err := transform.Parse(text)
		if err != nil {
			return nil, err
		}
		req := job.Request{Suite: manifest.Hash, Family: family.String()}
		for _, m := range models {
			_, done, err := ws.Summary(m, manifest.Hash, req.Family)
			if err != nil {
				return nil, err
			}
			if !done {
				req.Models = append(req.Models, m.Hash)
			}
		}
		if len(req.Models) > 0 {
			requests = append(requests, req)
		}
	}
	req, ok, err := sceneRun(ws)
	if ok {
		requests = append(requests, req)
	}
	return requests, err
}

// exampleRound makes the demo's round, without labels, when the workspace has no round yet.
func exampleRound(ctx context.Context, ws *store.Workspace) error {
	rounds, err := ws.Rounds()
	if err != nil || len(rounds) > 0 {
		return err
	}
	manifest, err := ws.FindSuite(demoSuite)
	if err != nil {
		return err
	}
	family, err := transform.Parse(demoFamilies()[0])
	if err != nil {
		return err
	}
	models, err := ready(ws, manifest.Hash, family.String())
	if err != nil {
		return err
	}
	_, err = ws.CreateRound(ctx, label.Round{
		Name: "Example: rotation", Kind: label.VarianceRound, Suite: manifest.Hash, Family: family.String(), Modalities: modalityNames(nil),
		Filter: "all", Classes: 2, Guideline: assets.VarianceGuideline, Annotators: []string{"annotator 1", "annotator 2", "annotator 3"},
		Blind: true, OrderSeed: 1, Models: models,
	})
	return err
}

// startDemo is what the window does when it opens on the demo: it brings in models and images,
// runs the families that are not done yet, and makes the example round. A killed start goes on
// where it stopped.
func startDemo(ws *store.Workspace, eng *engine.Engine, rt engine.Runtime) func(context.Context, engine.Progress) error {
	return func(ctx context.Context, p engine.Progress) error {
		if err := fillDemo(ctx, ws, rt, p); err != nil {
			return err
		}
		if rt == nil {
			return nil // browsing works; the window has said what is missing
		}
		requests, err := demoRuns(ws)
		if err != nil {
			return err
		}
		for _, req := range requests {
			id, _, err := job.Start(ctx, ws, eng, rt, req, p)
			if err != nil {
				return err
			}
			if err := toTheEnd(ctx, eng, id, p); err != nil {
				return err
			}
			if err := exampleRound(ctx, ws); err != nil {
				return err
			}
		}
		return nil
	}
}

// toTheEnd waits for the end of a run of the window's start. Who cancels the start cancels the
// run; the end of the window ends its runs by itself, so that they are offered at the next start.
func toTheEnd(ctx context.Context, eng *engine.Engine, id string, p engine.Progress) error {
	_, err := follow(ctx, eng, id, counted(p))
	switch {
	case ctx.Err() == nil:
		return err
	case errors.Is(context.Cause(ctx), context.Canceled):
		return errors.Join(ctx.Err(), job.Withdraw(eng, id))
	}
	return ctx.Err()
}

// counted turns the states of a run into progress: a new total, then what was done since the last
// state.
func counted(p engine.Progress) func(engine.Status) {
	seen := int64(-1)
	return func(now engine.Status) {
		if seen < 0 {
			p.SetTotal(now.Total)
			seen = 0
		}
		p.Add(now.Done - seen)
		seen = now.Done
	}
}
