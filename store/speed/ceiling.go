package speed

import (
	"context"
	"fmt"
	"sync"

	"github.com/variscope/variscope/engine"
)

// ceilingBatches are tried for the ceiling, which takes the best one.
var ceilingBatches = []int{8, 16, 32, 64, 128}

// ceilingTurns is how often each of them is measured.
const ceilingTurns = 4

// together is the images per second of a feed on so many workers side by side. The error is the first one.
func together(ctx context.Context, rt engine.Runtime, feed engine.Feed, workers int, seconds float64) (float64, error) {
	rates, errs := make([]float64, workers), make([]error, workers)
	var group sync.WaitGroup
	for k := range workers {
		group.Go(func() { rates[k], errs[k] = rt.Rate(ctx, feed, seconds) })
	}
	group.Wait()
	sum := 0.0
	for k, err := range errs {
		if err != nil {
			return 0, err
		}
		sum += rates[k]
	}
	return sum, nil
}

// bestCeiling is the unedited model with the batch that is the fastest. Batches are measured in turns.
func (s *subject) bestCeiling(ctx context.Context) (best engine.Feed, err error) {
	feeds, err := s.ceilingFeeds(ctx)
	if err != nil {
		return best, err
	}
	best, top := feeds[0], 0.0
	for range ceilingTurns {
		for i, feed := range feeds {
			rate, err := s.measure(ctx, feed, s.Slice.Seconds()/(2*ceilingTurns))
			if err != nil && top > 0 && ctx.Err() == nil {
				feeds = feeds[:i] // all workers need more memory than the trial run; so do larger batches
				break
			}
			if err != nil {
				return best, err
			}
			if rate > top {
				best, top = feed, rate
			}
		}
	}
	s.ceilingBatch = best.Input.Batch
	return best, nil
}

// ceilingFeeds are the batches that pass a trial run: a larger one may need more memory than there is.
func (s *subject) ceilingFeeds(ctx context.Context) ([]engine.Feed, error) {
	var feeds []engine.Feed
	for _, batch := range ceilingBatches {
		task, err := s.plan(batch, 1, 0)
		if err != nil {
			return nil, err
		}
		feed := task.Feed
		fixed := feed.Input.Batch != batch
		if fixed && len(feeds) > 0 {
			break
		}
		s.tell("ceiling, batch %d", feed.Input.Batch)
		feed.Tensors, feed.Mask, feed.Shapes = nil, nil, nil
		if _, err := s.Runtime.Probe(ctx, feed); err != nil && (len(feeds) == 0 || ctx.Err() != nil) {
			return nil, fmt.Errorf("model %s: trial run: %w", s.model.ID, err)
		} else if err != nil {
			break
		}
		feeds = append(feeds, feed)
	}
	return feeds, nil
}

// measure is how fast the library alone computes a model: the unedited file, a worker per processor, and nothing between two batches. No run can be
// faster.
func (s *subject) measure(ctx context.Context, feed engine.Feed, seconds float64) (float64, error) {
	rate, err := together(ctx, s.Runtime, feed, s.Workers, seconds)
	if err != nil {
		return 0, fmt.Errorf("model %s: %w", s.model.ID, err)
	}
	return rate, nil
}

// ceiling measures for a slice or, beside runs that take long, a quarter of the last one's time, so that what is compared is about as long.
func (s *subject) ceiling(ctx context.Context, feed engine.Feed, run engine.Status) (float64, error) {
	return s.measure(ctx, feed, max(s.Slice.Seconds(), run.Took.Seconds()/4))
}
