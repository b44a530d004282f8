package onnx

import "slices"

// axisOf is the axis that an attribute names, counted from the front, at most rank itself, the
// place behind the last axis; -1 for any other number.
func axisOf(axis int64, rank int) int {
	if axis < 0 {
		axis += int64(rank)
	}
	if axis < 0 || axis > int64(rank) {
		return -1
	}
	return int(axis)
}

func (s *shapes) flatten(n *nodeProto) ([]int64, bool) {
	dims, ok := s.dims[n.input(0)]
	at := axisOf(n.integer("axis", 1), len(dims))
	if !ok || at < 0 {
		return nil, false
	}
	return []int64{elements(dims[:at]), elements(dims[at:])}, true
}

// elements is the product of sizes, unknownSize where one is not known or the product is absurd.
func elements(dims []int64) int64 {
	if n, ok := product(dims); ok {
		return n
	}
	return unknownSize
}

func (s *shapes) reshape(n *nodeProto) ([]int64, bool) {
	to, ok := s.values[n.input(1)]
	if !ok {
		// A shape that is computed has a known length all the same.
		if dims := s.dims[n.input(1)]; len(dims) == 1 && dims[0] >= 0 && dims[0] <= maxRank {
			return slices.Repeat([]int64{unknownSize}, int(dims[0])), true
		}
		return nil, false
	}
	from := s.dims[n.input(0)]
	out := slices.Clone(to)
	rest := -1
	for k, d := range out {
		switch {
		case d == 0 && n.integer("allowzero", 0) == 0 && k < len(from):
			out[k] = from[k]
		case d == unknownSize && to[k] == -1:
			rest = k
		}
	}
	if rest >= 0 {
		out[rest] = remaining(from, out, rest)
	}
	return out, true
}

// remaining is the size at place rest that keeps the number of elements. An unknown size that both
// have at the same place, such as the batch, cancels out.
func remaining(from, to []int64, rest int) int64 {
	var have, given []int64
	for k, d := range from {
		if !(d == unknownSize && k < len(to) && k != rest && to[k] == unknownSize) {
			have = append(have, d)
		}
	}
	for k, d := range to {
		if k != rest && !(d == unknownSize && k < len(from) && from[k] == unknownSize) {
			given = append(given, d)
		}
	}
	all, part := elements(have), elements(given)
	if len(from) == 0 || all < 0 || part <= 0 || all%part != 0 {
		return unknownSize
	}
	return all / part
}

// axes are those that an attribute (up to opset 12) or the second input names, ascending and each
// once.
func (s *shapes) axes(n *nodeProto, rank int) (list []int, ok bool) {
	var named []int64
	if at, there := n.attribute("axes"); there {
		named = at.ints
	} else if n.input(1) != "" {
		if named, ok = s.values[n.input(1)]; !ok {
			return nil, false
		}
	}
	for _, a := range named {
		at := axisOf(a, rank)
		if at < 0 || at >= rank {
			return nil, false
		}
		list = append(list, at)
	}
	slices.Sort(list)
	return slices.Compact(list), true
}

func (s *shapes) squeeze(n *nodeProto) ([]int64, bool) {
	dims, ok := s.dims[n.input(0)]
	if !ok {
		return nil, false
	}
	gone, ok := s.axes(n, len(dims))
	if !ok || len(gone) == 0 && slices.Contains(dims, unknownSize) {
		return nil, false
	}
	var out []int64
	for k, d := range dims {
		if len(gone) == 0 && d != 1 || len(gone) > 0 && !slices.Contains(gone, k) {
			out = append(out, d)
		}
	}
	return out, true
}

func (s *shapes) unsqueeze(n *nodeProto) ([]int64, bool) {
	dims, ok := s.dims[n.input(0)]
	if !ok {
		return nil, false
	}
	more := 0
	if at, there := n.attribute("axes"); there {
		more = len(at.ints)
	} else {
		more = len(s.values[n.input(1)])
	}
	added, ok := s.axes(n, len(dims)+more)
	if !ok || len(added) != more || len(dims)+more > maxRank {
		return nil, false
	}
	out := slices.Clone(dims)
	for _, at := range added {
		out = slices.Insert(out, min(at, len(out)), 1)
	}
	return out, true
}

func (s *shapes) transpose(n *nodeProto) ([]int64, bool) {
	dims, ok := s.of(n.input(0))
	if !ok {
		return nil, false
	}
	perm, there := n.attribute("perm")
	if !there {
		slices.Reverse(dims)
		return dims, true
	}
	if len(perm.ints) != len(dims) {
		return nil, false
	}
	out := make([]int64, len(dims))
	for k, from := range perm.ints {
		if from < 0 || from >= int64(len(dims)) {
			return nil, false
		}
		out[k] = dims[from]
	}
	return out, true
}

