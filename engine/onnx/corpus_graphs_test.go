package onnx

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// The corpus's graphs: what a model file can say that no model means.

// with is the small model with a change.
func with(change func(*graphOf)) []byte {
	g := tiny()
	change(&g)
	return g.file()
}

// between puts nodes between the flattened image, "flat", and the linear layer, which reads "out".
func between(weights []pb, nodes ...pb) []byte {
	return scored(graphOf{weights: weights, nodes: append([]pb{node("Flatten", list("image"), list("flat"))},
		nodes...)}, "out").file()
}

func brokenGraphs() []hostileFile {
	many := func(n int, add func(g *graphOf, i int)) []byte {
		return with(func(g *graphOf) {
			for i := range n {
				add(g, i)
			}
		})
	}
	return []hostileFile{
		{name: "cycle.onnx", data: between(nil, node("Add", list("flat", "b"), list("a")),
			node("Relu", list("a"), list("b")), node("Relu", list("b"), list("out")))},
		{name: "dangling input.onnx", data: between(nil, node("Add", list("flat", "nowhere"), list("out")))},
		{name: "written twice.onnx", data: between(nil, node("Relu", list("flat"), list("out")),
			node("Relu", list("flat"), list("out")))},
		{name: "input twice.onnx", data: with(func(g *graphOf) { g.inputs = append(g.inputs, g.inputs[0]) })},
		{
			name: "weight twice.onnx", data: with(func(g *graphOf) { g.weights = append(g.weights, g.weights[0]) }),
			fine: "the library takes the last of two weights of one name",
		},
		{name: "unknown operator.onnx", data: between(nil, node("Frobnicate", list("flat"), list("out")))},
		{name: "nameless operator.onnx", data: between(nil, node("", list("flat"), list("out")))},
		{name: "too many inputs.onnx", data: between(nil,
			node("Relu", slices.Repeat(list("flat"), 5000), list("out")))},
		{name: "too many outputs.onnx", data: between(nil,
			node("Split", list("flat"), append(numberedNames("s", 20000), "out"), attrInt("axis", 1)))},
		{name: "wrong type.onnx", data: between([]pb{ints("k", []int64{1}, 1)},
			node("Add", list("flat", "k"), list("out")))},
		{
			name: "thousands of outputs.onnx", fine: "unused outputs do no harm",
			data: many(3000, func(g *graphOf, i int) {
				name := fmt.Sprint("o", i)
				g.nodes = append(g.nodes, node("Identity", list("conv"), list(name)))
				g.outputs = append(g.outputs, value(name, typeFloat))
			}),
		},
		{
			name: "thousands of inputs.onnx", want: "inputs",
			data: many(3000, func(g *graphOf, i int) {
				g.inputs = append(g.inputs, value(fmt.Sprint("i", i), typeFloat, 1))
			}),
		},
		{name: "thousands of nodes.onnx", data: longChain(5000), fine: "long is not wrong"},
		{
			name: "thousands of weights.onnx", fine: "unused weights do no harm",
			data: many(20000, func(g *graphOf, i int) {
				g.weights = append(g.weights, floats(fmt.Sprint("w", i), []float32{1}, 1))
			}),
		},
	}
}

func numberedNames(stem string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint(stem, i)
	}
	return names
}

// longChain is n additions one behind the other.
func longChain(n int) []byte {
	nodes := []pb{}
	from := "flat"
	for i := range n {
		to := fmt.Sprint("n", i)
		if i == n-1 {
			to = "out"
		}
		nodes = append(nodes, node("Add", list(from, "flat"), list(to)))
		from = to
	}
	return between(nil, nodes...)
}

func oddHeaders() []hostileFile {
	g := tiny().pb()
	head := func(m pb) []byte { return append(m.msg(7, g), pb{}.msg(8, pb{}.str(1, "").num(2, 13))...) }
	version := func(ir, opset int64) []byte { return modelOf(ir, opset, g) }
	const accepted = "a library may know it"
	files := []hostileFile{
		{
			name: "opset twice.onnx", data: append(version(8, 13), pb{}.msg(8, pb{}.str(1, "").num(2, 9))...),
			fine: accepted,
		},
		{name: "producer that is not text.onnx", data: head(pb{}.num(1, 8).str(2, "\xff\xfe"))},
		{name: "long metadata.onnx", data: append(version(8, 13),
			pb{}.msg(14, pb{}.str(1, "k").str(2, strings.Repeat("v", 8<<20)))...), fine: "metadata may be long"},
		{name: "long name.onnx", data: with(func(g *graphOf) {
			g.nodes = append(g.nodes, node("Relu", list("conv"), list(strings.Repeat("n", 60000))))
		}), fine: "a name of 60,000 bytes is within the limit"},
		{name: "longer name.onnx", data: with(func(g *graphOf) {
			g.nodes = append(g.nodes, node("Relu", list("conv"), list(strings.Repeat("n", 70000))))
		})},
		{name: "name of lines.onnx", data: withInput(value("a\nb", typeFloat, -1, 1, 4, 4))},
	}
	for _, ir := range []int64{0, -3, 1, 2, 99, math.MaxInt64} {
		files = append(files, hostileFile{name: fmt.Sprintf("IR %d.onnx", ir), data: version(ir, 13), fine: accepted})
	}
	for _, opset := range []int64{0, -1, 1, 6, 30, 9999, math.MaxInt64} {
		files = append(files, hostileFile{
			name: fmt.Sprintf("opset %d.onnx", opset), data: version(8, opset), fine: accepted,
		})
	}
	return files
}

