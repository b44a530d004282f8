package rank

import (
	"sync/atomic"

	"github.com/variscope/variscope/engine/progress"
)

// counter knows how far the progress has come, so that what is left out can be made up for.
type counter struct {
	progress.Progress
	done atomic.Int64
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
