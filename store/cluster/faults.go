package cluster

import (
	"fmt"
	"time"

	"github.com/variscope/variscope/engine/signal"
)

// maxFaults is how many faults fail a unit.
const maxFaults = 3

// faults are what went wrong with one unit on other machines: a worker said that it could not compute it, brought a result that could not be used, or
// was lost with it. That a worker or the coordinator could not be reached for a while is no fault, however often the order was delivered
// meanwhile: who was lost and gives a sign of life again is lost no more.
type faults struct {
	told    map[string]int  // how often a worker could not compute it
	refused map[string]bool // workers whose result was refused
	refusal int             // results that were refused
	lost    map[string]bool // workers that had it when they gave their last sign of life
	reason  string          // the last one that a worker told, or for which a result was refused
}

func newFaults() *faults {
	return &faults{told: map[string]int{}, refused: map[string]bool{}, lost: map[string]bool{}}
}

// tell notes that a worker could not compute the unit.
func (f *faults) tell(worker, reason string) {
	f.told[worker]++
	f.reason = reason
}

// refuse notes a result that could not be used. Several of the same worker count as one: that worker has to leave before it can fail a unit.
func (f *faults) refuse(worker, reason string) {
	f.refused[worker] = true
	f.refusal++
	f.reason = reason
}

// count is the number of faults.
func (f *faults) count() int {
	n := len(f.refused) + len(f.lost)
	for _, times := range f.told {
		n += times
	}
	return n
}

// view is what a unit's faults are judged by.
type view struct {
	well    []string // workers that may compute the unit, give signs of life, and could compute the last one that they had
	holders int      // workers that give signs of life and say that they compute it
}

// hopeless tells whether a unit has failed. A single worker that fails whatever it gets, as one with a full disk, fails no unit as long as others do
// better; and as long as somebody computes the unit, workers that were lost do not count.
func (f *faults) hopeless(v view) bool {
	if f.refusal >= maxFaults*maxRefused {
		return true // by workers that give no signs of life
	}
	n := f.count()
	if v.holders > 0 {
		n -= len(f.lost)
	}
	if n < maxFaults {
		return false
	}
	guilty := map[string]bool{}
	for _, list := range []map[string]bool{f.refused, f.lost} {
		for worker := range list {
			guilty[worker] = true
		}
	}
	for worker := range f.told {
		guilty[worker] = true
	}
	if len(guilty) > 1 {
		return true
	}
	for _, worker := range v.well {
		if !guilty[worker] {
			return false
		}
	}
	return true
}

// err is why a unit has failed.
func (f *faults) err(p *parcel) error {
	reason := f.reason
	if reason == "" {
		reason = fmt.Sprintf("model %s: the workers that took the images from %d on were lost with them", p.Prepared().Task().ID, p.Chunk()*signal.ChunkSize)
	}
	return fmt.Errorf("%s (tried %d times on other machines)", reason, max(f.count(), f.refusal))
}

// judge fails the models of units that have no hope left, and notes which units were lost with their workers.
func (r *round) judge() {
	for p, err := range r.noteLost() {
		if !r.drop(p) {
			continue
		}
		p.Failed(err)
		r.tellWithdrawn(p)
		r.forget(p)
	}
}

// noteLost brings the faults of all units up to date, and gives those that have failed, with the reason. Workers that were lost before the run began had units
// of another one, even where these have the same names.
func (r *round) noteLost() (failed map[*parcel]error) {
	now, kind := time.Now(), r.kindOfRun()
	r.mu.Lock()
	defer r.mu.Unlock()
	failed = map[*parcel]error{}
	var well []string
	holders := map[string]int{}
	for id, m := range r.crew {
		lost := r.options.Pace.lost(m.seen, now)
		if !lost && m.failing == 0 && r.mayTake(m, kind) {
			well = append(well, id)
		}
		for _, u := range m.last.Units {
			switch p := r.parcels[u.Unit]; {
			case p == nil:
			case lost && m.seen.Before(r.begun):
			case lost:
				p.faults.lost[id] = true
			default:
				holders[u.Unit]++
			}
		}
	}
	for key, p := range r.parcels {
		if p.faults.hopeless(view{well, holders[key]}) {
			failed[p] = p.faults.err(p)
		}
	}
	return failed
}

// mayTake tells under the mutex whether a worker may compute units of a kind.
func (c *Coordinator) mayTake(m *member, kind string) bool {
	return kind == mixed || m.machine.alike(c.options.Self)
}
