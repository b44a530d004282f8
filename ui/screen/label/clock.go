package label

import (
	"cmp"
	"time"
)

// IdleLimit is the longest time between two signs of activity that counts in full as work where
// work never pauses by itself: whoever looks at a matrix longer without touching anything has most
// likely left.
const IdleLimit = 30 * time.Second

// clock measures the active time on one item: gaps between signs of activity, each counted up to
// limit, without the time that the screen was hidden. The zero value is stopped and never idle.
// Times come from the caller.
type clock struct {
	started time.Time
	last    time.Time
	active  time.Duration
	limit   time.Duration // after which work pauses; 0: never
	running bool
}

// start begins a new item at now.
func (c *clock) start(now time.Time) {
	*c = clock{started: now, last: now, running: true, limit: c.limit}
}

// touch notes a sign of activity.
func (c *clock) touch(now time.Time) {
	if !c.running {
		return
	}
	c.active += c.gap(now)
	c.last = now
}

// gap is the time since the last sign of activity, as far as it counts.
func (c *clock) gap(now time.Time) time.Duration {
	return min(max(now.Sub(c.last), 0), cmp.Or(c.limit, IdleLimit))
}

// idle tells whether there was no sign of activity for the limit.
func (c *clock) idle(now time.Time) bool {
	return c.limit > 0 && c.running && now.Sub(c.last) >= c.limit
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

// seconds is the active time up to now, and a sign of activity.
func (c *clock) seconds(now time.Time) float64 {
	c.touch(now)
	return c.active.Seconds()
}

// elapsed is the active time up to now, without being a sign of activity.
func (c *clock) elapsed(now time.Time) time.Duration {
	if !c.running {
		return c.active
	}
	return c.active + c.gap(now)
}
