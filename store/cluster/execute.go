package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/wire"
)

// parcel is a unit on its way: in the queue, or with a worker.
type parcel struct {
	*engine.Assignment
	kind       string
	model      string // hash
	inferences int64
	arriving   atomic.Bool // its result is being read

	// The coordinator's mutex guards these.
	counted int64 // inferences that workers have told
	faults  *faults
	missing bool // a worker has not found its model or images on the server
	renewed int  // how often these were brought anew

	// The blobs' mutex guards these.
	brought bool         // counted as in need of its model on the server
	files   [2]wire.Blob // its model and images, once they are there

	quiet time.Time // since when no worker has named it, though there was one to take it; for watch alone
}

// round is the coordinator's part in one run.
type round struct {
	*Coordinator
	job    *engine.Job
	ctx    context.Context
	begun  time.Time
	blobs  *blobs
	stream jetstream.Stream // units
	room   chan struct{}    // wakes who waits for workers or for parcels to come back
}

// Execute hands units of a run to the workers, twice as many as they compute at a time, and takes what they bring (engine.Executor). Units that
// nobody takes go back to the job when no worker is there any more. When the run is cancelled, the queue is emptied; when the engine is closed, it stays:
// the next run that needs these units finds them there, or their results.
func (c *Coordinator) Execute(ctx context.Context, j *engine.Job) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	r := c.newRound(ctx, j)
	defer r.setTrouble(nil) // nothing is to be handed out any more
	r.mu.Lock()
	clear(r.past)
	r.mu.Unlock()
	if !r.opened() {
		return
	}
	var wg sync.WaitGroup
	wg.Go(r.takeResults)
	wg.Go(r.watch)
	r.handOut()
	end()
	wg.Wait()
	r.close()
}

func (c *Coordinator) newRound(ctx context.Context, j *engine.Job) *round {
	return &round{Coordinator: c, job: j, ctx: ctx, begun: time.Now(), room: make(chan struct{}, 1)}
}

// opened tries until the queue can be used; false when the run has ended before.
func (r *round) opened() bool {
	for {
		err := r.open()
		if err == nil {
			r.setTrouble(nil)
			return true
		}
		for _, p := range r.onTheirWay() {
			r.drop(p)
			p.Return()
		}
		r.setTrouble(err)
		r.pause(r.options.Pace.Beat)
		if r.ctx.Err() != nil || r.job.Over() {
			return false
		}
	}
}

// open finds what an earlier process has left in the queue.
func (r *round) open() error {
	ctx, cancel := context.WithTimeout(r.ctx, transferTime)
	defer cancel()
	ctx, done := r.link.during(ctx)
	defer done()
	err := r.look(ctx)
	if err != nil && errors.Is(context.Cause(ctx), errInterrupted) {
		return errInterrupted
	}
	return err
}

