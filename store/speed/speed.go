// Package speed measures how fast models run: the library alone, the whole way of a run beside it, and which batch suits a model on
// this computer.
package speed

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

// Bench measures models of a workspace that is thrown away afterwards: it fills it with signals of suites that do not exist.
type Bench struct {
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
	// AlonePerSecond is the run with one worker in the round whose gain from more workers is the median, and Gain that gain: how much faster
	// the run with all workers of that round was. Both are 0 where that was not measured.
	AlonePerSecond, Gain float64
	// Bytes are the signals of one round on disk.
	Bytes int64
	// Spent is where the workers' time went, over all rounds.
	Spent               engine.Spent
	Batch, CeilingBatch int
	Workers             int
	Images, Inferences  int // of one round
	Absent              []string
}

// Measure measures one model on one suite, both of the workspace. Rounds alternate between the library alone and a run over the same images, from decoding to
// signals on disk, so that other work on the computer meets both: a round's ratio is the run's speed by the mean of the ceilings before and after it.
func (b Bench) Measure(ctx context.Context, m model.Model, on suite.Manifest) (Result, error) {
	s := subject{Bench: b, model: m, suite: on}
	s.suite.Classes, s.suite.Named, s.suite.Counts = nil, false, nil // which class is which does not matter to speed
	best, err := s.bestCeiling(ctx)
	if err != nil {
		return Result{}, err
	}
	if err := s.tune(ctx); err != nil {
		return Result{}, err
	}
	if err := s.size(ctx, best); err != nil {
		return Result{}, err
	}
	return s.rounds(ctx, best)
}

