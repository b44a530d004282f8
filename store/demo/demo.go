// Package demo fills the demo's workspace: the embedded models, images and signals, what background
// invariance needs of them, the runs, a round to label, and one with example labels that a rule
// makes.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/store/job"
)

// Families are run in this order; the first becomes the workspace's current family.
func Families() []string { return []string{"rotation:-15:15:1", "brightness:-0.3:0.3:0.02"} }

// Suite is the name of the demo's suite.
const Suite = "scenes"

// Demo is a workspace of the demo, and what it is filled by.
type Demo struct {
	Workspace *store.Workspace
	Runtime   engine.Runtime // nil without ONNX Runtime: nothing is run then
	Read      intake.Reader
	Version   string       // of the program, for the assessor's file
	Say       func(string) // is told, off the main goroutine, what people should know; not nil
}

// Fill puts the embedded models, images and signals into the workspace, the rounds that rest on
// these, and what background invariance needs, as far as they are not there. Progress counts models
// and images.
func (d Demo) Fill(ctx context.Context, p engine.Progress) (err error) {
	ws := d.Workspace
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
	if current.Suite == "" {
		if err := copyOut(folder, "models", "models.csv", "targets"); err != nil {
			return err
		}
		if err := d.fillTargets(ctx, folder, p); err != nil {
			return err
		}
	}
	targets, err := ws.FindSuite(Suite)
	if errors.Is(err, store.ErrNotFound) {
		return nil // somebody removed it
	}
	if err != nil {
		return err
	}
	if err := takeShipped(ctx, ws, d.Runtime, d.Say, p); err != nil {
		return err
	}
	if err := d.Rounds(ctx, p); err != nil {
		return err
	}
	if err := copyOut(folder, "masks", "backgrounds", "keywords.csv"); err != nil {
		return err
	}
	return fillScenes(ctx, ws, targets, folder, p)
}

// copyOut copies files and folders of the embedded demo into a folder.
func copyOut(folder string, names ...string) error {
	for _, name := range names {
		to := filepath.Join(folder, name)
		data, err := fs.ReadFile(assets.Demo(), name)
		if err == nil {
			err = os.WriteFile(to, data, 0o600)
		} else if part, isFolder := fs.Sub(assets.Demo(), name); isFolder == nil {
			err = os.CopyFS(to, part)
		}
		if err != nil {
			return fmt.Errorf("unpack the demo: %w", err)
		}
	}
	return nil
}

// fillTargets brings in the demo's models and targets, and makes these the current suite. Both at
// once, because models keep the processor busy and images the disk. Progress counts images.
func (d Demo) fillTargets(ctx context.Context, folder string, p engine.Progress) error {
	var report intake.Report
	var manifest suite.Manifest
	group, both := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		from := []string{folder}
		report, err = intake.Models(both, d.Workspace, d.Runtime, d.Read, from, intake.ModelOptions{},
			engine.NoProgress{})
		return err
	})
	group.Go(func() (err error) {
		from, inside := filepath.Join(folder, "targets"), intake.SuiteOptions{Name: Suite, Copy: true}
		manifest, err = intake.Suite(both, d.Workspace, from, inside, p)
		return err
	})
	if err := group.Wait(); err != nil {
		return err
	}
	for _, failed := range report.Failed {
		return failed.Err
	}
	family, err := firstFamily()
	if err != nil {
		return err
	}
	return d.Workspace.SetCurrent(store.Current{Suite: manifest.Hash, Family: family})
}

// firstFamily is the canonical text of the first family.
func firstFamily() (string, error) {
	family, err := transform.Parse(Families()[0])
	return family.String(), err
}

// Runs are those of the demo that have models left to do.
func Runs(ws *store.Workspace) ([]job.Request, error) {
	manifest, err := ws.FindSuite(Suite)
	if err != nil {
		return nil, err
	}
	var requests []job.Request
	for _, text := range Families() {
		family, err := transform.Parse(text)
		if err != nil {
			return nil, err
		}
		_, missing, err := parted(ws, manifest.Hash, family.String())
		if err != nil {
			return nil, err
		}
		if len(missing) > 0 {
			requests = append(requests, job.Request{Suite: manifest.Hash, Family: family.String(), Models: missing})
		}
	}
	req, ok, err := sceneRun(ws)
	if ok {
		requests = append(requests, req)
	}
	return requests, err
}

// parted are the models that have run under a family, and those that have not.
func parted(ws *store.Workspace, suite, family string) (done, missing []string, err error) {
	models, err := ws.Models()
	if err != nil {
		return nil, nil, err
	}
	for _, m := range models {
		_, ok, err := ws.Summary(m, suite, family)
		switch {
		case err != nil:
			return nil, nil, err
		case ok:
			done = append(done, m.Hash)
		default:
			missing = append(missing, m.Hash)
		}
	}
	return done, missing, nil
}

// Start is what the window does when it opens on the demo: it fills the workspace, runs what is not
// done yet, and makes the rounds. A killed start goes on where it stopped.
func (d Demo) Start(eng *engine.Engine) func(context.Context, engine.Progress) error {
	return func(ctx context.Context, p engine.Progress) error {
		if err := d.Fill(ctx, p); err != nil {
			return err
		}
		if d.Runtime == nil {
			return nil // browsing works; the window has said what is missing
		}
		requests, err := Runs(d.Workspace)
		if err != nil {
			return err
		}
		for _, req := range requests {
			id, _, err := job.Start(ctx, d.Workspace, eng, d.Runtime, req, p)
			if err != nil {
				return err
			}
			if err := toTheEnd(ctx, eng, id, p); err != nil {
				return err
			}
			if err := d.Rounds(ctx, p); err != nil {
				return err
			}
		}
		return nil
	}
}

// toTheEnd waits for the end of a run of the window's start. Who cancels the start cancels the
// run; the end of the window ends its runs by itself, so that they are offered at the next start.
func toTheEnd(ctx context.Context, eng *engine.Engine, id string, p engine.Progress) error {
	seen := int64(-1)
	_, err := job.Follow(ctx, eng, id, func(now engine.Status) { // a new total, then what was done since the last state
		if seen < 0 {
			p.SetTotal(now.Total)
			seen = 0
		}
		p.Add(now.Done - seen)
		seen = now.Done
	})
	switch {
	case ctx.Err() == nil:
		return err
	case errors.Is(context.Cause(ctx), context.Canceled):
		return errors.Join(ctx.Err(), job.Withdraw(eng, id))
	}
	return ctx.Err()
}
