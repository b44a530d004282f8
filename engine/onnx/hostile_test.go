package onnx

// scored ends a graph whose tensor "x" holds one row of 16 numbers per image in a linear layer to 3 classes.
func scored(g graphOf, x string) graphOf {
	g.inputs = []pb{value("image", typeFloat, -1, 1, 4, 4)}
	g.outputs = []pb{value("scores", typeFloat, -1, 3)}
	g.weights = append(g.weights, floats("lw", make([]float32, 48), 16, 3))
	g.nodes = append(g.nodes, node("MatMul", list(x, "lw"), list("scores")))
	return g
}

// endless is a Loop whose condition is always true.
func endless() graphOf {
	body := graphOf{
		inputs:  []pb{value("i", typeInt64, []int64{}...), value("c", typeBool, []int64{}...), value("y", typeFloat, -1, 16)},
		outputs: []pb{value("c2", typeBool, []int64{}...), value("y2", typeFloat, -1, 16)},
		nodes:   []pb{node("Identity", list("c"), list("c2")), node("Sin", list("y"), list("y2"))},
	}
	return scored(graphOf{
		weights: []pb{tensorHead("true", typeBool, nil).msg(9, pb{1})},
		nodes: []pb{
			node("Flatten", list("image"), list("flat")),
			node("Loop", list("", "true", "flat"), list("looped"), attrGraph("body", body.pb())),
		},
	}, "looped")
}

// hungry adds the sum of 16 GB of ones: at loading, where the library folds constants, or only when an image comes.
func hungry(late bool) graphOf {
	g := graphOf{
		weights: []pb{ints("vast", []int64{4, 1024, 1024, 1024}, 4), ints("four", []int64{4}, 1), ints("zero", []int64{0}, 1)},
		nodes:   []pb{node("Flatten", list("image"), list("flat"))},
	}
	shape := "vast"
	if late {
		g.nodes = append(g.nodes,
			node("Shape", list("image"), list("shape")),
			node("Mul", list("shape", "zero"), list("nothing")),
			node("Add", list("nothing", "vast"), list("late")))
		shape = "late"
	}
	g.nodes = append(g.nodes,
		node("ConstantOfShape", list(shape), list("ones"), attrTensor("value", floats("", []float32{1}, 1))),
		node("ReduceMax", list("ones"), list("sum"), attrInt("keepdims", 0)),
		node("Add", list("flat", "sum"), list("added")))
	return scored(g, "added")
}

// slow multiplies two n x n matrices that depend on the image, one operator that nothing interrupts.
func slow(n int64) graphOf {
	return scored(graphOf{
		weights: []pb{ints("size", []int64{n, n}, 2)},
		nodes: []pb{
			node("Flatten", list("image"), list("flat")),
			node("ReduceMean", list("flat"), list("mean"), attrInt("keepdims", 0)),
			node("Expand", list("mean", "size"), list("square")),
			node("MatMul", list("square", "square"), list("product")),
			node("ReduceMax", list("product"), list("max"), attrInt("keepdims", 0)),
			node("Add", list("flat", "max"), list("added")),
		},
	}, "added")
}
