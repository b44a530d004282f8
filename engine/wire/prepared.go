package wire

import (
	"reflect"
	"sync"

	"github.com/variscope/variscope/engine"
)

// PreparedTasks keeps what a worker has made of the last orders: units of one model share a
// session. It is safe for many goroutines.
type PreparedTasks struct {
	mu   sync.Mutex
	list []*engine.Prepared // the newest last
}

// keptTasks is how many models a worker has at work at most.
const keptTasks = 4

// Of makes an order's model ready, whose file lies at a path of this machine.
func (r *PreparedTasks) Of(o Order, path string) (*engine.Prepared, error) {
	task := o.Task(path)
	r.mu.Lock()
	defer r.mu.Unlock()
	var like *engine.Prepared
	for _, p := range r.list {
		if like = p; reflect.DeepEqual(p.Task(), task) {
			return p, nil
		}
	}
	prepared, err := engine.Prepare(task, like)
	if err == nil {
		r.list = append(r.list[max(0, len(r.list)-keptTasks+1):], prepared)
	}
	return prepared, err
}
