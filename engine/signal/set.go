package signal

import (
	"errors"
	"fmt"
	"slices"
)

// ErrAbsent says that a modality's position is not among those of a spec: the model does not have it, or the run did
// not ask for it.
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
