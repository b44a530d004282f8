package engine

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Pause stops those who compute between two inferences, as long as a run is paused. The zero value
// lets all pass.
type Pause struct {
	held atomic.Bool // read before every inference, so without the mutex
	mu   sync.Mutex
	open chan struct{} // closed by Release
}

// Hold begins the pause.
func (p *Pause) Hold() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held.Load() {
		return
	}
	p.open = make(chan struct{})
	p.held.Store(true)
}

// Release ends it.
func (p *Pause) Release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held.Swap(false) {
		close(p.open)
	}
}

// Pass returns at once while nothing is paused; else when the pause ends, or, with the cause, when
// ctx ends.
func (p *Pause) Pass(ctx context.Context) error {
	for p.held.Load() && ctx.Err() == nil {
		p.mu.Lock()
		open, held := p.open, p.held.Load()
		p.mu.Unlock()
		if !held {
			break
		}
		select {
		case <-open:
		case <-ctx.Done():
		}
	}
	return context.Cause(ctx)
}

// clock adds up the time in which a run works, without its pauses.
type clock struct {
	mu      sync.Mutex
	running bool
	since   time.Time
	total   time.Duration
}

func (c *clock) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.running {
		c.running, c.since = true, time.Now()
	}
}

func (c *clock) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running {
		c.running = false
		c.total += time.Since(c.since)
	}
}

func (c *clock) elapsed() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running {
		return c.total + time.Since(c.since)
	}
	return c.total
}
