// Package sums is a runtime for tests that needs no library, and the small things to run on it:
// suites of 6 x 6 images, models without a graph, a workspace. Each value that a model gives is a
// sum over the pixels, weighted by the model's name, so that other images, models or
// transformations give other bits.
package sums

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/variscope/variscope/engine"
)

// Runtime serves every model file, by the first letter of the file's name. It is safe for many
// goroutines; its settings are changed between runs.
type Runtime struct {
	Release string // what Version says; empty for 1.0
	Classes int    // of the class output; 0 for 3
	Sums    bool   // what probes say of the outputs
	// Refuse are errors of probes by the path of the model. OnProbe and OnRun may be nil; OnRun
	// gets the number of batches so far.
	Refuse  map[string]error
	OnProbe func(ctx context.Context, feed engine.Feed) error
	OnRun   func(ctx context.Context, feed engine.Feed, batch int64) error

	Batches, Opened atomic.Int64

	mu     sync.Mutex
	probed []engine.Feed
}

var _ engine.Runtime = (*Runtime)(nil)

// Work implements engine.Runtime.
func (r *Runtime) Work(ctx context.Context, n int, next engine.Next) { engine.Work(ctx, r, n, next) }

// Rows implements engine.Runtime.
func (r *Runtime) Rows(
	ctx context.Context, order engine.Rows, source engine.Source, each func(k int, row []float64) error,
) error {
	return engine.InProcess{Library: r}.Rows(ctx, order, source, each)
}

// Rate implements engine.Runtime.
func (r *Runtime) Rate(ctx context.Context, feed engine.Feed, seconds float64) (float64, error) {
	return engine.InProcess{Library: r}.Rate(ctx, feed, seconds)
}

// Version implements engine.Runtime.
func (r *Runtime) Version() string {
	if r.Release == "" {
		return "1.0"
	}
	return r.Release
}

// Probe implements engine.Runtime.
func (r *Runtime) Probe(ctx context.Context, feed engine.Feed) (engine.Probe, error) {
	r.mu.Lock()
	r.probed = append(r.probed, feed)
	err := r.Refuse[feed.Path]
	r.mu.Unlock()
	if err == nil && r.OnProbe != nil {
		err = r.OnProbe(ctx, feed)
	}
	return engine.Probe{Classes: r.classes(), Sums: r.Sums}, err
}

// Probed are the feeds of all probes so far.
func (r *Runtime) Probed() []engine.Feed {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.probed)
}

func (r *Runtime) classes() int {
	if r.Classes == 0 {
		return 3
	}
	return r.Classes
}

// Open implements engine.Runtime.
func (r *Runtime) Open(_ context.Context, feed engine.Feed) (engine.Session, error) {
	r.Opened.Add(1)
	return session{r, feed}, nil
}

type session struct {
	*Runtime
	feed engine.Feed
}

// Close implements engine.Session.
func (s session) Close() error { return nil }

// Runner implements engine.Session.
func (s session) Runner() (engine.Runner, error) {
	in := s.feed.Input
	return &runner{session: s, input: make([]float32, in.Batch*in.Channels*in.Height*in.Width)}, nil
}

type runner struct {
	session
	input []float32
}

// Input implements engine.Runner.
func (r *runner) Input() []float32 { return r.input }

// Mask implements engine.Runner.
func (*runner) Mask(int) { panic("no masks here") }

// Run implements engine.Runner.
func (r *runner) Run(ctx context.Context) error {
	n := r.Batches.Add(1)
	if r.OnRun != nil {
		return r.OnRun(ctx, r.feed, n)
	}
	return ctx.Err()
}

// Result is N x classes for the class output and N x 2 x 2 x 2 for any other tensor.
func (r *runner) Result(k int) ([]int64, []float32) {
	batch := r.feed.Input.Batch
	shape, width := []int64{int64(batch), int64(r.classes())}, r.classes()
	if k > 0 {
		shape, width = []int64{int64(batch), 2, 2, 2}, 8
	}
	size := len(r.input) / batch
	seed := float64(filepath.Base(r.feed.Path)[0]) + float64(k)
	values := make([]float32, batch*width)
	for i := range values {
		for x, v := range r.input[i/width*size : (i/width+1)*size] {
			values[i] += float32(float64(v) * math.Sin(seed+float64(31*(i%width)+x)))
		}
	}
	return shape, values
}
