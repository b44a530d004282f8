package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

var _ Runtime = InProcess{}

// InProcess computes with a library in this process: inside of a worker, and in tests. It opens a
// model for each call of Rows and Rate; OpenModels keeps models open between them.
type InProcess struct{ Library }

// Work implements Runtime.
func (p InProcess) Work(ctx context.Context, n int, next Next) { Work(ctx, p.Library, n, next) }

// Rows implements Runtime.
func (p InProcess) Rows(ctx context.Context, order Rows, source Source, each func(k int, row []float64) error) error {
	b := OpenModels{Library: p.Library}
	defer b.Close()
	return b.Rows(ctx, order, source, each)
}

// Rate implements Runtime.
func (p InProcess) Rate(ctx context.Context, feed Feed, seconds float64) (float64, error) {
	b := OpenModels{Library: p.Library}
	defer b.Close()
	return b.Rate(ctx, feed, seconds)
}

// rate runs batches of random pixels, two at least.
func rate(ctx context.Context, r Runner, feed Feed, seconds float64) (float64, error) {
	random := rand.New(rand.NewPCG(1, 1))
	for input, i := r.Input(), 0; i < len(input); i++ {
		input[i] = random.Float32()
	}
	if err := r.Run(ctx); err != nil { // the first batch allocates
		return 0, err
	}
	begun, batches := time.Now(), 0
	for batches < 2 || time.Since(begun).Seconds() < seconds {
		if err := r.Run(ctx); err != nil {
			return 0, err
		}
		batches++
	}
	took := time.Since(begun).Seconds()
	if took <= 0 {
		return 0, fmt.Errorf("%d batches took no time", batches)
	}
	return float64(batches*feed.Input.Batch) / took, nil
}

// OpenModels computes orders of all kinds but units of runs one after another, and keeps the models
// of the last ones open. Only one goroutine uses it.
type OpenModels struct {
	Library Library
	open    []openedModel // the one used last is the last one
}

// openedModel is an open model.
type openedModel struct {
	name    string
	runner  Runner
	session Session
}

// close frees a model. Errors are passed over: what was computed stays true.
func (o openedModel) close() {
	_ = o.runner.Close()
	_ = o.session.Close()
}

// mostOpen is how many models stay open: keywords need two.
const mostOpen = 2

// Rows computes an order of rows (Runtime.Rows).
func (b *OpenModels) Rows(ctx context.Context, order Rows, source Source, each func(k int, row []float64) error) error {
	runner, err := b.runner(ctx, order.Feed)
	if err != nil {
		return err
	}
	return b.ended(order.compute(ctx, runner, source, each))
}

// ended closes the model used last after an error: its runner may still be at work.
func (b *OpenModels) ended(err error) error {
	if last := len(b.open) - 1; err != nil {
		b.open[last].close()
		b.open = b.open[:last]
	}
	return err
}

// Rate measures (Runtime.Rate).
func (b *OpenModels) Rate(ctx context.Context, feed Feed, seconds float64) (float64, error) {
	runner, err := b.runner(ctx, feed)
	if err != nil {
		return 0, err
	}
	found, err := rate(ctx, runner, feed, seconds)
	return found, b.ended(err)
}

func (b *OpenModels) runner(ctx context.Context, feed Feed) (Runner, error) {
	name := strings.Join([]string{feed.Path, feed.SHA256, feed.ProbeName()}, "\x00")
	for k, have := range b.open {
		if have.name == name {
			b.open = append(append(b.open[:k:k], b.open[k+1:]...), have)
			return have.runner, nil
		}
	}
	for len(b.open) >= mostOpen {
		b.open[0].close()
		b.open = b.open[1:]
	}
	session, err := b.Library.Open(ctx, feed)
	if err != nil {
		return nil, err
	}
	runner, err := session.Runner()
	if err != nil {
		_ = session.Close()
		return nil, err
	}
	b.open = append(b.open, openedModel{name, runner, session})
	return runner, nil
}

// Close frees all models.
func (b *OpenModels) Close() {
	for _, one := range b.open {
		one.close()
	}
	b.open = nil
}
