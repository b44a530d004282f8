package onnx

import (
	"fmt"
	"math"
)

// The corpus's graphs that are sound to read and bad to run.

// nestedGraphs hold graphs inside graphs.
func nestedGraphs() []hostileFile {
	truth := tensorHead("true", typeBool, nil).msg(9, pb{1})
	branch := func(inner pb) pb { // an If whose both branches are inner
		return node("If", list("true"), list("y"), attrGraph("then_branch", inner), attrGraph("else_branch", inner))
	}
	out := []pb{value("y", typeFloat)}
	leaf := graphOf{nodes: []pb{node("Identity", list("flat"), list("y"))}, outputs: out}.pb()
	deep := func(n int) []byte {
		g := leaf
		for range n {
			g = graphOf{nodes: []pb{branch(g)}, outputs: out}.pb()
		}
		return between([]pb{truth}, branch(g), node("Identity", list("y"), list("out")))
	}
	const endlessly = "did not finish a trial run within 1s; it cannot be used"
	growing := graphOf{
		inputs:  []pb{value("i", typeInt64, []int64{}...), value("c", typeBool, []int64{}...), value("s", typeFloat)},
		outputs: []pb{value("c", typeBool, []int64{}...), value("t", typeFloat)},
		nodes:   []pb{node("Concat", list("s", "s"), list("t"), attrInt("axis", 1))},
	}.pb()
	recursive := pb{}.str(1, "Again").str(4, "a").str(5, "b").msg(7,
		node("Again", list("a"), list("b")).str(7, "own")).msg(9, pb{}.str(1, "").num(2, 13)).msg(9,
		pb{}.str(1, "own").num(2, 1)).str(10, "own")
	return []hostileFile{
		{name: "nested 8.onnx", data: deep(8), fine: "within the limit"},
		{
			name: "endless nest of 4096 graphs.onnx", data: deep(12),
			fine: "it ends within the probe's time where that is long",
		},
		{name: "endless loop.onnx", data: endless().file(), want: endlessly},
		{
			name: "endless count.onnx", want: endlessly,
			data: between([]pb{truth, ints("count", []int64{math.MaxInt64})},
				node("Loop", list("count", "true", "flat"), list("out"), attrGraph("body", loopBody(-1, 16)))),
		},
		{name: "growing loop.onnx", data: between([]pb{truth},
			node("Loop", list("", "true", "flat"), list("long"), attrGraph("body", growing)),
			node("ReduceMax", list("long"), list("max"), attrInt("keepdims", 0)),
			node("Add", list("flat", "max"), list("out"))), want: "memory"},
		{name: "if without branches.onnx", data: between([]pb{truth}, node("If", list("true"), list("out")))},
		{name: "function of itself.onnx", data: append(modelOf(8, 13, scored(graphOf{nodes: []pb{
			node("Flatten", list("image"), list("flat")), node("Again", list("flat"), list("out")).str(7, "own"),
		}}, "out").pb()), pb{}.msg(8, pb{}.str(1, "own").num(2, 1)).msg(25, recursive)...)},
		{name: "graph longer than its file.onnx", data: raw(pb{}.num(1, 8), 7, 1<<40, tiny().pb())},
	}
}

// bombs are small files that want much memory: at loading, where the library folds constants, or at
// running.
func bombs() []hostileFile {
	const want = "memory"
	const plainly = "needs more than 1024 MB of memory in a trial run; choose a smaller batch or another model"
	collapsed := func(weights []pb, nodes ...pb) []byte { // the large thing is "large"
		return between(weights, append(nodes, node("ReduceMax", list("large"), list("max"), attrInt("keepdims", 0)),
			node("Add", list("flat", "max"), list("out")))...)
	}
	vast := ints("vast", []int64{8, 1024, 1024, 1024}, 4)
	return []hostileFile{
		{name: "bomb at load.onnx", data: hungry(false).file(), want: plainly},
		{name: "bomb at run.onnx", data: hungry(true).file(), want: plainly},
		{
			name: "bomb of ones.onnx", data: collapsed([]pb{vast},
				node("ConstantOfShape", list("vast"), list("large"))),
			want: want,
		},
		{name: "bomb of expansion.onnx", data: collapsed([]pb{vast, ints("one", []int64{1, 1}, 2)},
			node("ReduceMax", list("flat"), list("m"), attrInt("keepdims", 0)),
			node("Expand", list("m", "vast"), list("large"))), want: want},
		{
			name: "bomb of padding beyond numbers.onnx",
			data: collapsed([]pb{ints("p", []int64{0, math.MaxInt64, 0, math.MaxInt64}, 4)},
				node("Pad", list("flat", "p"), list("large"))),
		},
		{
			name: "bomb of a range.onnx",
			data: collapsed([]pb{ints("a", []int64{0}), ints("b", []int64{1 << 40}), ints("d", []int64{1})},
				node("Range", list("a", "b", "d"), list("whole")),
				node("Cast", list("whole"), list("large"), attrInt("to", typeFloat))),
		},
		{name: "bomb of doubling.onnx", data: doubling(40)},
		{name: "bomb of a product.onnx", data: slow(1 << 17).file(), want: want},
		{name: "endless product.onnx", data: slow(16000).file(), want: "trial run"},
	}
}

