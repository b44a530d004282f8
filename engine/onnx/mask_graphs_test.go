package onnx

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// maskGraph is a graph of convolutions of 4 x 4 maps with things that stand in the way of masks.
// conv makes the nodes of a convolution; a reference puts a constant mask behind it.
type maskGraph struct {
	build   func(conv func(in, weight, out string) []pb) graphOf
	masks   transform.Masks
	tensors []string // positions asked for
	shared  []string // what is computed once, in any order
	image   bool     // whether the image is read behind the cut
	ir      int64
}

// around joins nodes and ends a graph whose tensor "end" has two channels of 4 x 4 in pooling and a
// linear layer.
func around(lists ...[]pb) graphOf {
	g := tiny()
	weights := make([]float32, 36)
	for i := range weights {
		weights[i] = float32(i%7)/4 - 0.7
	}
	g.weights = append(g.weights, floats("w2", weights, 2, 2, 3, 3), floats("half", []float32{0.5}, 1))
	g.nodes = append(slices.Concat(lists...), node("GlobalAveragePool", list("end"), list("pool")),
		g.nodes[3], g.nodes[4])
	return g
}

func one(op string, in []string, out string, attributes ...pb) []pb {
	return []pb{node(op, in, list(out), attributes...)}
}

// maskGraphs are by name.
func maskGraphs() map[string]maskGraph {
	type conv = func(in, weight, out string) []pb
	all := transform.Masks{N: 2}
	second := transform.Masks{N: 2, Layers: []int{2}}
	return map[string]maskGraph{
		"a Relu behind": {build: func(c conv) graphOf {
			return around(c("image", "w", "c1"), one("Relu", list("c1"), "r"), c("r", "w2", "end"))
		}, masks: all, shared: list("r")},
		"a Relu behind a position": {build: func(c conv) graphOf {
			return around(c("image", "w", "c1"), one("Relu", list("c1"), "r"), c("r", "w2", "end"))
		}, masks: all, tensors: list("c1", "r", "end"), shared: list("c1")},
		"a deep layer": {build: func(c conv) graphOf {
			return around(c("image", "w", "c1"), one("Relu", list("c1"), "r"), c("r", "w2", "c2"),
				one("Relu", list("c2"), "end"))
		}, masks: second, shared: list("end")},
		"a position before the masks": {build: func(c conv) graphOf {
			return around(c("image", "w", "c1"), c("c1", "w2", "end"))
		}, masks: second, tensors: list("c1"), image: true},
		"the image beside": {build: func(c conv) graphOf {
			return around(c("image", "w", "c1"), one("Add", list("c1", "image"), "end"))
		}, masks: all, shared: list("c1"), image: true},
		"the shape of the image": {build: func(c conv) graphOf {
			g := around(c("image", "w", "c1"), one("Shape", list("image"), "shape"),
				one("Gather", list("shape", "first"), "n"),
				one("Concat", list("n", "rest"), "to", attrInt("axis", 0)), one("Reshape", list("c1", "to"), "end"))
			g.weights = append(g.weights, ints("first", []int64{0}, 1), ints("rest", []int64{2, 4, 4}, 3))
			return g
		}, masks: all, shared: list("c1"), image: true},
		"two branches": {build: func(c conv) graphOf {
			return around(c("image", "w", "c1"), c("image", "w", "c2"), one("Sub", list("c1", "c2"), "d"),
				one("Mul", list("d", "half"), "e"), one("Add", list("e", "c1"), "end"))
		}, masks: transform.Masks{N: 3}, shared: list("c1", "c2")},
		"a constant": {build: func(c conv) graphOf {
			return around(c("image", "w", "c1"), one("Constant", nil, "k",
				attrTensor("value", floats("", []float32{0.25}, 1))),
				one("Add", list("c1", "k"), "end"))
		}, masks: all, shared: list("c1")},
		"an inner graph": {build: func(c conv) graphOf {
			branch := func(op string) pb {
				return graphOf{outputs: []pb{value("y", typeFloat)}, nodes: []pb{node(op, list("c1"), list("y"))}}.pb()
			}
			g := around(c("image", "w", "c1"), one("Relu", list("c1"), "r"),
				one("If", list("yes"), "x", attrGraph("then_branch", branch("Identity")),
					attrGraph("else_branch", branch("Neg"))),
				one("Add", list("x", "r"), "end"))
			g.weights = append(g.weights, tensorHead("yes", typeBool, nil).msg(9, pb{1}))
			return g
		}, masks: all, image: true},
		"float16 maps": {build: func(c conv) graphOf {
			half := attrInt("to", typeFloat16)
			return around(one("Cast", list("image"), "half_image", half), one("Cast", list("w"), "ww", half),
				c("half_image", "ww", "c1"), one("Cast", list("c1"), "end", attrInt("to", typeFloat)))
		}, masks: all, image: true},
		"a 1-D convolution": {build: func(c conv) graphOf {
			g := around(one("Reshape", list("image", "line"), "l"), one("Conv", list("l", "w1"), "m"),
				one("Reshape", list("m", "square"), "s"), c("s", "w2", "end"))
			g.weights = append(g.weights, ints("line", []int64{0, 1, 16}, 3), ints("square", []int64{0, 2, 4, 4}, 4),
				floats("w1", []float32{1, -1}, 2, 1, 1))
			return g
		}, masks: all, shared: list("end")},
		"weights among the inputs": {build: func(c conv) graphOf {
			g := around(c("image", "w", "c1"), one("Relu", list("c1"), "end"))
			g.inputs = append(g.inputs, value("w", typeFloat, 2, 1, 3, 3), value("w2", typeFloat, 2, 2, 3, 3),
				value("b", typeFloat, 2),
				value("half", typeFloat, 1), value("lw", typeFloat, 2, 3), value("lb", typeFloat, 3))
			return g
		}, masks: all, shared: list("end"), ir: 3},
	}
}

