package label

import (
	"slices"

	"github.com/variscope/variscope/ui/kit/evidence"
)

// cacheSize is how many models' evidence is kept ready: the ones ahead, the one shown and a few
// behind.
const cacheSize = 12

// evidenceCache keeps the evidence of the last items by model, the oldest is dropped first. It is
// used on the main goroutine.
type evidenceCache struct {
	items   map[string]evidence.Prepared
	age     []string // oldest first
	loading map[string]bool
	broken  map[string]bool // could not be read; they are read again when they are shown
}

func (s *evidenceCache) get(hash string) (evidence.Prepared, bool) {
	e, ok := s.items[hash]
	return e, ok
}

func (s *evidenceCache) put(hash string, e evidence.Prepared) {
	s.age = slices.DeleteFunc(s.age, func(h string) bool { return h == hash })
	s.age = append(s.age, hash)
	s.items[hash] = e
	delete(s.broken, hash)
	for len(s.age) > cacheSize {
		delete(s.items, s.age[0])
		s.age = s.age[1:]
	}
}

// clear forgets everything, when signals or models have changed.
func (s *evidenceCache) clear() {
	s.items, s.age = map[string]evidence.Prepared{}, nil
	s.broken = map[string]bool{}
}
