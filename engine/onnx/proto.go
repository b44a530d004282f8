package onnx

import "strings"

// The parts of onnx.proto that matter here. Numbers in the readers below are its field numbers.

// Element types of TensorProto.DataType; typeOther is a sequence, map, optional or sparse value.
const (
	typeOther   = -1
	typeUnknown = 0
	typeFloat   = 1
	typeUint8   = 2
	typeInt32   = 6
	typeInt64   = 7
	typeString  = 8
	typeBool    = 9
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
	external bool // some tensor anywhere has its data outside the file
}

type graphProto struct {
	nodes   []nodeProto
	weights map[string]tensorProto
	inputs  []valueInfo
	outputs []valueInfo
	values  []valueInfo
}

type nodeProto struct {
	op, domain      string
	inputs, outputs []string
	attributes      []attribute
}

type attribute struct {
	name   string
	i      int64
	ints   []int64
	tensor *tensorProto
	floats bool // a float or a list of floats is set
}

type tensorProto struct {
	name string
	kind int64
	dims []int64
}

// valueInfo is a named value with its type; ranked tells that a shape is there. A dimension without a number is -1.
type valueInfo struct {
	name   string
	kind   int64
	ranked bool
	dims   []int64
}

// modelReader reads one ModelProto. Repeated occurrences of a message are merged, as protobuf does.
type modelReader struct {
	reader
	model modelProto
}

func (r *modelReader) readModel(data []byte) error {
	r.model.metadata = map[string]string{}
	var version string
	err := r.each(data, func(f field) (err error) {
		switch f.num {
		case 1:
			r.model.ir, err = f.integer()
		case 2:
			r.model.producer, err = f.text()
		case 3:
			version, err = f.text()
		case 7:
			if r.model.graph == nil {
				r.model.graph = &graphProto{weights: map[string]tensorProto{}}
			}
			err = r.readGraph(f, r.model.graph, 0)
		case 8:
			err = r.readOpset(f)
		case 14:
			err = r.readMetadata(f)
		case 20, 25:
			err = r.readElsewhere(f)
		}
		return err
	})
	r.model.producer = strings.TrimSpace(r.model.producer + " " + version)
	return err
}

func (r *modelReader) readOpset(f field) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	var domain string
	var version int64
	err = r.each(b, func(f field) (err error) {
		switch f.num {
		case 1:
			domain, err = f.text()
		case 2:
			version, err = f.integer()
		}
		return err
	})
	r.model.opsets++
	if isDefault(domain) {
		r.model.opset = version
	}
	return err
}

func (r *modelReader) readMetadata(f field) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	if err := r.part(); err != nil {
		return err
	}
	var key, value string
	err = r.each(b, func(f field) (err error) {
		switch f.num {
		case 1:
			key, err = f.text()
		case 2:
			value, err = f.textUpTo(maxText)
		}
		return err
	})
	r.model.metadata[key] = value
	return err
}

// readElsewhere looks for external data in training information (two graphs) and functions (nodes at 7).
func (r *modelReader) readElsewhere(f field) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	ignored := &graphProto{weights: map[string]tensorProto{}}
	training := f.num == 20
	return r.each(b, func(f field) error {
		switch {
		case training && (f.num == 1 || f.num == 2):
			return r.readGraph(f, ignored, 0)
		case !training && f.num == 7:
			return r.readNode(f, ignored, 0)
		}
		return nil
	})
}

func (r *modelReader) readGraph(f field, g *graphProto, depth int) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	if depth > maxDepth {
		return errDepth
	}
	return r.each(b, func(f field) error {
		switch f.num {
		case 1:
			return r.readNode(f, g, depth)
		case 5:
			return r.readWeight(f, g)
		case 11:
			return r.readValue(f, &g.inputs)
		case 12:
			return r.readValue(f, &g.outputs)
		case 13:
			return r.readValue(f, &g.values)
		case 15:
			return r.readSparse(f, g)
		}
		return nil
	})
}

func (r *modelReader) readWeight(f field, g *graphProto) error {
	if err := r.part(); err != nil {
		return err
	}
	t, err := r.readTensor(f)
	if err != nil {
		return err
	}
	g.weights[t.name] = t
	return nil
}

