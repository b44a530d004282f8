package database

import (
	"crypto/rand"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// IDs makes ULIDs that only grow, also when the clock does not.
type IDs struct {
	mu   sync.Mutex
	last ulid.ULID
}

// Next returns a new ULID that is larger than all before it.
func (s *IDs) Next() ulid.ULID { return s.After(ulid.ULID{}) }

// After returns a new ULID that is larger than floor and than all before it.
func (s *IDs) After(floor ulid.ULID) ulid.ULID {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := ulid.MustNew(ulid.Timestamp(time.Now()), rand.Reader) // the system's randomness does not fail
	if s.last.Compare(floor) > 0 {
		floor = s.last
	}
	if id.Compare(floor) <= 0 {
		id = successor(floor)
	}
	s.last = id
	return id
}

// Now is the time that records are kept with: UTC, to the millisecond.
func Now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// successor adds one to a ULID as a number of 128 bits.
func successor(id ulid.ULID) ulid.ULID {
	for i := len(id) - 1; i >= 0; i-- {
		id[i]++
		if id[i] != 0 {
			break
		}
	}
	return id
}
