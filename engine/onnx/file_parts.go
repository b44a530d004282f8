package onnx

import "google.golang.org/protobuf/encoding/protowire"

// fileParts is a model file taken apart into the fields of its main graph, as they lie in the file.
// Repeated graphs are merged, as protobuf does.
type fileParts struct {
	model   []byte      // all fields but the graph, with their tags
	nodes   [][]byte    // in the order of graphProto.nodes
	weights []namedPart // initialisers
	inputs  []namedPart
	outputs []namedPart
	others  []byte // the graph's other fields, with their tags
}

// namedPart is one field's message and the name that it carries.
type namedPart struct {
	name  string
	bytes []byte
}

// takeApart splits a file that parse has read.
func takeApart(data []byte) (*fileParts, error) {
	p := &fileParts{}
	err := eachRaw(data, func(f field, raw []byte) error {
		if f.num != 7 {
			p.model = append(p.model, raw...)
			return nil
		}
		graph, err := f.message()
		if err != nil {
			return err
		}
		return eachRaw(graph, p.addField)
	})
	return p, err
}

// eachRaw calls visit for every field of a message with the field's own bytes, tag included.
func eachRaw(message []byte, visit func(f field, raw []byte) error) error {
	for len(message) > 0 {
		f, size, err := nextField(message)
		if err != nil {
			return err
		}
		if err := visit(f, message[:size]); err != nil {
			return err
		}
		message = message[size:]
	}
	return nil
}

func (p *fileParts) addField(f field, raw []byte) error {
	switch f.num {
	case 1:
		node, err := f.message()
		p.nodes = append(p.nodes, node)
		return err
	case 5:
		return addNamed(&p.weights, f, 8)
	case 11:
		return addNamed(&p.inputs, f, 1)
	case 12:
		return addNamed(&p.outputs, f, 1)
	}
	p.others = append(p.others, raw...)
	return nil
}

// addNamed adds a field's message; its name stands in the field of that number.
func addNamed(list *[]namedPart, f field, name protowire.Number) error {
	message, err := f.message()
	if err != nil {
		return err
	}
	part := namedPart{bytes: message}
	err = eachRaw(message, func(f field, _ []byte) error {
		if f.num == name {
			part.name = string(f.bytes)
		}
		return nil
	})
	*list = append(*list, part)
	return err
}

// appendOthers adds what every graph of this file keeps: the initialisers that are used (all for
// nil) and the other fields.
func (p *fileParts) appendOthers(g []byte, used map[string]bool) []byte {
	for _, w := range p.weights {
		if used == nil || used[w.name] {
			g = appendMessage(g, 5, w.bytes)
		}
	}
	return append(g, p.others...)
}

// with is the file with another main graph.
func (p *fileParts) with(graph []byte) []byte {
	file := make([]byte, 0, len(p.model)+len(graph)+16)
	return appendMessage(append(file, p.model...), 7, graph)
}

// renameOutput is a NodeProto whose first output has another name.
func renameOutput(node []byte, name string) []byte {
	renamed := make([]byte, 0, len(node)+len(name))
	done := false
	_ = eachRaw(node, func(f field, raw []byte) error { // has been read before, so it cannot fail
		if f.num == 2 && !done {
			done = true
			renamed = appendString(renamed, 2, name)
			return nil
		}
		renamed = append(renamed, raw...)
		return nil
	})
	return renamed
}

func appendMessage(b []byte, num protowire.Number, message []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, num, protowire.BytesType), message)
}

func appendString(b []byte, num protowire.Number, text string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, num, protowire.BytesType), text)
}
