package onnx

import (
	"os"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestHead(t *testing.T) {
	image, out := []pb{value("image", typeFloat, -1, 1, 4, 4)}, []pb{value("scores", typeFloat, -1, 3)}
	conv := node("Conv", list("image", "w", "b"), list("conv"))
	weights := tiny().weights
	linear := func(in string) pb { return node("Gemm", list(in, "lw", "lb"), list("scores")) }
	tests := map[string]struct {
		nodes []pb
		want  string
	}{
		"mean over space": {[]pb{conv, node("ReduceMean", list("conv"), list("m")), linear("m")}, "conv"},
		"pool then flatten": {[]pb{
			conv, node("GlobalAveragePool", list("conv"), list("m")),
			node("Flatten", list("m"), list("f")), linear("f"),
		}, "conv"},
		"dropout between": {[]pb{
			conv, node("GlobalAveragePool", list("conv"), list("m")),
			node("Dropout", list("m"), list("d")), node("Reshape", list("d", "b"), list("f")), linear("f"),
		}, "conv"},
		"max pooling stays": {[]pb{
			conv, node("MaxPool", list("conv"), list("m")), node("Flatten", list("m"), list("f")), linear("f"),
		}, "m"},
		"hidden linear layer": {[]pb{
			conv, node("Relu", list("conv"), list("r")), node("Flatten", list("r"), list("f")),
			node("Gemm", list("f", "lw"), list("h")), node("Relu", list("h"), list("g")), linear("g"),
		}, "r"},
		"matmul and bias": {[]pb{
			conv, node("ReduceMean", list("conv"), list("m")),
			node("MatMul", list("m", "lw"), list("x")), node("Add", list("lb", "x"), list("scores")),
		}, "conv"},
		"no pooling: the Conv": {[]pb{conv, node("Relu", list("conv"), list("r")), linear("r")}, "conv"},
		"no linear layer": {[]pb{
			conv, node("GlobalAveragePool", list("conv"), list("m")), node("Flatten", list("m"), list("scores")),
		}, "conv"},
		"only a linear layer": {[]pb{node("Flatten", list("image"), list("f")), linear("f")}, ""},
		"a linear layer elsewhere": {[]pb{
			conv, node("ReduceMean", list("conv"), list("m")), linear("m"),
			node("Flatten", list("m"), list("f")), node("Gemm", list("f", "lw"), list("other")),
		}, "conv"},
		"a cycle": {
			[]pb{conv, node("Relu", list("y"), list("x")), node("Relu", list("x"), list("y")), linear("y")}, "conv",
		},
	}
	for name, test := range tests {
		g := graphOf{inputs: image, outputs: out, weights: weights, nodes: test.nodes}
		testdata.Is(t, name, testdata.Must(InspectBytes("m.onnx", g.file()))(t).Head, test.want)
	}
}

func TestHeadFromMetadata(t *testing.T) {
	for value, want := range map[string]string{"pool": "pool", "nothing": "relu", "image": "relu", "w": "relu"} {
		data := append(tiny().file(), pb{}.msg(14, pb{}.str(1, "pos1").str(2, value))...)
		got, err := InspectBytes("m.onnx", data)
		if err != nil || got.Head != want {
			t.Errorf("pos1=%s: got %q, %v; want %q", value, got.Head, err, want)
		}
	}
}

// The zoo's scenes name their tensor in the metadata; the rule without metadata finds the same one.
func TestHeadOfScenes(t *testing.T) {
	for _, path := range sceneModels(t) {
		g, a, err := inspect(path, testdata.Must(os.ReadFile(path))(t))
		testdata.OK(t, err)
		if got := a.head("", g); g.Head != g.Metadata["pos1"] || got != g.Head {
			t.Errorf("%s: by metadata %q, by rule %q", path, g.Head, got)
		}
	}
}

// Tensors that do not depend on the image or hold no floats are no positions.
func TestTensorKinds(t *testing.T) {
	g := tiny()
	g.values = []pb{value("named", typeInt64, 1)}
	g.weights = append(g.weights, ints("axes", []int64{1}, 1))
	g.nodes = append(g.nodes,
		node("Shape", list("image"), list("shape")),
		node("Gather", list("shape", "axes"), list("size")),
		node("Cast", list("size"), list("float size"), attrInt("to", typeFloat)),
		node("Cast", list("scores"), list("half"), attrInt("to", 10)),
		node("Constant", nil, list("constant"), attrTensor("value", floats("", []float32{1}, 1))),
		node("Add", list("constant", "b"), list("fixed")),
		node("Where", list("mask", "conv", "relu"), list("where")),
		node("TopK", list("scores", "axes"), list("best", "index")),
		node("Greater", list("scores", "lb"), list("mask")),
		node("ConstantOfShape", list("shape"), list("zeros")),
		node("ConstantOfShape", list("shape"), list("ones"), attrTensor("value", ints("", []int64{1}, 1))),
		node("Mystery", list("size"), list("unknown")).str(7, "my.own"),
		node("Mystery", list("scores"), list("named")).str(7, "my.own"),
		node("SequenceConstruct", list("scores"), list("sequence")),
		node("DynamicQuantizeLinear", list("scores"), list("q", "scale", "zero")),
		node("Dropout", list("scores"), list("dropped", "dropmask")),
		node("OneHot", list("index", "axes", "b"), list("onehot")),
		node("RandomNormalLike", list("scores"), list("noise")),
		node("Relu", list("scores"), list("conv")), // a second producer is ignored
		node("Relu", list("scores"), list("")),
		node("Constant", nil, list("number"), pb{}.str(1, "value_float").num(20, 1)),
		node("Constant", nil, list("text"), pb{}.str(1, "value_string").num(20, 3)),
	)
	got := testdata.Must(InspectBytes("m.onnx", g.file()))(t)
	want := []string{
		"conv", "relu", "pool", "flat", "scores", "float size", "half", "where", "best", "zeros", "unknown", "scale",
		"dropped", "onehot", "noise",
	}
	testdata.Equal(t, "tensors", got.Tensors, want)
}
