package label

import "time"

// idleLimit is the longest pause between two signs of activity that counts in full as work; whoever looks at a matrix
// longer than that without touching anything has most likely turned away.
const idleLimit = 30 * time.Second

// clock measures the active time on one item: gaps between signs of activity, each counted up to idleLimit, without the
// time that the screen was hidden. The zero value is stopped. Times come from the caller.
type clock struct {
	started time.Time
	last    time.Time
	active  time.Duration
	running bool
}

// start begins a new item at now.
func (c *clock) start(now time.Time) {
	*c = clock{started: now, last: now, running: true}
}

// touch notes a sign of activity.
func (c *clock) touch(now time.Time) {
	if !c.running {
		return
	}
	c.active += min(max(now.Sub(c.last), 0), idleLimit)
	c.last = now
}

// stop ends counting while the screen is hidden; resume goes on. Both may be called twice.
func (c *clock) stop(now time.Time) {
	c.touch(now)
	c.running = false
}

func (c *clock) resume(now time.Time) {
	if c.running || c.started.IsZero() {
		return
	}
	c.last, c.running = now, true
}

// seconds is the active time up to now.
func (c *clock) seconds(now time.Time) float64 {
	c.touch(now)
	return c.active.Seconds()
}
