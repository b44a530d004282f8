package onnx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/model"
)

// analysis is the main graph with its tensors looked up by name.
type analysis struct {
	file     []byte      // in the form that plain gives it
	own      *graphProto // as the file has it
	graph    *graphProto
	producer map[string]*nodeProto // tensor -> the node that computes it
	kinds    map[string]int64      // tensor -> element type, as far as it is known
	fixed    map[string]bool       // weights, constants and what is computed from them alone
}

func analyse(g *graphProto) *analysis {
	a := &analysis{
		graph: g, producer: map[string]*nodeProto{}, kinds: map[string]int64{}, fixed: map[string]bool{},
	}
	for name, w := range g.weights {
		a.kinds[name] = w.kind
		a.fixed[name] = true
	}
	declared := map[string]int64{}
	for _, list := range [][]valueInfo{g.inputs, g.values, g.outputs} {
		for _, v := range list {
			if v.kind != typeUnknown {
				declared[v.name] = v.kind
				a.kinds[v.name] = v.kind
			}
		}
	}
	for i := range g.nodes {
		n := &g.nodes[i]
		fixed := a.isFixed(n)
		for k, name := range n.outputs {
			if name == "" || a.producer[name] != nil {
				continue
			}
			a.producer[name] = n
			a.fixed[name] = fixed
			if _, ok := declared[name]; !ok {
				a.kinds[name] = a.outputKind(n, k)
			}
		}
	}
	return a
}

// isFixed tells whether a node's outputs do not depend on the image.
func (a *analysis) isFixed(n *nodeProto) bool {
	if n.is("If", "Loop", "Scan") || len(n.inputs) == 0 && !n.is("Constant") {
		return false // inner graphs see outer tensors without naming them as inputs
	}
	for _, in := range n.inputs {
		if in != "" && !a.fixed[in] {
			return false
		}
	}
	return true
}

// fixedKinds are the element types of operators whose outputs do not have their first input's type.
var fixedKinds = map[string]int64{
	"Shape": typeInt64, "Size": typeInt64, "ArgMax": typeInt64, "ArgMin": typeInt64, "NonZero": typeInt64,
	"NonMaxSuppression": typeInt64, "Multinomial": typeInt32,
	"Equal": typeBool, "Less": typeBool, "LessOrEqual": typeBool, "Greater": typeBool, "GreaterOrEqual": typeBool,
	"And": typeBool, "Or": typeBool, "Xor": typeBool, "Not": typeBool, "IsNaN": typeBool, "IsInf": typeBool,
	"MatMulInteger": typeInt32, "ConvInteger": typeInt32, "DequantizeLinear": typeFloat, "QLinearConv": typeUint8,
	"QLinearMatMul": typeUint8, "QuantizeLinear": typeUint8, "ImageDecoder": typeUint8,
	"SplitToSequence": typeOther, "SequenceConstruct": typeOther, "SequenceEmpty": typeOther,
	"SequenceInsert": typeOther, "SequenceErase": typeOther, "SequenceMap": typeOther, "Optional": typeOther,
	"StringSplit": typeString, "If": typeUnknown, "Loop": typeUnknown, "Scan": typeUnknown,
}

// outputKind derives the element type of output k of a node from its operator and inputs;
// typeUnknown where it cannot.
func (a *analysis) outputKind(n *nodeProto, k int) int64 {
	if n.domain == "com.microsoft" && (strings.HasPrefix(n.op, "QLinear") || strings.Contains(n.op, "Conv")) {
		return a.kinds[n.input(0)] // quantised, or fused with what follows
	}
	if !isDefault(n.domain) {
		return typeUnknown
	}
	if kind, ok := fixedKinds[n.op]; ok {
		return kind
	}
	switch n.op {
	case "Cast":
		return n.integer("to", typeUnknown)
	case "Constant", "ConstantOfShape":
		return constantKind(n)
	case "RandomNormal", "RandomUniform", "EyeLike", "RandomNormalLike", "RandomUniformLike", "HannWindow",
		"HammingWindow":
		return n.integer("dtype", typeFloat)
	case "Where", "CastLike":
		return a.kinds[n.input(1)]
	case "OneHot":
		return a.kinds[n.input(2)]
	case "DynamicQuantizeLinear":
		return []int64{typeUint8, typeFloat, typeUint8}[min(k, 2)]
	case "TopK", "MaxPool", "Unique":
		if k > 0 {
			return typeInt64
		}
	case "Dropout":
		if k > 0 {
			return typeBool
		}
	}
	return a.kinds[n.input(0)]
}

