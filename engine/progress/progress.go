// Package progress reports how much of a long operation is done.
package progress

// Progress is told how much of long work is done. Implementations are safe for many goroutines.
type Progress interface {
	SetTotal(n int64)
	Add(n int64)
}

// None ignores everything.
type None struct{}

// SetTotal does nothing.
func (None) SetTotal(int64) {}

// Add does nothing.
func (None) Add(int64) {}

// Part is the progress of one of several parts of work, which together have a known total.
type Part struct{ Progress }

// SetTotal leaves the total of all parts as it is.
func (Part) SetTotal(int64) {}

// Or is p, or None where nobody listens.
func Or(p Progress) Progress {
	if p == nil {
		return None{}
	}
	return p
}
