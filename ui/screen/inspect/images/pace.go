package images

import (
	"context"

	"github.com/variscope/variscope/ui/background"
)

// pace keeps the questions of one pane in step with their answers: while one is being answered, only the newest of the
// others waits. So a slider that moves all the time gets an answer as often as they can be had, and never a queue.
type pace struct {
	work   *background.Group
	busy   bool
	next   func() // the newest question that waits, nil for none
	closed bool
}

// ask answers a question off the main goroutine and applies the answer, unless the pane was closed meanwhile.
func ask[T any](p *pace, name string, answer func() T, apply func(T, error)) {
	if p.busy {
		p.next = func() { ask(p, name, answer, apply) }
		return
	}
	p.busy = true
	var value T
	p.work.Quiet(name, func(context.Context) error {
		value = answer()
		return nil
	}, func(err error) {
		p.busy = false
		if p.closed {
			return
		}
		apply(value, err)
		if next := p.next; next != nil {
			p.next = nil
			next()
		}
	})
}