func constantKind(n *nodeProto) int64 {
	for _, at := range n.attributes {
		switch {
		case at.name == "value" && at.tensor != nil:
			return at.tensor.kind
		case at.name == "value_float" || at.name == "value_floats":
			return typeFloat
		case at.name == "value_int" || at.name == "value_ints":
			return typeInt64
		case at.name == "value_string" || at.name == "value_strings":
			return typeString
		}
	}
	if n.op == "ConstantOfShape" {
		return typeFloat
	}
	return typeOther
}

// floatTensors are the node outputs that hold numbers which can be read as float32 (or may: their
// type is unknown) and depend on the image.
func (a *analysis) floatTensors() []string {
	list := []string{}
	seen := map[string]bool{}
	for i := range a.graph.nodes {
		for _, name := range a.graph.nodes[i].outputs {
			if name == "" || seen[name] || a.fixed[name] || !a.readable(name) {
				continue
			}
			seen[name] = true
			list = append(list, name)
		}
	}
	return list
}

// readable tells whether a tensor holds float32 numbers, or such that can be converted: other
// floating-point ones, and the quantised ones of a convolution.
func (a *analysis) readable(tensor string) bool {
	switch a.kinds[tensor] {
	case typeUnknown, typeFloat, typeFloat16, typeFloat64, typeBfloat16:
		return true
	case typeUint8, typeInt8, typeInt32:
		n := a.producer[tensor]
		scale, _ := quantised(n)
		return scale != ""
	}
	return false
}

// positions fills in what the graph says of its convolutions: those whose map is 1 x 1, nodes of
// other types, where parallel ones meet, and the blocks of a transformer.
func (a *analysis) positions(g *model.Graph) {
	sizes := newShapes(a, g.Opset)
	sizes.put(g.Input.Name, inputDims(g.Input, g.Input.Layout))
	sums := map[string]int{} // whole-number sums of a ConvInteger, to its place in g.Others
	for i := range a.graph.nodes {
		n := &a.graph.nodes[i]
		sizes.infer(n)
		if len(n.outputs) == 0 || n.outputs[0] == "" || a.fixed[n.outputs[0]] {
			continue
		}
		dims, _ := sizes.of(n.outputs[0])
		switch {
		case n.is("Conv"):
			if len(dims) > 2 && !slices.ContainsFunc(dims[2:], func(d int64) bool { return d != 1 }) {
				g.Points = append(g.Points, n.outputs[0])
			}
		case strings.Contains(n.op, "Conv"), n.inner, isCall(n):
			if n.is("ConvInteger") {
				sums[n.outputs[0]] = len(g.Others)
			}
			g.Others = append(g.Others, model.Named{Op: n.op, Tensor: n.outputs[0]})
		case n.is("Cast", "Mul"): // the sums mean something with their scale, which depends on the image
			for _, in := range n.inputs {
				at, there := sums[in]
				if there && n.op == "Cast" {
					sums[n.outputs[0]] = at
				} else if there {
					g.Others[at].Tensor = n.outputs[0]
				}
			}
		}
	}
	g.Joined = a.joins(g.Points)
	g.Blocks = a.blocks()
}

// isCall tells whether a node calls a function of the file, one that is not unfolded: it is of no
// domain that the library has.
func isCall(n *nodeProto) bool {
	return !isDefault(n.domain) && !strings.HasPrefix(n.domain, "com.microsoft") && !strings.HasPrefix(n.domain,
		"ai.onnx")
}

// blocks are the outputs of a transformer's blocks in graph order: of every attention, the last
// sum of two paths before the next one. Attention is a Softmax whose result is multiplied as a
// matrix, or an operator of that name.
func (a *analysis) blocks() (list []string) {
	weights := map[string]bool{} // what a Softmax makes, and what keeps its form
	last, attended := "", false
	for i := range a.graph.nodes {
		n := &a.graph.nodes[i]
		if len(n.outputs) == 0 || a.fixed[n.outputs[0]] {
			continue
		}
		reads := slices.ContainsFunc(n.inputs, func(in string) bool { return weights[in] })
		switch {
		case n.is("Softmax"), reads && n.is("Cast", "Dropout", "Identity", "Reshape", "Where"):
			weights[n.outputs[0]] = true
		case reads && n.is("MatMul"), strings.HasSuffix(n.op, "Attention"):
			if last != "" {
				list = append(list, last)
			}
			last, attended = "", true
		case attended && n.is("Add") && len(n.inputs) == 2 && !a.fixed[n.inputs[0]] && !a.fixed[n.inputs[1]],
			attended && n.op == "SkipLayerNormalization":
			last = n.outputs[0]
		}
	}
	if last != "" {
		list = append(list, last)
	}
	return list
}

