package signal

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrAbsent says that a modality's position is not among those of a spec: the model does not have it, or the run did
// not ask for it.
var ErrAbsent = errors.New("position is absent")

// ErrNotLoaded says that a set was built without the array that is asked for now.
var ErrNotLoaded = errors.New("not loaded")

// Set is the signals of one model over all images: m = Images, T = Transformations. It is immutable once built. A set
// may be partial: arrays that nobody wanted are nil.
type Set struct {
	Spec                             Spec
	Transformations, Images, Classes int
	Softmax                          []float32 // T x m x Classes; nil above FullSoftmaxClasses
	Prediction                       []int32   // T x m
	Confidence                       []float32 // T x m
	TrueScore                        []float32 // T x m; nil where Softmax is kept
	// Reduced holds, per position of the spec and per reducer, T x m signals.
	Reduced [][Reducers][]float32
	// PairDistances holds, per vector modality of the spec, pairs x m distances; pair p = i(i-1)/2 + j for i > j.
	PairDistances [][]float32
}

// Signals returns the signals of a scalar modality: T rows of m images that share the set's memory. The error is
// ErrAbsent when the spec has no such position, ErrNotLoaded when the set was built without it.
func (s *Set) Signals(m Modality) ([][]float32, error) {
	if m.Vector() {
		return nil, fmt.Errorf("%s compares whole tensors; it has distances, not signals", m)
	}
	p := s.Spec.Position(m.Position)
	if p < 0 {
		return nil, fmt.Errorf("%s: %w", m, ErrAbsent)
	}
	if len(s.Reduced) <= p || s.Reduced[p][m.Reducer] == nil {
		return nil, fmt.Errorf("signals of %s: %w", m, ErrNotLoaded)
	}
	return rows(s.Reduced[p][m.Reducer], s.Transformations, s.Images), nil
}

// Distances returns the distances of a vector modality: one row of m images per pair of transformations, in the order
// of PairDistances. The errors are those of Signals.
func (s *Set) Distances(m Modality) ([][]float32, error) {
	if !m.Vector() {
		return nil, fmt.Errorf("%s is a scalar modality; it has signals, not distances", m)
	}
	v := slices.Index(s.Spec.Vectors, m.String())
	if v < 0 {
		return nil, fmt.Errorf("%s: %w", m, ErrAbsent)
	}
	if len(s.PairDistances) <= v || s.PairDistances[v] == nil {
		return nil, fmt.Errorf("distances of %s: %w", m, ErrNotLoaded)
	}
	return rows(s.PairDistances[v], Pairs(s.Transformations), s.Images), nil
}

// Predictions returns T rows of m predicted classes in the model's numbering, nil when they are not loaded.
func (s *Set) Predictions() [][]int32 {
	if s.Prediction == nil {
		return nil
	}
	return rows(s.Prediction, s.Transformations, s.Images)
}

func rows[T any](data []T, count, length int) [][]T {
	out := make([][]T, count)
	for i := range out {
		out[i] = data[i*length : (i+1)*length : (i+1)*length]
	}
	return out
}

// Position is the index of a position of that name, -1 when the spec has none.
func (s Spec) Position(name string) int {
	return slices.IndexFunc(s.Positions, func(p Position) bool { return p.Name == name })
}

// Want says which arrays a set is to hold.
type Want struct {
	Everything  bool
	Modalities  []Modality // those that the spec does not have are passed over
	Softmax     bool       // with Confidence and TrueScore
	Predictions bool
}

// Builder puts units together to a set one by one, so that no more than one unit is in memory beside the set.
type Builder struct {
	set  *Set
	want Want
	seen []bool
}

// NewBuilder starts a set of a spec with the wanted arrays.
func NewBuilder(spec Spec, want Want) *Builder {
	return &Builder{set: &Set{Spec: spec, Images: spec.Images}, want: want, seen: make([]bool, spec.Chunks())}
}

// Assemble builds the whole set from all units of a spec, in any order. The error names the chunks that are missing.
// Arrays that are nil in the units are nil in the set.
func Assemble(spec Spec, units []*Unit) (*Set, error) {
	b := NewBuilder(spec, Want{Everything: true})
	for _, u := range units {
		if err := b.Add(u); err != nil {
			return nil, err
		}
	}
	return b.Set()
}

