package onnx

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
)

func layersOf(t *testing.T, data []byte) []model.Layer {
	t.Helper()
	return testdata.Must(LayersBytes("test.onnx", data))(t)
}

func TestInspectLayers(t *testing.T) {
	want := []model.Layer{
		{Op: "Conv", Attributes: "pad 1", From: []int{-1}, Shape: []int64{-1, 2, 4, 4}, Parameters: 20},
		{Op: "Relu", From: []int{0}, Shape: []int64{-1, 2, 4, 4}},
		{Op: "GlobalAveragePool", From: []int{1}, Shape: []int64{-1, 2, 1, 1}},
		{Op: "Flatten", From: []int{2}, Shape: []int64{-1, 2}},
		{Op: "Gemm", From: []int{3}, Shape: []int64{-1, 3}, Parameters: 9},
	}
	names := list("image", "conv", "relu", "pool", "flat", "scores")
	for k := range want {
		want[k].Shaped, want[k].Inputs, want[k].Outputs = true, names[k:k+1], names[k+1:k+2]
	}
	testdata.NoDiff(t, "layers", cmp.Diff(want, layersOf(t, tiny().file())))
}

// shapeOf runs one operator on the 1 x 4 x 4 image (an open batch) or on what is built before it,
// and gives its shape.
func shapeOf(t *testing.T, nodes []pb, weights ...pb) (string, bool) {
	t.Helper()
	g := tiny()
	g.nodes = append(nodes, g.nodes...)
	g.weights = append(g.weights, weights...)
	g.values = []pb{value("fixed", typeFloat, 2, 6, 8)}
	for _, l := range layersOf(t, g.file()) {
		if slices.Contains(l.Outputs, "out") {
			return strings.ReplaceAll(times(l.Shape), "×", " "), l.Shaped
		}
	}
	t.Fatal("no layer makes out")
	return "", false
}

func TestInspectShapes(t *testing.T) {
	one := func(op string, attributes ...pb) []pb {
		return []pb{node(op, list("image"), list("out"), attributes...)}
	}
	with := func(op string, inputs []string, attributes ...pb) []pb {
		return []pb{node("Identity", list("image"), list("fixed")), node(op, inputs, list("out"), attributes...)}
	}
	kernel := floats("k", make([]float32, 5*3*3), 5, 1, 3, 3)
	for _, c := range []struct {
		name, want string
		nodes      []pb
		weights    []pb
	}{
		{
			"conv with stride and padding", "-1 5 2 1",
			[]pb{node("Conv", list("image", "k"), list("out"), attrInts("strides", 2, 3),
				attrInts("pads", 1, 0, 1, 0))},
			[]pb{kernel},
		},
		{
			"conv with dilation", "-1 5 -1 2",
			[]pb{node("Conv", list("image", "k"), list("out"), attrInts("dilations", 3, 1))},
			[]pb{kernel},
		},
		{
			"conv with an absurd stride", "-1 5 -1 2",
			[]pb{node("Conv", list("image", "k"), list("out"), attrInts("strides", math.MaxInt64, 1))},
			[]pb{kernel},
		},
		{
			"conv of the same size", "-1 5 2 2",
			[]pb{node("Conv", list("image", "k"), list("out"), attrInts("strides", 2, 2),
				attrText("auto_pad", "SAME_UPPER"))},
			[]pb{kernel},
		},
		{"pool rounded up", "-1 1 2 2", one("MaxPool", attrInts("kernel_shape", 3, 3), attrInts("strides", 2, 2),
			attrInt("ceil_mode", 1)), nil},
		{"flatten all", "1 -1", one("Flatten", attrInt("axis", 0)), nil},
		{"reshape with a rest", "2 24 2", with("Reshape", list("fixed", "s")), []pb{ints("s", []int64{0, -1, 2}, 3)}},
		{"reshape of an open batch", "-1 16", with("Reshape", list("image", "s")), []pb{ints("s", []int64{-1, 16}, 2)}},
		{"transpose turned around", "8 6 2", with("Transpose", list("fixed")), nil},
		{"squeeze", "-1 4 4", with("Squeeze", list("image", "s")), []pb{ints("s", []int64{1}, 1)}},
		{"unsqueeze", "2 1 6 8 1", with("Unsqueeze", list("fixed", "s")), []pb{ints("s", []int64{1, -1}, 2)}},
		{"concat", "2 12 8", with("Concat", list("fixed", "fixed"), attrInt("axis", 1)), nil},
		{"gather one", "2 8", with("Gather", list("fixed", "s"), attrInt("axis", 1)), []pb{ints("s", []int64{3})}},
		{"reduce away", "2", with("ReduceMean", list("fixed"), attrInts("axes", -1, 1), attrInt("keepdims", 0)), nil},
		{"broadcast", "2 6 8", with("Add", list("fixed", "m")), []pb{floats("m", make([]float32, 6), 6, 1)}},
		{
			"slice", "2 3 8", with("Slice", list("fixed", "a", "b", "c")),
			[]pb{ints("a", []int64{1}, 1), ints("b", []int64{4}, 1), ints("c", []int64{1}, 1)},
		},
		{
			"slice from the end", "2 2 8", with("Slice", list("fixed", "a", "b", "c")),
			[]pb{ints("a", []int64{-2}, 1), ints("b", []int64{math.MaxInt64}, 1), ints("c", []int64{1}, 1)},
		},
		{"pad", "2 9 8", with("Pad", list("fixed", "s")), []pb{ints("s", []int64{0, 1, 0, 0, 2, 0}, 6)}},
		{"split", "2 3 8", []pb{
			node("Identity", list("image"), list("fixed")),
			node("Split", list("fixed"), list("other", "out"), attrInt("axis", 1)),
		}, nil},
	} {
		if got, ok := shapeOf(t, c.nodes, c.weights...); !ok || got != c.want {
			t.Errorf("%s: %s (%v), want %s", c.name, got, ok, c.want)
		}
	}
	for name, nodes := range map[string][]pb{
		"unknown operator": one("Mystery"),
		"computed shape": {
			node("Mystery", list("image"), list("s")), node("Reshape", list("image", "s"), list("out")),
		},
		"impossible axis":   with("ReduceMax", list("fixed"), attrInts("axes", 7)),
		"impossible perm":   with("Transpose", list("fixed"), attrInts("perm", 9, 0, 1)),
		"impossible concat": with("Concat", list("fixed", "image"), attrInt("axis", 1)),
	} {
		if got, ok := shapeOf(t, nodes); ok {
			t.Errorf("%s: shape %s", name, got)
		}
	}
}

