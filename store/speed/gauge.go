package speed

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine"
)

// gauge measures how fast the library alone computes a model: so many workers side by side, random
// pixels, and nothing between two batches. No run can be faster.
type gauge struct {
	rt      engine.Runtime
	feed    engine.Feed
	workers int
}

// rate is the images per second in about so many seconds. The error is the first one.
func (g gauge) rate(ctx context.Context, seconds float64) (sum float64, err error) {
	rates := make([]float64, g.workers)
	var group errgroup.Group
	for k := range rates {
		group.Go(func() (err error) {
			rates[k], err = g.rt.Rate(ctx, g.feed, seconds)
			return err
		})
	}
	err = group.Wait()
	for _, rate := range rates {
		sum += rate
	}
	return sum, err
}

// trial is a trial run.
func (g gauge) trial(ctx context.Context) (engine.Probe, error) {
	found, err := g.rt.Probe(ctx, g.feed)
	if err != nil {
		err = fmt.Errorf("trial run: %w", err)
	}
	return found, err
}

// turns is how often each batch is measured.
const turns = 4

// race measures batches that pass a trial run, from small to large: the best rate of each, and
// which is the fastest. It does so in turns, since a busy computer is slow for seconds at a time;
// a batch that takes long is measured less often. One that fails, since all workers together need
// more memory than a trial run, is left out from then on with the larger ones; the error is that
// of the first one.
func (g gauge) race(
	ctx context.Context, batches []int, seconds float64,
) (fastest int, rates map[int]float64, err error) {
	rates, took := map[int]float64{}, map[int]float64{}
	for turn := range turns {
		for i, batch := range batches {
			if took[batch] > turns*seconds {
				continue
			}
			g.feed.Input.Batch, g.feed.Shapes = batch, nil // a probe found those of another batch
			if turn == 0 {
				_, err = g.trial(ctx)
			}
			rate := 0.0
			if err == nil {
				rate, err = g.rate(ctx, seconds)
			}
			if err != nil && (len(rates) == 0 || ctx.Err() != nil) {
				return 0, nil, err
			}
			if err != nil {
				batches, err = batches[:i], nil
				break
			}
			took[batch] += float64(batch*g.workers) / rate // of one batch each, without opening the model
			rates[batch] = max(rates[batch], rate)
			if rates[batch] > rates[fastest] {
				fastest = batch
			}
		}
	}
	return fastest, rates, nil
}
