package cluster

import (
	"fmt"
	"time"

	"github.com/variscope/variscope/engine/signal"
)

// maxFaults is how many faults fail a unit.
const maxFaults = 3

// faults are what went wrong with one unit on other machines: a worker said that it could not
// compute it, brought a result that could not be used, or was lost with it. That a worker or the
// coordinator could not be reached for a while is no fault, however often the unit was handed out
// meanwhile: who was lost and gives a sign of life again is lost no more.
type faults struct {
	told    map[string]int  // how often a worker could not compute it
	refused map[string]bool // workers whose result was refused
	lost    map[string]bool // workers that gave no more sign of life while they had it
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

// refuse notes a result that could not be used. Several of the same worker count as one: that
// worker has to leave before it can fail a unit.
func (f *faults) refuse(worker, reason string) {
	f.refused[worker] = true
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

// hopeless tells whether a unit has failed. A single worker that fails whatever it gets, as one
// with a full disk, fails no unit as long as others do better: well are the workers that may
// compute the unit, give signs of life, and could compute the last one that they had.
func (f *faults) hopeless(well []string) bool {
	if f.count() < maxFaults {
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
	for _, worker := range well {
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
	return fmt.Errorf("%s (tried %d times on other machines)", reason, f.count())
}

// blame notes a fault of a parcel's unit, which goes out again, or fails where it has no hope left.
func (r *round) blame(p *parcel, note func(*faults)) {
	r.mu.Lock()
	f := r.faultsOf(p.Key())
	note(f)
	now := time.Now()
	var well []string
	for id, m := range r.crew {
		if !r.options.Pace.lost(m.seen, now) && m.failing == 0 && r.mayTake(m) {
			well = append(well, id)
		}
	}
	hopeless, err := f.hopeless(well), f.err(p)
	r.mu.Unlock()
	switch {
	case !r.drop(p):
	case hopeless:
		p.Failed(err)
	default:
		p.Return()
	}
}

// faultsOf are the faults of a unit, under the mutex.
func (r *round) faultsOf(key string) *faults {
	f := r.faults[key]
	if f == nil {
		f = newFaults()
		r.faults[key] = f
	}
	return f
}