func (s *shapes) concat(n *nodeProto) ([]int64, bool) {
	var out []int64
	for k, in := range n.inputs {
		dims, ok := s.of(in)
		if k == 0 {
			out = dims
		}
		at := axisOf(n.integer("axis", 0), len(dims))
		if !ok || len(dims) != len(out) || at < 0 || at >= len(dims) {
			return nil, false
		}
		switch {
		case k == 0:
		case out[at] == unknownSize || dims[at] == unknownSize:
			out[at] = unknownSize
		default:
			out[at] += dims[at]
		}
	}
	return out, len(n.inputs) > 0
}

func (s *shapes) gather(n *nodeProto) ([]int64, bool) {
	dims, ok := s.dims[n.input(0)]
	chosen, known := s.dims[n.input(1)]
	at := axisOf(n.integer("axis", 0), len(dims))
	if !ok || !known || at < 0 || at >= len(dims) {
		return nil, false
	}
	return slices.Concat(dims[:at], chosen, dims[at+1:]), true
}

func (s *shapes) pad(n *nodeProto) ([]int64, bool) {
	dims, ok := s.of(n.input(0))
	pads, there := s.values[n.input(1)]
	if at, old := n.attribute("pads"); old {
		pads, there = at.ints, true
	}
	if !ok || !there || len(pads) != 2*len(dims) || n.input(3) != "" {
		return nil, false
	}
	for k, d := range dims {
		if more := pads[k] + pads[k+len(dims)]; d != unknownSize && pads[k] < 1<<30 && more < 1<<30 {
			dims[k] = max(d+more, unknownSize)
		} else {
			dims[k] = unknownSize
		}
	}
	return dims, true
}

// slice follows slices along known axes with step 1; other cut axes become unknown.
func (s *shapes) slice(n *nodeProto) ([]int64, bool) {
	dims, ok := s.of(n.input(0))
	axes, named := s.values[n.input(3)]
	starts, begins := s.values[n.input(1)]
	ends, stops := s.values[n.input(2)]
	if s.opset < 10 || !ok || !named || len(dims) == 0 {
		return nil, false
	}
	steps, stepped := s.values[n.input(4)]
	for k, a := range axes {
		at := axisOf(a, len(dims))
		if at < 0 || at >= len(dims) {
			return nil, false
		}
		plain := n.input(4) == "" || stepped && k < len(steps) && steps[k] == 1
		if !begins || !stops || !plain || k >= len(starts) || k >= len(ends) || dims[at] == unknownSize {
			dims[at] = unknownSize
			continue
		}
		dims[at] = max(place64(ends[k], dims[at])-place64(starts[k], dims[at]), 0)
	}
	return dims, true
}

// place64 is a place counted from the front and held inside of an axis.
func place64(at, size int64) int64 {
	if at < 0 {
		at = max(at, -size) + size
	}
	return min(at, size)
}

func (s *shapes) shape(n *nodeProto) ([]int64, bool) {
	dims, ok := s.dims[n.input(0)]
	if !ok || len(n.attributes) > 0 {
		return nil, false
	}
	if !slices.Contains(dims, unknownSize) {
		s.values[n.outputs[0]] = slices.Clone(dims)
	}
	return []int64{int64(len(dims))}, true
}

func (s *shapes) expand(n *nodeProto) ([]int64, bool) {
	dims, ok := s.dims[n.input(0)]
	to, known := s.values[n.input(1)]
	if !ok || !known {
		return nil, false
	}
	return broadcast(dims, to), true
}

func (s *shapes) reduce(n *nodeProto) ([]int64, bool) {
	dims, ok := s.dims[n.input(0)]
	if !ok {
		return nil, false
	}
	gone, ok := s.axes(n, len(dims))
	if !ok {
		return nil, false
	}
	keep := n.integer("keepdims", 1) != 0
	var out []int64
	for k, d := range dims {
		switch {
		case len(gone) > 0 && !slices.Contains(gone, k):
			out = append(out, d)
		case keep:
			out = append(out, 1)
		}
	}
	return out, true
}

// split gives every output its part: the sizes named, else equal ones.
func (s *shapes) split(n *nodeProto) {
	dims, ok := s.dims[n.input(0)]
	at := axisOf(n.integer("axis", 0), len(dims))
	if !ok || at < 0 || at >= len(dims) {
		return
	}
	sizes, named := s.values[n.input(1)]
	if a, old := n.attribute("split"); old {
		sizes, named = a.ints, true
	}
	for k, out := range n.outputs {
		if out == "" || s.complete(out) {
			continue
		}
		part := slices.Clone(dims)
		switch {
		case named && k < len(sizes):
			part[at] = sizes[k]
		case !named && n.input(1) == "" && dims[at] >= 0 && dims[at]%int64(len(n.outputs)) == 0:
			part[at] = dims[at] / int64(len(n.outputs))
		default:
			part[at] = unknownSize
		}
		s.put(out, part)
	}
}
