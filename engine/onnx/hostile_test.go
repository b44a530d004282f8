package onnx

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// scored ends a graph whose tensor "x" holds one row of 16 numbers per image in a linear layer to 3
// classes.
func scored(g graphOf, x string) graphOf {
	g.inputs = []pb{value("image", typeFloat, -1, 1, 4, 4)}
	g.outputs = []pb{value("scores", typeFloat, -1, 3)}
	g.weights = append(g.weights, floats("lw", make([]float32, 48), 16, 3))
	g.nodes = append(g.nodes, node("MatMul", list(x, "lw"), list("scores")))
	return g
}

// loopBody is the body of a Loop that goes on and takes the sine of its state.
func loopBody(state ...int64) pb {
	scalar := []int64{}
	return graphOf{
		inputs: []pb{
			value("i", typeInt64, scalar...), value("c", typeBool, scalar...),
			value("y", typeFloat, append(scalar, state...)...),
		},
		outputs: []pb{value("c2", typeBool, scalar...), value("y2", typeFloat, append(scalar, state...)...)},
		nodes:   []pb{node("Identity", list("c"), list("c2")), node("Sin", list("y"), list("y2"))},
	}.pb()
}

// endless is a Loop whose condition is always true.
func endless() graphOf {
	return scored(graphOf{
		weights: []pb{tensorHead("true", typeBool, nil).msg(9, pb{1})},
		nodes: []pb{
			node("Flatten", list("image"), list("flat")),
			node("Loop", list("", "true", "flat"), list("looped"), attrGraph("body", loopBody(-1, 16))),
		},
	}, "looped")
}

// hungry adds the sum of 16 GB of ones: at loading, where the library folds constants, or only when
// an image comes.
func hungry(late bool) graphOf {
	g := graphOf{
		weights: []pb{
			ints("vast", []int64{4, 1024, 1024, 1024}, 4), ints("four", []int64{4}, 1), ints("zero", []int64{0}, 1),
		},
		nodes: []pb{node("Flatten", list("image"), list("flat"))},
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

// slow multiplies two n x n matrices that depend on the image, one operator that nothing
// interrupts.
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

// inTheLight scores images of 64 x 64 and does what a body does for batches that hold a light
// image: none of a trial run is one. The body gives the scalar "more".
func inTheLight(body graphOf) graphOf {
	other := graphOf{
		nodes:   []pb{node("Identity", list("dark"), list("more"))},
		outputs: []pb{value("more", typeFloat, []int64{}...)},
	}
	body.outputs = other.outputs
	return graphOf{
		inputs:  []pb{value("image", typeFloat, -1, 3, 64, 64)},
		outputs: []pb{value("scores", typeFloat, -1, 9)},
		weights: []pb{
			floats("lw", make([]float32, 27), 3, 9), floats("light", []float32{0.6}), floats("dark", []float32{0}),
		},
		nodes: []pb{
			node("ReduceMean", list("image"), list("pool"), attrInts("axes", 2, 3), attrInt("keepdims", 0)),
			node("ReduceMean", list("pool"), list("means"), attrInts("axes", 1), attrInt("keepdims", 0)),
			node("ReduceMax", list("means"), list("lightest"), attrInt("keepdims", 0)),
			node("Greater", list("lightest", "light"), list("cond")),
			node("If", list("cond"), list("added"), attrGraph("then_branch", body.pb()),
				attrGraph("else_branch", other.pb())),
			node("MatMul", list("pool", "lw"), list("plain")),
			node("Add", list("plain", "added"), list("scores")),
		},
	}
}

// loopsInTheLight never ends, takesInTheLight takes 6 GB.
func loopsInTheLight() graphOf {
	return inTheLight(graphOf{nodes: []pb{node("Loop", list("", "cond", "lightest"), list("more"),
		attrGraph("body", loopBody()))}})
}

func takesInTheLight() graphOf {
	return inTheLight(graphOf{
		weights: []pb{ints("vast", []int64{1536, 1024, 1024, 1}, 4), ints("zero", []int64{0}, 1)},
		nodes: []pb{
			node("Shape", list("image"), list("shape")),
			node("Mul", list("shape", "zero"), list("nothing")),
			node("Add", list("nothing", "vast"), list("late")),
			node("ConstantOfShape", list("late"), list("ones"), attrTensor("value", floats("", []float32{1}, 1))),
			node("ReduceMax", list("ones"), list("more"), attrInt("keepdims", 0)),
		},
	})
}

// TestLayHostileRuns lays the models that pass a trial run and do harm to light images, for the
// test of the real window.
func TestLayHostileRuns(t *testing.T) {
	folder := os.Getenv(onlyLay)
	if folder == "" {
		return
	}
	for name, g := range map[string]graphOf{"loops": loopsInTheLight(), "takes": takesInTheLight()} {
		testdata.OK(t, os.WriteFile(filepath.Join(folder, name+".onnx"), g.file(), 0o600))
	}
	for _, name := range []string{"dd_sigfpe", "vary_width", "21dd_shape", "fixed_width"} {
		data, err := os.ReadFile(hostileModel(name))
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name+".onnx"), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
