package onnx

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/variscope/variscope/engine"
)

// Ceiling is how fast the library alone computes a model: the unedited file on one session, a goroutine per processor with one thread
// each, inputs and outputs allocated beforehand, and nothing between two batches. No run can be faster.
type Ceiling struct {
	session *session
	lanes   []*lane
}

// lane is one goroutine's place: an input that is never changed, and outputs.
type lane struct {
	input   *ort.Tensor[float32]
	options *ort.RunOptions
	results *results
}

// Ceiling opens a model for measuring, with the class output as its only result, whatever else the feed asks for. images are
// fitted, normalised images one behind the other in the order of the graph's input; every lane's batch is filled with them, from the
// first on again where they are fewer. It must be closed.
func (r *Runtime) Ceiling(ctx context.Context, feed engine.Feed, workers int, images []float32) (*Ceiling, error) {
	feed.Tensors, feed.Mask = nil, nil
	if len(images) == 0 || workers < 1 {
		return nil, errors.New("a ceiling is measured with at least one image and one worker")
	}
	opened, err := r.Open(ctx, feed)
	if err != nil {
		return nil, err
	}
	s, ok := opened.(*session)
	if !ok {
		return nil, errors.Join(errors.New("this model cannot be measured"), opened.Close())
	}
	if runtime.GOMAXPROCS(0) <= workers { // as the engine does, so that both have the same scheduler
		runtime.GOMAXPROCS(workers + 1)
	}
	c := &Ceiling{session: s}
	for range workers {
		l, err := newLane(s, images)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s cannot be run: %w", s.name, reason(err)), c.Close())
		}
		c.lanes = append(c.lanes, l)
	}
	return c, nil
}

func newLane(s *session, images []float32) (l *lane, err error) {
	defer recovered(&err)
	input, err := ort.NewEmptyTensor[float32](inputShape(s.feed.Input))
	if err != nil {
		return nil, err
	}
	for at := 0; at < len(input.GetData()); {
		at += copy(input.GetData()[at:], images)
	}
	options, err := ort.NewRunOptions()
	if err != nil {
		return nil, errors.Join(err, input.Destroy())
	}
	return &lane{input: input, options: options, results: newResults(1)}, nil
}

// Measure runs all lanes side by side for about d and returns images per second, over whole batches. The first call also warms up:
// its figure is too low. When ctx ends, batches under way are ended and its error is returned.
func (c *Ceiling) Measure(ctx context.Context, d time.Duration) (float64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	rates, errs := make([]float64, len(c.lanes)), make([]error, len(c.lanes))
	var group sync.WaitGroup
	for k, l := range c.lanes {
		group.Go(func() { rates[k], errs[k] = l.measure(ctx, c.session, d) })
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	sum := 0.0
	for k, err := range errs {
		if err != nil {
			return 0, fmt.Errorf("%s cannot be run: %w", c.session.name, reason(err))
		}
		sum += rates[k]
	}
	return sum, nil
}

// measure repeats one batch until d is over, at least once.
func (l *lane) measure(ctx context.Context, s *session, d time.Duration) (rate float64, err error) {
	defer recovered(&err)
	watch := terminate(ctx, l.options) // a batch that does not end early ends late
	defer watch.end()                  // waits for one that has begun to tell: Close frees the options
	begun, batches := time.Now(), 0
	for {
		if err := l.results.run(s.ort, []ort.Value{l.input}, l.options); err != nil {
			return 0, err
		}
		if err := l.results.adopt(s); err != nil {
			return 0, err
		}
		batches++
		if took := time.Since(begun); took >= d || ctx.Err() != nil {
			return float64(batches*s.feed.Input.Batch) / took.Seconds(), nil
		}
	}
}

// Close frees the model. No Measure may be under way.
func (c *Ceiling) Close() error {
	var err error
	for _, l := range c.lanes {
		l.results.drop()
		err = errors.Join(err, l.input.Destroy(), l.options.Destroy())
	}
	c.lanes = nil
	return errors.Join(err, c.session.Close())
}
