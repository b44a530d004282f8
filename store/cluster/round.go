package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/store/durable"
)

// parcel is a unit that a worker has.
type parcel struct {
	*engine.Assignment
	worker     string // id
	inferences int64
	arriving   atomic.Bool // its result is being read

	// The coordinator's mutex guards these.
	counted int64     // inferences that the worker has told
	named   time.Time // when the worker last said that it has it, or was given it
}

// round is the coordinator's part in one run.
type round struct {
	*Coordinator
	job   *engine.Job
	ctx   context.Context
	end   context.CancelFunc
	mixed bool     // any processor may compute its units
	needs []string // kinds of devices besides the processor
	at    sync.WaitGroup
	room  *semaphore.Weighted // bytes of results that are being read

	claiming sync.Mutex // held while a unit is claimed

	packing sync.Mutex
	packed  map[int]wire.Blob // packs of images by chunk

	// The coordinator's mutex guards these.
	parcels map[string]*parcel // by unit
	faults  map[string]*faults // of all units that have some
	sought  map[string]bool    // units that workers have named and that were not to be claimed
	files   map[string]string  // paths of models and packs by hash
}

const (
	spare       = 3         // units that a worker may have per core: one is brought, one computed, one fetched
	maxArriving = 256 << 20 // bytes of results that are read at the same time; a larger one is read alone
	maxSought   = 1 << 16   // names of units that are remembered and mean nothing
)

// Execute hands units of a run to the workers that ask for them, and takes what they bring
// (engine.Executor). When the run is cancelled, workers are told to stop; when the engine is
// closed, they go on with what they have, and bring it to the next run that needs it.
func (c *Coordinator) Execute(ctx context.Context, j *engine.Job) {
	r := c.begin(ctx, j)
	r.at.Go(r.watch)
	j.Computed(r.ctx)
	r.close()
}

