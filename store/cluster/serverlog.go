package cluster

import (
	"fmt"
	"log/slog"
	"sync"
)

// serverLog passes what the embedded server says on, and keeps why it could not start.
type serverLog struct {
	log *slog.Logger
	mu  sync.Mutex
	why string
}

// Noticef implements server.Logger.
func (l *serverLog) Noticef(format string, v ...any) {
	l.log.Debug("queue: " + fmt.Sprintf(format, v...))
}

// Warnf implements server.Logger. It has to say at every start that clients need TLS, and that passwords are not hashed: they are made for each start.
func (l *serverLog) Warnf(format string, v ...any) { l.log.Info("queue: " + fmt.Sprintf(format, v...)) }

// Errorf implements server.Logger. It is what the server has to say of a client with a wrong token, or one that does not speak TLS.
func (l *serverLog) Errorf(format string, v ...any) {
	l.log.Warn("queue: " + fmt.Sprintf(format, v...))
}

// Fatalf implements server.Logger; the server ends itself.
func (l *serverLog) Fatalf(format string, v ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.why = fmt.Sprintf(format, v...)
}

// Debugf implements server.Logger.
func (l *serverLog) Debugf(string, ...any) {}

// Tracef implements server.Logger.
func (l *serverLog) Tracef(string, ...any) {}

func (l *serverLog) fatal() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.why
}
