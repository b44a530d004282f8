package onnx

import (
	"slices"
)

// unknownSize is a size that only running the model tells.
const unknownSize = -1

// maxRank is the largest number of axes that is followed.
const maxRank = 16

// shapes are the shapes of tensors: what the file declares, else what the common operators make of
// their inputs. A size that is not known is unknownSize; a tensor that is not in dims has an
// unknown number of axes.
type shapes struct {
	opset    int
	dims     map[string][]int64
	declared map[string]bool
	values   map[string][]int64 // of small constant int64 tensors
}

func newShapes(a *analysis, opset int) *shapes {
	s := &shapes{opset: opset, dims: map[string][]int64{}, declared: map[string]bool{}, values: map[string][]int64{}}
	for _, list := range [][]valueInfo{a.graph.inputs, a.graph.values, a.graph.outputs} {
		for _, v := range list {
			if v.ranked && v.name != "" {
				s.put(v.name, v.dims)
				s.declared[v.name] = true
			}
		}
	}
	for name, w := range a.graph.weights {
		s.put(name, w.dims)
		if list, ok := w.integers(); ok {
			s.values[name] = list
		}
	}
	return s
}

// of is the shape of a tensor; ok is false where nothing is known.
func (s *shapes) of(name string) (dims []int64, ok bool) {
	dims, ok = s.dims[name]
	return slices.Clone(dims), ok
}

// put notes a shape; sizes that make no sense become unknown.
func (s *shapes) put(name string, dims []int64) {
	if len(dims) > maxRank {
		return
	}
	held := make([]int64, len(dims))
	for k, d := range dims {
		held[k] = d
		if d < 0 || d > 1<<40 {
			held[k] = unknownSize
		}
	}
	s.dims[name] = held
}

// complete tells whether every size of a declared shape is known.
func (s *shapes) complete(name string) bool {
	dims, ok := s.dims[name]
	return ok && s.declared[name] && !slices.Contains(dims, unknownSize)
}

// infer derives the shape of a node's first output (of all outputs of a Split), unless the file
// declares it whole.
func (s *shapes) infer(n *nodeProto) {
	if !isDefault(n.domain) || len(n.outputs) == 0 {
		return
	}
	if n.op == "Split" {
		s.split(n)
		return
	}
	out := n.outputs[0]
	if n.op == "Constant" {
		s.constant(n, out)
		return
	}
	if out == "" || s.complete(out) {
		return
	}
	rule, ok := shapeRules[n.op]
	if !ok {
		return
	}
	dims, ok := rule(s, n)
	if !ok {
		return
	}
	if before, there := s.dims[out]; there && len(before) == len(dims) { // what the file says stands
		for k, d := range before {
			if d != unknownSize {
				dims[k] = d
			}
		}
	}
	s.put(out, dims)
}

func (s *shapes) constant(n *nodeProto, out string) {
	if at, ok := n.attribute("value"); ok && at.tensor != nil {
		s.put(out, at.tensor.dims)
		if list, ok := at.tensor.integers(); ok {
			s.values[out] = list
		}
		return
	}
	if at, ok := n.attribute("value_ints"); ok {
		s.put(out, []int64{int64(len(at.ints))})
		s.values[out] = at.ints
	}
	if at, ok := n.attribute("value_int"); ok {
		s.put(out, nil)
		s.values[out] = []int64{at.i}
	}
}
