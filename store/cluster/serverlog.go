package cluster

import (
	"fmt"
	"log/slog"
)

// serverLog is a server.Logger. What the embedded server says in its own words is for those who
// look for a fault in it.
type serverLog struct{ *slog.Logger }

func (l serverLog) Noticef(format string, v ...any) { l.detail(format, v...) }
func (l serverLog) Warnf(format string, v ...any)   { l.detail(format, v...) }
func (l serverLog) Fatalf(format string, v ...any)  { l.detail(format, v...) }

// Errorf is what the server has to say of a client with a wrong token, or one that does not speak
// TLS.
func (l serverLog) Errorf(format string, v ...any) {
	l.Warn("a connection from outside has failed; was it made with the line of now?")
	l.detail(format, v...)
}

func (l serverLog) Debugf(string, ...any) {}
func (l serverLog) Tracef(string, ...any) {}

func (l serverLog) detail(format string, v ...any) {
	l.Debug("server for other machines", "says", fmt.Sprintf(format, v...))
}
