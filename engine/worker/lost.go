package worker

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"sync"
)

// lostError says that a worker has ended, or was ended, before its order was done.
type lostError struct {
	how    string // what the system says
	where  string // the images at work; empty where that is not known
	memory bool   // it took too much
	wrong  bool   // how is what it has sent
	late   bool   // it took too long
}

func (e *lostError) Error() string { return "its worker process ended: " + e.how }

// sentence goes on behind the name of a model.
func (e *lostError) sentence(l Bounds) string {
	at := ""
	if e.where != "" {
		at = " on " + e.where
	}
	switch {
	case e.memory:
		return fmt.Sprintf("takes more than the %d MB of memory of all workers%s; choose a smaller batch, or %s",
			l.Memory>>20, at, fmt.Sprintf(raise, "worker-memory"))
	case e.late:
		return fmt.Sprintf("was at work%s for more than %v without coming to an end; it cannot be used, or %s",
			at, l.Batch, fmt.Sprintf(raise, "batch-time"))
	}
	if e.wrong {
		return fmt.Sprintf("makes its worker process go wrong%s (%s); it cannot be used", at, e.how)
	}
	return fmt.Sprintf("ends the ONNX Runtime library%s (%s); it cannot be used on these images", at, e.how)
}

// signals finds what the Go runtime says of a signal that ends the process.
var signals = regexp.MustCompile(`SIG[A-Z]+: [a-z -]+`)

// lost says why a worker that has ended did; c may be nil.
func (o *process) lost(c *call) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	complaint := o.complaint.String()
	e := &lostError{
		how: "its process ended", late: errors.Is(o.cause, errLate),
		memory: errors.Is(o.cause, errMemory) || outOfMemory(complaint),
		wrong:  errors.As(o.cause, new(*strangeError)),
	}
	if c != nil {
		e.where = c.where
	}
	switch found := signals.FindString(complaint); {
	case o.cause != nil:
		e.how = o.cause.Error()
	case found != "":
		e.how = found
	case o.exited != nil:
		e.how = o.exited.Error()
	}
	return e
}

// tail keeps the last bytes that are written to it.
type tail struct {
	mu sync.Mutex
	bytes.Buffer
}

const maxTail = 1 << 14

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	t.Buffer.Write(p)
	if over := t.Len() - maxTail; over > 0 {
		t.Next(over)
	}
	return n, nil
}