// file is the graph as it is, or with constant masks of a region in place of the edit: n*n models,
// the slow way.
func (m maskGraph) file(number int) []byte {
	convs := 0
	var masks, inputs []pb
	g := m.build(func(in, weight, out string) []pb {
		convs++
		op := func(to string) pb {
			return node("Conv", list(in, weight), list(to), attrInts("pads", 1, 1, 1, 1))
		}
		if number == 0 || len(m.masks.Layers) > 0 && !slices.Contains(m.masks.Layers, convs) {
			return []pb{op(out)}
		}
		mask := "mask_" + out
		if m.ir == 3 {
			inputs = append(inputs, value(mask, typeFloat, 1, 1, 4, 4))
		}
		masks = append(masks, floats(mask, slowMask(m.masks.N, number), 1, 1, 4, 4))
		nodes := []pb{op(out + "_raw")}
		if in == "half_image" {
			nodes = append(nodes, node("Cast", list(mask), list("half_mask"), attrInt("to", typeFloat16)))
			mask = "half_mask"
		}
		return append(nodes, node("Mul", list(out+"_raw", mask), list(out)))
	})
	g.weights, g.inputs = append(g.weights, masks...), append(g.inputs, inputs...)
	ir := int64(8)
	if m.ir > 0 {
		ir = m.ir
	}
	return modelOf(ir, 13, g.pb())
}

// slowMask is 0 in a region of a map of 4 x 4, else 1.
func slowMask(n, number int) []float32 {
	mask := make([]float32, 16)
	for k := range mask {
		if regionOf(k/4, 4, n) != (number-1)/n || regionOf(k%4, 4, n) != (number-1)%n {
			mask[k] = 1
		}
	}
	return mask
}

func TestMasksOnGraphs(t *testing.T) {
	r := library(t)
	for name, m := range maskGraphs() {
		t.Run(name, func(t *testing.T) {
			feed := feedOf(t, save(t, "m.onnx", m.file(0)), 3, m.tensors...)
			feed.Mask = &m.masks
			run := openRunner(t, r, feed)
			m.checkCut(t, run)
			for number := range m.masks.N*m.masks.N + 1 {
				slow := openRunner(t, r, feedOf(t, save(t, "m.onnx", m.file(number)), 3, m.tensors...))
				fill(run.Input())
				fill(slow.Input())
				run.Mask(number)
				testdata.OK(t, run.Run(t.Context()))
				testdata.OK(t, slow.Run(t.Context()))
				for k := range len(m.tensors) + 1 {
					_, got := run.Result(k)
					_, want := slow.Result(k)
					if !slices.EqualFunc(got, want, func(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-5 }) {
						t.Errorf("region %d, result %d:\n%v\n%v", number, k, got, want)
					}
				}
			}
		})
	}
}

// checkCut looks at what was made of the graph.
func (m maskGraph) checkCut(t *testing.T, run engine.Runner) {
	t.Helper()
	made := run.(*runner).masked.maskedModel
	data := m.file(0)
	_, a, err := inspect("m.onnx", data)
	testdata.OK(t, err)
	outputs := append(list("scores"), m.tensors...)
	e := testdata.Must(newMaskEdit(a, data, a.spots(m.masks, outputs), outputs))(t)
	slices.Sort(m.shared)
	if m.masks.Layers == nil && strings.Contains(string(data), "w1") { // what measuring finds out
		return
	}
	slices.Sort(e.shared)
	if !slices.Equal(e.shared, m.shared) || made.handed != len(m.shared) || made.takesImage != m.image ||
		(made.before != nil) != (len(m.shared) > 0) {
		t.Errorf("shared are %q, image %t; want %q, %t", e.shared, made.takesImage, m.shared, m.image)
	}
}

