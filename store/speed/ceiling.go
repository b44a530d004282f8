package speed

import (
	"context"
	"fmt"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/signal"
)

// Ceiling is the library alone at work on a model (onnx.Ceiling).
type Ceiling interface {
	// Measure runs for about d and returns images per second.
	Measure(ctx context.Context, d time.Duration) (float64, error)
	Close() error
}

// OpenCeiling opens the unedited model of a feed for measuring, its batches filled with normalised images.
type OpenCeiling func(ctx context.Context, feed engine.Feed, workers int, images []float32) (Ceiling, error)

// ceilingBatches are tried for the ceiling, which takes the best one.
var ceilingBatches = []int{8, 16, 32, 64, 128}

// ceilingTurns is how often each of them is measured.
const ceilingTurns = 4

// bestCeiling is the unedited model with the batch that is the fastest. Batches are measured in turns, one open at a time.
func (s *subject) bestCeiling(ctx context.Context) (Ceiling, error) {
	tasks, err := s.ceilingTasks(ctx)
	if err != nil {
		return nil, err
	}
	best, top := tasks[0], 0.0
	for range ceilingTurns {
		for i, task := range tasks {
			rate, err := s.tryCeiling(ctx, task)
			if err != nil && top > 0 && ctx.Err() == nil {
				tasks = tasks[:i] // all workers need more memory than the trial run; so do larger batches
				break
			}
			if err != nil {
				return nil, err
			}
			if rate > top {
				best, top = task, rate
			}
		}
	}
	s.ceilingBatch = best.Feed.Input.Batch
	return s.openCeiling(ctx, best)
}

// ceilingTasks are the batches that pass a trial run in a child process: a larger one may need more memory than there is.
func (s *subject) ceilingTasks(ctx context.Context) ([]engine.Task, error) {
	var tasks []engine.Task
	for _, batch := range ceilingBatches {
		task, err := s.plan(batch, 1, 0)
		if err != nil {
			return nil, err
		}
		fixed := task.Feed.Input.Batch != batch
		if fixed && len(tasks) > 0 {
			break
		}
		s.tell("ceiling, batch %d", task.Feed.Input.Batch)
		task.Feed.Tensors = nil
		if _, err := s.Runtime.Probe(ctx, task.Feed); err != nil && (len(tasks) == 0 || ctx.Err() != nil) {
			return nil, fmt.Errorf("model %s: trial run: %w", s.model.ID, err)
		} else if err != nil {
			break
		}
		tasks = append(tasks, task)
	}
	return tasks, nil
}

// closed closes a ceiling and returns the first error.
func closed(c Ceiling, err error) error {
	if closing := c.Close(); err == nil {
		err = closing
	}
	return err
}

// tryCeiling opens the model with a batch, warms it up and measures for a short time.
func (s *subject) tryCeiling(ctx context.Context, task engine.Task) (rate float64, err error) {
	c, err := s.openCeiling(ctx, task)
	if err != nil {
		return 0, err
	}
	defer func() { err = closed(c, err) }()
	for _, d := range []time.Duration{0, s.Slice / (2 * ceilingTurns)} {
		if rate, err = c.Measure(ctx, d); err != nil {
			return 0, fmt.Errorf("model %s: %w", s.model.ID, err)
		}
	}
	return rate, nil
}

func (s *subject) openCeiling(ctx context.Context, task engine.Task) (Ceiling, error) {
	pixels, err := s.pixels(ctx, task.Spec, min(task.Feed.Input.Batch, s.suite.Images))
	if err != nil {
		return nil, err
	}
	c, err := s.Ceiling(ctx, task.Feed, s.Workers, pixels)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", s.model.ID, err)
	}
	return c, nil
}

// pixels are the first images of the suite as they enter the network, channel by channel.
func (s *subject) pixels(ctx context.Context, spec signal.Spec, count int) ([]float32, error) {
	view, err := engine.NewView(spec)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", s.model.ID, err)
	}
	opened, err := s.Workspace.OpenSuiteContext(ctx, s.suite.Hash)
	if err != nil {
		return nil, err
	}
	defer func() { _ = opened.Close() }() // it was only read
	var all []float32
	for i := range count {
		img, err := opened.Image(i)
		if err != nil {
			return nil, err
		}
		all = append(all, view.Normalise(view.Fit(img)).Pix...)
	}
	return all, nil
}

// ceiling measures for a slice or, beside runs that take long, a quarter of the last one's time, so that what is compared is about as long.
func (s *subject) ceiling(ctx context.Context, c Ceiling, run engine.Status) (float64, error) {
	rate, err := c.Measure(ctx, max(s.Slice, run.Took/4))
	if err != nil {
		return 0, fmt.Errorf("model %s: %w", s.model.ID, err)
	}
	return rate, nil
}
