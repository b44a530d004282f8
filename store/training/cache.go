package training

import (
	"container/list"
	"sync"

	"github.com/variscope/variscope/store"
)

// cacheNumbers bounds a Cache: the float64 numbers of all that it keeps, 64 MiB. A model with the
// default layout under 31 transformations has 4,885 of them, so some 1,700 models fit.
const cacheNumbers = 8 << 20

// Cache keeps what was measured, by signals and choices, so that a screen is quick when it comes
// back. Its zero value is ready; it is safe for many goroutines. When it is full, what was not
// used for longest goes. Signals are named by all that they depend on, so that nothing in it grows
// stale.
type Cache struct {
	mu      sync.Mutex
	most    int        // numbers; 0 is cacheNumbers
	numbers int        // kept
	order   *list.List // of *kept, the newest use first
	at      map[string]*list.Element
}

type kept struct {
	key      string
	features store.Features
	numbers  int
}

func (c *Cache) get(key string) (store.Features, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.at[key]
	if !ok {
		return store.Features{}, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*kept).features, true
}

func (c *Cache) put(key string, f store.Features) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at == nil {
		c.at, c.order = map[string]*list.Element{}, list.New()
	}
	if c.at[key] != nil {
		return // two goroutines measured the same; equal signals give equal numbers
	}
	k := &kept{key: key, features: f, numbers: width(f.Vector)}
	c.at[key] = c.order.PushFront(k)
	c.numbers += k.numbers
	most := c.most
	if most == 0 {
		most = cacheNumbers
	}
	for c.numbers > most {
		oldest := c.order.Remove(c.order.Back()).(*kept)
		delete(c.at, oldest.key)
		c.numbers -= oldest.numbers
	}
}
