package shards

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/store/durable"
)

// Worker is what computes a shard.
type Worker struct {
	Program  string // version of this program, which must be the plan's
	Runtime  engine.Runtime
	Cores    int           // goroutines; 0 for one per processor
	UnitTime time.Duration // bounds one unit
}

// Report is what came of a shard. Its counts are units but for Inferences.
type Report struct {
	Plan          string // content hash
	Shard, Shards int
	Units         int
	Computed      int
	Reused        int // with a result that was there
	Failed        int
	Left          int   // not begun, since their model had failed, or the work was interrupted
	Inferences    int64 // computed
	Failures      []Failure
	Took          time.Duration
}

// Failure is a unit that could not be computed, as its note in the folder says.
type Failure struct {
	Unit   string `json:"unit"`  // key
	Model  string `json:"model"` // id
	Chunk  int    `json:"chunk"`
	Reason string `json:"reason"`
}

// Err is one sentence per line of what failed, nil for nothing.
func (r Report) Err() error {
	if r.Failed == 0 {
		return nil
	}
	reasons := fmt.Sprintf("shard %d is not complete: "+
		"%d units failed and %d were left out; once the reason is gone, run it again", r.Shard, r.Failed, r.Left)
	for _, f := range r.Failures {
		reasons += "\n" + f.Reason
	}
	return errors.New(reasons)
}

// Work computes the units of a shard that have no valid result in the folder yet. A unit that
// fails is noted there and in the report, and ends the work on its model; the others go on. The
// error says why the shard could not be computed at all: no such shard, another version of the
// program or of ONNX Runtime or another processor than the plan is for, a disk that takes no
// results, or the end of ctx, after which the same shard goes on where it was. Models are tried
// (engine.Runtime's Probe) before units of them are computed. Progress counts inferences.
func (f *Folder) Work(ctx context.Context, shard int, by Worker, p engine.Progress) (Report, error) {
	begun, report := time.Now(), Report{Plan: f.ID, Shard: shard, Shards: f.Shards}
	units := slices.DeleteFunc(slices.Clone(f.units), func(u planned) bool { return u.shard != shard })
	err := f.mayCompute(by.Program, by.Runtime)
	if shard < 1 || shard > f.Shards {
		err = fmt.Errorf("the plan has no shard %d; it has shards 1 to %d", shard, f.Shards)
	}
	if err == nil {
		err = f.mayUse(ctx, by.Runtime, units)
	}
	if err == nil {
		_, err = durable.Within(f.dir, resultsFolder)
	}
	if err != nil {
		return report, err
	}
	f.removeDrafts(units)
	report.Units = len(units)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	w := &worker{
		folder: f, by: by, ctx: ctx, stop: stop, rest: units, report: report, progress: p,
		seen: map[string]bool{}, given: map[string]bool{}, kept: wire.NewKept(),
	}
	var total int64
	for _, u := range units {
		total += u.inferences
	}
	p.SetTotal(total)
	by.Runtime.Work(ctx, cmp.Or(by.Cores, runtime.NumCPU()), w.next)
	w.report.Left = len(units) - w.report.Computed - w.report.Reused - w.report.Failed
	w.report.Took = time.Since(begun)
	return w.report, context.Cause(ctx)
}

// mayCompute refuses plans whose units' names promise other bits than this machine gives.
func (p *Plan) mayCompute(program string, rt engine.Runtime) error {
	s, level := p.spec(), engine.Level()
	switch {
	case rt == nil:
		return engine.ErrNoRuntime
	case program != p.Program:
		return fmt.Errorf("the plan is of Variscope %s, and this is %s, so results could differ; use the same "+
			"version on all machines, or plan the run again with this one into another folder", p.Program, program)
	case rt.Version() != s.Runtime:
		return fmt.Errorf("the plan is for ONNX Runtime %s, and this machine has %s, so results would differ; "+
			"install the same version, or plan the run again with this one", s.Runtime, rt.Version())
	case !p.Request.Mixed && (s.Arch != runtime.GOARCH || s.Level != level):
		return fmt.Errorf("the plan is for processors with %s (%s), and this machine has %s (%s), so the last bits "+
			"of results would differ; use other machines, or plan the run again with --mixed",
			s.Level, s.Arch, level, runtime.GOARCH)
	}
	return nil
}

// mayUse refuses units of devices that this machine does not have.
func (p *Plan) mayUse(ctx context.Context, rt engine.Runtime, units []planned) error {
	var found []device.Found
	if finder, ok := rt.(engine.DeviceFinder); ok && len(p.Request.On) > 0 {
		found = finder.Devices(ctx)
	}
	for _, u := range units {
		m := p.models[u.model]
		d, _ := device.Parse(cmp.Or(m.Spec.Device, string(device.CPU))) // orders have no others
		if err := device.Missing(d, found); err != nil {
			return fmt.Errorf("model %s is computed on %s: %w", m.ID, m.Spec.Device, err)
		}
	}
	return nil
}

