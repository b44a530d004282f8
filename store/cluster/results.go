package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/wire"
)

// takers is how many results are read and kept at the same time.
const takers = 4

// takeResults takes what workers have brought, also to a coordinator before this one, and what they bring from now on.
func (r *round) takeResults() { r.consume(r.results(), takers, r.takeResult) }

// consume hears every message of a stream until the round ends, several at a time; from the beginning again where the stream could not be read.
func (r *round) consume(stream string, atOnce int, hear func(jetstream.Msg)) {
	for r.ctx.Err() == nil {
		err := r.consumeOnce(stream, atOnce, hear)
		if r.ctx.Err() != nil {
			return
		}
		r.options.Log.Warn("the queue is read anew", "stream", stream, "error", err)
		r.pause(r.options.Pace.Beat)
	}
}

func (r *round) consumeOnce(stream string, atOnce int, hear func(jetstream.Msg)) error {
	consumer, err := r.js.OrderedConsumer(r.ctx, stream, jetstream.OrderedConsumerConfig{})
	if err != nil {
		return fmtQueue(err)
	}
	messages, err := consumer.Messages()
	if err != nil {
		return fmtQueue(err)
	}
	stop := context.AfterFunc(r.ctx, messages.Stop)
	defer stop()
	defer messages.Stop()
	var group errgroup.Group
	group.SetLimit(atOnce)
	for {
		msg, err := messages.Next()
		if err != nil {
			_ = group.Wait() // its functions have no errors
			return err
		}
		group.Go(func() error {
			hear(msg)
			return nil
		})
	}
}

// takeResult takes one result. One that nobody waits for is another run's, whose turn may come, or was taken before.
func (r *round) takeResult(msg jetstream.Msg) {
	var n notice
	key, worker := lastTwo(msg.Subject())
	if err := heard(msg.Data(), msg.Headers(), maxNotice, &n); err != nil || n.Unit != key || n.Worker != worker {
		r.options.Log.Warn("a result's notice makes no sense", "unit", key, "error", err)
		r.deleteMessage(msg)
		return
	}
	p := r.expect(key)
	if p == nil {
		if r.job.Knows(key) {
			r.discard(msg, n) // for the second time
		}
		return
	}
	p.arriving.Store(true)
	unit, err := r.fetchAgain(p, n)
	p.arriving.Store(false)
	var worthless unusable
	switch {
	case r.ctx.Err() != nil:
	case err == nil:
		r.take(n, unit)
		r.discard(msg, n)
	case errors.As(err, &worthless):
		r.discard(msg, n)
		r.refuse(p, n, err)
	default:
		r.options.Log.Warn("a result cannot be fetched; its unit goes out again", "unit", key, "error", err)
		if errors.Is(err, jetstream.ErrObjectNotFound) || errors.Is(err, errIncomplete) {
			r.discard(msg, n) // the server has lost it
		}
		r.takeBack(p)
	}
}

// fetchAgain fetches a result, several times where the server does not give it.
func (r *round) fetchAgain(p *parcel, n notice) (unit *signal.Unit, err error) {
	for range 1 + fetchAttempts {
		var worthless unusable
		unit, err = r.fetch(p, n)
		if err == nil || errors.As(err, &worthless) || errors.Is(err, jetstream.ErrObjectNotFound) {
			return unit, err
		}
		for wait := true; wait && r.ctx.Err() == nil; wait = !r.nc.IsConnected() {
			r.pause(r.options.Pace.Beat)
		}
		if r.ctx.Err() != nil {
			break
		}
	}
	return nil, err
}

// unusable is an error of a result itself, which is its worker's fault; others are the server's or the connection's.
type unusable struct{ error }

func (u unusable) Unwrap() error { return u.error }

// ofContent tells that an object is not what a worker had to bring.
func ofContent(err error) bool {
	return errors.Is(err, errOversized) || errors.Is(err, errLink) || errors.Is(err, errOtherContent)
}

// take hands a result to the parcel of its unit that is on its way by now: the one for which it was fetched may have been taken back, and the unit have gone
// out again.
func (r *round) take(n notice, unit *signal.Unit) {
	p := r.expect(n.Unit)
	if p == nil || !r.drop(p) {
		return
	}
	p.By(n.Worker)
	p.Done(unit, n.spent())
	r.forget(p)
}

