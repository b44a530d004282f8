package label

import (
	"context"
	"errors"
	"sync"
	"testing"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
)

// The models ahead are read one after the other without a key being pressed. One that cannot be
// read ends nothing: it is tried once while others are looked at.
func TestReadingAheadPassesWhatCannotBeRead(t *testing.T) {
	r, _, round := newScenes(t, 6, nil)
	var mu sync.Mutex
	read, tried, broken := r.screen.deps.Scenes, map[string]int{}, ""
	r.screen.deps.Scenes = func(ctx context.Context, of labels.Round, m model.Model) (store.Evidence, string, error) {
		mu.Lock()
		tried[m.Hash]++
		if broken == "" && len(tried) == 2 {
			broken = m.Hash // the first of those ahead
		}
		fails := m.Hash == broken
		mu.Unlock()
		if fails {
			return store.Evidence{}, "", errors.New("the disk does not answer")
		}
		return read(ctx, of, m)
	}
	r.signIn(round, "a")
	r.stage.Until("all that can be read is there, and nothing is under way", func() bool {
		if len(r.screen.cache.loading) > 1 {
			t.Fatalf("%d are read at once", len(r.screen.cache.loading))
		}
		missing := 0
		for _, next := range r.screen.Session().Upcoming(ahead) {
			if _, ready := r.screen.cache.get(next); !ready {
				missing++
			}
		}
		return missing == 1 && len(r.screen.cache.loading) == 0
	})
	mu.Lock()
	defer mu.Unlock()
	there := len(r.screen.cache.items)
	if _, ready := r.screen.cache.get(broken); ready || tried[broken] != 1 || there != ahead {
		t.Errorf("what cannot be read was tried %d times; %d models are ready", tried[broken], there)
	}
}
