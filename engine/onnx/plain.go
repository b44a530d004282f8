package onnx

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/variscope/variscope/engine/model"
)

// plain is a model in the form that the rest of this package reads: its local functions in place of
// their calls, one input of float32 numbers, class outputs of float32 numbers of form (N, C). Names
// of inputs, outputs and tensors are those of the file. Where the file has this form already, as
// nearly all have, it is data itself, so that the library gets what people brought.
//
// own is the graph as the file has it, with inputs and outputs of other types and forms.
func plain(name string, data []byte) (inForm []byte, m *modelProto, own *graphProto, err error) {
	if m, err = parse(name, data); err != nil {
		return nil, nil, nil, err
	}
	unfolded, changed, err := inlineFunctions(data)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s %w", name, refusal(err, data))
	}
	if changed {
		data = unfolded
		if m, err = parse(name, data); err != nil {
			return nil, nil, nil, err
		}
	}
	own = m.graph
	f := former{analysis: analyse(m.graph), opset: m.opset, name: freshName(data), renamed: map[string]string{}}
	image, err := f.imageValue()
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s %w", name, err)
	}
	if err := f.input(image); err != nil {
		return nil, nil, nil, fmt.Errorf("%s %w", name, err)
	}
	f.outputs(image)
	if len(f.renamed) == 0 {
		return data, m, own, nil
	}
	if data, err = f.apply(data); err != nil {
		return nil, nil, nil, fmt.Errorf("%s %w", name, refusal(err, data))
	}
	m, err = parse(name, data)
	return data, m, own, err
}

// former edits a graph into that form. Tensors that get another type or form are renamed inside the
// graph; nodes at its ends carry their names on.
type former struct {
	*analysis
	opset         int64
	name          string            // begins all new names; occurs nowhere in the file
	renamed       map[string]string // a tensor's own name to its new one
	before, after [][]byte          // new nodes
	weights       [][]byte          // new initialisers
	values        map[string][]byte // ValueInfoProto of inputs and outputs, anew
}

// numberTypes are the types of inputs and outputs besides float32.
var numberTypes = map[int64]model.NumberType{
	typeUint8: model.Uint8, typeInt8: model.Int8, typeFloat16: model.Float16, typeFloat64: model.Float64,
}

// input converts float32 numbers to those that the graph takes: whole ones are rounded, half to
// even, and clipped; those of int8 are moved down by 128 (recipe.md section 1, step 7).
func (f *former) input(v valueInfo) error {
	if numberTypes[v.kind] == "" {
		return nil // float32
	}
	typed, at := f.rename(v.name), v.name
	step := func(op string, more ...string) {
		to := fmt.Sprintf("%s_in%d", f.name, len(f.before))
		f.before = append(f.before, plainNode(op, to, append([]string{at}, more...)...))
		at = to
	}
	if v.kind == typeUint8 || v.kind == typeInt8 {
		if f.opset < 11 {
			return fmt.Errorf("takes %s at its input %q and was exported for opset %d; export it for opset 11 or later",
				typeName(v.kind), v.name, f.opset)
		}
		low, high := float32(0), float32(255)
		step("Round")
		if v.kind == typeInt8 {
			low, high = -128, 127
			step("Sub", f.number(128))
		}
		step("Clip", f.number(low), f.number(high))
	}
	f.before = append(f.before, castNode(at, typed, v.kind))
	f.value(v.name, v.dims)
	return nil
}

// outputs converts the outputs of one row of numbers per image to float32 and the form (N, C).
func (f *former) outputs(image valueInfo) {
	var sizes *shapes
	for _, v := range f.graph.outputs {
		kind := f.kinds[v.name]
		if v.name == "" || f.producer[v.name] == nil || kind != typeFloat && numberTypes[kind] == "" {
			continue
		}
		dims, ranked := v.dims, v.ranked
		if !ranked || len(dims) != 2 {
			if sizes == nil {
				sizes = newShapes(f.analysis, int(f.opset))
				for i := range f.graph.nodes {
					sizes.infer(&f.graph.nodes[i])
				}
			}
			dims, ranked = sizes.of(v.name)
		}
		single := !strings.HasPrefix(string(f.layout(image)), "N") || image.dims[0] == 1
		to, form, ok := classForm(dims, single)
		whole := kind == typeUint8 || kind == typeInt8
		if !ranked || !ok || kind == typeFloat && len(dims) == 2 || whole && len(dims) < 2 {
			continue
		}
		raw := f.rename(v.name)
		at := raw
		if kind != typeFloat {
			at = f.name + "_out_" + v.name
			f.after = append(f.after, f.asFloat(raw, at, f.producer[v.name], kind))
		}
		f.after = append(f.after, plainNode("Reshape", v.name, at, f.shape(to)))
		f.value(v.name, form)
	}
}

// classForm is the form (N, C) of an output of that shape; ok is false where it holds anything
// else than a row of numbers per image. fixed tells that the model takes one image at a time. to
// is the shape for a Reshape: 0 is the output's own size, -1 what is left; form has the sizes that
// are known.
func classForm(dims []int64, fixed bool) (to, form []int64, ok bool) {
	switch len(dims) {
	case 1:
		if fixed && dims[0] != 1 {
			return []int64{1, -1}, []int64{1, dims[0]}, true
		}
		return []int64{-1, 1}, []int64{dims[0], 1}, true
	case 2, 3, 4:
		classes, wide := int64(1), 0
		for _, d := range dims[1:] {
			if d != 1 {
				classes, wide = d, wide+1
			}
		}
		return []int64{0, -1}, []int64{dims[0], classes}, wide <= 1
	}
	return nil, nil, false
}

