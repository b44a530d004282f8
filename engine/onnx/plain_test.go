package onnx

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
)

// scoresOf runs a model on two images of tiny, scaled, and returns the class outputs and the
// tensors.
func scoresOf(t *testing.T, r *Runtime, data []byte, scale float32, tensors ...string) [][]float32 {
	t.Helper()
	feed := feedOf(t, save(t, "m.onnx", data), 2, tensors...)
	run := openRunner(t, r, feed)
	var results [][]float32
	for image := 0; image < 2; image += feed.Input.Batch {
		input := run.Input()
		for k := range input {
			input[k] = float32((k+16*image)%11) / 10 * scale
		}
		testdata.OK(t, run.Run(t.Context()))
		for k := range len(tensors) + 1 {
			_, values := run.Result(k)
			if image == 0 {
				results = append(results, nil)
			}
			results[k] = append(results[k], values...)
		}
	}
	return results
}

func near(t *testing.T, what string, got, want []float32, within float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers in place of %d", what, len(got), len(want))
		return
	}
	for k, v := range want {
		if d := math.Abs(float64(v - got[k])); !(d <= within) {
			t.Errorf("%s: %v in place of %v", what, got, want)
			return
		}
	}
}

// cast is a node that converts a tensor.
func cast(from, to string, kind int64) pb {
	return node("Cast", list(from), list(to), attrInt("to", kind))
}

// behind is tiny with the nodes between an input of another form and its own.
func behind(input pb, nodes ...pb) graphOf {
	g := tiny()
	g.inputs = []pb{input}
	g.nodes = append(nodes, g.nodes...)
	return g
}

// Inputs of other number types and layouts give what the float32 model gives, and say what they
// are.
func TestInputsOfOtherForms(t *testing.T) {
	r := library(t)
	want := scoresOf(t, r, tiny().file(), 1, "conv")
	axes := func(name string, v ...int64) pb {
		return node("Constant", nil, list(name), attrTensor("value", ints("", v, int64(len(v)))))
	}
	number := func(name string, v float32) pb {
		return node("Constant", nil, list(name), attrTensor("value", floats("", []float32{v})))
	}
	for name, test := range map[string]struct {
		g      graphOf
		input  model.Input
		scale  float32
		within float64
	}{
		"float16": {
			behind(value("x", typeFloat16, -1, 1, 4, 4), cast("x", "image", typeFloat)),
			model.Input{Layout: model.NCHW, Type: model.Float16},
			1, 2e-2,
		},
		"float64": {
			behind(value("x", typeFloat64, -1, 1, 4, 4), cast("x", "image", typeFloat)),
			model.Input{Layout: model.NCHW, Type: model.Float64},
			1, 1e-5,
		},
		"uint8": {
			behind(value("x", typeUint8, -1, 1, 4, 4), cast("x", "f", typeFloat), number("k", 255),
				node("Div", list("f", "k"), list("image"))),
			model.Input{Layout: model.NCHW, Type: model.Uint8},
			255, 5e-2,
		},
		"int8": {
			behind(value("x", typeInt8, -1, 1, 4, 4), cast("x", "f", typeFloat), number("m", 128),
				node("Add", list("f", "m"), list("u")),
				number("k", 255), node("Div", list("u", "k"), list("image"))),
			model.Input{Layout: model.NCHW, Type: model.Int8},
			255, 5e-2,
		},
		"NHWC, two images at a time": {
			behind(value("x", typeFloat, 2, 4, 4, 1),
				node("Transpose", list("x"), list("image"), attrInts("perm", 0, 3, 1, 2))),
			model.Input{Layout: model.NHWC, Batch: 2},
			1, 0,
		},
		"NHW": {
			behind(value("x", typeFloat, -1, 4, 4), axes("a", 1), node("Unsqueeze", list("x", "a"), list("image"))),
			model.Input{Layout: model.NHW},
			1, 0,
		},
		"HW": {
			behind(value("x", typeFloat, 4, 4), axes("a", 0, 1), node("Unsqueeze", list("x", "a"), list("image"))),
			model.Input{Layout: model.HW, Batch: 1},
			1, 0,
		},
		"HWC": {
			behind(value("x", typeFloat, 4, 4, 1), axes("a", 0), node("Unsqueeze", list("x", "a"), list("n")),
				node("Transpose", list("n"), list("image"), attrInts("perm", 0, 3, 1, 2))),
			model.Input{Layout: model.HWC, Batch: 1},
			1, 0,
		},
	} {
		g, err := InspectBytes("m.onnx", test.g.file())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		test.input.Name, test.input.Channels, test.input.Height, test.input.Width = "x", 1, 4, 4
		testdata.Is(t, fmt.Sprintf("%s: input", name), g.Input, test.input)
		got := scoresOf(t, r, test.g.file(), test.scale, "conv")
		near(t, name, got[0], want[0], test.within)
		near(t, name+" conv", got[1], want[1], test.within)
	}
}