func TestMapsOfGraphs(t *testing.T) {
	in := model.Input{Name: "image", Layout: model.NCHW, Batch: 1, Channels: 1, Height: 4, Width: 4}
	normed := func(readers ...pb) []byte {
		g := tiny()
		for _, name := range list("s", "o", "m", "v") {
			g.weights = append(g.weights, floats(name, []float32{1, 2}, 2))
		}
		g.nodes = slices.Concat(g.nodes[:1],
			[]pb{node("BatchNormalization", list("conv", "s", "o", "m", "v"), list("norm"))}, readers,
			[]pb{node("Relu", list("norm"), list("relu"))}, g.nodes[2:])
		return g.file()
	}
	both := maskGraphs()
	tests := map[string]struct {
		data  []byte
		input model.Input
		masks transform.Masks
		want  []Map
		alone []int
	}{
		"plain": {
			tiny().file(), in, transform.Masks{N: 2}, []Map{{Number: 1, Tensor: "conv", Height: 4, Width: 4}}, nil,
		},
		"empty": {
			tiny().file(),
			model.Input{Name: "image", Layout: model.NCHW, Channels: 1, Height: 4, Width: 1},
			transform.Masks{N: 2},
			[]Map{{Number: 1, Tensor: "conv", Height: 4, Width: 1, Empty: []int{1, 3}}},
			nil,
		},
		"open": {
			tiny().file(),
			model.Input{Name: "image", Layout: model.NCHW, Channels: 1, Width: 4},
			transform.Masks{N: 5},
			[]Map{{Number: 1, Tensor: "conv", Width: 4}},
			nil,
		},
		"before batch-norm": {
			normed(), in, transform.Masks{N: 2}, []Map{{Number: 1, Tensor: "conv", Height: 4, Width: 4}}, nil,
		},
		"behind batch-norm": {
			normed(), in,
			transform.Masks{N: 2, AfterBatchNorm: true},
			[]Map{{Number: 1, Tensor: "norm", Height: 4, Width: 4}},
			nil,
		},
		"another reader": {
			normed(node("Neg", list("conv"), list("other"))), in,
			transform.Masks{N: 2, AfterBatchNorm: true},
			[]Map{{Number: 1, Tensor: "conv", Height: 4, Width: 4}},
			nil,
		},
		"one layer": {
			both["a deep layer"].file(0), in,
			transform.Masks{N: 1, Layers: []int{2}},
			[]Map{{Number: 2, Tensor: "c2", Height: 4, Width: 4}},
			nil,
		},
		"a 1-D convolution": {
			both["a 1-D convolution"].file(0), in,
			transform.Masks{N: 1},
			[]Map{{Number: 2, Tensor: "end", Height: 4, Width: 4}},
			[]int{1},
		},
	}
	for name, test := range tests {
		got, alone, err := Maps("m.onnx", test.data, test.input, test.masks)
		if err != nil || !reflect.DeepEqual(got, test.want) || !slices.Equal(alone, test.alone) {
			t.Errorf("%s: %+v, left alone %v, %v; want %+v", name, got, alone, err, test.want)
		}
	}
}

// What cannot be masked is refused by Maps and by Open in the same words.
func TestMasksRefuse(t *testing.T) {
	r := library(t)
	flat := tiny()
	flat.nodes = []pb{
		node("MaxPool", list("image"), list("relu"), attrInts("kernel_shape", 3, 3)),
		node("Expand", list("relu", "two"), list("pool")),
		node("ReduceMean", list("pool"), list("flat"), attrInts("axes", 2, 3), attrInt("keepdims", 0)), flat.nodes[4],
	}
	flat.weights = append(flat.weights, ints("two", []int64{1, 2, 1, 1}, 4))
	line := maskGraphs()["a 1-D convolution"].file(0)
	for _, test := range []struct {
		data  []byte
		masks transform.Masks
		want  string
	}{
		{
			flat.file(),
			transform.Masks{N: 2},
			"m.onnx has no two-dimensional convolution, so there are no regions to delete",
		},
		{tiny().file(), transform.Masks{N: 2, Layers: []int{1, 3}}, "m.onnx has 1 convolution; layer 3 is not there"},
		{line, transform.Masks{N: 2, Layers: []int{3}}, "m.onnx has 2 convolutions; layer 3 is not there"},
		{
			line,
			transform.Masks{N: 2, Layers: []int{1}},
			"m.onnx has no two-dimensional convolution among layers [1], so there are no regions to delete",
		},
		{
			modelOf(3, 6, tiny().pb()),
			transform.Masks{N: 2},
			"m.onnx was exported with opset 6, but regions can be deleted from opset 7 on; export it again",
		},
		{
			tiny().file(),
			transform.Masks{N: 0},
			"m.onnx cannot be masked: mask: n is 0; it is a whole number from 1 to 16, for n x n regions",
		},
	} {
		g := testdata.Must(InspectBytes("m.onnx", test.data))(t)
		if _, _, err := Maps("m.onnx", test.data, g.Input, test.masks); err == nil || err.Error() != test.want {
			t.Errorf("Maps: %v\nwant %s", err, test.want)
		}
		feed := feedOf(t, save(t, "m.onnx", test.data), 1)
		feed.Mask = &test.masks
		if _, err := r.Open(t.Context(), feed); err == nil || err.Error() != test.want {
			t.Errorf("Open: %v\nwant %s", err, test.want)
		}
	}
	testdata.Is(t, "users of the library are left", environmentUsers(), 1)
}
