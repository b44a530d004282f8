package jobs

import (
	"context"
	"errors"
)

// Memory stores the value that counts now, in the background. While one is being stored the next
// waits, so that the last one is what stays. It is used on the main goroutine.
type Memory[T comparable] struct {
	work   *Group
	name   string
	now    func() T
	store  func(T) error
	failed func(error)
	busy   bool
}

// NewMemory makes a memory of what now tells: store, off the main goroutine, keeps it; failed hears
// why it could not.
func NewMemory[T comparable](
	work *Group, name string, now func() T, store func(T) error, failed func(error),
) *Memory[T] {
	return &Memory[T]{work: work, name: name, now: now, store: store, failed: failed}
}

// Keep stores the value, which has changed.
func (m *Memory[T]) Keep() {
	if m.busy {
		return
	}
	value := m.now()
	m.busy = true
	m.work.Quiet(m.name, func(context.Context) error { return m.store(value) }, func(err error) {
		m.busy = false
		if errors.Is(err, ErrClosed) {
			return
		}
		if err != nil {
			m.failed(err)
		}
		if value != m.now() { // also after a failure: another value is no second try of the same
			m.Keep()
		}
	})
}
