package job

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

// reserve is what a run leaves free on the disk: labels must always find room.
const reserve = 50_000_000

// ErrNoRoom means that the signals of a run do not fit on the disk.
var ErrNoRoom = errors.New("not enough free space")

// Size is what a run adds to the workspace.
type Size struct {
	Bytes int64 // of the signals that are not there yet
	Units int   // of them
	// Took is about how long that computes, at the speed of the last run of each model; Slower says
	// that some of the models were never run, which add to it.
	Took   time.Duration
	Slower bool
	// Refused is why the first model cannot take part where none can.
	Refused error
	// Free is what may still be written on the workspace's disk; -1 when that is unknown.
	Free int64
}

// Fits is an error that wraps ErrNoRoom when the run does not fit on the disk.
func (s Size) Fits() error {
	if s.Free < 0 || s.Bytes == 0 || s.Bytes+reserve <= s.Free {
		return nil
	}
	return fmt.Errorf("%w: the run adds about %s of signals, and %s is free on the workspace's disk, of which %s "+
		"stays free for labels; free some space, or choose fewer models, suites, positions or values of the family",
		ErrNoRoom, store.SizeText(s.Bytes), store.SizeText(s.Free), store.SizeText(reserve))
}

// Measure estimates what a run adds without starting it. Models that cannot take part add nothing.
// It is slow where thousands of units are there already.
func Measure(ctx context.Context, ws *store.Workspace, rt engine.Runtime, req Request) (Size, error) {
	if rt == nil {
		return Size{}, engine.ErrNoRuntime
	}
	family, err := transform.ParseAny(req.Family)
	if err != nil {
		return Size{}, err
	}
	manifest, err := ws.Suite(req.Suite)
	if err != nil {
		return Size{}, err
	}
	models, err := chosen(ws, req.Models)
	if err != nil {
		return Size{}, err
	}
	scenes, err := backgroundsOf(ws, family)
	if err != nil {
		return Size{}, err
	}
	p := planner{
		models: ws, rt: rt, req: req, suite: manifest, scenes: scenes, family: family,
		batch: newBatching(req, engine.Limits{Batch: engine.DefaultBatch}, models),
	}
	if p.on, err = newDevices(ctx, rt, req); err != nil {
		return Size{}, err
	}
	var tasks []engine.Task
	var refused error
	for _, m := range models {
		p.on.take(m.Hash)
		if settings, err := m.Settings(); err == nil && settings.Classes == 0 {
			p.suite.Classes = nil // as long as no probe has counted them
		} else {
			p.suite.Classes = manifest.Classes
		}
		if err := p.chooseBatch(ctx, m); err != nil {
			return Size{}, err
		}
		if task, reason := p.plan(m); reason == nil {
			tasks = append(tasks, task)
			p.on.taken++
		} else if refused == nil {
			refused = reason
		}
	}
	s, err := p.size(ctx, ws, tasks)
	if len(tasks) == 0 {
		s.Refused = refused
	}
	return s, err
}

// MeasureEach estimates what several runs add together. Free is what is free now, as in Measure.
func MeasureEach(ctx context.Context, ws *store.Workspace, rt engine.Runtime, reqs []Request) (Size, error) {
	sum := Size{Free: -1}
	for i, req := range reqs {
		s, err := Measure(ctx, ws, rt, req)
		if err != nil {
			return sum, err
		}
		sum.Bytes, sum.Units, sum.Free = sum.Bytes+s.Bytes, sum.Units+s.Units, s.Free
		sum.Took, sum.Slower = sum.Took+s.Took, sum.Slower || s.Slower
		if i == 0 || sum.Refused != nil {
			sum.Refused = s.Refused
		}
	}
	return sum, nil
}

// size sums up the units of tasks that are not on disk.
func (p planner) size(ctx context.Context, ws *store.Workspace, tasks []engine.Task) (Size, error) {
	s := Size{Free: -1}
	records, err := ws.Runs()
	if err != nil {
		return s, err
	}
	for _, task := range tasks {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		m, err := ws.Model(task.Spec.Model)
		if err != nil {
			return s, err
		}
		settings, err := m.Settings()
		if err != nil {
			return s, err
		}
		images := 0 // that are not there yet
		for chunk := range task.Spec.Chunks() {
			there, err := ws.Has(task.Spec.UnitKey(chunk))
			if err != nil {
				return s, err
			}
			if !there {
				_, n := task.Spec.ChunkImages(chunk)
				s.Units++
				images += n
				s.Bytes += unitBytes(task.Spec, chunk, settings.Classes, p.family.N())
			}
		}
		if images == 0 {
			continue
		}
		speed := lastSpeed(records, task.Spec.Model)
		if s.Slower = s.Slower || speed == 0; speed > 0 {
			s.Took += time.Duration(float64(images*p.family.N()) / speed * float64(time.Second))
		}
	}
	if free, err := store.FreeSpace(ws.Path()); err == nil {
		s.Free = free
	}
	return s, nil
}

// lastSpeed is how many inferences per second the last run of a model made that ended; 0 where none
// did.
func lastSpeed(records []store.RunRecord, model string) float64 {
	for _, r := range slices.Backward(records) {
		took := r.Ended.Sub(r.Started).Seconds()
		if slices.Contains(r.Models, model) && !r.Unfinished() && r.Done > r.Reused && took > 0 {
			return float64(r.Done-r.Reused) / took
		}
	}
	return 0
}

// unitBytes is about the size of a unit's file: four bytes per number and a little per array.
func unitBytes(spec signal.Spec, chunk, classes, transformations int) int64 {
	const header = 300 // of an array inside the file
	_, images := spec.ChunkImages(chunk)
	arrays := 3 + signal.Reducers*len(spec.Positions) + len(spec.Vectors)
	perImage := 2 + 1 // prediction and confidence, the true class's score
	if classes <= signal.FullSoftmaxClasses {
		perImage = 2 + classes
	}
	perImage += signal.Reducers * len(spec.Positions)
	numbers := int64(images) * (int64(perImage*transformations) +
		int64(len(spec.Vectors)*signal.Pairs(transformations)))
	return 4*numbers + int64(header*arrays)
}

// room is an error when what the tasks add does not fit on the disk.
func (p planner) room(ctx context.Context, ws *store.Workspace, tasks []engine.Task) error {
	s, err := p.size(ctx, ws, tasks)
	if err != nil {
		return err
	}
	return s.Fits()
}
