package signal

import (
	"errors"
	"fmt"
	"slices"
)

// ErrAbsent says that a modality's position is not among those of a spec: the model does not have
// it, or the run did not ask for it.
var ErrAbsent = errors.New("position is absent")

// ErrNotLoaded says that a set was loaded without the array that is asked for now.
var ErrNotLoaded = errors.New("not loaded")

// ErrNoMeanAbs says that signals were computed by a version that did not keep mean_abs. It counts
// as ErrAbsent.
var ErrNoMeanAbs error = noMeanAbs{}

type noMeanAbs struct{}

func (noMeanAbs) Error() string {
	return "its signals were computed by an earlier version, without mean_abs: remove them and run it again"
}
func (noMeanAbs) Is(target error) bool { return target == ErrAbsent }

// Set is the signals of one model over all images: m = Images, T = Transformations. It is immutable
// once built. A set may be partial: arrays that nobody wanted are nil.
type Set struct {
	Spec                             Spec
	Transformations, Images, Classes int
	Softmax                          []float32 // T x m x Classes; nil above FullSoftmaxClasses
	Prediction                       []int32   // T x m
	Confidence                       []float32 // T x m
	TrueScore                        []float32 // T x m; nil where Softmax is kept
	// Reduced holds, per position of the spec and per reducer, T x m signals.
	Reduced [][Reducers][]float32
	// PairDistances holds, per vector modality of the spec, pairs x m distances; pair p = i(i-1)/2
	// + j for i > j.
	PairDistances [][]float32
	// Early says that MeanAbs was wanted and is not there: units of versions before it lack it.
	Early bool
}

// Signals returns the signals of a scalar modality: T rows of m images that share the set's
// memory. The error is ErrAbsent when the spec has no such position, ErrNoMeanAbs where only
// older signals are there, ErrNotLoaded when the set was built without it.
func (s *Set) Signals(m Modality) ([][]float32, error) {
	if m.Vector() {
		return nil, fmt.Errorf("%s compares whole tensors; it has distances, not signals", m)
	}
	p := s.Spec.Position(m.Position)
	if p < 0 {
		return nil, fmt.Errorf("%s: %w", m, ErrAbsent)
	}
	if s.Early && m.Reducer == MeanAbs {
		return nil, fmt.Errorf("%s: %w", m, ErrNoMeanAbs)
	}
	if len(s.Reduced) <= p || s.Reduced[p][m.Reducer] == nil {
		return nil, fmt.Errorf("signals of %s: %w", m, ErrNotLoaded)
	}
	return rows(s.Reduced[p][m.Reducer], s.Transformations, s.Images), nil
}

// Distances returns the distances of a vector modality: one row of m images per pair of
// transformations, in the order of PairDistances. The errors are those of Signals.
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

// Predictions returns T rows of m predicted classes in the model's numbering, nil when they are not
// loaded.
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

// Want says which arrays of a set are kept; the others stay nil. Modalities that the spec does not
// have are passed over (asking the set for them gives ErrAbsent).
type Want struct {
	Everything  bool
	Modalities  []Modality
	Softmax     bool // with Confidence and TrueScore
	Confidence  bool // without the rest of the softmax
	Predictions bool
}

// has tells whether a modality is wanted.
func (w Want) has(m Modality) bool { return w.Everything || slices.Contains(w.Modalities, m) }

// NewSet makes a set with the wanted arrays, all zero.
func NewSet(spec Spec, transformations, images, classes int, want Want) *Set {
	s := &Set{Spec: spec, Transformations: transformations, Images: images, Classes: classes}
	cells := transformations * images
	s.Reduced = make([][Reducers][]float32, len(spec.Positions))
	for p, position := range spec.Positions {
		for r := range Reducer(Reducers) {
			if want.has(Modality{Position: position.Name, Reducer: r}) {
				s.Reduced[p][r] = make([]float32, cells)
			}
		}
	}
	s.PairDistances = make([][]float32, len(spec.Vectors))
	for v, text := range spec.Vectors {
		if m, err := ParseModality(text); want.Everything || err == nil && want.has(m) {
			s.PairDistances[v] = make([]float32, Pairs(transformations)*images)
		}
	}
	if want.Everything || want.Predictions {
		s.Prediction = make([]int32, cells)
	}
	if want.Everything || want.Softmax || want.Confidence {
		s.Confidence = make([]float32, cells)
	}
	switch {
	case !want.Everything && !want.Softmax:
	case classes <= FullSoftmaxClasses:
		s.Softmax = make([]float32, cells*classes)
	default:
		s.TrueScore = make([]float32, cells)
	}
	return s
}

// Put copies from a unit what the set has arrays for. The unit is one of the set's spec, and the
// set holds all images. Units go to disjoint parts, so that goroutines need no lock.
func (s *Set) Put(u *Unit) {
	first, n := s.Spec.ChunkImages(u.Chunk)
	put(s.Prediction, u.Prediction, s.Images, first, n)
	put(s.Confidence, u.Confidence, s.Images, first, n)
	put(s.TrueScore, u.TrueScore, s.Images, first, n)
	put(s.Softmax, u.Softmax, s.Images*s.Classes, first*s.Classes, n*s.Classes)
	cells := s.Transformations * n
	for p, reduced := range u.Reduced {
		for r := range s.Reduced[p] {
			put(s.Reduced[p][r], reduced[r*cells:(r+1)*cells], s.Images, first, n)
		}
	}
	for v, distances := range u.Distances {
		put(s.PairDistances[v], distances, s.Images, first, n)
	}
}

// Unit copies a chunk out of a set that holds everything: what Put takes.
func (s *Set) Unit(chunk int) *Unit {
	first, n := s.Spec.ChunkImages(chunk)
	u := &Unit{
		Chunk: chunk, Transformations: s.Transformations, Images: n, Classes: s.Classes,
		Prediction: cut(s.Prediction, s.Images, first, n), Confidence: cut(s.Confidence, s.Images, first, n),
		TrueScore: cut(s.TrueScore, s.Images, first, n),
		Softmax:   cut(s.Softmax, s.Images*s.Classes, first*s.Classes, n*s.Classes),
		Reduced:   make([][]float32, len(s.Reduced)), Distances: make([][]float32, len(s.PairDistances)),
	}
	for p := range s.Reduced {
		for _, values := range s.Reduced[p] {
			u.Reduced[p] = append(u.Reduced[p], cut(values, s.Images, first, n)...)
		}
	}
	for v, distances := range s.PairDistances {
		u.Distances[v] = cut(distances, s.Images, first, n)
	}
	return u
}

// cut copies columns first.. of length n of an array with rows of length stride, nil of none.
func cut[T any](src []T, stride, first, n int) (dst []T) {
	for ; len(src) > 0; src = src[stride:] {
		dst = append(dst, src[first:first+n]...)
	}
	return dst
}

// put is Place for an array that may not be wanted.
func put[T any](dst, src []T, stride, first, n int) {
	if dst != nil {
		Place(dst, src, stride, first, n)
	}
}

// Place copies rows of length n to columns first.. of an array with rows of length stride.
func Place[T any](dst, src []T, stride, first, n int) {
	for row := 0; len(src) > 0; row++ {
		copy(dst[row*stride+first:][:n], src)
		src = src[n:]
	}
}
