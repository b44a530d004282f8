package onnx

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// expose returns a copy of a model whose graph also outputs the named tensors (background.md
// section 8). It appends a second field 7 (graph) that holds only outputs (field 12), each a
// ValueInfoProto with nothing but a name: protobuf merges repeated messages, so the runtime sees
// one graph with all outputs. data itself is never changed; it is returned when there is nothing to
// add.
func expose(data []byte, tensors []string) []byte {
	if len(tensors) == 0 {
		return data
	}
	var outputs []byte
	for _, name := range tensors {
		var info []byte
		info = protowire.AppendTag(info, 1, protowire.BytesType)
		info = protowire.AppendString(info, name)
		outputs = protowire.AppendTag(outputs, 12, protowire.BytesType)
		outputs = protowire.AppendBytes(outputs, info)
	}
	edited := make([]byte, 0, len(data)+len(outputs)+16)
	edited = append(edited, data...)
	edited = protowire.AppendTag(edited, 7, protowire.BytesType)
	return protowire.AppendBytes(edited, outputs)
}

// readAsFloats is an analysis of the graph in which every named tensor can be fetched as float32,
// under the name at its place in fetched: the tensor's own, or that of a new node's output that
// converts it.
func (a *analysis) readAsFloats(name string, tensors []string) (_ *analysis, fetched []string, err error) {
	fetched = slices.Clone(tensors)
	var nodes []byte
	prefix := ""
	for k, tensor := range tensors {
		kind := a.kinds[tensor]
		if kind == typeFloat || kind == typeUnknown {
			continue
		}
		if prefix == "" {
			prefix = freshName(a.file)
		}
		fetched[k] = fmt.Sprintf("%s_float%d", prefix, k)
		nodes = appendMessage(nodes, 1, a.asFloat(tensor, fetched[k], a.producer[tensor], kind))
	}
	if nodes == nil {
		return a, fetched, nil
	}
	file := appendMessage(slices.Clip(a.file), 7, nodes) // merged with the graph before, as in expose
	m, err := parse(name, file)
	if err != nil {
		return nil, nil, err
	}
	read := analyse(m.graph)
	read.file, read.own = file, a.own
	return read, fetched, nil
}

// missingOutputs are the tensors that are not outputs of the graph yet, each once.
func (a *analysis) missingOutputs(tensors []string) []string {
	var missing []string
	for _, name := range tensors {
		is := func(v valueInfo) bool { return v.name == name }
		if !slices.ContainsFunc(a.graph.outputs, is) && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	return missing
}
