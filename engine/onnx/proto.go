package onnx

import (
	"encoding/binary"
	"slices"
)

// The parts of onnx.proto that matter here; read.go fills them.

// Element types of TensorProto.DataType; typeOther is a sequence, map, optional or sparse value.
const (
	typeOther    = -1
	typeUnknown  = 0
	typeFloat    = 1
	typeUint8    = 2
	typeInt8     = 3
	typeInt32    = 6
	typeInt64    = 7
	typeString   = 8
	typeBool     = 9
	typeFloat16  = 10
	typeFloat64  = 11
	typeBfloat16 = 16
)

// typeNames are the words for element types in messages.
var typeNames = map[int64]string{
	1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 8: "text", 9: "bool",
	10: "float16", 11: "float64", 12: "uint32", 13: "uint64", 14: "complex64", 15: "complex128", 16: "bfloat16",
}

func typeName(kind int64) string {
	if name, ok := typeNames[kind]; ok {
		return name
	}
	return "no plain tensor"
}

type modelProto struct {
	ir       int64
	producer string
	opset    int64 // of the default domain
	opsets   int   // of any domain
	metadata map[string]string
	graph    *graphProto
}

type graphProto struct {
	nodes   []nodeProto
	weights map[string]tensorProto
	inputs  []valueInfo
	outputs []valueInfo
	values  []valueInfo
}

type nodeProto struct {
	name            string
	op, domain      string
	inputs, outputs []string
	attributes      []attribute
	inner           bool // an attribute holds a graph, which may read tensors that are not among the inputs
}

type attribute struct {
	name   string
	f      float32
	text   string
	i      int64
	ints   []int64
	tensor *tensorProto
}

type tensorProto struct {
	name string
	kind int64
	dims []int64
	ints []int64 // int64 numbers written one by one, at most maxInts
	raw  []byte  // the numbers' bytes, little-endian, where they are at most maxInts int64
}

// isFloat tells whether the numbers are floating-point ones of any width, which are what counts as
// parameters.
func (t tensorProto) isFloat() bool {
	switch t.kind {
	case typeFloat, typeFloat16, 11, 16: // the last two are float64 and bfloat16
		return true
	}
	return false
}

// integers are the numbers of a small int64 tensor, such as the shape that a Reshape makes; ok is
// false for others.
func (t tensorProto) integers() (list []int64, ok bool) {
	n, fits := product(t.dims)
	if t.kind != typeInt64 || !fits || n > maxInts {
		return nil, false
	}
	list = t.ints
	if len(t.raw) > 0 {
		list = nil
		for at := 0; at+8 <= len(t.raw); at += 8 {
			list = append(list, int64(binary.LittleEndian.Uint64(t.raw[at:])))
		}
	}
	return list, int64(len(list)) == n
}

// valueInfo is a named value with its type; ranked tells that a shape is there. A dimension without
// a number is -1.
type valueInfo struct {
	name   string
	kind   int64
	ranked bool
	dims   []int64
}

// isDefault tells whether a domain is that of the standard operators.
func isDefault(domain string) bool { return domain == "" || domain == "ai.onnx" }

// is tells whether the node is a standard operator of that type.
func (n nodeProto) is(ops ...string) bool {
	return isDefault(n.domain) && slices.Contains(ops, n.op)
}

// attribute returns the named attribute, if the node has it.
func (n nodeProto) attribute(name string) (attribute, bool) {
	for _, a := range n.attributes {
		if a.name == name {
			return a, true
		}
	}
	return attribute{}, false
}

// integer returns an integer attribute, or fallback where it is absent.
func (n nodeProto) integer(name string, fallback int64) int64 {
	if a, ok := n.attribute(name); ok {
		return a.i
	}
	return fallback
}

// input is the name of input k, "" when the node has fewer.
func (n nodeProto) input(k int) string {
	if k < len(n.inputs) {
		return n.inputs[k]
	}
	return ""
}
