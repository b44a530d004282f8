package shards

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/store/durable"
)

// Worker is what computes a shard.
type Worker struct {
	Program string // version of this program, which must be the plan's
	Runtime engine.Runtime
	Cores   int // goroutines; 0 for one per processor
	// UnitTime bounds one unit; 0 is six hours.
	UnitTime time.Duration
}

const defaultUnitTime = 6 * time.Hour

// Report is what came of a shard. Its counts are units but for Inferences.
type Report struct {
	Shard, Shards int
	Units         int
	Computed      int
	Reused        int // with a result that was there
	Failed        int
	Left          int   // not begun, since their model had failed, or the work was interrupted
	Inferences    int64 // computed
	Failures      []Failure
}

// Failure is a unit that could not be computed, as its note in the folder says.
type Failure struct {
	Unit   string `json:"unit"`  // key
	Model  string `json:"model"` // id
	Chunk  int    `json:"chunk"`
	Reason string `json:"reason"`
}

// errTooLong says that a unit took longer than is allowed.
var errTooLong = errors.New("the unit was given up")

// Work computes the units of a shard that have no valid result in the folder yet. A unit that fails is noted there and in the report, and ends the
// work on its model; the others go on. The error says why the shard could not be computed at all: no such shard, another version of
// the program or of ONNX Runtime or another processor than the plan is for, a disk that takes no results, or the end of ctx, after which the same shard goes on where it was. Models are
// tried (engine.Runtime's Probe) before units of them are computed. Progress counts inferences.
func (f *Folder) Work(ctx context.Context, shard int, by Worker, p engine.Progress) (Report, error) {
	report := Report{Shard: shard, Shards: f.Shards()}
	units, err := f.Units(shard)
	if err != nil {
		return report, err
	}
	if err := errors.Join(f.mayCompute(by.Program, by.Runtime), mayUse(ctx, by.Runtime, units)); err != nil {
		return report, err
	}
	if _, err := durable.Within(f.dir, resultsFolder); err != nil {
		return report, err
	}
	f.sweep(units)
	report.Units = len(units)
	by.Cores, by.UnitTime = cmp.Or(max(by.Cores, 0), runtime.NumCPU()), cmp.Or(max(by.UnitTime, 0), defaultUnitTime)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	w := &worker{
		folder: f, by: by, ctx: ctx, stop: stop, rest: units, report: report, progress: p,
		seen: map[wire.Blob]error{}, given: map[string]bool{}, kept: wire.NewKept(),
	}
	var total int64
	for _, u := range units {
		total += u.inferences()
	}
	p.SetTotal(total)
	by.Runtime.Work(ctx, by.Cores, w.next)
	w.report.Left = len(units) - w.report.Computed - w.report.Reused - w.report.Failed
	return w.report, context.Cause(ctx)
}

// mayCompute refuses plans whose units' names promise other bits than this machine gives.
func (p *Plan) mayCompute(program string, rt engine.Runtime) error {
	if rt == nil {
		return engine.ErrNoRuntime
	}
	if program != p.Program {
		return fmt.Errorf("the plan is of Variscope %s, and this is %s, so results could differ; use the same version on all machines, or plan the run again with this one into another folder",
			p.Program, program)
	}
	if have := rt.Version(); have != p.Runtime {
		return fmt.Errorf("the plan is for ONNX Runtime %s, and this machine has %s, so results would differ; install the same version, or plan the run again with this one", p.Runtime, have)
	}
	if level := engine.Level(); !p.Mixed() && (p.Arch != runtime.GOARCH || p.Level != level) {
		return fmt.Errorf("the plan is for processors with %s (%s), and this machine has %s (%s), so the last bits of results would differ; use other machines, or plan the run again with --mixed",
			p.Level, p.Arch, level, runtime.GOARCH)
	}
	return nil
}

// mayUse refuses units of devices that this machine does not have.
func mayUse(ctx context.Context, rt engine.Runtime, units []Unit) error {
	var found []device.Found
	for _, u := range units {
		kind := u.Order.Spec.Device
		if finder, ok := rt.(engine.DeviceFinder); ok && kind != "" && found == nil {
			found = finder.Devices(ctx)
		}
		if d, err := device.Parse(cmp.Or(kind, string(device.CPU))); err != nil {
			return err
		} else if err := device.Missing(d, found); err != nil {
			return fmt.Errorf("model %s is computed on %s: %w", u.Order.ID, kind, err)
		}
	}
	return nil
}

// sweep removes what killed processes of this computer have left of results of these units. What stays does no harm.
func (f *Folder) sweep(units []Unit) {
	entries, err := os.ReadDir(f.path(resultsFolder))
	if err != nil {
		return
	}
	left := map[string]bool{} // units of which there are drafts
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, durable.PartSuffix) {
			unit, _, _ := strings.Cut(strings.TrimPrefix(name, "."), ".")
			left[unit] = true
		}
	}
	for _, u := range units {
		if left[u.Order.Unit] {
			durable.SweepDrafts(f.path(resultName(u.Order.Unit)))
			durable.SweepDrafts(f.path(failedName(u.Order.Unit)))
		}
	}
}

// worker is a shard at work.
type worker struct {
	folder   *Folder
	by       Worker
	ctx      context.Context
	stop     context.CancelCauseFunc
	progress engine.Progress

	handing  sync.Mutex // held while a unit is made ready
	rest     []Unit
	seen     map[wire.Blob]error // models that were held against their hashes
	kept     *background.Kept    // composites of all packs at work
	prepared wire.PreparedTasks

	mu     sync.Mutex
	report Report
	given  map[string]bool // models that were given up, by hash
}

// next hands out the next unit without a valid result (engine.Next).
func (w *worker) next(ctx context.Context, _ string) (engine.Order, bool) {
	w.handing.Lock()
	defer w.handing.Unlock()
	for len(w.rest) > 0 && ctx.Err() == nil {
		unit := w.rest[0]
		w.rest = w.rest[1:]
		if w.done(unit) || w.givenUp(unit.Order.Spec.Model) {
			continue
		}
		c := newCourse(w, unit)
		order, err := c.prepare()
		if err != nil {
			c.Failed(err)
			continue
		}
		return order, true
	}
	return engine.Order{}, false
}

// done tells whether a unit has a valid result, and counts it.
func (w *worker) done(u Unit) bool {
	o := u.Order
	if _, err := w.folder.read(o.Unit, o.Spec, o.Chunk, u.Transformations); err != nil {
		return false
	}
	w.folder.forget(o.Unit)
	w.mu.Lock()
	w.report.Reused++
	w.mu.Unlock()
	w.progress.Add(u.inferences())
	return true
}

func (w *worker) givenUp(model string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.given[model]
}

// whole holds a model against its hash, once; who opens it looks again (engine.Feed's SHA256).
func (w *worker) whole(model wire.Blob) error {
	err, ok := w.seen[model]
	if !ok {
		name := modelName(model.SHA256)
		if err = w.folder.check(name, model); err != nil {
			err = unusable(name, err)
		}
		w.seen[model] = err
	}
	return err
}