func (c *Coordinator) begin(ctx context.Context, j *engine.Job) *round {
	r := &round{
		Coordinator: c, job: j, mixed: j.Spec().IsMixed(), needs: j.Devices(), room: semaphore.NewWeighted(maxArriving),
		packed: map[int]wire.Blob{}, parcels: map[string]*parcel{}, faults: map[string]*faults{},
		sought: map[string]bool{}, files: map[string]string{},
	}
	r.ctx, r.end = context.WithCancel(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.round = r
	close(c.begun)
	c.begun = make(chan struct{})
	return r
}

// close ends the round. What is on its way nobody needs after a cancel; else workers keep it.
func (r *round) close() {
	r.end()
	r.mu.Lock()
	r.round, r.trouble = nil, nil
	r.mu.Unlock()
	r.at.Wait()
	if left := r.takeBack(func(*parcel) bool { return true }); !r.job.Closed() {
		r.withdraw(left)
	}
	_ = durable.DeleteAll(r.packs) // what stays is removed with the next run
	r.options.Changed()
}

// atWork is the round at work for somebody who has to leave it with at.Done; where there is none,
// it is nil, and begun is closed when there is one.
func (c *Coordinator) atWork() (r *round, begun <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.round != nil {
		c.round.at.Add(1)
	}
	return c.round, c.begun
}

// handTo answers a worker that has room, and these units: with another one, or with nothing where
// none comes within a beat.
func (c *Coordinator) handTo(worker string, has []string) []byte {
	ctx, cancel := context.WithTimeout(c.ctx, c.options.Pace.Beat)
	defer cancel()
	for ctx.Err() == nil {
		r, begun := c.atWork()
		if r == nil {
			select {
			case <-begun:
			case <-ctx.Done():
			}
			continue
		}
		order := r.hand(ctx, worker, has)
		r.at.Done()
		if order != nil {
			return order
		}
	}
	return nil
}

// hand gives a worker its next unit; nil where none came until ctx or the run has ended. What the
// worker was given before and does not say that it has never arrived there.
func (r *round) hand(ctx context.Context, worker string, has []string) []byte {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(r.ctx, cancel)()
	r.adopt(worker, has)
	r.takeBack(func(p *parcel) bool {
		return p.worker == worker && !p.arriving.Load() && !slices.Contains(has, p.Key())
	})
	for r.hasRoom(worker, len(has)) {
		a, ok := r.job.Next(ctx, worker)
		if !ok {
			break
		}
		p := r.keep(a, worker)
		text, err := r.order(p) // a worker that does not wait that long asks again
		switch {
		case err == nil:
			r.setTrouble(nil)
			return say(given{p.Key(), text})
		case errors.Is(err, errCannotTravel):
			r.giveBack(p, err)
			continue
		}
		r.giveBack(p, nil)
		if r.ctx.Err() == nil {
			r.setTrouble(err)
		}
		break
	}
	<-ctx.Done()
	return nil
}

// hasRoom tells whether a worker that says it has so many units may be given one more. Some of them
// may be another's by now, as after an interruption.
func (r *round) hasRoom(worker string, has int) bool {
	held := r.onTheirWay(func(p *parcel) bool { return p.worker == worker })
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.members[worker]
	return m != nil && r.mayTake(m) && max(len(held), has) < spare*m.Cores
}

// mayTake tells under the mutex whether a worker may compute the run's units.
func (r *round) mayTake(m *member) bool {
	lacks := func(kind string) bool { return !m.offers(kind) }
	return (r.mixed || m.alike(r.options.Self)) && !slices.ContainsFunc(r.needs, lacks)
}

// keep remembers a unit that a worker has.
func (r *round) keep(a *engine.Assignment, worker string) *parcel {
	_, images := a.Prepared().Task().Spec.ChunkImages(a.Chunk())
	inferences := int64(images) * int64(a.Prepared().Transformations())
	p := &parcel{Assignment: a, worker: worker, inferences: inferences, named: time.Now()}
	p.By(worker)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.parcels[p.Key()] = p
	return p
}

// adopt takes units for a worker's that it had before the coordinator began, or was missed.
func (r *round) adopt(worker string, units []string) {
	for _, key := range units {
		r.mu.Lock()
		known := r.parcels[key] != nil || r.sought[key]
		r.mu.Unlock()
		if known {
			continue
		}
		if p := r.expect(key, worker); p == nil {
			r.mu.Lock()
			if len(r.sought) < maxSought {
				r.sought[key] = true
			}
			r.mu.Unlock()
		} else if _, err := r.order(p); err != nil && p.worker == worker { // it may still need its files
			r.giveBack(p, nil)
		}
	}
}

// drop forgets a parcel; false where that happened before, even if its unit has gone out again.
func (r *round) drop(p *parcel) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	there := r.parcels[p.Key()] == p
	if there {
		delete(r.parcels, p.Key())
	}
	return there
}

// giveBack lets a parcel's unit go out again, or fail with an error. A worker that has it all the
// same may still bring it, as long as nobody else has computed it.
func (r *round) giveBack(p *parcel, err error) {
	switch {
	case !r.drop(p):
	case err != nil:
		p.Failed(err)
	default:
		p.Return()
	}
}

// onItsWay is the parcel of a unit, nil where nobody has it.
func (r *round) onItsWay(key string) *parcel {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.parcels[key]
}

// onTheirWay are the parcels of a kind.
func (r *round) onTheirWay(is func(*parcel) bool) (list []*parcel) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.parcels {
		if is(p) {
			list = append(list, p)
		}
	}
	return list
}

// takeBack gives the parcels of a kind back, and says which.
func (r *round) takeBack(is func(*parcel) bool) []*parcel {
	list := r.onTheirWay(is)
	for _, p := range list {
		r.giveBack(p, nil)
	}
	return list
}

// withdraw tells workers to stop computing units.
func (r *round) withdraw(list []*parcel) {
	var units []string
	for _, p := range list {
		units = append(units, p.Key())
	}
	if len(units) == 0 {
		return
	}
	if err := r.nc.Publish(r.subject("withdrawn"), say(units)); err != nil {
		r.options.Log.Warn("withdraw units", "error", err)
	}
}

