package cluster

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/variscope/variscope/engine/wire"
)

// Worker is a worker as its coordinator sees it.
type Worker struct {
	Machine
	Joined    time.Time
	Seen      time.Time // last sign of life
	Lost      bool      // no sign of life for a while; what it had goes to others
	PerSecond float64   // inferences
	Done      int       // units that it has brought since it joined
	Failed    int       // units that it could not compute, or whose results were refused
	Units     []UnitInWork
	Problem   string // why the last of the failed ones has failed
	// Mixed says that its processor is of another kind than the coordinator's.
	Mixed bool
}

// member is a worker in the coordinator's list.
type member struct {
	machine      Machine
	joined, seen time.Time
	last         beat
	refused      int // results that could not be used
	failing      int // units in a row that it could not compute
	asking       int // questions of it that are being answered
	problem      string
}

// forgetTime is how long a lost worker stays in the list.
const forgetTime = time.Hour

// maxCrew bounds the list.
const maxCrew = 10_000

// Workers are all workers that were seen, those at work first, then by name.
func (c *Coordinator) Workers() []Worker {
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	list := make([]Worker, 0, len(c.crew))
	for id, m := range c.crew {
		if now.Sub(m.seen) > forgetTime {
			delete(c.crew, id)
			continue
		}
		w := Worker{
			Machine: m.machine, Joined: m.joined, Seen: m.seen, Lost: c.options.Pace.lost(m.seen, now), PerSecond: m.last.PerSecond,
			Done: m.last.Done, Failed: m.last.Failed + m.refused, Problem: m.problem, Mixed: !m.machine.alike(c.options.Self),
		}
		if w.Lost {
			w.PerSecond = 0
		}
		w.Units = shown(m.last.Units)
		list = append(list, w)
	}
	slices.SortFunc(list, func(a, b Worker) int {
		if a.Lost != b.Lost {
			if a.Lost {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// Remove asks a worker to leave and takes nothing of it any more; what it had goes to others. One
// that is unknown is passed over.
func (c *Coordinator) Remove(id string) {
	c.dismiss(id, "the coordinator has removed this worker")
}

// dismiss asks a worker to leave with a reason.
func (c *Coordinator) dismiss(id, reason string) {
	c.mu.Lock()
	m, known := c.crew[id]
	if known {
		c.removed[id] = m.machine.Name
		delete(c.crew, id)
	}
	r := c.round
	c.mu.Unlock()
	if !plainName.MatchString(id) {
		return
	}
	if err := c.publish(c.to(id, "leave"), leave{reason}); err != nil {
		c.options.Log.Warn("ask a worker to leave", "worker", id, "error", err)
	}
	r.gone(id)
	c.options.Changed()
}

// gone gives back what a worker had that has left; without a round there is nothing.
func (r *round) gone(worker string) {
	if r != nil {
		r.takeBack(r.onTheirWay(func(p *parcel) bool { return p.worker == worker }))
	}
}

// hello answers a worker that wants to join.
func (c *Coordinator) hello(msg *nats.Msg) {
	var m Machine
	answer := welcome{Beat: c.options.Pace.Beat, AckWait: c.options.Pace.AckWait, Coordinator: c.options.Self}
	answer.Coordinator.ID = ""
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
func (c *Coordinator) hearBeat(id string, data []byte) {
	var b beat
	err := strictly(data, maxBeat, &b)
	if err == nil {
		err = b.check()
	}
	if err == nil && b.Machine.ID != id {
		err = fmt.Errorf("it is signed with %.40q", b.Machine.ID)
	}
	if err != nil {
		c.passOver(id, err)
		return
	}
	for i := range b.Units {
		b.Units[i].Model = wire.Plain(b.Units[i].Model, maxLabel)
	}
	c.mu.Lock()
	_, removed := c.removed[id]
	reason := b.Machine.refusal(c.options.Self, c.options.Mixed)
	m, r := c.crew[id], c.round
	now := time.Now()
	var unknown []string
	switch {
	case removed || reason != "" || m == nil && c.full():
	case b.Leaving:
		delete(c.crew, id)
	default:
		if r != nil && (m == nil || c.options.Pace.lost(m.seen, now)) {
			for _, f := range r.faults {
				delete(f.times, fault{id, lost}) // it was not lost
			}
		}
		if m == nil {
			m = &member{joined: now}
			c.crew[id] = m
		}
		if b.Done > m.last.Done {
			m.failing = 0
		}
		m.machine, m.seen, m.last = b.Machine, now, b
		unknown = r.count(id, b.Units, now)
	}
	c.mu.Unlock()
	switch {
	case b.Leaving:
		r.gone(id)
	case removed:
		c.dismiss(id, "the coordinator has removed this worker")
	case reason != "":
		c.dismiss(id, reason)
	case len(unknown) > 0:
		c.asked.Go(func() {
			ended, cancel := context.WithCancel(c.ctx)
			cancel() // it is not waited for
			if r := c.enter(ended); r != nil {
				r.adopt(id, unknown)
				r.at.Done()
			}
		})
	}
	c.options.Changed()
}

// passOver logs once per worker that its signs of life cannot be used: it will count as lost.
func (c *Coordinator) passOver(id string, err error) {
	c.mu.Lock()
	told := c.passed[id] || len(c.passed) >= maxCrew
	if !told {
		c.passed[id] = true
	}
	c.mu.Unlock()
	if !told {
		c.options.Log.Warn("a worker's sign of life cannot be used", "worker", id, "error", err)
	}
}

// full tells under the mutex whether the list has room for nobody more, after it has forgotten
// those who were lost.
func (c *Coordinator) full() bool {
	if len(c.crew) < maxCrew {
		return false
	}
	now := time.Now()
	for id, m := range c.crew {
		if c.options.Pace.lost(m.seen, now) {
			delete(c.crew, id)
		}
	}
	return len(c.crew) >= maxCrew
}

// count passes on under the mutex how far a worker's units are, and gives those that nobody knows
// of.
func (r *round) count(worker string, units []UnitInWork, now time.Time) (unknown []string) {
	if r == nil {
		return nil
	}
	for _, u := range units {
		p := r.parcels[u.Unit]
		if p == nil {
			if !r.sought[u.Unit] {
				unknown = append(unknown, u.Unit)
			}
			continue
		}
		if p.worker != worker {
			continue
		}
		p.named = now
		if more := min(u.Inferred, p.inferences) - p.counted; more > 0 {
			p.counted += more
			p.Inferred(int(more))
		}
	}
	return unknown
}

// hearTrouble notes why a unit could not be computed; the unit is handed out again until that was
// often enough.
func (c *Coordinator) hearTrouble(id string, data []byte) {
	var t trouble
	if strictly(data, maxTrouble, &t) != nil {
		return
	}
	t.Reason = wire.Plain(t.Reason, maxReason)
	c.mu.Lock()
	m, r := c.crew[id], c.round
	var p *parcel
	if r != nil {
		p = r.parcels[t.Unit]
	}
	if m == nil || p == nil || p.worker != id {
		c.mu.Unlock()
		return // nobody needs it any more, or the worker was removed
	}
	m.failing++
	m.problem = t.Reason
	name := m.machine.Name
	c.mu.Unlock()
	c.options.Log.Warn("a worker could not compute a unit", "worker", name, "reason", t.Reason)
	r.blame(p, func(f *faults) { f.note(id, told, t.Reason) })
}
