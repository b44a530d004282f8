package engine

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// Share is the part of a run's speed that somebody has.
type Share struct {
	Who       string  // as Assignment.By was told; "" for this process
	PerSecond float64 // inferences
}

// throughputSlots is how many seconds a run's speed is measured over: long enough for a worker that
// tells every two seconds how far it is, and short enough to follow one that joins or leaves.
const throughputSlots = 30

// Throughput counts the inferences of the last seconds by who made them. Times are those of the
// run's own clock, so that a pause changes nothing.
type Throughput struct {
	mu    sync.Mutex
	slots [throughputSlots]slot
}

// slot is one second.
type slot struct {
	second int64
	counts map[string]int64
}

// Add counts n inferences of somebody at a moment of the run's clock.
func (t *Throughput) Add(at time.Duration, who string, n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	second := int64(at / time.Second)
	s := &t.slots[second%throughputSlots]
	if s.counts == nil || s.second != second {
		*s = slot{second, map[string]int64{}}
	}
	s.counts[who] += n
}

// Shares are the speeds of all who have computed anything lately, by name.
func (t *Throughput) Shares(at time.Duration) []Share {
	t.mu.Lock()
	defer t.mu.Unlock()
	first := max(0, int64(at/time.Second)-throughputSlots+1)
	seconds := (at - time.Duration(first)*time.Second).Seconds()
	if seconds <= 0 {
		return nil
	}
	sums := map[string]int64{}
	for _, s := range t.slots {
		if s.counts == nil || s.second < first {
			continue
		}
		for who, n := range s.counts {
			sums[who] += n
		}
	}
	var list []Share
	for _, who := range slices.Sorted(maps.Keys(sums)) {
		list = append(list, Share{who, float64(sums[who]) / seconds})
	}
	return list
}
