package cluster

import (
	"fmt"
	"log/slog"
	"strings"
	"sync"
)

// serverLog is a server.Logger. What the embedded server says in its own words is for those who
// look for a fault in it; why it could not start is kept.
type serverLog struct {
	log *slog.Logger
	mu  sync.Mutex
	why string
}

func (l *serverLog) Noticef(format string, v ...any) { l.detail(format, v...) }
func (l *serverLog) Warnf(format string, v ...any)   { l.detail(format, v...) }

// Errorf is what the server has to say of a client with a wrong token, or one that does not speak
// TLS.
func (l *serverLog) Errorf(format string, v ...any) {
	l.log.Warn("a connection from outside has failed; was it made with the line of now?")
	l.detail(format, v...)
}

// Fatalf is why the server ends itself: the system's reason stands at the end.
func (l *serverLog) Fatalf(format string, v ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.why = fmt.Sprintf(format, v...)
	if at := strings.LastIndex(l.why, ": "); at >= 0 {
		l.why = l.why[at+len(": "):]
	}
	l.detail(format, v...)
}

func (l *serverLog) Debugf(string, ...any) {}
func (l *serverLog) Tracef(string, ...any) {}

func (l *serverLog) detail(format string, v ...any) {
	l.log.Debug("server for other machines", "says", fmt.Sprintf(format, v...))
}

func (l *serverLog) fatal() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.why
}
