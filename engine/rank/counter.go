package rank

import (
	"sync/atomic"

	"github.com/variscope/variscope/engine"
)

// counter knows how far the progress has come, so that what is left out can be made up for.
type counter struct {
	engine.Progress
	done atomic.Int64
}

// or is progress, or one that shows nothing.
func or(p engine.Progress) engine.Progress {
	if p == nil {
		return engine.NoProgress{}
	}
	return p
}

// Add counts.
func (c *counter) Add(n int64) {
	c.done.Add(n)
	c.Progress.Add(n)
}

// reach adds what is missing to n.
func (c *counter) reach(n int64) {
	if missing := n - c.done.Load(); missing > 0 {
		c.Add(missing)
	}
}