// watch withdraws units of failed models, and gives back what was not named for too long.
func (r *round) watch() {
	tick := time.NewTicker(r.options.Pace.Beat)
	defer tick.Stop()
	for {
		select {
		case <-r.ctx.Done():
			return
		case now := <-tick.C:
			r.withdraw(r.takeBack(func(p *parcel) bool { return p.Context().Err() != nil && !r.job.Closed() }))
			for _, p := range r.onTheirWay(func(p *parcel) bool {
				return !p.arriving.Load() && now.Sub(p.named) > r.options.Pace.AckWait
			}) {
				r.blame(p, func(f *faults) {
					if m := r.members[p.worker]; m != nil && r.isLost(m, now) {
						f.note(p.worker, lost, "")
					}
				})
			}
		}
	}
}

// hearTrouble hears why a worker has no result.
func (c *Coordinator) receiveTrouble(worker string, t trouble) {
	r, _ := c.atWork()
	if r == nil {
		return
	}
	defer r.at.Done()
	if p := r.onItsWay(t.Unit); p != nil && p.worker == worker {
		r.fault(p, worker, told, wire.Plain(t.Reason, maxReason))
	}
}

// take takes a result. One that nobody waits for is taken as well, and is nothing; while no run is
// at work, or the result is being read already, it has to be brought again.
func (c *Coordinator) take(worker string, n notice) verdict {
	r, _ := c.atWork()
	if r == nil {
		return verdict{Later: true}
	}
	defer r.at.Done()
	p := r.expect(n.Unit, worker)
	switch {
	case p == nil:
		return verdict{}
	case !p.arriving.CompareAndSwap(false, true):
		return verdict{Later: true}
	}
	defer p.arriving.Store(false)
	unit, err := r.fetch(p, worker, n)
	switch {
	case errors.Is(err, errUnusable):
		r.fault(p, worker, refused, err.Error())
		return verdict{Refused: wire.Plain(err.Error(), maxReason)}
	case err != nil:
		return verdict{Later: true}
	}
	// It may have been taken back meanwhile, and have gone out again.
	if p = r.expect(n.Unit, worker); p != nil && r.drop(p) {
		p.By(worker)
		p.Done(unit, n.timings())
		if p.worker != worker {
			r.withdraw([]*parcel{p})
		}
	}
	return verdict{}
}

// expect is the parcel of a unit that a worker has: the one that is on its way, or one for a unit
// that nobody has; nil where nobody waits for it.
func (r *round) expect(key, worker string) *parcel {
	r.claiming.Lock() // or a result that comes while its unit is claimed is taken for one that nobody needs
	defer r.claiming.Unlock()
	if p := r.onItsWay(key); p != nil {
		return p
	}
	if a, wanted := r.job.Claim(key, worker); wanted {
		return r.keep(a, worker)
	}
	return nil
}

// errUnusable is an error of a result itself, its worker's fault; others are the connection's.
var errUnusable = errors.New("the result cannot be used")

// fetch reads a result after a look at its size, and checks every bit of it.
func (r *round) fetch(p *parcel, worker string, n notice) (*signal.Unit, error) {
	spec, transformations := p.Prepared().Task().Spec, p.Prepared().Transformations()
	if most := wire.ResultLimit(spec, p.Chunk(), transformations); n.Size < 1 || n.Size > most {
		return nil, fmt.Errorf("%w: it has %d bytes, and such a result %d at most", errUnusable, n.Size, most)
	}
	weight := min(n.Size, maxArriving)
	if err := r.room.Acquire(r.ctx, weight); err != nil {
		return nil, err
	}
	defer r.room.Release(weight)
	var data []byte
	err := r.pull(r.ctx, r.to(worker, "piece"), n.Unit, n.Size, func(piece []byte) error {
		if int64(len(piece)) == n.Size { // as usual
			data = piece
			return nil
		}
		data = append(slices.Grow(data, int(n.Size)-len(data)), piece...)
		return nil
	})
	if err != nil && !errors.Is(err, errOversized) {
		return nil, err
	}
	var unit *signal.Unit
	if err == nil {
		unit, err = wire.DecodeResult(data, spec, p.Chunk(), transformations)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnusable, err)
	}
	return unit, nil
}