// doubling concatenates a tensor with itself n times.
func doubling(n int) []byte {
	from := "flat"
	var nodes []pb
	for i := range n {
		to := fmt.Sprint("d", i)
		nodes = append(nodes, node("Concat", list(from, from), list(to), attrInt("axis", 1)))
		from = to
	}
	nodes = append(nodes, node("ReduceMax", list(from), list("max"), attrInt("keepdims", 0)),
		node("Add", list("flat", "max"), list("out")))
	return between(nil, nodes...)
}

// wildOperators have attributes and operands that an operator may not survive.
func wildOperators() []hostileFile {
	whole := func(op string, by int64, more ...pb) []byte {
		return between([]pb{ints("by", []int64{by}, 1)},
			node("Cast", list("flat"), list("i"), attrInt("to", typeInt64)),
			node(op, list("i", "by"), list("o"), more...),
			node("Cast", list("o"), list("out"), attrInt("to", typeFloat)))
	}
	conv := func(attributes ...pb) []byte {
		return with(func(g *graphOf) {
			g.nodes[0] = node("Conv", list("image", "w", "b"), list("conv"), attributes...)
		})
	}
	pool := func(attributes ...pb) []byte {
		return with(func(g *graphOf) { g.nodes[1] = node("MaxPool", list("conv"), list("relu"), attributes...) })
	}
	shape := func(op string, to ...int64) []byte {
		return between([]pb{ints("s", to, int64(len(to)))}, node(op, list("flat", "s"), list("out")))
	}
	const number = "the library has an answer for it"
	return []hostileFile{
		{name: "division by zero.onnx", data: whole("Div", 0), fine: number},
		{
			name: "division of the least.onnx",
			data: between([]pb{ints("a", []int64{math.MinInt64}, 1), ints("b", []int64{-1}, 1)},
				node("Div", list("a", "b"), list("o")), node("Cast", list("o"), list("f"), attrInt("to", typeFloat)),
				node("Add", list("flat", "f"), list("out"))), fine: number,
		},
		{name: "convolution of stride 0.onnx", data: conv(attrInts("strides", 0, 0))},
		{name: "convolution in 0 groups.onnx", data: conv(attrInt("group", 0))},
		{name: "convolution of a vast dilation.onnx", data: conv(attrInts("dilations", math.MaxInt64, math.MaxInt64))},
		{name: "convolution of negative padding.onnx", data: conv(attrInts("pads", -9, -9, -9, -9))},
		{name: "pooling of 0.onnx", data: pool(attrInts("kernel_shape", 0, 0))},
		{name: "pooling of a vast kernel.onnx", data: pool(attrInts("kernel_shape", math.MaxInt64, math.MaxInt64))},
		{name: "reshape to much.onnx", data: shape("Reshape", 1<<32, 1<<32)},
		{name: "gather beyond.onnx", data: shape("Gather", 1<<40)},
		{
			name: "axis beyond.onnx", data: between(nil,
				node("Softmax", list("flat"), list("out"), attrInt("axis", 1<<40))),
			fine: "the library reads its low bits",
		},
		{name: "no rows.onnx", data: between([]pb{ints("i", []int64{}, 0)},
			node("Gather", list("flat", "i"), list("out")))},
		{
			name: "rows by content.onnx", data: between(nil,
				node("Cast", list("flat"), list("t"), attrInt("to", typeBool)),
				node("Compress", list("flat", "t"), list("out"), attrInt("axis", 0))),
			fine: "a run checks the rows of every batch",
		},
	}
}