func attrText(name, v string) pb { return pb{}.str(1, name).str(4, v).num(20, 3) }

func TestInspectLayersWithoutWeights(t *testing.T) {
	g := tiny()
	// A weight that is computed from weights is no layer, and its numbers count where they are used
	// first.
	g.nodes = append([]pb{
		node("Transpose", list("lw"), list("turned")),
		node("Constant", nil, list("c"), attrTensor("value", floats("", []float32{1}, 1))),
		node("Mul", list("image", "c"), list("scaled")),
	}, g.nodes...)
	g.nodes[len(g.nodes)-1] = node("Gemm", list("flat", "turned", "lb"), list("scores"), attrInt("transB", 1))
	layers := layersOf(t, g.file())
	if len(layers) != 6 || layers[0].Op != "Mul" || layers[5].Parameters != 9 || layers[5].Attributes != "transB" {
		t.Errorf("layers %+v", layers)
	}
}

func TestInspectSummaries(t *testing.T) {
	long := make([]int64, 60)
	for k := range long {
		long[k] = int64(1000 + k)
	}
	for want, attributes := range map[string][]pb{
		"3×3, stride 2, pad (1, 0, 1, 0), groups 4": {
			attrInts("strides", 2, 2), attrInts("pads", 1, 0, 1, 0),
			attrInt("group", 4), attrInts("kernel_shape", 3, 3),
		},
		"2×2": {
			attrInts("kernel_shape", 2, 2), attrInts("pads", 0, 0, 0, 0),
			attrInts("dilations", 1, 1), attrInt("group", 1),
		},
		"perm (0, 2, 1), same_upper, to float16": {
			attrInts("perm", 0, 2, 1), attrText("auto_pad", "SAME_UPPER"), attrInt("to", 10),
		},
		"": {attrText("auto_pad", "NOTSET"), attrInt("mystery", 3), attrText("mode", "\x01"), attrInt("transA", 0)},
	} {
		g := tiny()
		g.nodes = append([]pb{node("Mystery", list("image"), list("x"), attributes...)}, g.nodes...)
		testdata.Is(t, "summary", layersOf(t, g.file())[0].Attributes, want)
	}
	g := tiny()
	g.nodes = append([]pb{node("Mystery", list("image"), list("x"), attrInts("perm", long...))}, g.nodes...)
	if got := layersOf(t, g.file())[0].Attributes; len(got) > maxSummary+4 || !strings.HasSuffix(got, "…") {
		t.Errorf("a long summary %q", got)
	}
}

