package cluster

import (
	"cmp"
	"encoding/json"
	"fmt"
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
	failing      int // units in a row that it could not compute
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

// hello answers a worker that wants to join. The answer goes to a worker's inbox and nowhere else: the coordinator may speak where its workers may not.
func (c *Coordinator) hello(msg *nats.Msg) {
	if !workerInbox.MatchString(msg.Reply) {
		return
	}
	var m Machine
	answer := welcome{Beat: c.options.Pace.Beat, AckWait: c.options.Pace.AckWait}
	answer.Coordinator = c.options.Self
	answer.Coordinator.ID = ""
	if err := heard(msg.Data, msg.Header, maxNotice, &m); err != nil {
		answer.Refused = "the worker's greeting cannot be read; install the same version of Variscope on both machines"
	} else if err := m.check(); err != nil {
		answer.Refused = "the worker's greeting makes no sense: " + err.Error()
	} else {
		answer.Refused = m.refusal(answer.Coordinator, c.options.Mixed)
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
	id := last(msg.Subject)
	err := heard(msg.Data, msg.Header, maxBeat, &b)
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
		b.Units[i].Model = plain(b.Units[i].Model, maxLabel)
	}
	c.mu.Lock()
	_, removed := c.removed[b.Machine.ID]
	reason := b.Machine.refusal(c.options.Self, c.options.Mixed)
	m := c.crew[b.Machine.ID]
	switch {
	case removed || reason != "" || m == nil && c.full():
	case b.Leaving:
		c.found(b.Machine.ID)
		delete(c.crew, b.Machine.ID)
	default:
		if m == nil || c.options.Pace.lost(m.seen, time.Now()) {
			c.found(b.Machine.ID)
		}
		if m == nil {
			m = &member{joined: time.Now()}
			c.crew[b.Machine.ID] = m
		}
		if b.Done > m.last.Done {
			m.failing = 0
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

// full tells under the mutex whether the list has room for nobody more, after it has forgotten those who were lost.
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

// found takes back under the mutex that units were lost with a worker.
func (c *Coordinator) found(id string) {
	for _, p := range c.parcels {
		delete(p.faults.lost, id)
	}
	for _, f := range c.past {
		delete(f.lost, id)
	}
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
	id := last(msg.Subject)
	if heard(msg.Data, msg.Header, maxTrouble, &t) != nil {
		return
	}
	t.Reason = plain(t.Reason, maxReason)
	c.mu.Lock()
	p, m := c.parcels[t.Unit], c.crew[id]
	if p == nil || m == nil {
		c.mu.Unlock()
		return // nobody needs it any more, or the worker was removed
	}
	if t.Missing && p.renewed < maxFaults {
		p.missing = true
	} else {
		p.faults.tell(id, t.Reason)
		m.failing++
		m.problem = t.Reason
	}
	m.last.Units = slices.DeleteFunc(m.last.Units, func(u inWork) bool { return u.Unit == t.Unit }) // should it be lost now, it is not lost with the unit
	name, missing := m.machine.Name, p.missing
	c.mu.Unlock()
	if missing {
		c.options.Log.Warn("a worker misses a unit's files; they are brought anew", "worker", name, "reason", t.Reason)
	} else {
		c.options.Log.Warn("a worker could not compute a unit", "worker", name, "reason", t.Reason)
	}
	select {
	case c.hurt <- struct{}{}:
	default:
	}
}

// seats is the number of units that the workers who are there compute at a time, of one kind; a bound keeps what is ordered within reason.
func (c *Coordinator) seats(kind string) int {
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, m := range c.crew {
		if !c.options.Pace.lost(m.seen, now) && c.mayTake(m, kind) {
			n += m.machine.Cores
		}
	}
	return min(n, maxAllCores)
}