func (r *round) look(ctx context.Context) error {
	var err error
	if r.blobs, err = openBlobs(ctx, r.bus, r.link); err != nil {
		return err
	}
	if r.stream, err = r.js.Stream(ctx, r.units()); err != nil {
		return fmtQueue(err)
	}
	info, err := r.stream.Info(ctx, jetstream.WithSubjectFilter(r.subject("units", ">")))
	if err != nil {
		return fmtQueue(err)
	}
	for subject := range info.State.Subjects {
		a, wanted := r.job.Claim(last(subject))
		if !wanted {
			if err := r.stream.Purge(ctx, jetstream.WithPurgeSubject(subject)); err != nil {
				return fmtQueue(err)
			}
			continue
		}
		p := newParcel(a)
		r.keep(p)
		err := r.blobs.bring(r.ctx, p)
		if errors.Is(err, errCannotTravel) && r.drop(p) {
			p.Failed(err)
			r.forget(p)
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func newParcel(a *engine.Assignment) *parcel {
	task := a.Prepared().Task()
	_, images := task.Spec.ChunkImages(a.Chunk())
	p := &parcel{Assignment: a, kind: pure, faults: newFaults(), model: task.Spec.Model, inferences: int64(images) * int64(a.Prepared().Transformations())}
	if task.Spec.IsMixed() {
		p.kind = mixed
	}
	return p
}

// keep remembers a parcel that is on its way.
func (r *round) keep(p *parcel) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if before := r.past[p.Key()]; before != nil {
		p.faults = before
	}
	r.parcels[p.Key()] = p
}

// find is a parcel on its way, nil where there is none of that key.
func (r *round) find(key string) *parcel {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.parcels[key]
}

// expect is the parcel of a unit that may be brought: the one that is on its way, or one for a unit that nobody has; nil where nobody waits for it.
func (r *round) expect(key string) *parcel {
	if p := r.find(key); p != nil {
		return p
	}
	a, wanted := r.job.Claim(key)
	if !wanted {
		return nil
	}
	p := newParcel(a)
	r.keep(p)
	return p
}

// drop forgets a parcel; false where that happened before, even if its unit has gone out again in another one.
func (r *round) drop(p *parcel) bool {
	key := p.Key()
	r.mu.Lock()
	there := r.parcels[key] == p
	if there {
		delete(r.parcels, key)
	}
	r.mu.Unlock()
	r.wake()
	return there
}

func (r *round) wake() {
	select {
	case r.room <- struct{}{}:
	default:
	}
}

// handOut sends units as long as there are workers for them and the job has any.
func (r *round) handOut() {
	for r.waitForRoom() {
		a, ok := r.job.Next(r.ctx)
		if !ok {
			return
		}
		p := newParcel(a)
		r.keep(p)
		if err := r.send(p); err != nil {
			r.drop(p)
			if errors.Is(err, errCannotTravel) {
				a.Failed(err)
				continue
			}
			a.Return()
			if r.ctx.Err() == nil {
				r.setTrouble(err)
				r.pause(time.Second)
			}
			continue
		}
		r.setTrouble(nil)
	}
}

// errCannotTravel says that a unit can be computed on this computer alone, if at all: another attempt would end the same way.
var errCannotTravel = errors.New("it cannot be sent to other machines")

// spare is how many units more than they compute wait for the workers, per unit that they compute.
const spare = 2

// waitForRoom waits until the workers need more units; false when the run has ended.
func (r *round) waitForRoom() bool {
	tick := time.NewTicker(r.options.Pace.Beat)
	defer tick.Stop()
	for r.ctx.Err() == nil {
		r.mu.Lock()
		out := len(r.parcels)
		r.mu.Unlock()
		if out < spare*r.seats(r.kindOfRun()) {
			return true
		}
		if r.job.Over() {
			return false
		}
		select {
		case <-r.room:
		case <-tick.C:
		case <-r.ctx.Done():
		}
	}
	return false
}

// kindOfRun is the kind of all units of a run.
func (r *round) kindOfRun() string {
	if r.job.Spec().IsMixed() {
		return mixed
	}
	return pure
}

func (r *round) pause(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.ctx.Done():
	}
}

// send brings a unit's model and images to the server and orders the unit.
func (r *round) send(p *parcel) error {
	if err := r.blobs.bring(r.ctx, p); err != nil {
		return err
	}
	order, err := r.blobs.order(p).Encode()
	if err != nil {
		return fmt.Errorf("%w: %w", errCannotTravel, err)
	}
	ctx, cancel := context.WithTimeout(r.ctx, requestTime)
	defer cancel()
	_, err = r.js.Publish(ctx, r.unit(p.kind, p.Key()), order)
	if err != nil && !alreadyQueued(err) {
		return fmtQueue(err)
	}
	if now := r.find(p.Key()); now != p { // it was taken back meanwhile, and its order removed before it was there
		if now == nil {
			r.removeOrder(ctx, p)
		}
		r.blobs.release(ctx, p)
	}
	return nil
}

// alreadyQueued tells that a unit's order lies in the queue.
func alreadyQueued(err error) bool {
	var refused *jetstream.APIError
	return errors.As(err, &refused) && refused.ErrorCode == codeDiscardedPerSubject
}

// codeDiscardedPerSubject is the server's "maximum messages per subject exceeded".
const codeDiscardedPerSubject = 10077

func (r *round) onTheirWay() (list []*parcel) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.parcels {
		list = append(list, p)
	}
	return list
}

// close ends the round: after a cancel nobody needs what is on its way; when the engine is closed, it stays where it is.
func (r *round) close() {
	left := r.onTheirWay()
	if r.job.Closed() {
		for _, p := range left {
			r.drop(p)
			p.Return()
		}
		return
	}
	r.withdraw(left...)
	if !r.nc.IsConnected() {
		return // what lies there is removed with the next run
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), requestTime)
	defer cancel()
	if err := r.blobs.empty(ctx); err != nil {
		r.options.Log.Warn("empty the queue", "error", err)
	}
}
