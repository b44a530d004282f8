package cluster

import (
	"encoding/json"
	"sync"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/wire"
)

// preparedTasks keeps what the last orders were made ready with: units of one model share a session.
type preparedTasks struct {
	mu   sync.Mutex
	list []kept
}

type kept struct {
	key      string
	prepared *engine.Prepared
}

// keptRecipes is how many models a worker has at work at most, of one run or two.
const keptRecipes = 4

func (r *preparedTasks) of(o wire.Order, path string) (*engine.Prepared, error) {
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
	if len(r.list) > keptRecipes {
		r.list = r.list[1:]
	}
	return prepared, nil
}
