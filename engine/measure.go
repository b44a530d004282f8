package engine

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/signal"
)

// tensor is a position's tensor of one image.
type tensor struct {
	values   []float32
	channels int
	last     bool
}

// place is where a tensor belongs: which position, under which transformation, of which image of
// the batch.
type place struct {
	position, t int
	part        part
	x           int
}

// reduce stores all reducers of one image's tensor, and the tensor itself where a vector modality
// compares it.
func (b *unitRunner) reduce(u *signal.Unit, at place, have tensor) error {
	var reduced [signal.Reducers]float32
	signal.Reduce(&reduced, have.values, have.channels, have.last)
	column := u.Reduced[at.position]
	cells := u.Transformations * u.Images
	for r, v := range reduced {
		if !finite(v) {
			return b.unusable(b.task.Spec.Positions[at.position].Name, at, have.values, signal.Reducer(r).String(), v)
		}
		column[r*cells+at.t*u.Images+at.part.from+at.x] = v
	}
	return b.keep(at, have.values)
}

// unusable is the error for numbers of a position that are not finite, or are but give a reducer
// that is not.
func (b *unitRunner) unusable(position string, at place, values []float32, reducer string, reduced float32) error {
	holds := fmt.Sprintf("has the %s %v", reducer, reduced)
	for _, v := range values {
		if !finite(v) {
			holds = fmt.Sprintf("holds %v", v)
			break
		}
	}
	return fmt.Errorf("model %s: position %s %s for image %s under %s (transformation %d); its signals cannot be used",
		b.task.ID, position, holds, b.source.Name(at.part.image(at.x)), b.describe(at.t), at.t)
}

// keep copies a tensor for the vector modalities: order transformation, image of the batch, entry.
func (b *unitRunner) keep(at place, values []float32) error {
	position := at.position
	if !slices.ContainsFunc(b.vectors, func(v vectorUse) bool { return v.position == position }) {
		return nil
	}
	batch := b.task.Spec.Batch
	if b.sizes[position] != len(values) {
		need := b.count * batch * len(values)
		if need > maxVectorBytes/4 {
			return fmt.Errorf("model %s: comparing whole tensors at position %s takes %d MiB per batch of %d; choose "+
				"a smaller batch or a scalar modality",
				b.task.ID, b.task.Spec.Positions[position].Name, need>>18, batch)
		}
		b.tensors[position], b.sizes[position] = make([]float32, need), len(values)
	}
	copy(b.tensors[position][(at.t*batch+at.x)*len(values):], values)
	return nil
}

// distances compares the tensors of all pairs of transformations, image by image, once a batch is
// through.
func (b *unitRunner) distances(u *signal.Unit, p part) error {
	batch := b.task.Spec.Batch
	for v, use := range b.vectors {
		tensors, size := b.tensors[use.position], b.sizes[use.position]
		for x := range p.count {
			for i := 1; i < b.count; i++ {
				a := tensors[(i*batch+x)*size:][:size]
				for j := range i {
					d := float32(signal.Distance(a, tensors[(j*batch+x)*size:][:size], use.order))
					if !finite(d) {
						return fmt.Errorf("model %s: distance %s of image %s between %s and %s is %v; "+
							"it cannot be used", b.task.ID, b.task.Spec.Vectors[v], b.source.Name(p.image(x)),
							b.describe(i), b.describe(j), d)
					}
					u.Distances[v][signal.Pair(i, j)*u.Images+p.from+x] = d
				}
			}
		}
	}
	return nil
}
