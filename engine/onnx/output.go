package onnx

import (
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/model"
)

// classOutputs are the float outputs of form (N, C), in graph order. Where the file gives no output's shape, all float
// outputs of unknown shape are taken, and the probe tells.
func (a *analysis) classOutputs(opset int64) ([]model.Output, error) {
	var shaped, open []model.Output
	other := int64(typeUnknown)
	for _, v := range a.graph.outputs {
		if kind := a.kinds[v.name]; kind != typeFloat && kind != typeUnknown {
			other = kind
			continue
		}
		if v.name == "" || a.producer[v.name] == nil {
			continue
		}
		out := model.Output{Name: v.name, Kind: a.classKind(v.name, opset)}
		switch {
		case !v.ranked:
			out.Classes = a.linearWidth(v.name)
			open = append(open, out)
		case len(v.dims) == 2:
			if v.dims[1] == 0 || v.dims[1] < -1 || v.dims[1] > maxClasses {
				return nil, fmt.Errorf("declares %d classes at its output %q; 1 to %d can be used", v.dims[1], v.name, maxClasses)
			}
			out.Classes = int(max(v.dims[1], 0))
			if out.Classes == 0 {
				out.Classes = a.linearWidth(v.name)
			}
			shaped = append(shaped, out)
		}
	}
	switch {
	case len(shaped) > 0:
		return shaped, nil
	case len(open) > 0:
		return open, nil
	case other != typeUnknown:
		return nil, fmt.Errorf("has no float output of form (N, C), but one of %s; export the class scores as float32", typeName(other))
	}
	return nil, errors.New("has no output of form (N, C), one score per image and class; it is no image classifier")
}

// transparent are the operators between a softmax, or a last linear layer, and the output that keep its numbers.
var transparent = []string{"Identity", "Cast", "Dropout", "Flatten", "Reshape", "Squeeze"}

// classKind tells what a final Softmax or LogSoftmax over the classes makes of an output.
func (a *analysis) classKind(name string, opset int64) model.OutputKind {
	fallback := int64(1) // the default axis up to opset 12
	if opset >= 13 {
		fallback = -1
	}
	for range a.graph.nodes {
		n := a.producer[name]
		switch {
		case n == nil:
			return ""
		case n.is("Softmax") && n.integer("axis", fallback) != 0:
			return model.Probabilities
		case n.is("LogSoftmax") && n.integer("axis", fallback) != 0:
			return model.LogProbabilities
		case !n.is(transparent...):
			return ""
		}
		name = n.input(0)
	}
	return ""
}

// linearWidth is the number of classes that the weights of the last linear layer give, 0 when they are out of sight.
func (a *analysis) linearWidth(name string) int {
	for range a.graph.nodes {
		n := a.producer[name]
		switch {
		case n == nil:
			return 0
		case n.is("Gemm", "MatMul"):
			return classesOf(a.graph.weights[n.input(1)].dims, n.integer("transB", 0) != 0)
		case n.is("Add"), n.is("Softmax", "LogSoftmax", "Sigmoid", "Identity", "Cast", "Dropout"):
			name = a.data(n)
		default:
			return 0
		}
	}
	return 0
}

func classesOf(weights []int64, transposed bool) int {
	if len(weights) != 2 {
		return 0
	}
	classes := weights[1]
	if transposed {
		classes = weights[0]
	}
	if classes < 1 || classes > maxClasses {
		return 0
	}
	return int(classes)
}