// removeDrafts removes what killed processes of this computer have left of results of these units.
// What stays does no harm.
func (f *Folder) removeDrafts(units []planned) {
	mine := map[string]bool{}
	for _, u := range units {
		mine[resultName(f.key(u))], mine[failedName(f.key(u))] = true, true
	}
	entries, _ := os.ReadDir(f.path(resultsFolder))
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), durable.PartSuffix) {
			continue
		}
		of, _, _ := strings.Cut(strings.TrimPrefix(e.Name(), "."), "-") // what the draft is of
		if name := resultsFolder + "/" + of; mine[name] {
			durable.RemoveDrafts(f.path(name))
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
	rest     []planned
	seen     map[string]bool  // models that are what their hashes say
	kept     *background.Kept // composites of all packs at work
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
		c := newWorkUnit(w, w.rest[0])
		w.rest = w.rest[1:]
		if !c.wanted() {
			c.end()
			continue
		}
		order, err := c.prepare()
		if err == nil {
			return order, true
		}
		c.Failed(err)
	}
	return engine.Order{}, false
}

// workUnit is a unit that the worker computes (engine.Sink).
type workUnit struct {
	planned
	wire.Order
	w      *worker
	ctx    context.Context
	cancel context.CancelFunc
	images *os.File
	spared bool // a failure is that of its images: with others the model may do
}

func newWorkUnit(w *worker, u planned) *workUnit {
	c := &workUnit{planned: u, Order: w.folder.order(u), w: w}
	c.ctx, c.cancel = context.WithTimeoutCause(w.ctx, w.by.UnitTime,
		fmt.Errorf("model %s: the unit was given up; it took longer than %v", c.ID, w.by.UnitTime))
	return c
}

// wanted tells whether the unit is to be computed: a valid result is taken as it is, and units of
// models that were given up are left.
func (c *workUnit) wanted() bool {
	w := c.w
	_, err := w.folder.result(c.Unit, c.Spec, c.Chunk)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		return !w.given[c.Spec.Model]
	}
	w.folder.forget(c.Unit)
	w.report.Reused++
	w.progress.Add(c.inferences)
	return false
}

// prepare checks what the unit needs, and reads from the very files that were checked; who opens
// the model looks again (engine.Feed's SHA256).
func (c *workUnit) prepare() (o engine.Order, err error) {
	w, model := c.w, modelName(c.Model.SHA256)
	if !w.seen[c.Model.SHA256] {
		file, err := w.folder.object(model, c.Model)
		if err != nil {
			return o, fmt.Errorf("model %s: %w", c.ID, err)
		}
		_ = file.Close() // read only: nothing is lost
		w.seen[c.Model.SHA256] = true
	}
	c.spared = true
	if c.images, err = w.folder.object(packName(c.Images.SHA256), c.Images); err != nil {
		return o, fmt.Errorf("the images of the unit: %w", err)
	}
	source, err := c.Pack(w.kept, c.images)
	if err != nil {
		return o, fmt.Errorf("the images of the unit: %.12s: %w", c.Images.SHA256, err)
	}
	c.spared = false
	prepared, err := w.prepared.Of(c.Order, w.folder.path(model))
	if err != nil {
		return o, err
	}
	return engine.Order{Prepared: prepared, Source: source, Chunk: c.Chunk, Sink: c}, nil
}

// Context implements engine.Sink: it ends with the work, or when the unit has taken too long.
func (c *workUnit) Context() context.Context { return c.ctx }

// Pass implements engine.Sink.
func (c *workUnit) Pass() error { return context.Cause(c.ctx) }

// Inferred implements engine.Sink.
func (c *workUnit) Inferred(images int) { c.w.progress.Add(int64(images)) }

// Done implements engine.Sink: it writes the result. A disk that does not take it ends the work,
// since it would take no other one either.
func (c *workUnit) Done(unit *signal.Unit, _ engine.Timings) {
	data, err := wire.EncodeResult(c.Spec, unit)
	if err != nil {
		c.Failed(fmt.Errorf("model %s: %w", c.ID, err))
		return
	}
	defer c.end()
	w := c.w
	if err := w.folder.put(resultName(c.Unit), []byte(w.folder.head()+"\n"), data); err != nil {
		w.stop(err)
		return
	}
	w.folder.forget(c.Unit)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.report.Computed++
	w.report.Inferences += c.inferences
}

// Failed implements engine.Sink: it notes why there is no result, unless the work itself was
// ended.
func (c *workUnit) Failed(err error) {
	defer c.end()
	w := c.w
	if w.ctx.Err() != nil {
		return
	}
	if c.ctx.Err() != nil { // it took too long
		err = context.Cause(c.ctx)
	}
	f := Failure{
		Unit: c.Unit, Model: c.ID, Chunk: c.Chunk, Reason: wire.Plain(w.folder.nameless(err.Error()), maxReason),
	}
	note, _ := json.Marshal(f) // texts and a number can be written
	if err := w.folder.put(failedName(c.Unit), note, []byte("\n")); err != nil {
		w.stop(err)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.report.Failed++
	w.report.Failures = append(w.report.Failures, f)
	if !c.spared {
		w.given[c.Spec.Model] = true
	}
}

// end frees what the unit has.
func (c *workUnit) end() {
	c.cancel()
	if c.images != nil {
		_ = c.images.Close() // read only: nothing is lost
	}
}
