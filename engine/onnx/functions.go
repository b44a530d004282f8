package onnx

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// rewriter copies nodes with other names of tensors, and with the nodes of functions in place of
// calls. Inner graphs are rewritten likewise.
type rewriter struct {
	rename     func(string) string
	attributes map[string][]byte // of the call that is being unfolded: AttributeProto by name; nil outside
	functions  map[string]*function
	unfold     *unfolding
	depth      int
}

// function is a FunctionProto, taken apart.
type function struct {
	name            string
	inputs, outputs []string
	defaults        map[string][]byte
	nodes           [][]byte
	opsets          map[string]int64
}

// unfolding is what unfolding the functions of one file has come to.
type unfolding struct {
	marker string // stands in all new names and nowhere else in the file
	calls  int
	room   int              // bytes that may still be added
	kept   bool             // a call was left as it is
	opsets map[string]int64 // of the model, and those that unfolded functions need besides
}

// node appends the field with that number that a NodeProto becomes, or those of the nodes of the
// function that it calls.
func (w rewriter) node(to []byte, num protowire.Number, raw []byte) ([]byte, error) {
	if w.functions != nil {
		if f := w.functions[callKey(raw)]; f != nil && w.unfold.fits(f) {
			return w.call(to, num, raw, f)
		} else if f != nil {
			w.unfold.kept = true
		}
	}
	var n []byte
	err := eachRaw(raw, func(f field, part []byte) (err error) {
		switch f.num {
		case 1, 2:
			n = appendString(n, f.num, w.named(string(f.bytes)))
		case 5:
			n, err = w.attribute(n, f)
		default:
			n = append(n, part...)
		}
		return err
	})
	if w.unfold != nil {
		if w.unfold.room -= len(n); w.unfold.room < 0 {
			return nil, errParts
		}
	}
	return appendMessage(to, num, n), err
}

// named is a tensor's new name; no tensor stays none.
func (w rewriter) named(tensor string) string {
	if tensor == "" {
		return ""
	}
	return w.rename(tensor)
}

