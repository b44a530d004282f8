package onnx

import (
	"math"
	"strings"
)

// modelReader reads one ModelProto; the numbers below are the field numbers of onnx.proto. Repeated
// occurrences of a message are merged, as protobuf does.
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
			err = r.readGraph(f, r.model.graph)
		case 8:
			err = r.readOpset(f)
		case 14:
			err = r.readMetadata(f)
		}
		return err
	})
	r.model.producer = strings.TrimSpace(r.model.producer + " " + version)
	return err
}

func (r *modelReader) readOpset(f field) error {
	var domain string
	var version int64
	err := r.inside(f, func(f field) (err error) {
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
	if err := r.part(); err != nil {
		return err
	}
	var key, value string
	err := r.inside(f, func(f field) (err error) {
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

func (r *modelReader) readGraph(f field, g *graphProto) error {
	return r.inside(f, func(f field) error {
		switch f.num {
		case 1:
			return r.readNode(f, g)
		case 5:
			if err := r.part(); err != nil {
				return err
			}
			t, err := r.readTensor(f)
			if err != nil {
				return err
			}
			g.weights[t.name] = t
			return nil
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

// readSparse reads a SparseTensorProto: values with the name at 1.
func (r *modelReader) readSparse(f field, g *graphProto) error {
	if err := r.part(); err != nil {
		return err
	}
	var t tensorProto
	err := r.inside(f, func(f field) (err error) {
		if f.num == 1 {
			t, err = r.readTensor(f)
		}
		return err
	})
	if t.name != "" {
		g.weights[t.name] = t
	}
	return err
}

func (r *modelReader) readTensor(f field) (t tensorProto, err error) {
	err = r.inside(f, func(f field) (err error) {
		switch f.num {
		case 1:
			t.dims, err = f.integers(t.dims)
		case 2:
			t.kind, err = f.integer()
		case 7:
			t.ints, err = f.integers(t.ints)
		case 8:
			t.name, err = f.text()
		case 9:
			t.raw, err = f.message()
			if len(t.raw) > 8*maxInts {
				t.raw = nil
			}
		}
		return err
	})
	return t, err
}

func (r *modelReader) readNode(f field, g *graphProto) error {
	if err := r.part(); err != nil {
		return err
	}
	var n nodeProto
	err := r.inside(f, func(f field) error {
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
		case 3:
			n.name, err = f.text()
		case 4:
			n.op, err = f.text()
		case 5:
			err = r.readAttribute(f, &n)
		case 7:
			n.domain, err = f.text()
		}
		return err
	})
	g.nodes = append(g.nodes, n)
	return err
}

// readAttribute keeps what the inspection needs. Of inner graphs it is that they are there.
func (r *modelReader) readAttribute(f field, n *nodeProto) error {
	if err := r.part(); err != nil {
		return err
	}
	var a attribute
	err := r.inside(f, func(f field) (err error) {
		switch f.num {
		case 1:
			a.name, err = f.text()
		case 2:
			a.f = math.Float32frombits(uint32(f.n))
		case 3:
			a.i, err = f.integer()
		case 4:
			a.text = f.word()
		case 8:
			a.ints, err = f.integers(a.ints)
		case 5:
			var t tensorProto
			t, err = r.readTensor(f)
			a.tensor = &t
		case 6, 11:
			n.inner = true
		}
		return err
	})
	n.attributes = append(n.attributes, a)
	return err
}

func (r *modelReader) readValue(f field, list *[]valueInfo) error {
	if err := r.part(); err != nil {
		return err
	}
	var v valueInfo
	err := r.inside(f, func(f field) (err error) {
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
	return r.inside(f, func(f field) error {
		switch f.num {
		case 1:
			return r.inside(f, func(f field) (err error) {
				switch f.num {
				case 1:
					v.kind, err = f.integer()
				case 2:
					v.ranked = true
					err = r.readShape(f, v)
				}
				return err
			})
		case 4, 5, 8, 9:
			v.kind = typeOther
		}
		return nil
	})
}

func (r *modelReader) readShape(f field, v *valueInfo) error {
	return r.inside(f, func(f field) error {
		if f.num != 1 {
			return nil
		}
		size := int64(-1)
		err := r.inside(f, func(f field) (err error) {
			if f.num == 1 {
				size, err = f.integer()
			}
			return err
		})
		v.dims = appendCapped(v.dims, size)
		return err
	})
}
