package testdata

import "sync/atomic"

// Count is an engine.Progress that counts.
type Count struct{ Total, Done atomic.Int64 }

// SetTotal implements engine.Progress.
func (c *Count) SetTotal(n int64) { c.Total.Store(n) }

// Add implements engine.Progress.
func (c *Count) Add(n int64) { c.Done.Add(n) }
