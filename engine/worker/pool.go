package worker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/model"
)

var (
	_ engine.Runtime       = (*Pool)(nil)
	_ engine.NetworkReader = (*Pool)(nil)
	_ engine.DeviceFinder  = (*Pool)(nil)
)

// Options are what a pool is made of.
type Options struct {
	// Command makes a worker process for a device that is not started: this program, which calls
	// Serve.
	Command func(on device.Device) (*exec.Cmd, error)
	// Library is what Load takes.
	Library string
	// Whole reads a model's file with the data that lie in files beside it; Graph reads what a
	// network's file says of itself, without running it.
	Whole func(path string) ([]byte, error)
	Graph func(path string) (model.Graph, error)
	// Devices are taken in turns by feeds that name a kind of device only; empty for the first one
	// of the kind.
	Devices []device.Device
	Bounds
}

// Pool is the worker processes of this program. They are started when there is work for them, kept
// for the next run, and ended by Close. It is safe for many goroutines.
type Pool struct {
	options Options
	ready   Ready
	// room is held by each order at work, and whole by one that is tried alone.
	room *semaphore.Weighted
	stop chan struct{}
	// working are the places that take units.
	working atomic.Int64
	number  atomic.Uint64 // of the last order
	wg      sync.WaitGroup

	looking sync.Mutex // for devices
	found   []device.Found

	mu     sync.Mutex
	idle   []*process
	live   map[*process]bool
	turn   int // of Options.Devices
	closed bool
}

// wholeRoom is more than there can be orders at work.
const wholeRoom = 1 << 20

// Problem is an error of New: the worker has started and has no library, or this computer starts
// no worker.
type Problem struct{ Text string }

func (p *Problem) Error() string { return p.Text }

// New starts the first worker and hears from it which library it has. The error wraps a *Problem
// where the worker has said what is wrong.
func New(o Options) (*Pool, error) {
	o.Bounds = o.Bounds.orDefault()
	p := &Pool{options: o, room: semaphore.NewWeighted(wholeRoom), live: map[*process]bool{}, stop: make(chan struct{})}
	first, err := p.start(device.CPU)
	if err != nil {
		return nil, err
	}
	p.ready = first.ready
	p.giveBack(first)
	p.wg.Go(p.watch)
	return p, nil
}

// Version implements engine.Runtime.
func (p *Pool) Version() string { return p.ready.Version }

// Ready is what the workers say of themselves.
func (p *Pool) Ready() Ready { return p.ready }

// Processes are the ids of the workers that are alive.
func (p *Pool) Processes() []int {
	var ids []int
	for _, one := range p.alive() {
		ids = append(ids, one.pid())
	}
	slices.Sort(ids)
	return ids
}

// alive are the workers that have not ended.
func (p *Pool) alive() []*process {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Collect(maps.Keys(p.live))
}

// Network implements engine.NetworkReader.
func (p *Pool) Network(path string) (model.Graph, error) { return p.options.Graph(path) }

// Close ends all workers.
func (p *Pool) Close() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	p.closed = true
	close(p.stop)
	p.idle = nil
	p.mu.Unlock()
	live := p.alive()
	for _, one := range live {
		one.end(nil)
	}
	p.wg.Wait()
	for _, one := range live {
		<-one.gone
	}
	return nil
}

func (p *Pool) bounds() Bounds {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.options.Bounds
}

// SetBounds changes the bounds for orders that begin from now on.
func (p *Pool) SetBounds(b Bounds) {
	p.mu.Lock()
	p.options.Bounds = b.orDefault()
	p.mu.Unlock()
	p.clear(time.Now()) // they have the old ones
}

// lease gives an idle worker of a device, or a new one.
func (p *Pool) lease(on device.Device) (*process, error) {
	on = p.deviceFor(on)
	p.mu.Lock()
	for k, one := range slices.Backward(p.idle) {
		if one.device != on {
			continue
		}
		p.idle = slices.Delete(p.idle, k, k+1)
		if !one.ended() {
			p.mu.Unlock()
			return one, nil
		}
	}
	p.mu.Unlock()
	return p.start(on)
}

