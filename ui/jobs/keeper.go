package jobs

import (
	"context"
	"errors"
	"sync"
)

// Keeper stores values under keys, in the background. While a value of a key is being stored the
// next one waits, so that the last one is what stays, also when the group ends meanwhile. It is
// used on the main goroutine.
type Keeper struct {
	work   *Group
	store  func(key string, value any) error
	failed func(error)

	done    map[string][]func() // by key, what is called once all of it is stored
	mu      sync.Mutex
	busy    map[string]bool
	waiting map[string]any
}

// NewKeeper makes a keeper: store, off the main goroutine, keeps a value; failed hears why the last
// one of a key could not be kept.
func NewKeeper(work *Group, store func(key string, value any) error, failed func(error)) *Keeper {
	return &Keeper{
		work: work, store: store, failed: failed, done: map[string][]func(){}, busy: map[string]bool{},
		waiting: map[string]any{},
	}
}

// KeepThen is Keep that calls done when the value, or a later one of its key, is stored.
func (k *Keeper) KeepThen(key string, value any, done func()) {
	k.done[key] = append(k.done[key], done)
	k.Keep(key, value)
}

// Keep stores a value, which must not be changed afterwards.
func (k *Keeper) Keep(key string, value any) {
	if k.waits(key, value) {
		return
	}
	k.work.Quiet("remember "+key, func(context.Context) error { return k.storeAll(key, value) }, func(err error) {
		switch {
		case errors.Is(err, ErrClosed): // nothing was begun, and nothing will be
			k.next(key)
			return
		case err != nil:
			k.failed(err)
		case k.Keeping(key): // a later value
			return
		}
		done := k.done[key]
		delete(k.done, key)
		for _, f := range done {
			if err == nil {
				f()
			}
		}
	})
}

// waits leaves the value to whoever is storing one of this key; it is false where nobody is, and
// the caller does.
func (k *Keeper) waits(key string, value any) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.busy[key] {
		k.waiting[key] = value
		return true
	}
	k.busy[key] = true
	return false
}

// storeAll stores a value and those that come meanwhile. What counts is whether the last one is
// stored.
func (k *Keeper) storeAll(key string, value any) error {
	for {
		err := k.store(key, value)
		next, more := k.next(key)
		if !more {
			return err
		}
		value = next
	}
}

// next takes the value that waits; where there is none, nobody stores this key any more.
func (k *Keeper) next(key string) (value any, more bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if value, more = k.waiting[key]; more {
		delete(k.waiting, key)
	} else {
		delete(k.busy, key)
	}
	return value, more
}

// Keeping tells whether a value of the key is being stored.
func (k *Keeper) Keeping(key string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.busy[key]
}

// Idle tells whether everything is stored.
func (k *Keeper) Idle() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.busy) == 0
}