// Add copies one unit's wanted arrays into the set. Arrays that the first unit does not have are left out. The error
// says which chunk does not fit the spec, came twice or differs in form from the units before.
func (b *Builder) Add(u *Unit) error {
	if u.Chunk < 0 || u.Chunk >= len(b.seen) {
		return fmt.Errorf("chunk %d of signals is outside 0..%d", u.Chunk, len(b.seen)-1)
	}
	first, n := b.set.Spec.ChunkImages(u.Chunk)
	if u.Images != n {
		return fmt.Errorf("chunk %d of signals has %d images in place of %d", u.Chunk, u.Images, n)
	}
	if b.seen[u.Chunk] {
		return fmt.Errorf("chunk %d of signals came twice", u.Chunk)
	}
	if len(u.Reduced) > len(b.set.Spec.Positions) || len(u.Distances) > len(b.set.Spec.Vectors) {
		return fmt.Errorf("chunk %d of signals has %d positions and %d vector modalities, its spec %d and %d",
			u.Chunk, len(u.Reduced), len(u.Distances), len(b.set.Spec.Positions), len(b.set.Spec.Vectors))
	}
	if !slices.Contains(b.seen, true) {
		b.allocate(u)
	}
	if u.Transformations != b.set.Transformations || u.Classes != b.set.Classes {
		return fmt.Errorf("chunk %d of signals has %d transformations and %d classes, the others have %d and %d",
			u.Chunk, u.Transformations, u.Classes, b.set.Transformations, b.set.Classes)
	}
	if err := b.copy(u, first, n); err != nil {
		return fmt.Errorf("chunk %d of signals: %w", u.Chunk, err)
	}
	b.seen[u.Chunk] = true
	return nil
}

// Set returns the finished set; the error names the chunks that are missing.
func (b *Builder) Set() (*Set, error) {
	var missing []string
	for c, seen := range b.seen {
		if !seen {
			missing = append(missing, fmt.Sprint(c))
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("signals are not complete: %d of %d chunks are missing (%s); run the model again, only these will be computed",
			len(missing), len(b.seen), strings.Join(missing, ", "))
	}
	return b.set, nil
}

// allocate makes the wanted arrays in the form of the first unit.
func (b *Builder) allocate(u *Unit) {
	s := b.set
	s.Transformations, s.Classes = u.Transformations, u.Classes
	cells := s.Transformations * s.Images
	if b.want.Everything || b.want.Softmax {
		s.Softmax = like(u.Softmax, cells*s.Classes)
		s.Confidence = like(u.Confidence, cells)
		s.TrueScore = like(u.TrueScore, cells)
	}
	if b.want.Everything || b.want.Predictions {
		s.Prediction = like(u.Prediction, cells)
	}
	s.Reduced = make([][Reducers][]float32, len(u.Reduced))
	for p, reduced := range u.Reduced {
		for r := range s.Reduced[p] {
			if b.wants(Modality{Position: s.Spec.Positions[p].Name, Reducer: Reducer(r)}.String()) {
				s.Reduced[p][r] = like(reduced, cells)
			}
		}
	}
	s.PairDistances = make([][]float32, len(u.Distances))
	for v, distances := range u.Distances {
		if b.wants(s.Spec.Vectors[v]) {
			s.PairDistances[v] = like(distances, Pairs(s.Transformations)*s.Images)
		}
	}
}

func (b *Builder) wants(modality string) bool {
	return b.want.Everything || slices.ContainsFunc(b.want.Modalities, func(m Modality) bool { return m.String() == modality })
}

func like[T any](have []T, size int) []T {
	if have == nil {
		return nil
	}
	return make([]T, size)
}

func (b *Builder) copy(u *Unit, first, n int) error {
	s := b.set
	m, t := s.Images, s.Transformations
	cells := t * n
	if len(u.Reduced) != len(s.Reduced) || len(u.Distances) != len(s.PairDistances) {
		return fmt.Errorf("%d positions and %d vector modalities, the others have %d and %d",
			len(u.Reduced), len(u.Distances), len(s.Reduced), len(s.PairDistances))
	}
	err := errors.Join(
		place("softmax", s.Softmax, u.Softmax, block{t, m * s.Classes, first * s.Classes, n * s.Classes}),
		place("confidence", s.Confidence, u.Confidence, block{t, m, first, n}),
		place("true score", s.TrueScore, u.TrueScore, block{t, m, first, n}),
		place("prediction", s.Prediction, u.Prediction, block{t, m, first, n}))
	for p, reduced := range u.Reduced {
		for r, dst := range s.Reduced[p] {
			if dst == nil {
				continue
			}
			if len(reduced) != Reducers*cells {
				return fmt.Errorf("position %s has %d numbers in place of %d", s.Spec.Positions[p].Name, len(reduced), Reducers*cells)
			}
			err = errors.Join(err, place("reduced", dst, reduced[r*cells:(r+1)*cells], block{t, m, first, n}))
		}
	}
	for v, distances := range u.Distances {
		err = errors.Join(err, place("distances", s.PairDistances[v], distances, block{Pairs(t), m, first, n}))
	}
	return err
}

// block is where a unit's rows lie in a set's: rows of the given stride, from a column on, of the given length.
type block struct{ rows, stride, first, length int }

func place[T any](name string, dst, src []T, b block) error {
	if dst == nil {
		return nil
	}
	if len(src) != b.rows*b.length {
		return fmt.Errorf("%s has %d numbers in place of %d", name, len(src), b.rows*b.length)
	}
	for r := range b.rows {
		copy(dst[r*b.stride+b.first:][:b.length], src[r*b.length:])
	}
	return nil
}