// deviceFor is the device of a worker for a feed's.
func (p *Pool) deviceFor(d device.Device) device.Device {
	if !d.IsGPU() {
		return device.CPU
	}
	if string(d) != d.Kind() {
		return d
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []device.Device
	for _, one := range p.options.Devices {
		if one.Kind() == d.Kind() {
			list = append(list, one)
		}
	}
	if len(list) == 0 {
		first, err := device.Parse(string(d))
		if err != nil {
			return d
		}
		return first
	}
	p.turn++
	return list[p.turn%len(list)]
}

// Devices are the devices that this computer has (engine.DeviceFinder). The first call looks for
// them: it starts a worker for each, which takes seconds where there are GPUs.
func (p *Pool) Devices(ctx context.Context) []device.Found {
	p.looking.Lock()
	defer p.looking.Unlock()
	if p.found == nil {
		if found := p.look(ctx); ctx.Err() == nil {
			p.found = found
		}
	}
	return slices.Clone(p.found)
}

func (p *Pool) look(ctx context.Context) []device.Found {
	found := []device.Found{{Device: device.CPU}}
	for _, d := range device.Candidates(runtime.GOOS) {
		for ok := true; ok && ctx.Err() == nil; d, ok = d.Next() {
			one, err := p.lease(d)
			if err == nil {
				p.giveBack(one)
				found = append(found, device.Found{Device: d})
				continue
			}
			if d.Index() == 0 {
				found = append(found, device.Found{Device: d, Problem: err.Error()})
			}
			break
		}
	}
	return found
}

// giveBack keeps a worker for the next order.
func (p *Pool) giveBack(one *process) {
	if one == nil {
		return
	}
	one.since = time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed && !one.ended() {
		p.idle = append(p.idle, one)
	}
}

// clear ends the workers that have had nothing to do since before a moment.
func (p *Pool) clear(before time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = slices.DeleteFunc(p.idle, func(one *process) bool {
		old := one.since.Before(before)
		if old {
			one.end(nil)
		}
		return old
	})
}

// How often memory is looked at, and how long a worker without work is kept.
const (
	watchTime = 100 * time.Millisecond
	keepTime  = 10 * time.Minute
)

// errMemory is why a worker is ended that takes too much.
var errMemory = errors.New("the memory of all workers")

// watch bounds the memory of all workers together: the largest of them is ended where it is passed.
func (p *Pool) watch() {
	tick := time.NewTicker(watchTime)
	defer tick.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-tick.C:
		}
		p.clear(time.Now().Add(-keepTime))
		var sum, most int64
		var largest *process
		for _, one := range p.alive() {
			bytes := residentMemory(one.pid())
			if sum += bytes; bytes > most {
				most, largest = bytes, one
			}
		}
		if sum > p.bounds().Memory && largest != nil {
			largest.end(errMemory)
		}
	}
}

// Probe implements engine.Runtime.
func (p *Pool) Probe(ctx context.Context, feed engine.Feed) (engine.Probe, error) {
	name := filepath.Base(feed.Path)
	c := &call{command: command{Trial: &feed}, feed: feed, trial: true}
	err := p.once(ctx, c)
	var lost *lostError
	if errors.As(err, &lost) && !lost.late && !lost.memory && ctx.Err() == nil {
		err = p.alone(ctx, c)
	}
	if probe := c.outcome.Probe; err == nil && probe != nil {
		return *probe, checkProbe(name, feed, *probe)
	}
	switch {
	case err == nil:
		err = fmt.Errorf("%s: a worker has sent nothing of its trial run", name)
	case ctx.Err() != nil:
		return engine.Probe{}, ctx.Err()
	case errors.As(err, &lost) && lost.late:
		err = fmt.Errorf("%s did not finish a trial run within %s; it cannot be used", name, p.bounds().Trial)
	case errors.As(err, &lost) && lost.memory, outOfMemory(err.Error()):
		err = fmt.Errorf("%s needs more than %d MB of memory in a trial run; choose a smaller batch or another model",
			name, p.bounds().Memory>>20)
	case errors.As(err, &lost):
		err = fmt.Errorf("%s crashes the ONNX Runtime library (%s); it cannot be used", name, lost.how)
	}
	return engine.Probe{}, err
}

// checkProbe says why a probe cannot be one of a feed.
func checkProbe(name string, feed engine.Feed, probe engine.Probe) error {
	wrong := probe.Classes < 1 || len(probe.Shapes) != len(feed.Tensors)+1
	for _, shape := range probe.Shapes {
		wrong = wrong || len(shape) == 0 || slices.ContainsFunc(shape, func(n int64) bool { return n < 1 })
	}
	if wrong {
		return fmt.Errorf("%s: a worker has sent a trial run that cannot be one", name)
	}
	return nil
}