// rename gives a tensor another name inside the graph.
func (f *former) rename(tensor string) string {
	f.renamed[tensor] = fmt.Sprintf("%s_own%d", f.name, len(f.renamed))
	return f.renamed[tensor]
}

// value notes what an input or output with that name is now: float32 numbers of these sizes.
func (f *former) value(name string, dims []int64) {
	if f.values == nil {
		f.values = map[string][]byte{}
	}
	f.values[name] = floatValue(name, dims)
}

// number is an initialiser that holds one float32 number.
func (f *former) number(v float32) string {
	name := fmt.Sprintf("%s_c%d", f.name, len(f.weights))
	f.weights = append(f.weights, scalarTensor(name, v))
	return name
}

// shape is an initialiser that holds a shape.
func (f *former) shape(dims []int64) string {
	name := fmt.Sprintf("%s_c%d", f.name, len(f.weights))
	f.weights = append(f.weights, shapeTensor(name, dims))
	return name
}

// apply writes the edited file.
func (f *former) apply(data []byte) ([]byte, error) {
	file, err := takeApart(data)
	if err != nil {
		return nil, err
	}
	w := rewriter{rename: func(name string) string {
		if to, ok := f.renamed[name]; ok {
			return to
		}
		return name
	}}
	var g []byte
	for _, n := range f.before {
		g = appendMessage(g, 1, n)
	}
	for _, n := range file.nodes {
		if g, err = w.node(g, 1, n); err != nil {
			return nil, err
		}
	}
	for _, n := range f.after {
		g = appendMessage(g, 1, n)
	}
	for _, t := range f.weights {
		g = appendMessage(g, 5, t)
	}
	for k, list := range [][]namedPart{file.inputs, file.outputs} {
		for _, v := range list {
			if anew := f.values[v.name]; anew != nil {
				v.bytes = anew
			}
			g = appendMessage(g, protowire.Number(11+k), v.bytes)
		}
	}
	others := file.others
	file.others = nil
	err = eachRaw(others, func(other field, raw []byte) error {
		var part []namedPart
		if other.num == 13 { // the type of a tensor between nodes
			if err := addNamed(&part, other, 1); err != nil {
				return err
			}
			if _, changed := f.renamed[part[0].name]; changed {
				return nil
			}
		}
		file.others = append(file.others, raw...)
		return nil
	})
	return file.with(file.appendOthers(g, nil)), err
}

// asFloat is a node that makes float32 numbers of a tensor: by the scale of the node that quantised
// it, else as they are.
func (a *analysis) asFloat(tensor, to string, maker *nodeProto, kind int64) []byte {
	if scale, zero := quantised(maker); scale != "" {
		inputs := []string{tensor, scale}
		if zero != "" {
			inputs = append(inputs, zero)
		}
		return plainNode("DequantizeLinear", to, inputs...)
	}
	return castNode(tensor, to, typeFloat)
}

// quantised names scale and zero point of a node's output, "" for none.
func quantised(n *nodeProto) (scale, zero string) {
	switch {
	case n == nil:
	case n.is("QuantizeLinear") && len(n.inputs) > 1:
		if axis, ok := n.attribute("axis"); !ok || axis.i == 1 { // DequantizeLinear's default
			return n.input(1), n.input(2)
		}
	case n.is("QLinearConv", "QLinearMatMul"):
		return n.input(6), n.input(7)
	}
	return "", ""
}

// imageValue is the graph's one image input. Initialisers that files of IR below 4 list among the
// inputs are none.
func (a *analysis) imageValue() (valueInfo, error) {
	var inputs, images []valueInfo
	for _, v := range a.graph.inputs {
		if _, weight := a.graph.weights[v.name]; weight {
			continue
		}
		inputs = append(inputs, v)
		if takesImages(v) {
			images = append(images, v)
		}
	}
	switch {
	case len(inputs) == 0:
		return valueInfo{}, errors.New("has no inputs; a classifier needs one image input")
	case len(images) > 1:
		return valueInfo{}, fmt.Errorf("has %d image inputs (%s); only models with one can be used", len(images),
			names(images))
	case len(inputs) > 1:
		return valueInfo{}, fmt.Errorf("has %d inputs (%s); only models with a single image input can be used",
			len(inputs), names(inputs))
	case len(images) == 0:
		return valueInfo{}, notAnImage(inputs[0])
	}
	return images[0], nil
}

// takesImages tells whether an input has a type of numbers and as many axes as images can have. Two
// axes are one gray image, unless one of them is far longer, as those of lists of features are.
func takesImages(v valueInfo) bool {
	if v.kind != typeFloat && numberTypes[v.kind] == "" {
		return false
	}
	if len(v.dims) == 2 {
		return min(v.dims[0], v.dims[1]) >= 4 && max(v.dims[0], v.dims[1]) <= 4*min(v.dims[0], v.dims[1])
	}
	return len(v.dims) == 3 || len(v.dims) == 4
}

// scalarTensor is a TensorProto of one float32 number without axes.
func scalarTensor(name string, v float32) []byte {
	t := protowire.AppendVarint(protowire.AppendTag(nil, 2, protowire.VarintType), typeFloat)
	return appendMessage(appendString(t, 8, name), 9, protowire.AppendFixed32(nil, math.Float32bits(v)))
}

// shapeTensor is a TensorProto of int64 numbers on one axis.
func shapeTensor(name string, list []int64) []byte {
	t := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(len(list)))
	t = protowire.AppendVarint(protowire.AppendTag(t, 2, protowire.VarintType), typeInt64)
	var raw []byte
	for _, v := range list {
		raw = protowire.AppendFixed64(raw, uint64(v))
	}
	return appendMessage(appendString(t, 8, name), 9, raw)
}
