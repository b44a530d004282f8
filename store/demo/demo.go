// Package demo fills the demo's workspace: the embedded models and images, what background
// invariance needs of them, the runs and an example round.
package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/store/job"
)

// Families are run in this order; the first becomes the workspace's current family.
func Families() []string { return []string{"rotation:-15:15:1", "brightness:-0.3:0.3:0.02"} }

// Suite is the name of the demo's suite.
const Suite = "scenes"

// Fill puts the embedded models and images into a workspace, and what background invariance
// needs of them, as far as they are not there. Progress counts models and images.
func Fill(
	ctx context.Context, ws *store.Workspace, rt engine.Runtime, read intake.Reader, p engine.Progress,
) (err error) {
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
		if err := fillTargets(ctx, ws, rt, read, folder, p); err != nil {
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
	return fillScenes(ctx, ws, targets, folder, p)
}

// fillTargets brings in the demo's models and targets, and makes these the current suite.
func fillTargets(
	ctx context.Context, ws *store.Workspace, rt engine.Runtime, read intake.Reader, folder string, p engine.Progress,
) error {
	report, err := intake.Models(ctx, ws, rt, read, []string{folder}, intake.ModelOptions{}, p)
	if err != nil {
		return err
	}
	for _, failed := range report.Failed {
		return failed.Err
	}
	manifest, err := intake.Suite(ctx, ws, filepath.Join(folder, "targets"), intake.SuiteOptions{Name: Suite, Copy: true}, p)
	if err != nil {
		return err
	}
	family, err := transform.Parse(Families()[0])
	if err != nil {
		return err
	}
	return ws.SetCurrent(store.Current{Suite: manifest.Hash, Family: family.String()})
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

// Round makes the demo's round, without labels, when the workspace has no round yet.
func Round(ctx context.Context, ws *store.Workspace) error {
	rounds, err := ws.Rounds()
	if err != nil || len(rounds) > 0 {
		return err
	}
	manifest, err := ws.FindSuite(Suite)
	if err != nil {
		return err
	}
	family, err := transform.Parse(Families()[0])
	if err != nil {
		return err
	}
	models, _, err := parted(ws, manifest.Hash, family.String())
	if err != nil || len(models) == 0 {
		return err
	}
	_, err = ws.CreateRound(ctx, label.Round{
		Name: "Example: rotation", Kind: label.VarianceRound, Suite: manifest.Hash, Family: family.String(), Modalities: signal.DefaultNames(),
		Filter: "all", Classes: 2, Guideline: assets.VarianceGuideline, Annotators: []string{"annotator 1", "annotator 2", "annotator 3"},
		Blind: true, OrderSeed: 1, Models: models,
	})
	return err
}

// Start is what the window does when it opens on the demo: it brings in models and images,
// runs the families that are not done yet, and makes the example round. A killed start goes on
// where it stopped.
func Start(
	ws *store.Workspace, eng *engine.Engine, rt engine.Runtime, read intake.Reader,
) func(context.Context, engine.Progress) error {
	return func(ctx context.Context, p engine.Progress) error {
		if err := Fill(ctx, ws, rt, read, p); err != nil {
			return err
		}
		if rt == nil {
			return nil // browsing works; the window has said what is missing
		}
		requests, err := Runs(ws)
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
			if err := Round(ctx, ws); err != nil {
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