// Rows implements engine.Runtime.
func (p *Pool) Rows(
	ctx context.Context, order engine.Rows, source engine.Source, each func(k int, row []float64) error,
) error {
	c := &call{command: command{Rows: &order}, feed: order.Feed, source: source, total: order.Len()}
	begun := 0 // rows that were handed on
	c.row = func(values []float64) error {
		k := c.rows
		if c.rows++; k < begun { // of a second try
			return nil
		}
		if k >= order.Len() {
			return strange("more than the %d rows that it was asked for", order.Len())
		}
		if !order.Fits(values) {
			return strange("%s that cannot be those of an image", order.Numbers)
		}
		begun = c.rows
		return each(k, values)
	}
	err := c.describe(order.Scenes > 0, order.Images)
	if err == nil {
		err = p.tried(ctx, c)
	}
	if err == nil && c.rows != order.Len() {
		err = fmt.Errorf("a worker has sent %d rows in place of %d", c.rows, order.Len())
	}
	return p.explain(filepath.Base(order.Feed.Path), err)
}

// Rate implements engine.Runtime.
func (p *Pool) Rate(ctx context.Context, feed engine.Feed, seconds float64) (float64, error) {
	c := &call{command: command{Rate: &feed, Seconds: seconds}, feed: feed}
	err := p.tried(ctx, c)
	if rate := c.outcome.Rate; err == nil && !(rate > 0 && rate < 1e12) {
		err = fmt.Errorf("a worker has measured %v images per second", rate)
	}
	return c.outcome.Rate, p.explain(filepath.Base(feed.Path), err)
}

// Judge runs an exported assessor on rows of equal length and returns its label per row and its
// scores, rows x scores; name is for errors. It implements engine/assess/exchange.Runner.
func (p *Pool) Judge(
	ctx context.Context, name string, model []byte, x [][]float64,
) (labels []int64, scores [][]float32, err error) {
	c := &call{command: command{Judge: &judge{name, model, x}}}
	err = p.tried(ctx, c)
	labels, scores = c.outcome.Labels, c.outcome.Scores
	if err == nil && (len(labels) != len(x) || len(scores) != len(x)) {
		err = fmt.Errorf("a worker has judged %d and %d rows in place of %d", len(labels), len(scores), len(x))
	}
	return labels, scores, p.explain(name, err)
}

// explain words the loss of a worker.
func (p *Pool) explain(name string, err error) error {
	var lost *lostError
	if errors.As(err, &lost) {
		return fmt.Errorf("%s %s", name, lost.sentence(p.bounds()))
	}
	return err
}

// outOfMemory recognises what the library, the C++ runtime and the Go runtime say when memory ends.
func outOfMemory(text string) bool {
	signs := []string{"allocate memory", "bad_alloc", "out of memory", "Cannot allocate", "bad allocation"}
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(text, sign) })
}

// enter waits for a part of the room; the caller releases it.
func (p *Pool) enter(ctx context.Context, part int64) error {
	if p.room.Acquire(ctx, part) != nil {
		return context.Cause(ctx)
	}
	return nil
}

// once computes an order in any worker.
func (p *Pool) once(ctx context.Context, c *call) error {
	one, err := p.lease(c.feed.Device)
	if err != nil {
		return err
	}
	defer p.giveBack(one)
	if err := p.enter(ctx, 1); err != nil {
		return err
	}
	defer p.room.Release(1)
	return one.compute(ctx, p, c)
}

// tried computes an order, and once more, alone in a new worker, where the first one was lost.
func (p *Pool) tried(ctx context.Context, c *call) error {
	err := p.once(ctx, c)
	if errors.As(err, new(*lostError)) && ctx.Err() == nil {
		err = p.alone(ctx, c)
	}
	return err
}

// alone computes an order in a new worker while no other is at work.
func (p *Pool) alone(ctx context.Context, c *call) error {
	if err := p.enter(ctx, wholeRoom); err != nil {
		return err
	}
	defer p.room.Release(wholeRoom)
	p.clear(time.Now())
	one, err := p.start(p.deviceFor(c.feed.Device))
	if err != nil {
		return err
	}
	defer p.giveBack(one)
	c.command.Careful = true
	return one.compute(ctx, p, c)
}
