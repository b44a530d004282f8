package ui

import (
	"context"

	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/kit"
)

// requests are runs as store/job takes them.
func requests(runs []kit.Run) (reqs []job.Request, err error) {
	for _, r := range runs {
		req := job.Request{Models: r.Models, Suite: r.Suite, Family: r.Family, Positions: r.Positions}
		if len(r.Modalities) > 0 {
			if req, err = (dialogs.RunDefaults{Models: r.Models, Modalities: r.Modalities}).Request(r.Suite,
				r.Family); err != nil {
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
func (w *Window) cost(ctx context.Context, runs []kit.Run) (job.Size, error) {
	reqs, err := requests(runs)
	if err != nil {
		return job.Size{}, err
	}
	return job.MeasureEach(ctx, w.deps.Workspace, w.deps.Runtime, reqs)
}
