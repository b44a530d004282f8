package onnx

import "github.com/variscope/variscope/engine/model"

// analysis is the main graph with its tensors looked up by name.
type analysis struct {
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
	"SplitToSequence": typeOther, "SequenceConstruct": typeOther, "SequenceEmpty": typeOther, "SequenceInsert": typeOther,
	"SequenceErase": typeOther, "SequenceMap": typeOther, "Optional": typeOther, "StringSplit": typeString,
	"If": typeUnknown, "Loop": typeUnknown, "Scan": typeUnknown,
}

// outputKind derives the element type of output k of a node from its operator and inputs; typeUnknown where it cannot.
func (a *analysis) outputKind(n *nodeProto, k int) int64 {
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
	case "RandomNormal", "RandomUniform", "EyeLike", "RandomNormalLike", "RandomUniformLike", "HannWindow", "HammingWindow":
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

// floatTensors are the node outputs that hold float32 (or may: their type is unknown) and depend on the image.
func (a *analysis) floatTensors() []string {
	list := []string{}
	seen := map[string]bool{}
	for i := range a.graph.nodes {
		for _, name := range a.graph.nodes[i].outputs {
			kind := a.kinds[name]
			if name == "" || seen[name] || a.fixed[name] || kind != typeFloat && kind != typeUnknown {
				continue
			}
			seen[name] = true
			list = append(list, name)
		}
	}
	return list
}

// convs are the outputs of the main graph's Conv nodes, in order.
func (a *analysis) convs() []string {
	list := []string{}
	for _, i := range a.convNodes() {
		list = append(list, a.graph.nodes[i].outputs[0])
	}
	return list
}

// convNodes are the places of the Conv nodes among the main graph's nodes, in order. Convolution number k is convNodes()[k-1].
func (a *analysis) convNodes() (list []int) {
	for i := range a.graph.nodes {
		n := &a.graph.nodes[i]
		if n.is("Conv") && len(n.outputs) > 0 && n.outputs[0] != "" {
			list = append(list, i)
		}
	}
	return list
}

// pooling are the operators of background.md section 8 that stand between the last feature map and the linear layer.
var pooling = []string{
	"GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool", "ReduceMean", "ReduceMax", "ReduceSum", "Flatten", "Reshape", "Squeeze",
}

// head finds the tensor of position HEAD (background.md section 8): the one that the metadata key pos1 names, else the
// one that enters the pooling before the last Gemm or MatMul, else CONV-1. Where several such nodes follow each other
// (GlobalAveragePool, Flatten) it is the one that enters the first of them, since the position is meant before pooling.
func (a *analysis) head(pos1 string, g model.Graph) string {
	if pos1 != "" && a.producer[pos1] != nil {
		return pos1
	}
	if name := a.beforePooling(g.Outputs[0].Name); name != "" {
		return name
	}
	if n := len(g.Convs); n > 0 {
		return g.Convs[n-1]
	}
	return ""
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
