package cluster

import (
	"context"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// watch fails units with too many faults, and gives units back to the job when no worker is there to take them, or nobody needs them any more.
func (r *round) watch() {
	tick := time.NewTicker(r.options.Pace.Beat)
	defer tick.Stop()
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
		r.findForgotten()
		r.withdraw(r.unneeded()...)
	}
}

// unneeded are the parcels whose model has failed, and, where nobody is there, all whose results are not being read.
func (r *round) unneeded() (list []*parcel) {
	// Workers that a coordinator before this one had need a moment to say that they are there.
	alone := r.options.Pace.lost(r.begun, time.Now()) && r.seats(r.kindOfRun()) == 0
	for _, p := range r.onTheirWay() {
		if alone && !p.arriving.Load() || p.Context().Err() != nil {
			list = append(list, p)
		}
	}
	return list
}

// findForgotten orders units anew that are on their way and that no worker names, as it may be after a server that was killed: half an AckWait after the
// queue has nothing to hand out and waits for nothing, or, whatever the queue says of itself, two after a worker had nothing to do.
// A result that is just coming has time until then; a unit that is computed twice harms nobody.
func (r *round) findForgotten() {
	list := r.onTheirWay()
	if len(list) == 0 {
		return
	}
	named, idle := r.hands()
	empty := !r.queueHasWork()
	limit := 2 * r.options.Pace.AckWait
	if empty {
		limit = r.options.Pace.AckWait / 2
	}
	for _, p := range list {
		switch {
		case named[p.Key()] || p.arriving.Load() || !empty && !idle:
			p.quiet = time.Time{}
		case p.quiet.IsZero():
			p.quiet = time.Now()
		case time.Since(p.quiet) > limit:
			p.quiet = time.Time{}
			r.orderAnew(p)
		}
	}
}

// hands are the units that workers say they compute, and whether one of the workers has nothing to do.
func (r *round) hands() (named map[string]bool, idle bool) {
	now, kind := time.Now(), r.kindOfRun()
	named = map[string]bool{}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.crew {
		if r.options.Pace.lost(m.seen, now) {
			continue
		}
		for _, u := range m.last.Units {
			named[u.Unit] = true
		}
		idle = idle || len(m.last.Units) < m.machine.Cores && m.failing == 0 && r.mayTake(m, kind)
	}
	return named, idle
}

func (r *round) orderAnew(p *parcel) {
	if r.find(p.Key()) != p {
		return
	}
	r.options.Log.Warn("no worker has a unit or is given it; it is ordered anew", "unit", p.Key())
	ctx, cancel := context.WithTimeout(r.ctx, requestTime)
	defer cancel()
	r.removeOrder(ctx, p)
	if err := r.send(p); err != nil {
		r.setTrouble(err)
		r.takeBack(p)
	}
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

// withdraw takes units back, and then tells workers to stop computing them. The units come first: a server that cannot be reached keeps nobody from them.
func (r *round) withdraw(list ...*parcel) {
	list = slices.DeleteFunc(list, func(p *parcel) bool { return !r.dropWithFaults(p) })
	if len(list) == 0 {
		return
	}
	for _, p := range list {
		p.Return()
	}
	r.tellWithdrawn(list...)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), requestTime)
	defer cancel()
	for _, p := range list {
		if r.find(p.Key()) == nil { // it may have gone out again, for which its order will do
			r.removeOrder(ctx, p)
		}
	}
	r.tellWithdrawn(list...) // who has taken one meanwhile hears it now, before its files are gone
	for _, p := range list {
		r.blobs.release(ctx, p)
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
	if !r.dropWithFaults(p) {
		return
	}
	r.forget(p) // first: were it to go out again meanwhile, its new order would be removed
	p.Return()
}

// dropWithFaults is drop of a parcel whose unit may go out again: its faults count then.
func (r *round) dropWithFaults(p *parcel) bool {
	if !r.drop(p) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if p.faults.count() > 0 {
		r.past[p.Key()] = p.faults
	}
	return true
}

// forget removes a unit's order from the queue and what nobody needs any more from the objects.
func (r *round) forget(p *parcel) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), requestTime)
	defer cancel()
	r.removeOrder(ctx, p)
	r.blobs.release(ctx, p)
}

// removeOrder removes a unit's order. One that stays since the server cannot be reached is removed or used by a later round.
func (r *round) removeOrder(ctx context.Context, p *parcel) {
	if !r.nc.IsConnected() {
		return
	}
	if err := r.stream.Purge(ctx, jetstream.WithPurgeSubject(r.unit(p.kind, p.Key()))); err != nil {
		r.options.Log.Warn("remove an order from the queue", "error", err)
	}
}