// subject is one model on one suite with what is measured of it.
type subject struct {
	Bench
	model        model.Model
	suite        suite.Manifest
	ceilingBatch int
	runWorkers   int       // 0 for all
	images       int       // of one round
	shapes       [][]int64 // of a run's results, where the model does not remember its probe
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

func (s *subject) tell(format string, args ...any) {
	if s.Tell != nil {
		s.Tell(s.model.ID + ": " + fmt.Sprintf(format, args...))
	}
}

// plan makes the task of a run over the first images of the suite. number makes the name of a source that no other run has, so that
// everything is computed.
func (s *subject) plan(batch, images, number int) (engine.Task, error) {
	part := s.suite
	part.Images, part.Labels = images, nil
	part.Hash = fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s, %d images, round %d, batch %d", s.suite.Hash, images, number, batch)))
	return engine.Plan(engine.PlanInput{
		Model: s.model, Path: s.Workspace.ModelPath(s.model.Hash), Suite: part, Family: s.Family,
		Runtime: s.Runtime.Version(), Batch: batch, Device: s.Device,
	})
}

// tune chooses the batch of the runs as a run does that takes long.
func (s *subject) tune(ctx context.Context) error {
	if s.Batch > 0 || s.Tune == nil || s.model.Graph.Input.Batch > 0 {
		return nil
	}
	s.tell("calibration")
	task, err := s.plan(0, 1, 0)
	if err != nil {
		return err
	}
	chosen, err := s.Tune.Tune(ctx, s.Runtime, task.Feed, engine.Architecture(s.model.Graph), s.Workers, math.MaxInt64)
	if err != nil {
		return err
	}
	s.Batch = chosen.Batch
	if chosen.Workers > 0 {
		s.runWorkers = chosen.Workers
	}
	return nil
}

// largestRound bounds the images of a round: as many as a suite of the paper's scale has.
const largestRound = 10_000

// size chooses how many images a round takes: whole units, the same number for each worker and at least two, for about a slice. Where
// the suite has fewer, its images come again.
func (s *subject) size(ctx context.Context, c engine.Feed) error {
	rate, err := s.measure(ctx, c, s.Slice.Seconds()/4)
	if err != nil {
		return err
	}
	group := signal.ChunkSize * s.Workers
	groups := int(rate*s.Slice.Seconds()) / s.Family.N() / group
	s.images = max(2, min(groups, largestRound/group)) * group
	if s.Bench.Images > 0 {
		s.images = s.Bench.Images
	}
	return nil
}

// rounds measures in turns and takes the round with the median ratio.
func (s *subject) rounds(ctx context.Context, c engine.Feed) (Result, error) {
	var all []round
	before, err := s.ceiling(ctx, c, engine.Status{})
	if err != nil {
		return Result{}, err
	}
	var spent engine.Spent
	var task engine.Task
	for number := range s.Rounds {
		s.tell("round %d of %d", number+1, s.Rounds)
		r := round{before: before}
		if task, r.run, err = s.run(ctx, s.images, number, cmp.Or(s.runWorkers, s.Workers)); err != nil {
			return Result{}, err
		}
		if s.Alone && s.Workers > 1 {
			if _, r.alone, err = s.run(ctx, max(1, s.images/s.Workers), s.Rounds+number, 1); err != nil {
				return Result{}, err
			}
		}
		if r.after, err = s.ceiling(ctx, c, r.run); err != nil {
			return Result{}, err
		}
		all, before = append(all, r), r.after
		spent = spent.Plus(r.run.Spent)
	}
	ratios := make([]float64, len(all))
	for i, r := range all {
		ratios[i] = r.ratio()
	}
	sort.Slice(all, func(i, k int) bool { return all[i].ratio() < all[k].ratio() })
	typical := all[len(all)/2]
	result := Result{
		Model: s.model.ID, Suite: s.suite.Name, PerSecond: typical.run.PerSecond, CeilingPerSecond: typical.ceiling(), Ratio: typical.ratio(),
		Ratios: ratios, Spent: spent, Batch: task.Spec.Batch, CeilingBatch: s.ceilingBatch, Workers: cmp.Or(s.runWorkers, s.Workers),
		Images: s.images, Inferences: s.images * s.Family.N(), Absent: slices.Clone(task.Absent),
	}
	if s.Alone && s.Workers > 1 {
		sort.Slice(all, func(i, k int) bool { return all[i].gain() < all[k].gain() })
		result.AlonePerSecond, result.Gain = all[len(all)/2].alone.PerSecond, all[len(all)/2].gain()
	}
	result.Bytes, err = s.onDisk(task)
	return result, err
}

// onDisk is the size of the signal files of a task that was run.
func (s *subject) onDisk(task engine.Task) (int64, error) {
	sum := int64(0)
	for chunk := range task.Spec.Chunks() {
		size, err := s.Workspace.UnitSize(task.Spec.UnitKey(chunk))
		if err != nil {
			return 0, err
		}
		sum += size
	}
	return sum, nil
}

// run is a real run over the first images on an engine of its own: every unit is recorded in the workspace, and the model's matrices are made of them.
func (s *subject) run(ctx context.Context, images, number, workers int) (engine.Task, engine.Status, error) {
	task, err := s.plan(s.Batch, images, number)
	if err != nil {
		return task, engine.Status{}, err
	}
	if !task.Probed && number == 0 {
		found, err := s.Runtime.Probe(ctx, task.Feed)
		if err != nil {
			return task, engine.Status{}, fmt.Errorf("model %s: trial run: %w", s.model.ID, err)
		}
		s.shapes = found.Shapes
	}
	if !task.Probed {
		task.Probed, task.Feed.Shapes = true, s.shapes
	}
	opened, err := s.Workspace.OpenSuiteContext(ctx, s.suite.Hash)
	if err != nil {
		return task, engine.Status{}, err
	}
	eng := engine.New(s.Runtime, s.Workspace, engine.Limits{Workers: workers, Batch: task.Spec.Batch})
	status, err := s.follow(ctx, eng, engine.Run{
		ID: s.Workspace.NewID(), Suite: s.suite.Name, Family: task.Spec.Family, Source: first{opened, images},
		Tasks: []engine.Task{task}, Close: opened.Close,
	})
	if closing := eng.Close(); err == nil {
		err = closing
	}
	return task, status, err
}

// follow submits a run and waits for its end.
func (s *subject) follow(ctx context.Context, eng *engine.Engine, run engine.Run) (engine.Status, error) {
	if err := eng.Submit(run); err != nil {
		_ = run.Close() // nobody else does; err is the one to report
		return engine.Status{}, err
	}
	status, err := eng.Wait(ctx, run.ID)
	if err != nil {
		return status, err
	}
	return status, status.Tasks[0].Err
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
func (f first) Encoded(i int) (suite.Raw, error) {
	return f.Suite.Encoded(i % f.Suite.Len())
}
