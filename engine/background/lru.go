package background

import (
	"container/list"
	"errors"
	"sync"
)

// errUnmade is the error of a value whose making panicked.
var errUnmade = errors.New("it could not be read: internal error")

// lru keeps the values that were used last, as far as they fit into its bytes. A value is made
// once, also when many goroutines want it at the same time; one that cannot be made is tried again
// by the next who wants it. It is safe for many goroutines.
type lru[K comparable, V any] struct {
	limit int64
	mu    sync.Mutex
	used  int64
	order *list.List // of *kept[K, V], the newest at the front
	at    map[K]*list.Element
}

type kept[K comparable, V any] struct {
	key   K
	once  sync.Once
	value V
	err   error
	bytes int64 // 0 until it is made
}

func newLRU[K comparable, V any](limit int64) *lru[K, V] {
	return &lru[K, V]{limit: limit, order: list.New(), at: map[K]*list.Element{}}
}

// get returns the value of a key, which make makes together with the bytes that it takes.
func (c *lru[K, V]) get(key K, make func() (V, int64, error)) (V, error) {
	entry := c.entry(key)
	entry.once.Do(func() {
		entry.err = errUnmade // until it is made: make may panic over a file that it cannot handle
		bytes := int64(0)
		defer func() { c.made(entry, bytes) }()
		entry.value, bytes, entry.err = make()
	})
	return entry.value, entry.err
}

func (c *lru[K, V]) entry(key K) *kept[K, V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.at[key]; ok {
		c.order.MoveToFront(e)
		return e.Value.(*kept[K, V])
	}
	entry := &kept[K, V]{key: key}
	c.at[key] = c.order.PushFront(entry)
	return entry
}

// made counts a value's bytes and drops the oldest ones beyond the limit. Entries that are still
// being made cannot be dropped; a value that is dropped stays what it is for those who use it.
func (c *lru[K, V]) made(entry *kept[K, V], bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if entry.err != nil {
		if e, ok := c.at[entry.key]; ok && e.Value == any(entry) {
			c.drop(e)
		}
		return
	}
	entry.bytes = max(bytes, 1)
	c.used += entry.bytes
	for e := c.order.Back(); e != nil && c.used > c.limit; {
		before := e.Prev()
		if e.Value.(*kept[K, V]).bytes > 0 {
			c.drop(e)
		}
		e = before
	}
}

func (c *lru[K, V]) drop(e *list.Element) {
	entry := c.order.Remove(e).(*kept[K, V])
	delete(c.at, entry.key)
	c.used -= entry.bytes
}

// bytes is what the kept values take.
func (c *lru[K, V]) bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.used
}
