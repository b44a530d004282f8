package wire

import (
	"encoding/json"
	"sync"

	"github.com/variscope/variscope/engine"
)

// PreparedTasks keeps what a worker has made of the last orders: units of one model share a session. It is safe for many goroutines.
type PreparedTasks struct {
	mu   sync.Mutex
	list []kept
}

type kept struct {
	key      string
	prepared *engine.Prepared
}

// keptTasks is how many models a worker has at work at most.
const keptTasks = 4

// Of makes an order's model ready, whose file lies at a path of this machine.
func (r *PreparedTasks) Of(o Order, path string) (*engine.Prepared, error) {
	text, err := json.Marshal(o.Task("")) // all that a session depends on
	if err != nil {
		return nil, err
	}
	key := string(text)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, k := range r.list {
		if k.key == key {
			return k.prepared, nil
		}
	}
	var like *engine.Prepared
	if len(r.list) > 0 {
		like = r.list[len(r.list)-1].prepared
	}
	prepared, err := engine.Prepare(o.Task(path), like)
	if err != nil {
		return nil, err
	}
	r.list = append(r.list, kept{key, prepared})
	if len(r.list) > keptTasks {
		r.list = r.list[1:]
	}
	return prepared, nil
}
