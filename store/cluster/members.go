package cluster

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/variscope/variscope/engine/wire"
)

// Worker is a worker as its coordinator sees it.
type Worker struct {
	Machine
	// Doing is what it said last, without units that wait. Results that were refused count as
	// failed.
	Doing
	Seen    time.Time // last sign of life
	Lost    bool      // no sign of life for a while; what it had goes to others
	Problem string    // why the last of the failed units has failed
	Mixed   bool      // its processor is of another kind than the coordinator's
}

// member is a worker in the coordinator's list. Whether it is lost follows from when it was seen.
type member struct {
	Worker
	refused int // results that could not be used
	failing int // units in a row that it could not compute
	asking  int // questions of it that are being answered
}

const (
	forgetTime = time.Hour // that a lost worker stays in the list
	maxMembers = 10_000    // workers in the list
	maxAsking  = 4         // questions of a worker that are answered at the same time, per core
)

// Workers are all workers that were seen, those at work first, then by name.
func (c *Coordinator) Workers() []Worker {
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(now.Add(-forgetTime))
	list := make([]Worker, 0, len(c.members))
	for _, m := range c.members {
		w := m.Worker
		if w.Failed += m.refused; c.isLost(m, now) {
			w.Lost, w.PerSecond = true, 0
		}
		list = append(list, w)
	}
	last := map[bool]int{true: 1}
	slices.SortFunc(list, func(a, b Worker) int {
		return cmp.Or(last[a.Lost]-last[b.Lost], cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// isLost tells under the mutex whether a worker has missed so many signs of life that it is lost.
func (c *Coordinator) isLost(m *member, now time.Time) bool {
	return now.Sub(m.Seen) > lostBeats*c.options.Pace.Beat
}

// forget takes those out of the list, under the mutex, who were seen last before a time.
func (c *Coordinator) forget(before time.Time) {
	maps.DeleteFunc(c.members, func(_ string, m *member) bool { return m.Seen.Before(before) })
}

// full tells under the mutex whether the list has no room, even where those go who were lost.
func (c *Coordinator) full() bool {
	if len(c.members) >= maxMembers {
		c.forget(time.Now().Add(-lostBeats * c.options.Pace.Beat))
	}
	return len(c.members) >= maxMembers
}

// wasRemoved is what a worker is told that somebody has removed.
const wasRemoved = "the coordinator has removed this worker"

// Remove asks a worker to leave. Of one that is known nothing is taken any more.
func (c *Coordinator) Remove(id string) { c.dismiss(id, wasRemoved) }

// dismiss asks a worker to leave with a reason.
func (c *Coordinator) dismiss(id, reason string) {
	c.mu.Lock()
	m := c.members[id]
	if m != nil {
		c.removed[id] = true
		delete(c.members, id)
	}
	c.mu.Unlock()
	if m != nil {
		c.options.Log.Warn("a worker has to leave", "worker", m.Name, "reason", reason)
	}
	if err := c.nc.Publish(c.to(id, "leave"), say(reason)); err != nil {
		c.options.Log.Warn("ask a worker to leave", "worker", id, "error", err)
	}
	c.gone(id)
	c.options.Changed()
}

// gone gives back what a worker had that has left.
func (c *Coordinator) gone(worker string) {
	if r, _ := c.atWork(); r != nil {
		r.takeBack(func(p *parcel) bool { return p.worker == worker })
		r.at.Done()
	}
}

// hello answers a worker that wants to join.
func (c *Coordinator) hello(msg *nats.Msg) {
	var m Machine
	answer := welcome{Coordinator: c.options.Self, Pace: c.options.Pace}
	if err := strictly(msg.Data, maxNotice, &m); err != nil {
		answer.Refused = "the worker's greeting cannot be read; install the same version of Variscope on both machines"
	} else if err := m.check(); err != nil {
		answer.Refused = "the worker's greeting makes no sense: " + err.Error()
	} else {
		answer.Refused = m.refusal(answer.Coordinator, c.options.Mixed)
	}
	if !workerInbox.MatchString(msg.Reply) || answer.Refused == "" && !isInbox(msg.Reply, m.ID) {
		return
	}
	if answer.Refused != "" {
		c.options.Log.Warn("a worker was refused", "worker", m.Name, "reason", answer.Refused)
	}
	if err := msg.Respond(say(answer)); err != nil {
		c.options.Log.Warn("answer a worker", "error", err)
	}
}

// hearBeat notes a sign of life. A worker that is unknown, as after the coordinator was closed, is
// known from then on, with what it has.
func (c *Coordinator) receiveBeat(id string, data []byte) {
	var b beat
	err := strictly(data, maxBeat, &b)
	if err == nil {
		err = b.check(id)
	}
	reason := b.Machine.refusal(c.options.Self, c.options.Mixed)
	if err != nil {
		b, reason = beat{}, "its signs of life cannot be used: "+err.Error()
	}
	for i := range b.Units {
		b.Units[i].Model = wire.Plain(b.Units[i].Model, maxLabel)
	}
	var unknown []string
	c.mu.Lock()
	if c.removed[id] {
		reason = wasRemoved
	}
	switch m := c.members[id]; {
	case reason != "" || m == nil && c.full():
	case b.Leaving:
		delete(c.members, id)
	default:
		unknown = c.note(m, b)
	}
	c.mu.Unlock()
	switch {
	case b.Leaving:
		c.gone(id)
	case reason != "":
		c.dismiss(id, reason)
	case len(unknown) > 0:
		c.asked.Go(func() {
			if r, _ := c.atWork(); r != nil {
				r.adopt(id, unknown)
				r.at.Done()
			}
		})
	}
	c.options.Changed()
}

// note keeps a sign of life under the mutex, passes on how far units are, and gives those that
// nobody knows of; m is nil for a worker that joins.
func (c *Coordinator) note(m *member, b beat) (unknown []string) {
	id, now := b.Machine.ID, time.Now()
	if r := c.round; r != nil {
		if m == nil || c.isLost(m, now) {
			for _, f := range r.faults {
				delete(f.times, fault{id, lost}) // it was not lost
			}
		}
		for _, u := range b.Units {
			p := r.parcels[u.Unit]
			switch {
			case p == nil && !r.sought[u.Unit]:
				unknown = append(unknown, u.Unit)
			case p != nil && p.worker == id:
				p.named = now
				if more := min(u.Inferred, p.inferences) - p.counted; more > 0 {
					p.counted += more
					p.Inferred(int(more))
				}
			}
		}
	}
	if m == nil {
		m = &member{}
		c.members[id] = m
	}
	if b.Done > m.Done {
		m.failing = 0
	}
	m.Machine, m.Doing, m.Seen, m.Mixed = b.Machine, b.inWork(), now, !b.Machine.alike(c.options.Self)
	return unknown
}