// Whole numbers are rounded half to even and clipped, those of int8 moved down by 128.
func TestPixelsOfWholeNumbers(t *testing.T) {
	r := library(t)
	for kind, want := range map[int64][]float32{
		typeUint8: {0, 0, 2, 2, 4, 255, 255, 128}, typeInt8: {-128, -128, -126, -126, -124, 127, 127, 0},
	} {
		g := graphOf{
			inputs: []pb{value("x", kind, -1, 1, 2, 4)}, outputs: []pb{value("y", typeFloat, -1, 8)},
			nodes: []pb{cast("x", "f", typeFloat), node("Flatten", list("f"), list("y"))},
		}
		run := openRunner(t, r, feedOf(t, save(t, "m.onnx", g.file()), 1))
		copy(run.Input(), []float32{-3, 0.5, 1.5, 2.4, 3.6, 255.4, 999, 128})
		testdata.OK(t, run.Run(t.Context()))
		_, got := run.Result(0)
		near(t, typeName(kind), got, want, 0)
	}
}

// Outputs of other forms and types become rows of float32 numbers under their own names.
func TestOutputsOfOtherForms(t *testing.T) {
	r := library(t)
	want := scoresOf(t, r, tiny().file(), 1)[0]
	shape := func(v ...int64) pb {
		return node("Constant", nil, list("s"), attrTensor("value", ints("", v, int64(len(v)))))
	}
	for name, test := range map[string]struct {
		nodes  []pb
		out    pb
		form   string
		within float64
	}{
		"maps of one point": {
			[]pb{shape(0, 3, 1, 1), node("Reshape", list("scores", "s"), list("y"))},
			value("y", typeFloat, -1, 3, 1, 1), "(N, 3, 1, 1)", 0,
		},
		"one row": {
			[]pb{shape(0, 1, 3), node("Reshape", list("scores", "s"), list("y"))},
			value("y", typeFloat, -1, 1, 3), "(N, 1, 3)", 0,
		},
		"half":   {[]pb{cast("scores", "y", typeFloat16)}, value("y", typeFloat16, -1, 3), "(N, 3) of float16", 2e-2},
		"double": {[]pb{cast("scores", "y", typeFloat64)}, value("y", typeFloat64, -1, 3), "(N, 3) of float64", 0},
		"read elsewhere": {
			[]pb{cast("scores", "y", typeFloat16), node("ArgMax", list("y"), list("best"), attrInt("axis", 1))},
			value("y", typeFloat16, -1, 3), "(N, 3) of float16", 2e-2,
		},
	} {
		data := withTail(13, []pb{test.out}, test.nodes...)
		g, err := InspectBytes("m.onnx", data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(g.Outputs) != 1 || g.Outputs[0] != (model.Output{Name: "y", Classes: 3, Form: test.form}) {
			t.Errorf("%s: %+v", name, g.Outputs)
		}
		near(t, name, scoresOf(t, r, data, 1)[0], want, test.within)
	}
	quantised := withTail(13, []pb{value("y", typeUint8, -1, 3)},
		node("Constant", nil, list("s"), attrTensor("value", floats("", []float32{0.5}))),
		node("Constant", nil, list("z"), attrTensor("value", tensorHead("", typeUint8, nil).msg(9, pb{100}))),
		node("QuantizeLinear", list("scores", "s", "z"), list("y")))
	near(t, "quantised", scoresOf(t, r, quantised, 1)[0], want, 0.26)
	single := withTail(13, []pb{value("y", typeFloat, -1)},
		node("Constant", nil, list("one"), attrTensor("value", ints("", []int64{1}, 1))),
		node("ReduceMax", list("scores"), list("y"), attrInts("axes", 1), attrInt("keepdims", 0)))
	if g, err := InspectBytes("m.onnx", single); err != nil ||
		g.Outputs[0] != (model.Output{Name: "y", Classes: 1, Form: "(N)"}) {
		t.Errorf("one number per image: %+v, %v", g.Outputs, err)
	}
}

// The kinds that a graph shows.
func TestKindsOfOutputs(t *testing.T) {
	for op, want := range map[string]model.OutputKind{
		"Sigmoid": model.Sigmoid, "Softmax": model.Probabilities,
		"Relu": "",
	} {
		data := withTail(13, []pb{value("y", typeFloat, -1, 3)}, node(op, list("scores"), list("y")))
		if g, err := InspectBytes("m.onnx", data); err != nil || g.Outputs[0].Kind != want {
			t.Errorf("%s: %+v, %v", op, g.Outputs, err)
		}
	}
	heads := func(second string) []byte {
		return withTail(13, []pb{value("y", typeFloat, -1, 6)}, node("Sigmoid", list("scores"), list("p")),
			node(second, list("scores"), list("q")),
			node("Clip", list("q"), list("c")), node("Concat", list("p", "c"), list("y"), attrInt("axis", 1)))
	}
	for second, want := range map[string]model.OutputKind{
		"Sigmoid": model.Sigmoid, "HardSigmoid": model.Sigmoid,
		"Neg": "",
	} {
		if g, err := InspectBytes("m.onnx", heads(second)); err != nil || g.Outputs[0].Kind != want {
			t.Errorf("Sigmoid and %s: %+v, %v", second, g.Outputs, err)
		}
	}
	maps := withTail(13, []pb{pb{}.str(1, "probs").msg(2, pb{}.msg(4, nil))},
		append(node("ZipMap", list("scores"), list("probs")), pb{}.str(7, "ai.onnx.ml")...))
	testdata.Refused(t, "a sequence of maps",
		testdata.Err(InspectBytes("m.onnx", maps)), "export it again with zipmap=False")
}

// functionOf is a FunctionProto.
func functionOf(name string, inputs, outputs []string, nodes ...pb) pb {
	f := pb{}.str(1, name)
	for _, in := range inputs {
		f = f.str(4, in)
	}
	for _, out := range outputs {
		f = f.str(5, out)
	}
	for _, n := range nodes {
		f = f.msg(7, n)
	}
	return f.msg(9, pb{}.str(1, "").num(2, 13)).msg(9, pb{}.str(1, "my").num(2, 1)).str(10, "my")
}

func calling(op string, inputs, outputs []string, attributes ...pb) pb {
	return append(node(op, inputs, outputs, attributes...), pb{}.str(7, "my")...)
}

// Local functions, one inside another, with attributes of the call and a subgraph, are unfolded:
// the convolution inside is a position, and the numbers are those without functions.
func TestFunctionsAreUnfolded(t *testing.T) {
	r := library(t)
	want := scoresOf(t, r, tiny().file(), 1, "conv", "relu")
	g := tiny()
	pads := pb{}.str(1, "pads").num(20, 7).str(21, "border") // stands for an attribute of the function
	inner := functionOf("Inner", list("x", "w", "b"), list("y"),
		node("Conv", list("x", "w", "b"), list("y"), pads)).str(6, "border")
	branch := func(from string) pb {
		return graphOf{
			nodes: []pb{node("Identity", list(from), list("chosen"))}, outputs: []pb{value("chosen", typeFloat)},
		}.pb()
	}
	outer := functionOf("Outer", list("x", "w", "b"), list("z", "x"),
		calling("Inner", list("x", "w", "b"), list("c"), attrInts("border", 1, 1, 1, 1)),
		node("Relu", list("c"), list("r")),
		node("Constant", nil, list("yes"), attrTensor("value", tensorHead("", typeBool, nil).msg(9, pb{1}))),
		node("If", list("yes"), list("z"), attrGraph("then_branch", branch("r")),
			attrGraph("else_branch", branch("c"))))
	g.nodes = append([]pb{calling("Outer", list("image", "w", "b"), list("relu", "same"))}, g.nodes[2:]...)
	data := append(pb(g.file()).msg(8, pb{}.str(1, "my").num(2, 1)), pb{}.msg(25, inner).msg(25, outer)...)
	got := testdata.Must(InspectBytes("m.onnx", data))(t)
	testdata.Equal(t, "convolutions", got.Convs, list("Outer#1/c"))
	results := scoresOf(t, r, data, 1, got.Convs[0], "relu")
	for k, what := range list("scores", "conv", "relu") {
		near(t, what, results[k], want[k], 0)
	}
	for _, broken := range [][]byte{ // no end, and far too many nodes
		append(slices.Clone(data),
			pb{}.msg(25, functionOf("Inner", list("x"), list("y"), calling("Inner", list("x"), list("y"))))...),
		callingTwice(30),
	} {
		if _, err := InspectBytes("m.onnx", broken); err == nil ||
			!strings.HasPrefix(err.Error(), "m.onnx cannot be used: ") {
			t.Errorf("got %v", err)
		}
	}
}

// A function of another version of the operator set is unfolded where its operators mean the same
// in both. Else it stays a call, which the reason for an absent position names.
func TestFunctionsOfOtherVersions(t *testing.T) {
	r := library(t)
	want := scoresOf(t, r, tiny().file(), 1, "relu")
	const lacks = `no convolution of type Conv, but F "relu": assign one as CONV-1=NAME`
	for version, test := range map[int64]struct {
		pool     pb // from r to y, which keeps the numbers
		unfolded bool
	}{
		11: {node("Identity", list("r"), list("y")), true},
		18: {node("Identity", list("r"), list("y")), true},
		12: {node("Clip", list("r"), list("y")), true},
		19: {node("ReduceMean", list("r"), list("y"), attrInts("axes", 1)), false},
		10: {node("Clip", list("r"), list("y")), false},
		17: {node("Mystery", list("r"), list("y")), false},
	} {
		f := pb{}.str(1, "F").str(4, "x").str(4, "w").str(4, "b").str(5, "y").
			msg(7, node("Conv", list("x", "w", "b"), list("c"), attrInts("pads", 1, 1, 1, 1))).msg(7,
			node("Relu", list("c"), list("r"))).
			msg(7, test.pool).msg(9, pb{}.str(1, "").num(2, version)).str(10, "my")
		g := tiny()
		g.nodes = append([]pb{calling("F", list("image", "w", "b"), list("relu"))}, g.nodes[2:]...)
		data := append(pb(g.file()).msg(8, pb{}.str(1, "my").num(2, 1)), pb{}.msg(25, f)...)
		got := testdata.Must(InspectBytes("m.onnx", data))(t)
		if !test.unfolded {
			if len(got.Convs) > 0 || got.Lacks(model.Conv1) != lacks {
				t.Errorf("opset %d: convolutions %q, %s", version, got.Convs, got.Lacks(model.Conv1))
			}
			continue
		}
		testdata.Equal(t, fmt.Sprintf("opset %d", version), got.Convs, list("F#1/c"))
		near(t, "scores", scoresOf(t, r, data, 1)[0], want[0], 0)
	}
}

// callingTwice is a file whose k-th function calls the one before twice.
func callingTwice(k int) []byte {
	name := func(k int) string { return strings.Repeat("F", k+1) }
	data := pb(tiny().file()).msg(8, pb{}.str(1, "my").num(2, 1)).msg(25,
		functionOf(name(0), list("x"), list("y"), node("Relu", list("x"), list("y"))))
	for at := 1; at < k; at++ {
		data = data.msg(25, functionOf(name(at), list("x"), list("y"), calling(name(at-1), list("x"), list("t")),
			calling(name(at-1), list("t"), list("y"))))
	}
	g := tiny()
	g.nodes = append(g.nodes, calling(name(k-1), list("scores"), list("more")))
	return append(data, pb{}.msg(7, pb{}.msg(1, g.nodes[len(g.nodes)-1]))...)
}

// Only convolutions with a map count; what else convolves is named in the reason.
func TestPositionsOfConvolutions(t *testing.T) {
	g := tiny()
	g.weights = append(g.weights, floats("w1", make([]float32, 4), 2, 2, 1, 1))
	g.nodes[3] = node("Conv", list("pool", "w1"), list("point"))
	g.nodes[4] = node("Flatten", list("point"), list("flat"))
	g.nodes = append(g.nodes, node("Gemm", list("flat", "lw", "lb"), list("scores")))
	got, err := InspectBytes("m.onnx", g.file())
	if err != nil {
		t.Fatal(err)
	}
	if first, ok := got.Tensor(model.Conv1, nil); !ok || first != "conv" || !slices.Equal(got.Points, list("point")) {
		t.Errorf("CONV-1 is %q, points %q", first, got.Points)
	}
	if _, ok := got.Tensor(model.Conv2, nil); ok ||
		got.Lacks(model.Conv2) != "no second convolution with a map larger than 1 x 1" {
		t.Errorf("CONV-2: %s", got.Lacks(model.Conv2))
	}
	g = tiny()
	g.weights[0] = floats("w", make([]float32, 18), 1, 2, 3, 3)
	g.nodes[0] = node("ConvTranspose", list("image", "w", "b"), list("conv"), attrInts("pads", 1, 1, 1, 1))
	if got, err = InspectBytes("m.onnx", g.file()); err != nil {
		t.Fatal(err)
	}
	if why := got.Lacks(model.Conv1); why != `no convolution of type Conv, but ConvTranspose "conv": assign one as CONV-1=NAME` {
		t.Error(why)
	}
}

// What a quantised convolution gives is read by its scale. The whole-number sums of a ConvInteger
// have one that depends on the image: what is named is their product, and they are refused.
func TestMapsOfWholeNumbers(t *testing.T) {
	r := library(t)
	bytesOf := func(name string, kind int64, values []byte, dims ...int64) pb {
		return tensorHead(name, kind, dims).msg(9, pb(values))
	}
	weights := make([]byte, 18)
	for i := range weights {
		weights[i] = byte(i%5 - 2)
	}
	pads := attrInts("pads", 1, 1, 1, 1)
	start := func(nodes ...pb) graphOf {
		g := tiny()
		g.weights[1] = floats("b", []float32{0, 0}, 2)
		g.nodes = append(nodes, g.nodes[1:]...)
		return g
	}
	same := start(tiny().nodes[0])
	want := scoresOf(t, r, same.file(), 1, "conv")[1]
	for kind, zero := range map[int64]byte{typeUint8: 128, typeInt8: 0} {
		g := start(node("QuantizeLinear", list("image", "xs", "z"), list("xq")),
			node("QLinearConv", list("xq", "xs", "z", "qw", "one", "wz", "ys", "z"), list("yq"), pads),
			node("DequantizeLinear", list("yq", "ys", "z"), list("conv")))
		g.weights = append(g.weights, bytesOf("qw", typeInt8, weights, 2, 1, 3, 3), floats("one", []float32{1}),
			floats("xs", []float32{1. / 120}),
			floats("ys", []float32{1. / 16}), bytesOf("z", kind, []byte{zero}), bytesOf("wz", typeInt8, []byte{0}))
		near(t, "QLinearConv", scoresOf(t, r, g.file(), 1, "yq")[1], want, 0.06)
	}
	g := start(node("DynamicQuantizeLinear", list("image"), list("xq", "xs", "xz")),
		node("ConvInteger", list("xq", "qw", "xz"), list("yi"), pads),
		cast("yi", "yf", typeFloat), node("Mul", list("xs", "yf"), list("conv")))
	g.weights = append(g.weights, bytesOf("qw", typeInt8, weights, 2, 1, 3, 3))
	got, err := InspectBytes("m.onnx", g.file())
	if err != nil ||
		got.Lacks(model.Conv1) != `no convolution of type Conv, but ConvInteger "conv": assign one as CONV-1=NAME` ||
		slices.Contains(got.Tensors, "yi") {
		t.Errorf("%q, %v", got.Lacks(model.Conv1), err)
	}
	near(t, "ConvInteger", scoresOf(t, r, g.file(), 1, "conv")[1], want, 0.06)
	_, err = r.Open(t.Context(), feedOf(t, save(t, "m.onnx", g.file()), 2, "yi"))
	if err == nil ||
		err.Error() != `m.onnx holds int32 in tensor "yi", not floating-point numbers; choose another one for that position` {
		t.Errorf("whole-number sums: %v", err)
	}
}

// A Softmax over one number alone, such as over the batch of a model for one image, is refused: it
// is 1 for every image.
func TestSoftmaxOfOneNumber(t *testing.T) {
	axis := func(v int64) pb { return attrInt("axis", v) }
	shaped := func(dims ...int64) []pb {
		return []pb{
			node("Constant", nil, list("s"), attrTensor("value", ints("", dims, int64(len(dims))))),
			node("Reshape", list("scores", "s"), list("r")),
		}
	}
	for name, test := range map[string]struct {
		opset, batch int64
		out          pb
		nodes        []pb
		refused      bool
	}{
		"the batch": {
			13, 1, value("y", typeFloat, 1, 3), []pb{node("Softmax", list("scores"), list("y"), axis(0))}, true,
		},
		"the batch, negative": {
			13, 1, value("y", typeFloat, 1, 3), []pb{node("LogSoftmax", list("scores"), list("y"), axis(-2))}, true,
		},
		"the classes": {13, 1, value("y", typeFloat, 1, 3), []pb{node("Softmax", list("scores"), list("y"))}, false},
		"all, before 13": {
			12, 1, value("y", typeFloat, 1, 3), []pb{node("Softmax", list("scores"), list("y"), axis(0))}, false,
		},
		// the probe sees it
		"open batch": {
			13, -1, value("y", typeFloat, -1, 3), []pb{node("Softmax", list("scores"), list("y"), axis(0))}, false,
		},
		"the width": {
			13, -1, value("y", typeFloat, -1, 3, 1, 1),
			append(shaped(0, 3, 1, 1), node("Softmax", list("r"), list("y"))), true,
		},
		"classes of maps": {
			13, -1, value("y", typeFloat, -1, 3, 1, 1),
			append(shaped(0, 3, 1, 1), node("Softmax", list("r"), list("y"), axis(1))), false,
		},
		"no batch": {
			13, 1, value("y", typeFloat, 3), append(shaped(3), node("Softmax", list("r"), list("y"), axis(0))), false,
		},
	} {
		g := tiny()
		g.inputs, g.outputs = []pb{value("image", typeFloat, test.batch, 1, 4, 4)}, []pb{test.out}
		g.nodes = append(g.nodes, test.nodes...)
		_, err := InspectBytes("m.onnx", modelOf(8, test.opset, g.pb()))
		if test.refused != (err != nil) || err != nil && !strings.Contains(err.Error(), "the same for every image") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Half-precision maps can be fetched, also with a Cast behind the convolution.
func TestMapsOfHalfPrecision(t *testing.T) {
	r := library(t)
	want := scoresOf(t, r, tiny().file(), 1, "conv")
	g := tiny()
	half := []pb{cast("image", "h", typeFloat16), cast("w", "hw", typeFloat16), cast("b", "hb", typeFloat16)}
	conv := node("Conv", list("h", "hw", "hb"), list("hconv"), attrInts("pads", 1, 1, 1, 1))
	g.nodes = append(append(half, conv, cast("hconv", "conv", typeFloat)), g.nodes[1:]...)
	got, err := InspectBytes("m.onnx", g.file())
	if err != nil || !slices.Equal(got.Convs, list("hconv")) || !slices.Contains(got.Tensors, "hconv") {
		t.Fatalf("%q, %v", got.Convs, err)
	}
	near(t, "hconv", scoresOf(t, r, g.file(), 1, "hconv")[1], want[1], 1e-2)
}

// The probe names what makes results differ, and finds it also where nothing names it.
func TestProbeFindsUnsteadyModels(t *testing.T) {
	r := library(t)
	scores := []pb{value("y", typeFloat, -1, 3)}
	ones := func(name string) pb { return floats(name, []float32{1, 1, 1}, 3) }
	norm := tiny()
	norm.outputs = scores
	norm.weights = append(norm.weights, ones("s"), ones("o"), ones("mean"), ones("var"))
	norm.nodes = append(norm.nodes, node("BatchNormalization", list("scores", "s", "o", "mean", "var"),
		list("y", "m2", "v2"), attrInt("training_mode", 1)))
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"steady":     {tiny().file(), ""},
		"batch norm": {modelOf(8, 15, norm.pb()), "BatchNormalization \"y\" is in training mode"},
		"random": {withTail(13, scores, node("RandomNormalLike", list("scores"), list("n")),
			node("Add", list("scores", "n"), list("y"))), "RandomNormalLike \"n\" draws random numbers"},
		"quantised": {
			withTail(13, scores, node("DynamicQuantizeLinear", list("scores"), list("q", "s", "z")),
				node("DequantizeLinear", list("q", "s", "z"), list("y"))),
			"DynamicQuantizeLinear takes the range",
		},
		"statistics": {
			withTail(13, scores, node("ReduceMean", list("scores"), list("m"), attrInts("axes", 0)),
				node("Sub", list("scores", "m"), list("y"))),
			"depend on the other images of the batch",
		},
	} {
		got, err := r.Probe(t.Context(), feedOf(t, save(t, "m.onnx", test.data), 8))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if (got.Unsteady == "") != (test.want == "") || !strings.Contains(got.Unsteady, test.want) {
			t.Errorf("%s: %q", name, got.Unsteady)
		} else if got.Quantises != (name == "quantised") {
			t.Errorf("%s: quantises: %t", name, got.Quantises)
		}
	}
}
