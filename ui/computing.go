package ui

import (
	"context"
	"slices"
	"time"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/kit"
)

// requests are runs as store/job takes them.
func requests(runs []kit.Run) (reqs []job.Request, err error) {
	for _, r := range runs {
		req := job.Request{Models: r.Models, Suite: r.Suite, Family: r.Family, Positions: r.Positions}
		if len(r.Modalities) > 0 {
			if req, err = (dialogs.Wish{Models: r.Models, Modalities: r.Modalities}).Request(r.Suite, r.Family); err != nil {
				return nil, err
			}
		}
		reqs = append(reqs, req)
	}
	return reqs, nil
}

// startRuns starts runs, one after the other, without asking and without leaving the screen.
func (w *Window) startRuns(runs ...kit.Run) {
	reqs, err := requests(runs)
	if err != nil {
		w.ShowError(err)
		return
	}
	runner := w.runner()
	runner.Started = nil
	runner.Start(w.host(), reqs...)
}

// cost says what runs take. It is slow (files) and called off the main goroutine.
func (w *Window) cost(ctx context.Context, runs []kit.Run) (c kit.Cost, err error) {
	reqs, err := requests(runs)
	if err != nil {
		return c, err
	}
	records, err := w.deps.Workspace.Runs()
	if err != nil {
		return c, err
	}
	known := true
	for _, req := range reqs {
		size, err := job.Measure(ctx, w.deps.Workspace, w.deps.Runtime, req)
		if err != nil {
			return c, err
		}
		if c.Units, c.Bytes = c.Units+size.Units, c.Bytes+size.Bytes; c.Refused == nil {
			c.Refused = size.Refused
		}
		family, err := transform.ParseAny(req.Family)
		if err != nil {
			return c, err
		}
		speed := lastSpeed(records, req.Models)
		if known = known && speed > 0; known {
			inferences := float64(size.Units * signal.ChunkSize * family.N())
			c.Took += time.Duration(inferences / speed * float64(time.Second))
		}
	}
	if !known {
		c.Took = 0
	}
	return c, nil
}

// lastSpeed is how many inferences per second the last run made that computed one of the models
// (hashes; nil for any); 0 where none did.
func lastSpeed(records []store.RunRecord, models []string) float64 {
	for _, r := range slices.Backward(records) {
		took := r.Ended.Sub(r.Started).Seconds()
		same := models == nil ||
			slices.ContainsFunc(models, func(hash string) bool { return slices.Contains(r.Models, hash) })
		if same && !r.Unfinished() && r.Done > r.Reused && took > 0 {
			return float64(r.Done-r.Reused) / took
		}
	}
	return 0
}
