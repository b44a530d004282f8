package cluster

import (
	"encoding/json"
	"sync"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/wire"
)

// recipes keeps what the last orders were made ready with: units of one model share a session.
type recipes struct {
	mu   sync.Mutex
	list []kept
}

type kept struct {
	key    string
	recipe *engine.Recipe
}

// keptRecipes is how many models a worker has at work at most, of one run or two.
const keptRecipes = 4

func (r *recipes) of(o wire.Order, path string) (*engine.Recipe, error) {
	text, err := json.Marshal(o.Task("")) // all that a session depends on
	if err != nil {
		return nil, err
	}
	key := string(text)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, k := range r.list {
		if k.key == key {
			return k.recipe, nil
		}
	}
	var like *engine.Recipe
	if len(r.list) > 0 {
		like = r.list[len(r.list)-1].recipe
	}
	recipe, err := engine.NewRecipe(o.Task(path), like)
	if err != nil {
		return nil, err
	}
	r.list = append(r.list, kept{key, recipe})
	if len(r.list) > keptRecipes {
		r.list = r.list[1:]
	}
	return recipe, nil
}