// attribute appends an attribute of a node: what the call gives where it stands for one of the
// function's own.
func (w rewriter) attribute(to []byte, f field) ([]byte, error) {
	raw, err := f.message()
	if err != nil {
		return nil, err
	}
	var name, stands string
	var graphs bool
	err = eachRaw(raw, func(f field, _ []byte) error {
		switch f.num {
		case 1:
			name = string(f.bytes)
		case 21:
			stands = string(f.bytes)
		case 6, 11:
			graphs = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if stands != "" && w.attributes != nil {
		given := w.attributes[stands]
		if given == nil {
			return to, nil // an optional one that the call leaves out
		}
		return appendMessage(to, 5, rewriter{rename: func(string) string { return name }}.renamed(given, 1)), nil
	}
	if !graphs {
		return appendMessage(to, 5, raw), nil
	}
	if w.depth++; w.depth > maxDepth {
		return nil, errDepth
	}
	var a []byte
	err = eachRaw(raw, func(f field, part []byte) (err error) {
		if f.num != 6 && f.num != 11 {
			a = append(a, part...)
			return nil
		}
		var g []byte
		if g, err = w.graph(f.bytes); err == nil {
			a = appendMessage(a, f.num, g)
		}
		return err
	})
	return appendMessage(to, 5, a), err
}

// graph rewrites an inner GraphProto.
func (w rewriter) graph(raw []byte) (g []byte, err error) {
	err = eachRaw(raw, func(f field, part []byte) (err error) {
		switch f.num {
		case 1:
			g, err = w.node(g, 1, f.bytes)
		case 5:
			g = appendMessage(g, f.num, w.renamed(f.bytes, 8))
		case 11, 12, 13:
			g = appendMessage(g, f.num, w.renamed(f.bytes, 1))
		case 15:
			var s []byte
			err = eachRaw(f.bytes, func(f field, part []byte) error {
				if f.num == 1 {
					part = appendMessage(nil, 1, w.renamed(f.bytes, 8))
				}
				s = append(s, part...)
				return nil
			})
			g = appendMessage(g, f.num, s)
		default:
			g = append(g, part...)
		}
		return err
	})
	return g, err
}

// renamed is a message whose name, in the field with that number, is that of a tensor.
func (w rewriter) renamed(message []byte, name protowire.Number) (out []byte) {
	_ = eachRaw(message, func(f field, part []byte) error { // has been read before, so it cannot fail
		if f.num == name {
			part = appendString(nil, name, w.named(string(f.bytes)))
		}
		out = append(out, part...)
		return nil
	})
	return out
}

// call appends the nodes of a function in place of a node that calls it.
func (w rewriter) call(to []byte, num protowire.Number, raw []byte, f *function) (_ []byte, err error) {
	if w.depth++; w.depth > maxDepth {
		return nil, errDepth
	}
	if w.unfold.calls++; w.unfold.calls > maxParts {
		return nil, errParts
	}
	inside := rewriter{functions: w.functions, unfold: w.unfold, depth: w.depth, attributes: map[string][]byte{}}
	for name, a := range f.defaults {
		inside.attributes[name] = a
	}
	var inputs, outputs []string
	err = eachRaw(raw, func(part field, _ []byte) (err error) {
		switch part.num {
		case 1:
			inputs = append(inputs, w.named(string(part.bytes)))
		case 2:
			outputs = append(outputs, w.named(string(part.bytes)))
		case 5:
			var given []byte
			if given, err = w.attribute(nil, part); err != nil || given == nil {
				return err // one that is not given where this call stands in a function itself
			}
			err = eachRaw(given, func(f field, _ []byte) error {
				var part []namedPart
				err := addNamed(&part, f, 1)
				inside.attributes[part[0].name] = part[0].bytes
				return err
			})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	prefix := fmt.Sprintf("%s%s%d/", f.name, w.unfold.marker, w.unfold.calls)
	for k, name := range f.inputs {
		if names[name] = ""; k < len(inputs) {
			names[name] = inputs[k]
		}
	}
	for k, name := range f.outputs {
		if k >= len(outputs) || outputs[k] == "" {
			continue
		}
		if given, through := names[name]; through {
			to = appendMessage(to, num, plainNode("Identity", outputs[k], given))
			continue
		}
		names[name] = outputs[k]
	}
	inside.rename = func(tensor string) string {
		if outer, ok := names[tensor]; ok {
			return outer
		}
		return prefix + tensor
	}
	for _, n := range f.nodes {
		if to, err = inside.node(to, num, n); err != nil {
			return nil, err
		}
	}
	return to, nil
}

// fits tells whether a function was written for the operator sets of the model, or for other
// versions in which its operators mean the same; sets that the model does not have are added.
func (u *unfolding) fits(f *function) bool {
	for domain, version := range f.opsets {
		if have, there := u.opsets[domain]; there && have != version && (domain != "" || !f.means(version, have)) {
			return false
		}
	}
	for domain, version := range f.opsets {
		if _, there := u.opsets[domain]; !there {
			u.opsets[domain] = version
		}
	}
	return true
}

// changes are the versions of the standard operator set from 7 on in which an operator was new, or
// a node of it got another meaning or form: Softmax took one axis alone in 13, Clip its limits as
// inputs in 11. What only takes more types since, or has a further attribute that nodes can do
// without, is not changed (docs/Changelog.md of ONNX). Operators that are not listed count as
// changed in each.
var changes = func() map[string][]int64 {
	m := map[string][]int64{
		"Softmax": {13}, "LogSoftmax": {13}, "Clip": {11}, "Dropout": {12}, "BatchNormalization": {9, 14},
		"AveragePool": {10, 19}, "MaxPool": {8, 10}, "ReduceSum": {13}, "Squeeze": {13}, "Unsqueeze": {13},
		"Split": {13, 18}, "Pad": {11, 19}, "Slice": {10}, "Reshape": {14}, "Shape": {15}, "LayerNormalization": {17},
		"HardSwish": {14}, "Mish": {18}, "Gelu": {20}, "Celu": {12}, "Erf": {9}, "Where": {9}, "Expand": {8},
		"Cast": {9, 19}, "Constant": {9, 11, 12}, "Gemm": {11}, "Pow": {12}, "Equal": {11},
	}
	for name := range strings.FieldsSeq("ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 " +
		"ReduceSumSquare ReduceLogSumExp") {
		m[name] = []int64{18}
	}
	for name := range strings.FieldsSeq("Conv ConvTranspose Add Sub Mul Div Relu LeakyRelu PRelu Elu Selu Sigmoid " +
		"HardSigmoid Tanh Softplus Softsign Exp Log Sqrt Neg Abs Reciprocal MatMul Identity Transpose " +
		"GlobalAveragePool GlobalMaxPool InstanceNormalization") {
		m[name] = nil
	}
	for name := range strings.FieldsSeq("Concat Flatten Gather") {
		m[name] = []int64{11} // axes may be negative since
	}
	return m
}()

// means tells whether the function's own nodes of standard operators mean the same in two versions
// of the operator set. Those with inner graphs do not.
func (f *function) means(a, b int64) bool {
	from, to := min(a, b), max(a, b)
	for _, n := range f.nodes {
		domain, op, graphs := "", "", false
		if eachRaw(n, func(part field, _ []byte) error {
			switch part.num {
			case 4:
				op = string(part.bytes)
			case 5:
				graphs = graphs || holdsGraph(part.bytes)
			case 7:
				domain = string(part.bytes)
			}
			return nil
		}) != nil || graphs {
			return false
		}
		if !isDefault(domain) {
			continue
		}
		versions, known := changes[op]
		if !known || from < 7 || slices.ContainsFunc(versions, func(v int64) bool { return v > from && v <= to }) {
			return false
		}
	}
	return true
}

// holdsGraph tells whether an AttributeProto has inner graphs.
func holdsGraph(attribute []byte) (found bool) {
	err := eachRaw(attribute, func(f field, _ []byte) error {
		found = found || f.num == 6 || f.num == 11
		return nil
	})
	return found || err != nil
}

// callKey names the function that a NodeProto calls: domain, operator and overload.
func callKey(node []byte) string {
	var op, domain, overload []byte
	_ = eachRaw(node, func(f field, _ []byte) error { // what is damaged is found when it is copied
		switch f.num {
		case 4:
			op = f.bytes
		case 7:
			domain = f.bytes
		case 8:
			overload = f.bytes
		}
		return nil
	})
	return domainName(string(domain)) + "\x00" + string(op) + "\x00" + string(overload)
}

func domainName(domain string) string {
	if isDefault(domain) {
		return ""
	}
	return domain
}

// mostUnfolded is how many bytes the nodes of unfolded functions may take.
const mostUnfolded = 256 << 20

// inlineFunctions is a model with the nodes of its local functions in place of their calls, so
// that the tensors inside them can be reached; a file without calls is data itself. The tensors
// are named after function and call. A function written for another version of an operator set, in
// which one of its operators means something else, stays as it is.
func inlineFunctions(data []byte) (unfolded []byte, changed bool, err error) {
	functions, opsets := map[string]*function{}, map[string]int64{}
	err = eachRaw(data, func(f field, _ []byte) error {
		switch f.num {
		case 8:
			return readVersion(f, opsets)
		case 25:
			key, made, err := readFunction(f)
			if made != nil && made.name != "" {
				functions[key] = made
			}
			return err
		}
		return nil
	})
	if err != nil || len(functions) == 0 {
		return data, false, err
	}
	marker := "#"
	for bytes.Contains(data, []byte(marker)) {
		marker += "#"
	}
	file, err := takeApart(data)
	if err != nil {
		return nil, false, err
	}
	known := len(opsets)
	u := &unfolding{marker: marker, room: mostUnfolded + len(data), opsets: opsets}
	w := rewriter{rename: func(name string) string { return name }, functions: functions, unfold: u}
	var g []byte
	for _, n := range file.nodes {
		if g, err = w.node(g, 1, n); err != nil {
			return nil, false, err
		}
	}
	if u.calls == 0 {
		return data, false, nil
	}
	for k, list := range [][]namedPart{file.inputs, file.outputs} {
		for _, v := range list {
			g = appendMessage(g, protowire.Number(11+k), v.bytes)
		}
	}
	g = file.appendOthers(g, nil)
	model := file.model
	file.model = nil
	err = eachRaw(model, func(f field, raw []byte) error {
		if f.num != 25 || u.kept {
			file.model = append(file.model, raw...)
		}
		return nil
	})
	if known < len(opsets) {
		file.model = appendVersions(file.model, opsets)
	}
	return file.with(g), true, err
}

// appendVersions adds the operator sets that the model does not import itself.
func appendVersions(model []byte, opsets map[string]int64) []byte {
	have := map[string]int64{}
	_ = eachRaw(model, func(f field, _ []byte) error { // has been read before, so it cannot fail
		if f.num == 8 {
			return readVersion(f, have)
		}
		return nil
	})
	var domains []string
	for domain := range opsets {
		if _, there := have[domain]; !there {
			domains = append(domains, domain)
		}
	}
	slices.Sort(domains)
	for _, domain := range domains {
		set := appendString(nil, 1, domain)
		set = protowire.AppendVarint(protowire.AppendTag(set, 2, protowire.VarintType), uint64(opsets[domain]))
		model = appendMessage(model, 8, set)
	}
	return model
}

// readVersion notes an OperatorSetIdProto.
func readVersion(f field, opsets map[string]int64) error {
	set, err := f.message()
	if err != nil {
		return err
	}
	var domain string
	var version int64
	err = eachRaw(set, func(f field, _ []byte) (err error) {
		switch f.num {
		case 1:
			domain, err = f.text()
		case 2:
			version, err = f.integer()
		}
		return err
	})
	opsets[domainName(domain)] = version
	return err
}

// readFunction takes a FunctionProto apart.
func readFunction(f field) (key string, made *function, err error) {
	raw, err := f.message()
	if err != nil {
		return "", nil, err
	}
	made = &function{defaults: map[string][]byte{}, opsets: map[string]int64{}}
	var domain, overload string
	err = eachRaw(raw, func(f field, _ []byte) (err error) {
		var text string
		if f.num == 1 || f.num == 4 || f.num == 5 || f.num == 10 || f.num == 13 {
			if text, err = f.text(); err != nil {
				return err
			}
		}
		switch f.num {
		case 1:
			made.name = text
		case 4:
			made.inputs = append(made.inputs, text)
		case 5:
			made.outputs = append(made.outputs, text)
		case 7:
			var node []byte
			node, err = f.message()
			made.nodes = append(made.nodes, node)
		case 9:
			err = readVersion(f, made.opsets)
		case 10:
			domain = text
		case 11:
			var part []namedPart
			if err = addNamed(&part, f, 1); err == nil {
				made.defaults[part[0].name] = part[0].bytes
			}
		case 13:
			overload = text
		}
		return err
	})
	return domainName(domain) + "\x00" + made.name + "\x00" + overload, made, err
}
