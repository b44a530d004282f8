package onnx

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/variscope/variscope/engine/model"
)

// patience is how long Run waits for the library to obey Terminate. It looks at it between operators, so that a single
// long one can outlast it; the batch is then left to itself.
const patience = 1500 * time.Millisecond

// runner owns the buffers of one goroutine. The library runs on a goroutine of the runner's own, so that Run can return
// in time even when the library does not.
type runner struct {
	session *session
	options *ort.RunOptions
	input   *ort.Tensor[float32]
	// outputs are nil until the first Run, which lets the library allocate them; later ones write into the same memory.
	outputs []ort.Value
	shapes  [][]int64
	values  [][]float32
	free    bool // shapes change from run to run: allocate every time

	start    chan struct{} // one batch
	done     chan error    // its end, buffered
	gone     chan struct{} // closed when everything is freed
	stuck    bool          // a batch was left to itself
	patience time.Duration
	once     sync.Once
	err      error // of freeing
}

func newRunner(s *session) (r *runner, err error) {
	defer recovered(&err)
	in := s.feed.Input
	shape := ort.NewShape(int64(in.Batch), int64(in.Channels), int64(in.Height), int64(in.Width))
	if in.Layout == model.NHWC {
		shape = ort.NewShape(int64(in.Batch), int64(in.Height), int64(in.Width), int64(in.Channels))
	}
	input, err := ort.NewEmptyTensor[float32](shape)
	if err != nil {
		return nil, err
	}
	options, err := ort.NewRunOptions()
	if err != nil {
		return nil, errors.Join(err, input.Destroy())
	}
	n := len(s.names)
	r = &runner{
		session: s, options: options, input: input,
		outputs: make([]ort.Value, n), shapes: make([][]int64, n), values: make([][]float32, n),
		start: make(chan struct{}), done: make(chan error, 1), gone: make(chan struct{}), patience: patience,
	}
	go r.work()
	return r, nil
}

// work runs batches until Close, then frees everything.
func (r *runner) work() {
	for range r.start {
		r.done <- r.compute()
	}
	r.dropOutputs()
	r.err = errors.Join(r.input.Destroy(), r.options.Destroy(), r.session.runnerClosed())
	close(r.gone)
}

// Input is the batch to fill, in the layout of the graph's input.
func (r *runner) Input() []float32 { return r.input.GetData() }

// Run computes one batch. When ctx ends, the library is told to stop and Run returns within 2 s with ctx's error.
func (r *runner) Run(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.stuck {
		return fmt.Errorf("%s is still busy with a batch that was cancelled", r.session.name)
	}
	r.start <- struct{}{}
	select {
	case err := <-r.done:
		return err
	case <-ctx.Done():
	}
	if err := r.options.Terminate(); err != nil {
		return errors.Join(ctx.Err(), reason(err))
	}
	timer := time.NewTimer(r.patience)
	defer timer.Stop()
	select {
	case <-r.done: // what came out does not matter any more
		if err := r.options.UnsetTerminate(); err != nil {
			return errors.Join(ctx.Err(), reason(err))
		}
	case <-timer.C:
		r.stuck = true
	}
	return ctx.Err()
}

// Result is result k of the last Run; nil before the first one.
func (r *runner) Result(k int) (shape []int64, values []float32) {
	i := r.session.index[k]
	return r.shapes[i], r.values[i]
}

// Close frees the buffers; when a cancelled batch still runs, as soon as that has ended.
func (r *runner) Close() error {
	r.once.Do(func() { close(r.start) })
	if r.stuck {
		return nil
	}
	<-r.gone
	return r.err
}

// compute runs the batch and keeps the outputs' memory for the next one.
func (r *runner) compute() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s cannot be run: the ONNX Runtime binding failed: %v", r.session.name, p)
		}
	}()
	if r.free {
		r.dropOutputs()
	}
	fresh := r.outputs[0] == nil
	err = r.infer()
	if err != nil && !fresh {
		// Shapes that depend on the image do not fit the last batch's memory. Once seen, it is never kept again.
		r.dropOutputs()
		fresh = true
		if err = r.infer(); err == nil {
			r.free = true
		}
	}
	if err != nil {
		r.dropOutputs()
		return fmt.Errorf("%s cannot be run: %w", r.session.name, reason(err))
	}
	if !fresh {
		return nil
	}
	if err := r.adopt(); err != nil {
		r.dropOutputs()
		return fmt.Errorf("%s %w", r.session.name, err)
	}
	return nil
}

func (r *runner) infer() error {
	return r.session.ort.RunWithOptions([]ort.Value{r.input}, r.outputs, r.options)
}

// adopt takes over outputs that the library has allocated, and refuses what is not one row of floats per image.
func (r *runner) adopt() error {
	batch := int64(r.session.feed.Input.Batch)
	for i, name := range r.session.names {
		t, ok := r.outputs[i].(*ort.Tensor[float32])
		if !ok {
			return fmt.Errorf("holds no float32 numbers in tensor %q; choose another one for that position", name)
		}
		shape := t.GetShape()
		if i == 0 && (len(shape) != 2 || shape[0] != batch || shape[1] < 1) {
			return fmt.Errorf("gives scores of shape %v at %q for %d images; one row per image is needed", shape, name, batch)
		}
		if len(shape) < 2 || shape[0] != batch {
			return fmt.Errorf("gives tensor %q the shape %v for %d images; a position needs one entry per image on its first axis",
				name, shape, batch)
		}
		r.shapes[i], r.values[i] = slices.Clone([]int64(shape)), t.GetData()
	}
	return nil
}

func (r *runner) dropOutputs() {
	for i, v := range r.outputs {
		destroy(v)
		r.outputs[i], r.shapes[i], r.values[i] = nil, nil, nil
	}
}

// destroy frees a value. After a failed run the binding leaves nil pointers behind non-nil interfaces, which panic.
func destroy(v ort.Value) {
	defer func() { _ = recover() }()
	if v != nil {
		_ = v.Destroy() // never fails for tensors
	}
}
