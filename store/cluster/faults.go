package cluster

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/variscope/variscope/engine/signal"
)

const (
	maxFaults  = 3 // that fail a unit
	maxRefused = 3 // results of a worker that may be unusable before it has to leave
)

// fault is what went wrong with a unit on another machine.
type fault struct {
	worker string
	kind   faultKind
}

type faultKind int

const (
	told    faultKind = iota // the worker said that it could not compute the unit
	refused                  // the worker's result could not be used
	lost                     // the worker gave no more sign of life while it had the unit
)

// faults are what went wrong with one unit. That a worker or the coordinator could not be reached
// for a while is no fault, however often the unit was handed out meanwhile: who was lost and gives
// a sign of life again is lost no more.
type faults struct {
	times  map[fault]int
	reason string // the last one that a worker told, or for which a result was refused
}

// note counts a fault. Several results of the same worker that were refused count as one, as being
// lost does: that worker has to leave before it can fail a unit.
func (f *faults) note(worker string, kind faultKind, reason string) {
	what := fault{worker, kind}
	if kind == told || f.times[what] == 0 {
		f.times[what]++
	}
	f.reason = cmp.Or(reason, f.reason)
}

// count is the number of faults.
func (f *faults) count() (n int) {
	for _, times := range f.times {
		n += times
	}
	return n
}

// hopeless tells whether a unit has failed. A single worker that fails whatever it gets, as one
// with a full disk, fails no unit as long as others do better: well are the workers that may
// compute the unit, give signs of life, and could compute the last one that they had.
func (f *faults) hopeless(well []string) bool {
	guilty := map[string]bool{}
	for what := range f.times {
		guilty[what.worker] = true
	}
	better := slices.ContainsFunc(well, func(worker string) bool { return !guilty[worker] })
	return f.count() >= maxFaults && (len(guilty) > 1 || !better)
}

// fault notes that a worker has no usable result of a parcel; after several refused ones it has to
// leave.
func (r *round) fault(p *parcel, worker string, kind faultKind, reason string) {
	message, leaves := "a worker could not compute a unit", false
	r.mu.Lock()
	m := r.members[worker]
	if m == nil {
		m = &member{Worker: Worker{Machine: Machine{Name: worker}}} // it has left meanwhile
	}
	m.Problem = reason
	if kind == told {
		m.failing++
	} else {
		m.refused++
		message, leaves = "a result is refused", m.refused >= maxRefused
		m.Problem = "its result is refused: " + reason
		reason = fmt.Sprintf("model %s, images from %d on: the result of worker %s is refused: %s",
			p.Prepared().Task().ID, p.Chunk()*signal.ChunkSize, m.Name, reason)
	}
	name, problem := m.Name, m.Problem
	r.mu.Unlock()
	r.options.Log.Warn(message, "worker", name, "reason", reason)
	if leaves {
		r.dismiss(worker, problem)
	}
	if p.worker == worker {
		r.blame(p, func(f *faults) { f.note(worker, kind, reason) })
	}
}

// blame notes a fault of a parcel's unit, which goes out again, or fails where it is hopeless.
func (r *round) blame(p *parcel, note func(*faults)) {
	r.mu.Lock()
	f := r.faults[p.Key()]
	if f == nil {
		f = &faults{times: map[fault]int{}}
		r.faults[p.Key()] = f
	}
	note(f)
	now := time.Now()
	var well []string
	for id, m := range r.members {
		if !r.isLost(m, now) && m.failing == 0 && r.mayTake(m) {
			well = append(well, id)
		}
	}
	var err error
	if f.hopeless(well) {
		reason := cmp.Or(f.reason,
			fmt.Sprintf("model %s: the workers that took the images from %d on were lost with them",
				p.Prepared().Task().ID, p.Chunk()*signal.ChunkSize))
		err = fmt.Errorf("%s (tried %d times on other machines)", reason, f.count())
	}
	r.mu.Unlock()
	r.giveBack(p, err)
}