// unsteady names what makes results depend on chance or on the other images of a batch, with what
// to do about it, "" where nothing of that kind is there. certain tells that it does so whatever
// the numbers show; quantises that it is the range of numbers alone, which is taken over the
// batch.
func (a *analysis) unsteady(opset int64) (cause string, certain, quantises bool) {
	for i := range a.graph.nodes {
		n := &a.graph.nodes[i]
		switch {
		case n.is("BatchNormalization") && (n.integer("training_mode", 0) != 0 || opset < 14 && len(n.outputs) > 1 &&
			n.outputs[1] != ""):
			return fmt.Sprintf("its BatchNormalization %q is in training mode and takes mean and variance from the "+
				"batch; export it after model.eval()", nodeName(n)), true, false
		case n.is("RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Bernoulli", "Multinomial"):
			cause = fmt.Sprintf("its %s %q draws random numbers; "+
				"export it after model.eval(), without augmentation or noise", n.op, nodeName(n))
		case n.is("Dropout") && n.input(2) != "" && cause == "":
			cause = fmt.Sprintf("its Dropout %q is in training mode; export it after model.eval()", nodeName(n))
		case n.is("DynamicQuantizeLinear") && cause == "":
			quantises = true
		}
	}
	if quantises = quantises && cause == ""; quantises {
		cause = "its DynamicQuantizeLinear takes the range of the numbers over the whole batch; " +
			"export it for batches of one image"
	}
	return cause, false, quantises
}

// nodeName is what a node is called, or its first output.
func nodeName(n *nodeProto) string {
	if n.name == "" && len(n.outputs) > 0 {
		return n.outputs[0]
	}
	return n.name
}

// convs are the outputs of the main graph's Conv nodes, in order.
func (a *analysis) convs() []string {
	list := []string{}
	for _, i := range a.convNodes() {
		list = append(list, a.graph.nodes[i].outputs[0])
	}
	return list
}

// convNodes are the places of the Conv nodes among the main graph's nodes, in order. Convolution
// number k is convNodes()[k-1].
func (a *analysis) convNodes() (list []int) {
	for i := range a.graph.nodes {
		n := &a.graph.nodes[i]
		if n.is("Conv") && len(n.outputs) > 0 && n.outputs[0] != "" {
			list = append(list, i)
		}
	}
	return list
}

// pooling are the operators of background.md section 8 that stand between the last feature map and
// the linear layer.
var pooling = []string{
	"GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool", "ReduceMean", "ReduceMax", "ReduceSum", "Flatten", "Reshape",
	"Squeeze",
}

// head finds the tensor of position HEAD (background.md section 8): the one that the metadata key
// pos1 names, else the one that enters the pooling before the last Gemm or MatMul, else CONV-1.
// Where several such nodes follow each other (GlobalAveragePool, Flatten) it is the one that enters
// the first of them, since the position is meant before pooling.
func (a *analysis) head(pos1 string, g model.Graph) string {
	if pos1 != "" && a.producer[pos1] != nil {
		return pos1
	}
	if name := a.beforePooling(g.Outputs[0].Name); name != "" {
		return name
	}
	last, _ := g.Tensor(model.Conv1, nil)
	return last
}

func (a *analysis) beforePooling(output string) string {
	linear := a.lastLinear(output)
	if linear == nil {
		return ""
	}
	name := a.data(linear)
	found := false
	for range a.graph.nodes { // a cyclic graph must not hold us
		n := a.producer[name]
		if n == nil {
			return "" // the graph's own input is no tensor inside the model
		}
		switch {
		case n.is(pooling...):
			found = true
		case found && !n.is("Identity", "Dropout", "Cast"):
			return name
		}
		name = a.data(n)
	}
	return ""
}

// lastLinear is the last Gemm or MatMul, in graph order, that the output depends on.
func (a *analysis) lastLinear(output string) *nodeProto {
	needed := map[string]bool{output: true}
	for i := len(a.graph.nodes) - 1; i >= 0; i-- {
		n := &a.graph.nodes[i]
		used := false
		for _, out := range n.outputs {
			used = used || needed[out]
		}
		if !used {
			continue
		}
		if n.is("Gemm", "MatMul") && a.data(n) != "" {
			return n
		}
		for _, in := range n.inputs {
			needed[in] = true
		}
	}
	return nil
}

// data is the first input of a node that depends on the image, "" when none does.
func (a *analysis) data(n *nodeProto) string {
	for _, in := range n.inputs {
		if in != "" && !a.fixed[in] {
			return in
		}
	}
	return ""
}
