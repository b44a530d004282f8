package ui

import (
	"context"
	"fmt"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
)

// lineRuntime is inference in plain Go: a classifier whose outputs are sums over parts of the
// image. It takes the place of ONNX Runtime, which ui must not know.
type lineRuntime struct {
	// gate, when it is not nil, lets one batch through per value.
	gate chan struct{}
}

func (*lineRuntime) Version() string { return "line" }

func (r *lineRuntime) Probe(_ context.Context, feed engine.Feed) (engine.Probe, error) {
	return engine.Probe{Classes: 3, Shapes: make([][]int64, 1+len(feed.Tensors))}, nil
}

func (r *lineRuntime) Open(_ context.Context, feed engine.Feed) (engine.Session, error) {
	return &lineSession{runtime: r, feed: feed}, nil
}

type lineSession struct {
	runtime *lineRuntime
	feed    engine.Feed
}

func (s *lineSession) Close() error { return nil }

func (s *lineSession) Runner() (engine.Runner, error) {
	in := s.feed.Input
	return &lineRunner{session: s, input: make([]float32, in.Batch*in.Channels*in.Height*in.Width)}, nil
}

type lineRunner struct {
	session *lineSession
	input   []float32
	region  int // that is deleted, 0 for none
}

func (r *lineRunner) Input() []float32 { return r.input }
func (r *lineRunner) Close() error     { return nil }

// Mask leaves the pixels of a region out of the sums: the regions follow each other in the order
// of the pixels.
func (r *lineRunner) Mask(region int) { r.region = region }

func (r *lineRunner) Run(ctx context.Context) error {
	gate := r.session.runtime.gate
	if gate == nil {
		return nil
	}
	select {
	case <-gate:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("terminated: %w", ctx.Err())
	}
}

func (r *lineRunner) Result(k int) (shape []int64, values []float32) {
	n := r.session.feed.Input.Batch
	width := 3
	shape = []int64{int64(n), 3}
	if k > 0 {
		width, shape = 4, []int64{int64(n), 1, 2, 2}
	}
	values = make([]float32, n*width)
	size := len(r.input) / n
	for i := range n {
		for p, v := range r.input[i*size : (i+1)*size] {
			if r.deleted(p, size) {
				continue
			}
			values[i*width+p%width] += v
		}
	}
	return shape, values
}

// deleted says whether pixel p of size lies in the deleted region.
func (r *lineRunner) deleted(p, size int) bool {
	if r.region == 0 {
		return false
	}
	n := r.session.feed.Mask.N
	return p*n*n/size == r.region-1
}

func sizeName(size fyne.Size) string { return fmt.Sprintf("%.0fx%.0f", size.Width, size.Height) }

// settle pumps until nothing has come for a while: what is loading has arrived.
func (o *opened) settle() {
	for range 12 {
		o.stage.Pump()
		time.Sleep(10 * time.Millisecond)
	}
	o.stage.Pump()
}

// idle pumps until no job of the window is left and settles then: what a screen computes has
// arrived, however long that took.
func (o *opened) idle() {
	o.stage.Until("no job is left", func() bool { return len(o.work.Jobs()) == 0 })
	o.settle()
}

func TestSizeName(t *testing.T) {
	if got := sizeName(fyne.NewSize(1024, 700)); got != "1024x700" {
		t.Error(got)
	}
}

// startup is a start job that does a quarter and waits for release.
func startup(release chan struct{}) func(context.Context, engine.Progress) error {
	return func(ctx context.Context, p engine.Progress) error {
		p.SetTotal(4)
		p.Add(1)
		select {
		case <-release:
		case <-ctx.Done():
		}
		return ctx.Err()
	}
}