// readSparse reads a SparseTensorProto: values with the name at 1, indices at 2, dims at 3.
func (r *modelReader) readSparse(f field, g *graphProto) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	if err := r.part(); err != nil {
		return err
	}
	var t tensorProto
	err = r.each(b, func(f field) (err error) {
		switch f.num {
		case 1:
			t, err = r.readTensor(f)
		case 2:
			_, err = r.readTensor(f)
		}
		return err
	})
	if g != nil && t.name != "" {
		g.weights[t.name] = t
	}
	return err
}

func (r *modelReader) readTensor(f field) (t tensorProto, err error) {
	b, err := f.message()
	if err != nil {
		return t, err
	}
	err = r.each(b, func(f field) (err error) {
		switch f.num {
		case 1:
			t.dims, err = f.integers(t.dims)
		case 2:
			t.kind, err = f.integer()
		case 8:
			t.name, err = f.text()
		case 14: // 1 is EXTERNAL
			var location int64
			if location, err = f.integer(); location != 0 {
				r.model.external = true
			}
		}
		return err
	})
	return t, err
}

func (r *modelReader) readNode(f field, g *graphProto, depth int) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	if err := r.part(); err != nil {
		return err
	}
	var n nodeProto
	err = r.each(b, func(f field) error {
		var err error
		var text string
		switch f.num {
		case 1, 2:
			if err = r.part(); err != nil {
				return err
			}
			if text, err = f.text(); f.num == 1 {
				n.inputs = append(n.inputs, text)
			} else {
				n.outputs = append(n.outputs, text)
			}
		case 4:
			n.op, err = f.text()
		case 5:
			err = r.readAttribute(f, &n, depth)
		case 7:
			n.domain, err = f.text()
		}
		return err
	})
	g.nodes = append(g.nodes, n)
	return err
}

// readAttribute keeps what the inspection needs and follows everything that can hold a tensor. Inner graphs are read
// for external data only.
func (r *modelReader) readAttribute(f field, n *nodeProto, depth int) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	if err := r.part(); err != nil {
		return err
	}
	var a attribute
	err = r.each(b, func(f field) (err error) {
		switch f.num {
		case 1:
			a.name, err = f.text()
		case 2, 7:
			a.floats = true
		case 3:
			a.i, err = f.integer()
		case 8:
			a.ints, err = f.integers(a.ints)
		case 5, 10:
			var t tensorProto
			if t, err = r.readTensor(f); f.num == 5 {
				a.tensor = &t
			}
		case 6, 11:
			err = r.readGraph(f, &graphProto{weights: map[string]tensorProto{}}, depth+1)
		case 22, 23:
			err = r.readSparse(f, nil)
		}
		return err
	})
	n.attributes = append(n.attributes, a)
	return err
}

func (r *modelReader) readValue(f field, list *[]valueInfo) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	if err := r.part(); err != nil {
		return err
	}
	var v valueInfo
	err = r.each(b, func(f field) (err error) {
		switch f.num {
		case 1:
			v.name, err = f.text()
		case 2:
			err = r.readType(f, &v)
		}
		return err
	})
	*list = append(*list, v)
	return err
}

// readType reads a TypeProto: a tensor at 1, anything else at other numbers.
func (r *modelReader) readType(f field, v *valueInfo) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	return r.each(b, func(f field) error {
		switch f.num {
		case 1:
			return r.readTensorType(f, v)
		case 4, 5, 8, 9:
			v.kind = typeOther
		}
		return nil
	})
}

func (r *modelReader) readTensorType(f field, v *valueInfo) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	return r.each(b, func(f field) (err error) {
		switch f.num {
		case 1:
			v.kind, err = f.integer()
		case 2:
			v.ranked = true
			err = r.readShape(f, v)
		}
		return err
	})
}

func (r *modelReader) readShape(f field, v *valueInfo) error {
	b, err := f.message()
	if err != nil {
		return err
	}
	return r.each(b, func(f field) error {
		if f.num != 1 {
			return nil
		}
		b, err := f.message()
		if err != nil {
			return err
		}
		size := int64(-1)
		err = r.each(b, func(f field) (err error) {
			if f.num == 1 {
				size, err = f.integer()
			}
			return err
		})
		v.dims = appendCapped(v.dims, size)
		return err
	})
}

// isDefault tells whether a domain is that of the standard operators.
func isDefault(domain string) bool { return domain == "" || domain == "ai.onnx" }

// is tells whether the node is a standard operator of that type.
func (n nodeProto) is(ops ...string) bool {
	if !isDefault(n.domain) {
		return false
	}
	for _, op := range ops {
		if n.op == op {
			return true
		}
	}
	return false
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
