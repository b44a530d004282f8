package onnx

import "strings"

// shapeRule gives the shape of a node's first output; ok is false where it does not follow from
// what is known. The slice is the caller's.
type shapeRule func(s *shapes, n *nodeProto) (dims []int64, ok bool)

// shapeRules are the operators that are followed, by name.
var shapeRules = func() map[string]shapeRule {
	rules := map[string]shapeRule{
		"Conv": (*shapes).conv, "MaxPool": (*shapes).pool, "AveragePool": (*shapes).pool, "LpPool": (*shapes).pool,
		"Gemm": (*shapes).gemm, "MatMul": (*shapes).matMul, "Flatten": (*shapes).flatten, "Reshape": (*shapes).reshape,
		"Squeeze": (*shapes).squeeze, "Unsqueeze": (*shapes).unsqueeze, "Transpose": (*shapes).transpose,
		"Concat": (*shapes).concat, "Gather": (*shapes).gather, "Pad": (*shapes).pad, "Slice": (*shapes).slice,
		"Shape": (*shapes).shape, "Expand": (*shapes).expand,
	}
	for name := range strings.FieldsSeq("Relu LeakyRelu PRelu Elu Selu Celu Gelu ThresholdedRelu Sigmoid HardSigmoid " +
		"HardSwish Mish Tanh Softplus Softsign Softmax LogSoftmax Hardmax Identity Cast Dropout BatchNormalization " +
		"InstanceNormalization LayerNormalization GroupNormalization LpNormalization LRN Clip Neg Abs Exp Log Sqrt " +
		"Reciprocal Erf Floor Ceil Round Sign Sin Cos Not IsNaN") {
		rules[name] = (*shapes).same
	}
	for name := range strings.FieldsSeq("Add Sub Mul Div Pow Max Min Mean Sum Where Equal Less LessOrEqual Greater " +
		"GreaterOrEqual And Or Xor Mod") {
		rules[name] = (*shapes).broadcast
	}
	for _, name := range []string{"GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"} {
		rules[name] = (*shapes).global
	}
	for name := range strings.FieldsSeq("ReduceMean ReduceMax ReduceMin ReduceSum ReduceProd ReduceL1 ReduceL2 " +
		"ReduceSumSquare ReduceLogSumExp") {
		rules[name] = (*shapes).reduce
	}
	return rules
}()

func (s *shapes) same(n *nodeProto) ([]int64, bool) { return s.of(n.input(0)) }

func (s *shapes) broadcast(n *nodeProto) ([]int64, bool) {
	var out []int64
	for _, in := range n.inputs {
		dims, ok := s.dims[in]
		if !ok {
			return nil, false
		}
		out = broadcast(out, dims)
	}
	return out, true
}

// broadcast joins two shapes from their last axes; an unknown size gives way to one above 1.
func broadcast(a, b []int64) []int64 {
	out := make([]int64, max(len(a), len(b)))
	for k := range out {
		x, y := int64(1), int64(1)
		if at := len(a) - 1 - k; at >= 0 {
			x = a[at]
		}
		if at := len(b) - 1 - k; at >= 0 {
			y = b[at]
		}
		switch {
		case x == 1:
			x = y
		case x == unknownSize && y > 1:
			x = y
		}
		out[len(out)-1-k] = x
	}
	return out
}

func (s *shapes) global(n *nodeProto) ([]int64, bool) {
	dims, ok := s.of(n.input(0))
	if !ok || len(dims) < 3 {
		return nil, false
	}
	for k := 2; k < len(dims); k++ {
		dims[k] = 1
	}
	return dims, true
}

func (s *shapes) conv(n *nodeProto) ([]int64, bool) {
	x, w := s.dims[n.input(0)], s.dims[n.input(1)]
	if len(x) < 3 || len(w) != len(x) {
		return nil, false
	}
	out := []int64{x[0], w[0]}
	for k, size := range x[2:] {
		out = append(out, window{n: n, axis: k, axes: len(x) - 2, kernel: w[k+2]}.slide(size))
	}
	return out, true
}

func (s *shapes) pool(n *nodeProto) ([]int64, bool) {
	x := s.dims[n.input(0)]
	kernel, ok := n.attribute("kernel_shape")
	if !ok || len(x) < 3 || len(kernel.ints) != len(x)-2 {
		return nil, false
	}
	out := []int64{x[0], x[1]}
	for k, size := range x[2:] {
		out = append(out, window{n: n, axis: k, axes: len(x) - 2, kernel: kernel.ints[k]}.slide(size))
	}
	return out, true
}

// window is a kernel that slides along one spatial axis of several.
type window struct {
	n          *nodeProto
	axis, axes int
	kernel     int64
}

func (w window) attribute(name string, at int, fallback int64) int64 {
	if a, ok := w.n.attribute(name); ok && at < len(a.ints) {
		return a.ints[at]
	}
	return fallback
}

// slide is the number of places at which the window stands.
func (w window) slide(size int64) int64 {
	stride := w.attribute("strides", w.axis, 1)
	dilation := w.attribute("dilations", w.axis, 1)
	before, after := w.attribute("pads", w.axis, 0), w.attribute("pads", w.axis+w.axes, 0)
	for _, v := range []int64{w.kernel, stride, dilation, before + 1, after + 1} {
		if size < 0 || v < 1 || v > 1<<20 {
			return unknownSize
		}
	}
	ceiling := w.n.integer("ceil_mode", 0) != 0
	pads := before + after
	if auto, ok := w.n.attribute("auto_pad"); ok && strings.HasPrefix(auto.text, "SAME") {
		return (size + stride - 1) / stride
	} else if ok && auto.text == "VALID" {
		pads = 0
	}
	room := size + pads - ((w.kernel-1)*dilation + 1)
	if room < 0 {
		return unknownSize
	}
	if ceiling {
		return (room+stride-1)/stride + 1
	}
	return room/stride + 1
}

func (s *shapes) gemm(n *nodeProto) ([]int64, bool) {
	a, b := s.dims[n.input(0)], s.dims[n.input(1)]
	if len(a) != 2 || len(b) != 2 {
		return nil, false
	}
	rows, columns := a[0], b[1]
	if n.integer("transA", 0) != 0 {
		rows = a[1]
	}
	if n.integer("transB", 0) != 0 {
		columns = b[0]
	}
	return []int64{rows, columns}, true
}

func (s *shapes) matMul(n *nodeProto) ([]int64, bool) {
	a, b := s.dims[n.input(0)], s.dims[n.input(1)]
	if len(a) < 2 || len(b) < 2 {
		return nil, false
	}
	out := broadcast(a[:len(a)-2], b[:len(b)-2])
	return append(out, a[len(a)-2], b[len(b)-1]), true
}
