package cluster

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// watch fails units with too many faults, and gives units back to the job when no worker is there to take them, or nobody needs them any more.
func (r *round) watch() {
	tick := time.NewTicker(r.options.Pace.Beat)
	defer tick.Stop()
	var idle time.Time // since when the queue has had nothing for anybody
	for {
		select {
		case <-r.ctx.Done():
			return
		case <-r.hurt:
			r.judge()
			r.renew()
			continue
		case <-tick.C:
		}
		r.judge()
		idle = r.findForgotten(idle)
		// Workers that a coordinator before this one had need a moment to say that they are there.
		alone := r.options.Pace.lost(r.begun, time.Now()) && r.seats(r.kindOfRun()) == 0
		for _, p := range r.onTheirWay() {
			if alone || p.Context().Err() != nil { // nobody is there, or its model has failed
				r.withdraw(p)
			}
		}
	}
}

// findForgotten orders units anew that are on their way and that the queue neither waits to hand out nor has handed out, as it may be after a server
// that was killed. It looks twice, half an AckWait apart: a result may just be coming.
func (r *round) findForgotten(idle time.Time) time.Time {
	list := r.onTheirWay()
	if len(list) == 0 || r.queueHasWork() {
		return time.Time{}
	}
	if idle.IsZero() {
		return time.Now()
	}
	if time.Since(idle) < r.options.Pace.AckWait/2 {
		return idle
	}
	ctx, cancel := context.WithTimeout(r.ctx, requestTime)
	defer cancel()
	for _, p := range list {
		if p.arriving.Load() || r.find(p.Key()) != p {
			continue
		}
		r.options.Log.Warn("the queue has forgotten a unit; it is ordered anew", "unit", p.Key())
		r.removeOrder(ctx, p)
		if err := r.send(p); err != nil {
			r.setTrouble(err)
			r.takeBack(p)
		}
	}
	return time.Time{}
}

// queueHasWork tells whether the queue has orders that wait for a worker, or that a worker has. It says yes where it does not answer.
func (r *round) queueHasWork() bool {
	ctx, cancel := context.WithTimeout(r.ctx, requestTime)
	defer cancel()
	consumer, err := r.stream.Consumer(ctx, r.kindOfRun())
	if err != nil {
		return true
	}
	info := consumer.CachedInfo()
	return info.NumPending > 0 || info.NumAckPending > 0
}

// renew brings models and images that workers have missed.
func (r *round) renew() {
	for _, p := range r.onTheirWay() {
		r.mu.Lock()
		missing := p.missing
		if missing {
			p.missing = false
			p.renewed++
		}
		r.mu.Unlock()
		if !missing {
			continue
		}
		if err := r.blobs.renew(r.ctx, p); err != nil {
			r.setTrouble(err)
			r.takeBack(p)
		}
	}
}

// withdraw tells workers to stop computing units, and takes these back.
func (r *round) withdraw(list ...*parcel) {
	if len(list) == 0 {
		return
	}
	r.tellWithdrawn(list...)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), requestTime)
	defer cancel()
	for _, p := range list {
		r.removeOrder(ctx, p)
	}
	r.tellWithdrawn(list...) // who has taken one meanwhile hears it now, before its files are gone
	for _, p := range list {
		r.takeBack(p)
	}
}

// tellWithdrawn tells workers to stop computing units.
func (r *round) tellWithdrawn(list ...*parcel) {
	var gone withdrawn
	for _, p := range list {
		gone.Units = append(gone.Units, p.Key())
	}
	if err := r.publish(r.subject("withdrawn"), gone); err != nil {
		r.options.Log.Warn("withdraw units", "error", err)
	}
}

// takeBack removes a unit from the queue. A worker that has it all the same may still bring it, as long as nobody else has computed it.
func (r *round) takeBack(p *parcel) {
	if !r.drop(p.Key()) {
		return
	}
	r.forget(p)
	p.Return()
}

// forget removes a unit's order from the queue and what nobody needs any more from the objects.
func (r *round) forget(p *parcel) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), requestTime)
	defer cancel()
	r.removeOrder(ctx, p)
	r.blobs.release(ctx, p)
}

func (r *round) removeOrder(ctx context.Context, p *parcel) {
	if err := r.stream.Purge(ctx, jetstream.WithPurgeSubject(r.unit(p.kind, p.Key()))); err != nil {
		r.options.Log.Warn("remove an order from the queue", "error", err)
	}
}
