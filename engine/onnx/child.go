package onnx

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/variscope/variscope/engine"
)

// Exit codes of a probe child: it answered, its request was unreadable, its time was up.
const (
	exitAnswered = 0
	exitBad      = 4
	exitLate     = 5
)

// ServeProbe is called first in main and in TestMain of programs that probe. In a probe child it does the probe, writes
// the answer and exits; in every other process it returns false at once.
func ServeProbe() bool {
	if os.Getenv(probeVariable) == "" {
		serving.Store(true)
		return false
	}
	os.Exit(serve(os.Stdin, os.Stdout))
	return true
}

// serve reads one request, does it under its limits and writes one answer.
func serve(in io.Reader, out io.Writer) int {
	lines := bufio.NewReader(in)
	line, err := lines.ReadBytes('\n')
	var request probeRequest
	if err != nil || json.Unmarshal(line, &request) != nil {
		return exitBad
	}
	time.AfterFunc(request.Limits.Time, func() { os.Exit(exitLate) })
	go func() {
		_, _ = io.Copy(io.Discard, lines) // ends with the parent
		os.Exit(exitLate)
	}()
	var answer probeAnswer
	if answer.Probe, err = trial(request); err != nil {
		answer.Error = err.Error()
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return exitBad
	}
	if _, err := fmt.Fprintf(out, "\n%s%s\n", answerMark, text); err != nil {
		return exitBad
	}
	return exitAnswered
}

// trial loads the library, limits this process and runs the model.
func trial(request probeRequest) (engine.Probe, error) {
	r, err := Load(request.Library)
	if err != nil {
		return engine.Probe{}, err
	}
	defer func() { _ = r.Close() }() // the process ends anyway
	if err := limitMemory(request.Limits.Memory); err != nil {
		return engine.Probe{}, fmt.Errorf("%s cannot be tried: %w", filepath.Base(request.Feed.Path), err)
	}
	ctx := context.Background()
	s, err := r.Open(ctx, request.Feed)
	if err != nil {
		return engine.Probe{}, err
	}
	defer func() { _ = s.Close() }() // as above
	run, err := s.Runner()
	if err != nil {
		return engine.Probe{}, err
	}
	defer func() { _ = run.Close() }() // as above
	return tryBatches(ctx, run, request.Feed)
}

// tryBatches runs as many batches as 64 images need, on uniform random numbers of [0, 1), and with masks the last one again
// without a region. The time is the fastest batch's.
func tryBatches(ctx context.Context, run engine.Runner, feed engine.Feed) (engine.Probe, error) {
	random := rand.New(rand.NewPCG(1, uint64(feed.Input.Batch)))
	probe := engine.Probe{Sums: true, Milliseconds: math.Inf(1)}
	batches := (probeImages + feed.Input.Batch - 1) / feed.Input.Batch
	if feed.Maps {
		batches, probe.Sums = 1, false // nobody asks whether maps are probabilities, and a batch of them takes long
	}
	for range batches {
		input := run.Input()
		for i := range input {
			input[i] = random.Float32()
		}
		begin := time.Now()
		if err := run.Run(ctx); err != nil {
			return engine.Probe{}, err
		}
		probe.Milliseconds = min(probe.Milliseconds, float64(time.Since(begin).Microseconds())/1000)
		shape, values := run.Result(0)
		probe.Classes = int(shape[1])
		probe.Sums = probe.Sums && areProbabilities(values, probe.Classes)
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

// areProbabilities tells whether all entries lie in [0, 1] (up to rounding of 1e-6) and every row of that many classes
// sums to 1 within 1e-3.
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
