// Package speed measures how fast models run: the library alone, the whole way of a run beside it,
// and which batch suits a model on this computer.
package speed

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

// Benchmark measures models of a workspace that is thrown away afterwards: it fills it with signals
// of suites that do not exist.
type Benchmark struct {
	Workspace *store.Workspace
	Runtime   engine.Runtime
	Workers   int           // of the ceiling as well
	Batch     int           // images per inference of the runs; 0 for the tuner's choice
	Tune      engine.Tuner  // nil for the engine's default
	Device    device.Device // empty for the processor
	Rounds    int           // how often ceiling and run are measured, in turns
	Slice     time.Duration // about how long one measurement takes, at least; a run takes whole units
	Family    transform.Family
	// Images is the number of images of a round; 0 for as many as a slice takes.
	Images int
	// Alone also measures a run with one worker in each round.
	Alone bool
	// Tell is called before each step with what is done now; it may be nil.
	Tell func(step string)
}

// Result is what was measured of one model. The figures are of the round whose ratio is the median.
type Result struct {
	Model, Suite string
	// PerSecond and CeilingPerSecond are images x transformations per second.
	PerSecond, CeilingPerSecond float64
	Ratio                       float64
	// Ratios are those of all rounds, in their order.
	Ratios []float64
	// Gain is how much faster the run with all workers is than that with one, median of the
	// rounds, and AlonePerSecond the latter in that round. Both are 0 where that was not measured.
	AlonePerSecond, Gain float64
	// Bytes are the signals of one round on disk.
	Bytes int64
	// Timings are where the workers' time went, over all rounds.
	Timings             engine.Timings
	Batch, CeilingBatch int
	Workers             int
	Images, Inferences  int // of one round
	Absent              []string
}

// Measure measures one model on one suite, both of the workspace. Rounds alternate between the
// library alone and a run over the same images, from decoding to signals on disk, so that other
// work on the computer meets both: a round's ratio is the run's speed by the mean of the ceilings
// before and after it.
func (b Benchmark) Measure(ctx context.Context, m model.Model, on suite.Manifest) (Result, error) {
	on.Classes, on.Named, on.Counts = nil, false, nil // which class is which does not matter to speed
	s := subject{
		Benchmark: b, model: m, suite: on, runWorkers: b.Workers,
		engine: engine.New(b.Runtime, b.Workspace, engine.Limits{Workers: b.Workers}),
	}
	defer func() { _ = s.engine.Close() }() // it has no error
	if err := s.prepare(ctx); err != nil {
		return Result{}, err
	}
	return s.measure(ctx)
}

// subject is one model on one suite with what is measured of it.
type subject struct {
	Benchmark
	model      model.Model
	suite      suite.Manifest
	engine     *engine.Engine
	ceiling    gauge     // the unedited model with the batch that is the fastest
	runWorkers int       // as many as a run is the fastest with
	shapes     [][]int64 // of a run's results, nil before the first run
}

// round is one run with the ceilings before and after it.
type round struct {
	before, after float64
	run           engine.Status
	alone         engine.Status // empty where it was not measured
}

func (r round) ceiling() float64 { return (r.before + r.after) / 2 }

func (r round) ratio() float64 { return r.run.PerSecond / r.ceiling() }

func (r round) gain() float64 { return r.run.PerSecond / r.alone.PerSecond }

// middle is the round whose figure is the median.
func middle(rounds []round, figure func(round) float64) round {
	sorted := slices.SortedStableFunc(slices.Values(rounds), func(a, b round) int {
		return cmp.Compare(figure(a), figure(b))
	})
	return sorted[len(sorted)/2]
}

func (s *subject) tell(format string, args ...any) {
	if s.Tell != nil {
		s.Tell(s.model.ID + ": " + fmt.Sprintf(format, args...))
	}
}

// about says which model an error is about.
func (s *subject) about(err error) error { return fmt.Errorf("model %s: %w", s.model.ID, err) }

// plan makes the task of a run over the first images of the suite. number makes the name of a
// source that no other run has, so that everything is computed.
func (s *subject) plan(images, number int) (engine.Task, error) {
	part := s.suite
	part.Images, part.Labels = images, nil
	name := fmt.Appendf(nil, "%s, %d images, round %d, batch %d", s.suite.Hash, images, number, s.Batch)
	part.Hash = fmt.Sprintf("%x", sha256.Sum256(name))
	return engine.Plan(engine.PlanInput{
		Model: s.model, Path: s.Workspace.ModelPath(s.model.Hash), Suite: part, Family: s.Family,
		Runtime: s.Runtime.Version(), Batch: s.Batch, Device: s.Device,
	})
}

// largestRound bounds the images of a round: as many as a suite of the paper's scale has.
const largestRound = 10_000

