package jobs

import (
	"context"
	"sync/atomic"
	"time"
)

// Latest numbers the requests of one view, so that an answer to an older request is dropped.
// Requests are made on the main goroutine; any goroutine may ask whether one is still the newest.
type Latest struct {
	id  uint64
	end context.CancelFunc // ends what Load computes, nil for nothing
}

// Next starts a new request: answers to older ones are stale from now on, and what Load computes
// for them ends.
func (l *Latest) Next() uint64 {
	if l.end != nil {
		l.end()
		l.end = nil
	}
	return atomic.AddUint64(&l.id, 1)
}

// Is tells whether id is still the newest request.
func (l *Latest) Is(id uint64) bool { return atomic.LoadUint64(&l.id) == id }

// Load computes a value in the background and applies it on the main goroutine, unless a newer
// request was made meanwhile, which ends the context.
func Load[T any](g *Group, l *Latest, name string, load func(context.Context) (T, error), apply func(T, error)) {
	later(g, l, name, 0, load, apply)
}

// typing is how long nothing must be typed before what was typed is looked at.
const typing = 150 * time.Millisecond

// LoadTyped is Load of what somebody is typing: it computes nothing while more is typed.
func LoadTyped[T any](g *Group, l *Latest, name string, load func(context.Context) (T, error), apply func(T, error)) {
	later(g, l, name, typing, load, apply)
}

func later[T any](
	g *Group, l *Latest, name string, wait time.Duration, load func(context.Context) (T, error), apply func(T, error),
) {
	id := l.Next()
	overtaken, end := context.WithCancel(context.Background())
	l.end = end
	var value T
	g.Quiet(name, func(ctx context.Context) (err error) {
		ctx, end := context.WithCancel(ctx)
		defer end()
		defer context.AfterFunc(overtaken, end)()
		if wait > 0 {
			timer := time.NewTimer(wait)
			defer timer.Stop()
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-timer.C:
			}
		}
		value, err = load(ctx)
		return err
	}, func(err error) {
		if l.Is(id) {
			apply(value, err)
		}
	})
}
