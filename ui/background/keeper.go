package background

import (
	"context"
	"errors"
)

// Keeper stores values under keys, in the background. While a value of a key is being stored the next one waits, so that the last one is what
// stays. It is used on the main goroutine.
type Keeper struct {
	work    *Group
	store   func(key string, value any) error
	failed  func(error)
	busy    map[string]bool
	waiting map[string]any
}

// NewKeeper makes a keeper: store, off the main goroutine, keeps a value; failed hears why it could not.
func NewKeeper(work *Group, store func(key string, value any) error, failed func(error)) *Keeper {
	return &Keeper{work: work, store: store, failed: failed, busy: map[string]bool{}, waiting: map[string]any{}}
}

// Keep stores a value, which must not be changed afterwards.
func (k *Keeper) Keep(key string, value any) {
	if k.busy[key] {
		k.waiting[key] = value
		return
	}
	k.busy[key] = true
	k.work.Quiet("remember "+key, func(context.Context) error { return k.store(key, value) }, func(err error) {
		delete(k.busy, key)
		if err != nil && !errors.Is(err, ErrClosed) {
			k.failed(err)
		}
		if next, more := k.waiting[key]; more {
			delete(k.waiting, key)
			k.Keep(key, next)
		}
	})
}

// Keeping tells whether a value of the key is being stored.
func (k *Keeper) Keeping(key string) bool { return k.busy[key] }

// Idle tells whether everything is stored.
func (k *Keeper) Idle() bool { return len(k.busy) == 0 }
