package cluster

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
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

// UnitInWork is a unit that a worker computes.
type UnitInWork struct {
	Model    string // id
	Chunk    int
	Inferred int64 // inferences so far
}

// member is a worker in the coordinator's list.
type member struct {
	machine      Machine
	joined, seen time.Time
	last         beat
	refused      int // results that could not be used
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
		for _, u := range m.last.Units {
			w.Units = append(w.Units, UnitInWork{u.Model, u.Chunk, u.Inferred})
		}
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

// Remove asks a worker to leave and takes nothing of it any more; what it had goes to others. One that is unknown is passed over.
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
	c.mu.Unlock()
	if !plainName.MatchString(id) {
		return
	}
	if err := c.publish(c.subject("to", id), leave{reason}); err != nil {
		c.options.Log.Warn("ask a worker to leave", "worker", id, "error", err)
	}
	c.tell()
}

// hello answers a worker that wants to join.
func (c *Coordinator) hello(msg *nats.Msg) {
	var m Machine
	answer := welcome{Beat: c.options.Pace.Beat, AckWait: c.options.Pace.AckWait}
	c.mu.Lock()
	answer.Coordinator = c.options.Self
	allowMixed := c.options.Mixed
	c.mu.Unlock()
	answer.Coordinator.ID = ""
	if err := strictly(msg.Data, maxNotice, &m); err != nil {
		answer.Refused = "the worker's greeting cannot be read; install the same version of Variscope on both machines"
	} else if err := m.check(); err != nil {
		answer.Refused = "the worker's greeting makes no sense: " + err.Error()
	} else {
		answer.Refused = m.refusal(answer.Coordinator, allowMixed)
	}
	if answer.Refused != "" {
		c.options.Log.Warn("a worker was refused", "worker", m.Name, "reason", answer.Refused)
	}
	data, err := json.Marshal(answer)
	if err == nil {
		err = msg.Respond(data)
	}
	if err != nil {
		c.options.Log.Warn("answer a worker", "error", err)
	}
}

// hearBeat notes a sign of life. A worker that is unknown, as after the coordinator was closed, is known from then on.
func (c *Coordinator) hearBeat(msg *nats.Msg) {
	var b beat
	if strictly(msg.Data, maxBeat, &b) != nil || b.Machine.check() != nil || b.Machine.ID != last(msg.Subject) || len(b.Units) > 2*b.Machine.Cores {
		return
	}
	c.mu.Lock()
	_, removed := c.removed[b.Machine.ID]
	reason := b.Machine.refusal(c.options.Self, c.options.Mixed)
	m := c.crew[b.Machine.ID]
	switch {
	case removed || reason != "" || m == nil && len(c.crew) >= maxCrew:
	case b.Leaving:
		delete(c.crew, b.Machine.ID)
	default:
		if m == nil {
			m = &member{joined: time.Now()}
			c.crew[b.Machine.ID] = m
		}
		m.machine, m.seen, m.last = b.Machine, time.Now(), b
		c.count(b.Machine.ID, b.Units)
	}
	c.mu.Unlock()
	if removed && !b.Leaving {
		reason = "the coordinator has removed this worker"
	}
	if reason != "" && !b.Leaving {
		c.dismiss(b.Machine.ID, reason)
	}
	c.tell()
}

// count passes on how far a worker's units are.
func (c *Coordinator) count(worker string, units []inWork) {
	for _, u := range units {
		p := c.parcels[u.Unit]
		if p == nil {
			continue
		}
		if more := min(u.Inferred, p.inferences) - p.counted; more > 0 {
			p.counted += more
			p.By(worker)
			p.Inferred(int(more))
		}
	}
}

// hearTrouble notes why a unit could not be computed; the unit is handed out again until that was often enough.
func (c *Coordinator) hearTrouble(msg *nats.Msg) {
	var t trouble
	if strictly(msg.Data, 2*maxReason, &t) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	name := last(msg.Subject)
	if m := c.crew[name]; m != nil {
		name = m.machine.Name
	}
	if c.parcels[t.Unit] != nil {
		c.reasons[t.Unit] = t.Reason
		if m := c.crew[last(msg.Subject)]; m != nil {
			m.problem = t.Reason
		}
		c.options.Log.Warn("a worker could not compute a unit", "worker", name, "reason", t.Reason)
	}
}

// seats is the number of units that the workers who are there compute at a time, of one kind.
func (c *Coordinator) seats(kind string) int {
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, m := range c.crew {
		if !c.options.Pace.lost(m.seen, now) && (kind == mixed || m.machine.alike(c.options.Self)) {
			n += m.machine.Cores
		}
	}
	return n
}