func TestInspectTooManyLayers(t *testing.T) {
	g := tiny()
	for range maxLayers {
		g.nodes = append(g.nodes, node("Relu", list("image"), list("")))
	}
	if _, err := LayersBytes("deep.onnx", g.file()); err == nil ||
		!strings.HasPrefix(err.Error(), "deep.onnx has more than") {
		t.Errorf("error %v", err)
	}
	if _, err := LayersBytes("none.onnx", nil); err == nil || !strings.HasPrefix(err.Error(), "none.onnx is empty") {
		t.Errorf("error %v", err)
	}
}

// Every known size of every layer is the one that the library computes, and the weights of the
// layers are those of the graph.
func TestLayersMatchTheLibrary(t *testing.T) {
	runtime := library(t)
	for _, path := range sceneModels(t) {
		layers := testdata.Must(Layers(path))(t)
		g := testdata.Must(Inspect(path))(t)
		var tensors []string
		shapes := map[string][]int64{}
		var total int64
		for _, l := range layers {
			total += l.Parameters
			if len(l.Outputs) > 0 && l.Shaped && slices.Contains(g.Tensors, l.Outputs[0]) &&
				l.Outputs[0] != g.Outputs[0].Name {
				tensors = append(tensors, l.Outputs[0])
				shapes[l.Outputs[0]] = l.Shape
			}
		}
		if total != g.Parameters || len(tensors) < len(layers)/2 {
			t.Errorf("%s: %d parameters of %d, %d shapes of %d layers", filepath.Base(path), total, g.Parameters,
				len(tensors), len(layers))
		}
		run := openRunner(t, runtime, feedOf(t, path, 3, tensors...))
		fill(run.Input())
		testdata.OK(t, run.Run(t.Context()))
		for k, name := range tensors {
			is, _ := run.Result(k + 1)
			if got := shapes[name]; !compatible(got, is) {
				t.Errorf("%s: %s has the shape %v, not %v", filepath.Base(path), name, is, got)
			}
		}
	}
}

func compatible(inferred []int64, is []int64) bool {
	if len(inferred) != len(is) {
		return false
	}
	for k, d := range inferred {
		if d != unknownSize && d != is[k] {
			return false
		}
	}
	return true
}

// FuzzLayers: whatever a file holds, reading its layers ends without a panic, and the description
// is consistent in itself.
func FuzzLayers(f *testing.F) {
	for _, g := range []graphOf{tiny(), endless(), hungry(false), slow(10)} {
		f.Add(g.file())
	}
	g := tiny()
	g.nodes = append(g.nodes,
		node("Reshape", list("conv", "s"), list("r")),
		node("Conv", list("r", "w"), list("c2"), attrInts("strides", -1, math.MinInt64)),
		node("Concat", list("c2", "r", "loop"), list("loop"), attrInt("axis", math.MinInt64)),
		node("Pad", list("conv"), list("p"), attrInts("pads", math.MinInt64, math.MaxInt64, 1, 1, 1, 1, 1, 1)),
		node("Slice", list("conv", "s", "s", "s"), list("cut")), node("Unsqueeze", list("conv", "s"), list("u")),
		node("Split", list("conv"), list("a", "b"), attrInts("split", -5, math.MaxInt64)))
	g.weights = append(g.weights, ints("s", []int64{-1, math.MaxInt64, 1 << 40}, 3))
	f.Add(g.file())
	for _, path := range sceneModels(f)[10:12] {
		data := testdata.Must(os.ReadFile(path))(f)
		f.Add(data[:min(len(data), 30000)])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		layers, err := LayersBytes("fuzz.onnx", data)
		if err != nil {
			return
		}
		for k, l := range layers {
			if len(l.From) != len(l.Inputs) || len(l.Shape) > maxRank || l.Parameters < 0 ||
				len(l.Attributes) > maxSummary+4 || !l.Shaped && l.Shape != nil {
				t.Fatalf("layer %d: %+v", k, l)
			}
			for _, from := range l.From {
				if from < -1 || from >= k {
					t.Fatalf("layer %d comes from layer %d", k, from)
				}
			}
			for _, d := range l.Shape {
				if d < unknownSize || d > 1<<40 {
					t.Fatalf("layer %d has the shape %v", k, l.Shape)
				}
			}
		}
	})
}
