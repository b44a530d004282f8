// Package assembly puts the signals of a model together for tests, in the plainest way: number by
// number and with everything in memory. The store's loader, which reads files chunk by chunk, is
// held against it.
package assembly

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/signal"
)

// Set is the whole set of a spec from all of its units, in any order. The error names a chunk that
// is missing.
func Set(spec signal.Spec, units []*signal.Unit) (*signal.Set, error) {
	s := &signal.Set{Spec: spec, Images: spec.Images}
	for chunk := range spec.Chunks() {
		at := slices.IndexFunc(units, func(u *signal.Unit) bool { return u != nil && u.Chunk == chunk })
		if at < 0 {
			return nil, fmt.Errorf("chunk %d of %d is missing", chunk, spec.Chunks())
		}
		add(s, units[at])
	}
	return s, nil
}

// add writes each number of a unit to its place, which the first unit makes.
func add(s *signal.Set, u *signal.Unit) {
	if u.Chunk == 0 {
		s.Transformations, s.Classes = u.Transformations, u.Classes
		s.Reduced = make([][signal.Reducers][]float32, len(u.Reduced))
		s.PairDistances = make([][]float32, len(u.Distances))
	}
	first, n := s.Spec.ChunkImages(u.Chunk)
	at := place{first: first, images: n, all: s.Images}
	at.width = u.Classes
	put(&s.Softmax, u.Softmax, at)
	at.width = 1
	put(&s.Prediction, u.Prediction, at)
	put(&s.Confidence, u.Confidence, at)
	put(&s.TrueScore, u.TrueScore, at)
	for p, reduced := range u.Reduced {
		cells := len(reduced) / signal.Reducers
		for r := range signal.Reducers {
			put(&s.Reduced[p][r], reduced[r*cells:(r+1)*cells], at)
		}
	}
	for v, distances := range u.Distances {
		put(&s.PairDistances[v], distances, at)
	}
}

// place is where a unit's images lie among all images; each has width numbers.
type place struct{ first, images, all, width int }

func put[T any](set *[]T, unit []T, at place) {
	if unit == nil {
		return
	}
	rows := len(unit) / (at.images * at.width)
	if *set == nil {
		*set = make([]T, rows*at.all*at.width)
	}
	for row := range rows {
		for image := range at.images {
			for k := range at.width {
				(*set)[(row*at.all+at.first+image)*at.width+k] = unit[(row*at.images+image)*at.width+k]
			}
		}
	}
}