func oddTensors() []hostileFile {
	weight := func(w pb) []byte {
		return with(func(g *graphOf) { g.weights = append(g.weights, w) })
	}
	filled := func(v float64) []byte {
		values := slices.Repeat([]float32{float32(v)}, 18)
		return with(func(g *graphOf) { g.weights[0] = floats("w", values, 2, 1, 3, 3) })
	}
	input := func(dims ...int64) []byte { return withInput(value("image", typeFloat, dims...)) }
	const number = "an unused weight, or numbers that are bad but numbers"
	files := []hostileFile{
		{name: "NaN.onnx", data: filled(math.NaN()), fine: number},
		{name: "weight of nothing.onnx", data: weight(tensorHead("z", typeFloat, []int64{0})), fine: number},
		{
			name: "sizes that overflow.onnx", data: weight(tensorHead("z", typeFloat, []int64{1 << 32, 1 << 32})),
			want: "more than the file holds",
		},
		{
			name: "thousands of axes.onnx",
			data: weight(tensorHead("z", typeFloat, slices.Repeat([]int64{1}, 100000)).msg(9, make(pb, 4))),
			fine: number,
		},
		{
			name: "weight too short.onnx", data: weight(tensorHead("z", typeFloat, []int64{100}).msg(9, make(pb, 4))),
			fine: number,
		},
		{
			name: "weight of unknown type.onnx", data: weight(tensorHead("z", 99, []int64{1}).msg(9, make(pb, 4))),
			fine: number,
		},
		{name: "kernel of texts.onnx", data: with(func(g *graphOf) {
			g.weights[0] = tensorHead("w", typeString, []int64{1}).str(6, "a")
		})},
		{name: "kernel of nothing.onnx", data: with(func(g *graphOf) {
			g.weights[0] = tensorHead("w", typeFloat, []int64{2, 1, 0, 0})
		}), fine: number},
		{
			name: "texts as input.onnx", data: withInput(value("image", typeString, -1, 1, 4, 4)),
			want: "not images of float32",
		},
		{name: "input of no type.onnx", data: withInput(pb{}.str(1, "image"))},
		{name: "texts as output.onnx", data: withTail(13, []pb{value("scores", typeString, -1, 3)})},
		{name: "sequence as output.onnx", data: withTail(13, []pb{pb{}.str(1, "s").msg(2, pb{}.msg(4, nil))},
			node("SequenceConstruct", list("scores"), list("s")))},
		{name: "input of 100 axes.onnx", data: input(slices.Repeat([]int64{1}, 100)...), want: "four"},
		{
			name: "input of 4096.onnx", data: input(-1, 1, 4096, 4096),
			fine: "within the limits; the probe has the last word",
		},
		{
			name: "classes of another number.onnx", data: withTail(13, []pb{value("scores", typeFloat, -1, 1<<20)}),
			fine: "the library tells the true number",
		},
		{
			name: "float weights in varints.onnx",
			data: weight(pb{}.num(1, 2).num(2, typeFloat).str(8, "z").num(4, 1).num(4, 2)), fine: number,
		},
	}
	for _, axis := range []int{0, 1, 2, 3} {
		for _, size := range []int64{math.MaxInt64, math.MinInt64 + 1, 1 << 31} {
			dims := []int64{1, 1, 4, 4}
			dims[axis] = size
			files = append(files, hostileFile{
				name: fmt.Sprintf("size %d on axis %d.onnx", size, axis),
				data: input(dims...), fine: "a size below 0 is an open one",
			})
		}
	}
	return files
}

// awayFiles keep weights outside of the file.
func awayFiles() (files []hostileFile) {
	for k, place := range []string{
		"/etc/passwd", "../../../../etc/passwd", "weights.bin", "", "/dev/zero", "link to zeros.onnx",
		`C:\Windows\win.ini`, `\\host\share\w`,
		"file:///etc/passwd", "http://example.com/w", strings.Repeat("../", 5000) + "w", "w\x00.bin",
	} {
		w := tensorHead("w", typeFloat, []int64{2, 1, 3, 3}).msg(13, pb{}.str(1, "location").str(2, place)).num(14, 1)
		files = append(files, hostileFile{
			name: fmt.Sprintf("weights away %02d.onnx", k),
			want: `keeps its weights in separate files (graph "g" > initializer "w"); `,
			data: with(func(g *graphOf) { g.weights[0] = w }),
		})
	}
	// Only the place is given, without the mark that data lie there.
	w := tensorHead("w", typeFloat, []int64{2, 1, 3, 3}).msg(13, pb{}.str(1, "location").str(2, "/etc/passwd"))
	return append(files, hostileFile{
		name: "weights away unmarked.onnx", data: with(func(g *graphOf) { g.weights[0] = w }),
	})
}

// raw appends a field of wire type 2 whose length is not its content's.
func raw(b pb, field protowire.Number, length uint64, content pb) pb {
	b = protowire.AppendVarint(protowire.AppendTag(b, field, protowire.BytesType), length)
	return append(b, content...)
}