// fetch reads a result after a look at its size, and checks every bit of it. The error is unusable where the result is.
func (r *round) fetch(p *parcel, n notice) (*signal.Unit, error) {
	r.mu.Lock()
	name, removed := r.removed[n.Worker]
	r.mu.Unlock()
	if removed {
		return nil, unusable{fmt.Errorf("worker %s was removed", name)}
	}
	if n.Object != objectName(n.Unit, n.Worker) {
		return nil, unusable{fmt.Errorf("the result is called %.80q, which is not its name", n.Object)}
	}
	ctx, cancel := context.WithTimeout(r.ctx, transferTime)
	defer cancel()
	spec := p.Prepared().Task().Spec
	limit := wire.ResultLimit(spec, p.Chunk(), p.Prepared().Transformations())
	var data bytes.Buffer
	data.Grow(int(min(max(n.Size, 0), limit))) // growing piece by piece would take several times as much
	size, err := r.copyObject(ctx, &data, r.resultObjects(), n.Object, limit)
	if ofContent(err) {
		return nil, unusable{fmt.Errorf("the result cannot be fetched: %w", err)}
	}
	if err != nil {
		return nil, fmt.Errorf("the result cannot be fetched: %w", err)
	}
	if size != n.Size {
		return nil, unusable{fmt.Errorf("the result has %d bytes, where %d were told", size, n.Size)}
	}
	unit, err := wire.DecodeResult(data.Bytes(), spec, p.Chunk(), p.Prepared().Transformations())
	if err != nil {
		return nil, unusable{err}
	}
	return unit, nil
}

// fetchAttempts is how often a result is asked for again when the server did not answer: that is not its worker's fault.
const fetchAttempts = 5

// isPassing tells an error of the connection from one of what it carries.
func isPassing(err error) bool {
	for _, passing := range []error{errStalled, context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrConnectionReconnecting, nats.ErrDisconnected} {
		if errors.Is(err, passing) {
			return true
		}
	}
	return false
}

// objectName is what a worker's result of a unit is called.
func objectName(unit, worker string) string { return unit + "." + worker }

// maxRefused is how many results of a worker may be unusable before it has to leave.
const maxRefused = 3

// refuse hands a unit out again whose result cannot be used, unless it has failed.
func (r *round) refuse(p *parcel, n notice, reason error) {
	key := p.Key()
	r.mu.Lock()
	if r.parcels[key] != p {
		r.mu.Unlock()
		return // somebody else has brought it meanwhile
	}
	m := r.crew[n.Worker]
	name, dismiss := n.Worker, false
	if m != nil {
		m.refused++
		m.problem = "its result is refused: " + reason.Error()
		name, dismiss = m.machine.Name, m.refused >= maxRefused
	}
	task := p.Prepared().Task()
	err := fmt.Errorf("model %s, images from %d on: the result of worker %s is refused: %w", task.ID, p.Chunk()*signal.ChunkSize, name, reason)
	p.faults.refuse(n.Worker, err.Error())
	r.mu.Unlock()
	r.options.Log.Warn("a result is refused", "error", err)
	if dismiss {
		r.dismiss(n.Worker, "its results cannot be used: "+reason.Error())
	}
	r.judge()
	if r.find(key) != p {
		return // it has failed
	}
	// The worker may not have said yet that the order is carried out: a new one would be taken for the one that is there, and go with it.
	ctx, cancel := context.WithTimeout(r.ctx, requestTime)
	defer cancel()
	r.removeOrder(ctx, p)
	if err := r.send(p); err != nil {
		r.setTrouble(err)
		r.takeBack(p)
	}
}

// discard deletes a result, by the name that it must have and not by the one that its notice claims, and its notice.
func (r *round) discard(msg jetstream.Msg, n notice) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), requestTime)
	defer cancel()
	objects, err := r.js.ObjectStore(ctx, r.resultObjects())
	if err == nil {
		err = objects.Delete(ctx, objectName(n.Unit, n.Worker))
	}
	if err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
		r.options.Log.Warn("delete a result", "error", err)
	}
	r.deleteMessage(msg)
}

// deleteMessage takes a message out of its stream.
func (r *round) deleteMessage(msg jetstream.Msg) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), requestTime)
	defer cancel()
	about, err := msg.Metadata()
	var stream jetstream.Stream
	if err == nil {
		stream, err = r.js.Stream(ctx, about.Stream)
	}
	if err == nil {
		err = stream.DeleteMsg(ctx, about.Sequence.Stream)
	}
	if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) && !errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
		r.options.Log.Warn("delete a message", "error", err)
	}
}

// transferTime bounds the transfer of one object.
const transferTime = 30 * time.Minute

// fmtQueue words an error of the server.
func fmtQueue(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the queue does not answer as it should: %w", err)
}
