package onnx

import (
	"fmt"
	"slices"

	ort "github.com/yalue/onnxruntime_go"
)

// results are the outputs of one graph for one runner. They are nil until the first run, which lets
// the library allocate them; later ones write into the same memory.
type results struct {
	outputs []ort.Value
	shapes  [][]int64
	values  [][]float32
}

func newResults(n int) *results {
	return &results{outputs: make([]ort.Value, n), shapes: make([][]int64, n), values: make([][]float32, n)}
}

// run computes the outputs and keeps their memory for the next time.
func (r *results) run(session *ort.DynamicAdvancedSession, inputs []ort.Value, options *ort.RunOptions) error {
	fresh := r.outputs[0] == nil
	err := session.RunWithOptions(inputs, r.outputs, options)
	if err != nil && !fresh {
		// Shapes that depend on the image do not fit the last batch's memory. With fresh memory
		// the library tells them (adopt).
		r.drop()
		err = session.RunWithOptions(inputs, r.outputs, options)
	}
	if err != nil {
		r.drop()
	}
	return err
}

// adopt takes over outputs that the library has allocated, and refuses what is not one row of
// floats per image or has another shape than is expected. Memory that is there already has been
// adopted before, and the library writes nothing of another shape or type into it.
func (r *results) adopt(s *session) error {
	if r.values[0] != nil {
		return nil
	}
	batch := int64(s.feed.Input.Batch)
	for i, name := range s.names {
		t, ok := r.outputs[i].(*ort.Tensor[float32])
		if !ok {
			return fmt.Errorf("holds no float32 numbers in tensor %q; choose another one for that position", name)
		}
		shape := t.GetShape()
		if err := s.checkMaps(name, shape); i == 0 && err != nil {
			return err
		}
		if i == 0 && !s.feed.Maps && (len(shape) != 2 || shape[0] != batch || shape[1] < 1) {
			return fmt.Errorf("gives scores of shape %v at %q for %d images; one row per image is needed",
				shape, name, batch)
		}
		if len(shape) < 2 || shape[0] != batch {
			return fmt.Errorf("gives tensor %q the shape %v for %d images; "+
				"a position needs one entry per image on its first axis", name, shape, batch)
		}
		if err := s.expect(i, shape); err != nil {
			return err
		}
		r.shapes[i], r.values[i] = slices.Clone([]int64(shape)), t.GetData()
	}
	return nil
}

// expect holds the shape of a tensor against what is expected of it.
func (s *session) expect(i int, shape []int64) error {
	s.expecting.Lock()
	defer s.expecting.Unlock()
	if s.shapes[i] == nil {
		s.shapes[i] = slices.Clone(shape)
	}
	want := s.shapes[i]
	switch {
	case slices.Equal(shape, want):
		return nil
	case i == 0 && !s.feed.Maps:
		return fmt.Errorf("changes its number of scores from batch to batch: "+
			"shape %v at %q in place of %v; it cannot be used", shape, s.names[i], want)
	}
	return fmt.Errorf("changes the shape of tensor %q from batch to batch: "+
		"%v in place of %v; choose another one for that position", s.names[i], shape, want)
}

// drop frees the outputs.
func (r *results) drop() {
	for i, v := range r.outputs {
		destroy(v)
		r.outputs[i], r.shapes[i], r.values[i] = nil, nil, nil
	}
}

// destroy frees a value. After a failed run the binding leaves nil pointers behind non-nil
// interfaces, which panic.
func destroy(v ort.Value) {
	defer func() { _ = recover() }()
	if v != nil {
		_ = v.Destroy() // never fails for tensors
	}
}
