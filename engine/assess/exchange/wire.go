package exchange

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// message is a protobuf message that grows field by field. The field numbers are those of
// onnx.proto.
type message []byte

func (m message) num(field protowire.Number, v int64) message {
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), uint64(v))
}

func (m message) text(field protowire.Number, v string) message {
	return protowire.AppendString(protowire.AppendTag(m, field, protowire.BytesType), v)
}

func (m message) sub(field protowire.Number, v message) message {
	return protowire.AppendBytes(protowire.AppendTag(m, field, protowire.BytesType), v)
}

// Element types of TensorProto.DataType.
const (
	float32Type = 1
	int64Type   = 7
	float64Type = 11
)

// doubles is a TensorProto of float64 numbers.
func doubles(name string, values []float64, dims ...int64) message {
	raw := make([]byte, 0, 8*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	return tensor(name, float64Type, raw, dims)
}

// floats is a TensorProto of float32 numbers, rounded from float64.
func floats(name string, values []float64, dims ...int64) message {
	raw := make([]byte, 0, 4*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(v)))
	}
	return tensor(name, float32Type, raw, dims)
}

// integers is a TensorProto of int64 numbers.
func integers(name string, values []int64, dims ...int64) message {
	raw := make([]byte, 0, 8*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return tensor(name, int64Type, raw, dims)
}

func tensor(name string, kind int64, raw []byte, dims []int64) message {
	var t message
	for _, d := range dims {
		t = t.num(1, d)
	}
	return t.num(2, kind).text(8, name).sub(9, raw)
}

// value is a ValueInfoProto of a tensor; the dimension -1 is the number of models, which is open.
func value(name string, kind int64, dims ...int64) message {
	var shape message
	for _, d := range dims {
		dim := message{}.num(1, d)
		if d < 0 {
			dim = message{}.text(2, "N")
		}
		shape = shape.sub(1, dim)
	}
	return message{}.text(1, name).sub(2, message{}.sub(1, message{}.num(1, kind).sub(2, shape)))
}

// Attributes; the last field is AttributeProto.type.

func attrInt(name string, v int64) message { return message{}.text(1, name).num(3, v).num(20, 2) }

func attrText(name, v string) message { return message{}.text(1, name).text(4, v).num(20, 3) }

func attrTensor(name string, t message) message { return message{}.text(1, name).sub(5, t).num(20, 4) }

func attrFloats(name string, list []float64) message {
	a := message{}.text(1, name)
	for _, v := range list {
		a = protowire.AppendFixed32(protowire.AppendTag(a, 7, protowire.Fixed32Type), math.Float32bits(float32(v)))
	}
	return a.num(20, 6)
}

func attrInts(name string, list []int64) message {
	a := message{}.text(1, name)
	for _, v := range list {
		a = a.num(8, v)
	}
	return a.num(20, 7)
}

func attrTexts(name string, list []string) message {
	a := message{}.text(1, name)
	for _, v := range list {
		a = a.text(9, v)
	}
	return a.num(20, 8)
}

// The domains of operators.
const (
	standard = ""
	learning = "ai.onnx.ml"
)

// graph is a GraphProto under construction.
type graph struct {
	nodes, weights, outputs []message
}

// node appends an operator. One output is named like the node.
func (g *graph) node(domain, op string, inputs, outputs []string, attributes ...message) {
	var n message
	for _, in := range inputs {
		n = n.text(1, in)
	}
	for _, out := range outputs {
		n = n.text(2, out)
	}
	n = n.text(3, outputs[0]).text(4, op)
	for _, a := range attributes {
		n = n.sub(5, a)
	}
	g.nodes = append(g.nodes, n.text(7, domain))
}

// apply appends a standard operator with one output and returns the output's name.
func (g *graph) apply(op, output string, inputs []string, attributes ...message) string {
	g.node(standard, op, inputs, []string{output}, attributes...)
	return output
}

// constant adds a tensor and returns its name.
func (g *graph) constant(name string, t message) string {
	g.weights = append(g.weights, t)
	return name
}

// message is the GraphProto with one input of width columns.
func (g *graph) message(width int) message {
	var m message
	for _, n := range g.nodes {
		m = m.sub(1, n)
	}
	m = m.text(2, "assessor")
	for _, w := range g.weights {
		m = m.sub(5, w)
	}
	m = m.sub(11, value(Input, float64Type, -1, int64(width)))
	for _, out := range g.outputs {
		m = m.sub(12, out)
	}
	return m
}