// prepare chooses the batch of the ceiling and that of the runs, as a run does that takes long,
// and how many images a round has: whole units, the same number for each worker and at least two,
// for about a slice. Where the suite has fewer, its images come again.
func (s *subject) prepare(ctx context.Context) error {
	task, err := s.plan(1, 0)
	if err != nil {
		return err
	}
	batches, fixed := []int{8, 16, 32, 64, 128}, s.model.Graph.Input.Batch
	if fixed > 0 {
		batches = []int{fixed}
	}
	s.tell("ceiling, batches of %v", batches)
	s.ceiling = gauge{s.Runtime, task.Feed, s.Workers}
	feed := &s.ceiling.feed
	feed.Tensors, feed.Mask, feed.Shapes = nil, nil, nil
	if feed.Input.Batch, _, err = s.ceiling.race(ctx, batches, s.Slice.Seconds()/(2*turns)); err != nil {
		return s.about(err)
	}
	if s.Batch == 0 && s.Tune != nil && fixed == 0 {
		s.tell("calibration")
		architecture := engine.Architecture(s.model.Graph)
		chosen, err := s.Tune.Tune(ctx, s.Runtime, task.Feed, architecture, s.Workers, math.MaxInt64)
		if err != nil {
			return err
		}
		s.Batch, s.runWorkers = chosen.Batch, cmp.Or(chosen.Workers, s.Workers)
	}
	if s.Images == 0 {
		rate, err := s.ceiling.rate(ctx, s.Slice.Seconds()/4)
		if err != nil {
			return s.about(err)
		}
		group := signal.ChunkSize * s.Workers
		groups := int(rate*s.Slice.Seconds()) / s.Family.N() / group
		s.Images = max(2, min(groups, largestRound/group)) * group
	}
	return nil
}

// measure measures rounds and takes the one with the median ratio.
func (s *subject) measure(ctx context.Context) (Result, error) {
	var rounds []round
	result := Result{
		Model: s.model.ID, Suite: s.suite.Name, CeilingBatch: s.ceiling.feed.Input.Batch, Workers: s.runWorkers,
		Images: s.Images, Inferences: s.Images * s.Family.N(),
	}
	before, err := s.ceiling.rate(ctx, s.Slice.Seconds())
	if err != nil {
		return result, s.about(err)
	}
	var task engine.Task
	alone := s.Alone && s.Workers > 1
	for number := range s.Rounds {
		s.tell("round %d of %d", number+1, s.Rounds)
		r := round{before: before}
		if task, r.run, err = s.run(ctx, s.Images, number, s.runWorkers); err != nil {
			return result, err
		}
		if alone {
			if _, r.alone, err = s.run(ctx, max(1, s.Images/s.Workers), s.Rounds+number, 1); err != nil {
				return result, err
			}
		}
		// Beside runs that take long the ceiling is measured longer, too.
		if r.after, err = s.ceiling.rate(ctx, max(s.Slice.Seconds(), r.run.Took.Seconds()/4)); err != nil {
			return result, s.about(err)
		}
		rounds, before = append(rounds, r), r.after
		result.Ratios, result.Timings = append(result.Ratios, r.ratio()), result.Timings.Plus(r.run.Timings)
	}
	typical := middle(rounds, round.ratio)
	result.PerSecond, result.CeilingPerSecond, result.Ratio = typical.run.PerSecond, typical.ceiling(), typical.ratio()
	if alone {
		typical = middle(rounds, round.gain)
		result.AlonePerSecond, result.Gain = typical.alone.PerSecond, typical.gain()
	}
	result.Batch, result.Absent = task.Spec.Batch, task.Absent
	for chunk := range task.Spec.Chunks() {
		size, err := s.Workspace.UnitSize(task.Spec.UnitKey(chunk))
		if err != nil {
			return result, err
		}
		result.Bytes += size
	}
	return result, nil
}

// run is a real run over the first images: every unit is recorded in the workspace, and the
// model's matrices are made of them.
func (s *subject) run(
	ctx context.Context, images, number, workers int,
) (task engine.Task, status engine.Status, err error) {
	if task, err = s.plan(images, number); err != nil {
		return task, status, err
	}
	if s.shapes == nil {
		found, err := gauge{s.Runtime, task.Feed, 1}.trial(ctx)
		if err != nil {
			return task, status, s.about(err)
		}
		s.shapes = found.Shapes
	}
	task.Probed, task.Feed.Shapes = true, s.shapes
	opened, err := s.Workspace.OpenSuiteContext(ctx, s.suite.Hash)
	if err != nil {
		return task, status, err
	}
	run := engine.Run{
		ID: s.Workspace.NewID(), Suite: s.suite.Name, Family: task.Spec.Family, Source: first{opened, images},
		Tasks: []engine.Task{task}, Workers: workers, Close: opened.Close,
	}
	if err := s.engine.Submit(run); err != nil {
		_ = opened.Close() // nobody else does; err is the one to report
		return task, status, err
	}
	if status, err = s.engine.Wait(ctx, run.ID); err == nil {
		err = status.Tasks[0].Err
	}
	return task, status, err
}

// first are the first images of a suite, as often as it takes, without labels.
type first struct {
	*suite.Suite
	count int
}

// Len is the number of images.
func (f first) Len() int { return f.count }

// Label says that no image has one.
func (f first) Label(int) int { return -1 }

// Name is the name of image i in the suite.
func (f first) Name(i int) string { return f.Suite.Name(i % f.Suite.Len()) }

// Image decodes image i.
func (f first) Image(i int) (suite.Image, error) { return f.Suite.Image(i % f.Suite.Len()) }

// Encoded is image i as it lies (engine.Encoded).
func (f first) Encoded(i int) (suite.Raw, error) { return f.Suite.Encoded(i % f.Suite.Len()) }
