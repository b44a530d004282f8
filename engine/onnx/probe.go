package onnx

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/variscope/variscope/engine"
)

// probeImages is the number of random images that a probe looks at (DESIGN.md section 4).
const probeImages = 64

// Probe runs the model on 64 random images, in batches of the feed's size (engine.Library). A batch
// that fails is an *engine.BatchError.
func (r *Runtime) Probe(ctx context.Context, feed engine.Feed) (engine.Probe, error) {
	s, err := r.Open(ctx, feed)
	if err != nil {
		return engine.Probe{}, err
	}
	defer func() { _ = s.Close() }() // what was found stays true
	run, err := s.Runner()
	if err != nil {
		return engine.Probe{}, err
	}
	defer func() { _ = run.Close() }() // as above
	probe, err := tryBatches(ctx, run, feed, s.(*session))
	if err != nil && ctx.Err() == nil {
		return engine.Probe{}, &engine.BatchError{Text: err.Error()}
	}
	return probe, err
}

// tryBatches runs as many batches as 64 images need, on uniform random numbers of [0, 1), pixel
// values of 0..255 where the input has whole numbers, and with masks the last one again without a
// region. The first image is also the last one of the second batch, and all of a further one: its
// results must not depend on its place and company. The time is the fastest batch's.
func tryBatches(ctx context.Context, run engine.Runner, feed engine.Feed, s *session) (engine.Probe, error) {
	random := rand.New(rand.NewPCG(1, uint64(feed.Input.Batch)))
	probe := engine.Probe{Sums: true, Milliseconds: math.Inf(1)}
	batches := max(2, (probeImages+feed.Input.Batch-1)/feed.Input.Batch) + 1
	if feed.Maps {
		batches, probe.Sums = 1, false // nobody asks whether maps are probabilities, and a batch of them takes long
	}
	scale := float32(1)
	if feed.Input.Type.Whole() {
		scale = 255
	}
	var first, row []float32 // the first image and its results
	steady := true
	for k := range batches {
		input := run.Input()
		size := len(input) / feed.Input.Batch
		for i := range input {
			input[i] = random.Float32() * scale
		}
		switch k {
		case 0:
			first = slices.Clone(input[:size])
		case 1:
			copy(input[len(input)-size:], first)
		case batches - 1:
			for at := 0; at < len(input); at += size {
				copy(input[at:], first)
			}
		}
		begin := time.Now()
		if err := run.Run(ctx); err != nil {
			return engine.Probe{}, err
		}
		probe.Milliseconds = min(probe.Milliseconds, float64(time.Since(begin).Microseconds())/1000)
		shape, values := run.Result(0)
		probe.Classes = int(shape[1])
		probe.Sums = probe.Sums && areProbabilities(values, probe.Classes)
		width := len(values) / feed.Input.Batch
		switch k {
		case 0:
			row = slices.Clone(values[:width])
		case 1:
			steady = alike(row, values[len(values)-width:], s.half)
		case batches - 1:
			for at := 0; at < len(values); at += width {
				steady = steady && alike(row, values[at:at+width], s.half)
			}
		}
	}
	if s.certain || !steady {
		probe.Unsteady, probe.Quantises = s.cause, s.quantises
		if s.cause == "" {
			probe.Unsteady = "its results for one image depend on the other images of the batch; export it after " +
				"model.eval(), without statistics over the batch"
		}
	}
	if feed.Mask != nil {
		run.Mask(1) // the masked graph is another one, which may fail or need more memory
		if err := run.Run(ctx); err != nil {
			return engine.Probe{}, err
		}
	}
	for k := range len(feed.Tensors) + 1 {
		shape, _ := run.Result(k)
		probe.Shapes = append(probe.Shapes, shape)
	}
	return probe, nil
}

// alike tells whether two rows agree within 1e-5, or 1e-3 for numbers of half precision, of the
// largest number, at least of 1.
func alike(a, b []float32, half bool) bool {
	most := 1.0
	for k := range a {
		most = max(most, math.Abs(float64(a[k])), math.Abs(float64(b[k])))
	}
	if most *= 1e-5; half {
		most *= 100
	}
	for k, v := range a {
		if d := math.Abs(float64(v) - float64(b[k])); d > most {
			return false
		}
	}
	return true
}

// areProbabilities tells whether all entries lie in [0, 1] (up to rounding of 1e-6) and every row
// of that many classes sums to 1 within 1e-3.
func areProbabilities(values []float32, classes int) bool {
	for len(values) >= classes && classes > 0 {
		sum := 0.0
		for _, v := range values[:classes] {
			if !(v >= 0 && v <= 1+1e-6) { // so that NaN fails too
				return false
			}
			sum += float64(v)
		}
		if math.Abs(sum-1) > 1e-3 {
			return false
		}
		values = values[classes:]
	}
	return classes > 0
}
