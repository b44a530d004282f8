package engine

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Gate stops those who compute between two inferences, as long as a run is paused. The zero value
// is open.
type Gate struct {
	shut atomic.Bool // read before every inference, so without the mutex
	mu   sync.Mutex
	open chan struct{} // closed by Release
}

// Hold shuts the gate.
func (g *Gate) Hold() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut.Load() {
		return
	}
	g.open = make(chan struct{})
	g.shut.Store(true)
}

// Release opens it.
func (g *Gate) Release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut.Swap(false) {
		close(g.open)
	}
}

// Pass returns at once while the gate is open; else when it opens, or, with the cause, when ctx
// ends.
func (g *Gate) Pass(ctx context.Context) error {
	for g.shut.Load() && ctx.Err() == nil {
		g.mu.Lock()
		open, shut := g.open, g.shut.Load()
		g.mu.Unlock()
		if !shut {
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
