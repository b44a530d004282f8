package cluster

import (
	"sync"
	"time"
)

// rate tells how many inferences per second there were lately.
type rate struct {
	mu      sync.Mutex
	total   int64
	samples []sample
}

type sample struct {
	at    time.Time
	total int64
}

// rateWindow is what lately means.
const rateWindow = 15 * time.Second

func (r *rate) add(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.total += int64(n)
}

// perSecond is the rate since the oldest call that is not longer ago than the window; 0 at the first one.
func (r *rate) perSecond(now time.Time) float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.samples) > 1 && now.Sub(r.samples[1].at) >= rateWindow {
		r.samples = r.samples[1:]
	}
	r.samples = append(r.samples, sample{now, r.total})
	first := r.samples[0]
	if seconds := now.Sub(first.at).Seconds(); seconds > 0 {
		return float64(r.total-first.total) / seconds
	}
	return 0
}
