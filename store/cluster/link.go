package cluster

import (
	"context"
	"errors"
	"sync"
)

// errInterrupted says that a transfer has to begin anew.
var errInterrupted = errors.New("the connection was interrupted")

// link ends transfers when the connection is lost: what the library has sent by then is answered by nobody, and it would wait for that answer.
type link struct {
	mu        sync.Mutex
	transfers map[*transfer]bool
}

type transfer struct{ end context.CancelCauseFunc }

// during is a context for one transfer; done frees it.
func (l *link) during(ctx context.Context) (limited context.Context, done func()) {
	limited, end := context.WithCancelCause(ctx)
	t := &transfer{end}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.transfers == nil {
		l.transfers = map[*transfer]bool{}
	}
	l.transfers[t] = true
	return limited, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.transfers, t)
		end(nil)
	}
}

// down ends all transfers.
func (l *link) down() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for t := range l.transfers {
		t.end(errInterrupted)
	}
}
