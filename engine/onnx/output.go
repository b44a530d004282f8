package onnx

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/model"
)

// classOutputs are the outputs that give a row of numbers per image, in graph order. Where the
// file gives no output's shape, all float outputs of unknown shape are taken, and the probe tells.
func (a *analysis) classOutputs(opset int64) ([]model.Output, error) {
	var shaped, open []model.Output
	for k, v := range a.graph.outputs {
		if kind := a.kinds[v.name]; kind != typeFloat && kind != typeUnknown {
			continue
		}
		if v.name == "" || a.producer[v.name] == nil {
			continue
		}
		if err := a.checkSoftmax(v.name, opset); err != nil {
			return nil, err
		}
		out := model.Output{Name: v.name, Kind: a.classKind(v.name, opset)}
		if own := a.own.outputs[k]; own.kind != typeFloat && own.kind != typeUnknown || own.ranked &&
			len(own.dims) != 2 {
			out.Form = form(own)
		}
		switch {
		case !v.ranked:
			out.Classes = a.linearWidth(v.name)
			open = append(open, out)
		case len(v.dims) == 2:
			if v.dims[1] == 0 || v.dims[1] < -1 || v.dims[1] > maxClasses {
				return nil, fmt.Errorf("declares %d classes at its output %q; 1 to %d can be used",
					v.dims[1], v.name, maxClasses)
			}
			out.Classes = int(max(v.dims[1], 0))
			if out.Classes == 0 {
				out.Classes = a.linearWidth(v.name)
			}
			shaped = append(shaped, out)
		}
	}
	slices.SortStableFunc(shaped, func(a, b model.Output) int {
		return cmp.Compare(min(len(a.Form), 1), min(len(b.Form), 1))
	})
	switch {
	case len(shaped) > 0:
		return shaped, nil // those of form (N, C) first
	case len(open) > 0:
		return open, nil
	case len(a.own.outputs) == 0:
		return nil, errors.New("has no output; it is no image classifier")
	}
	var list []string
	for _, v := range a.own.outputs[:min(len(a.own.outputs), 8)] {
		if a.producer[v.name] == nil {
			continue
		}
		if n := a.producer[v.name]; n.op == "ZipMap" {
			return nil, fmt.Errorf("gives its probabilities as a sequence of maps (ZipMap) at its output %q; export "+
				"it again with zipmap=False", v.name)
		}
		list = append(list, fmt.Sprintf("%q %s", v.name, form(v)))
	}
	if len(list) == 0 {
		return nil, errors.New("has no output that a node computes; it is no image classifier")
	}
	return nil, fmt.Errorf("has no output of form (N, C), one number per image and class, but %s; export the class "+
		"scores as such an output", strings.Join(list, ", "))
}

// form is the form and type of an output for people: "(N, 3, 1, 1) of float16".
func form(v valueInfo) string {
	text := "of unknown shape"
	if v.ranked {
		sizes := make([]string, len(v.dims))
		for k, d := range v.dims {
			switch {
			case d >= 0:
				sizes[k] = strconv.FormatInt(d, 10)
			case k == 0:
				sizes[k] = "N"
			default:
				sizes[k] = "?"
			}
		}
		text = "(" + strings.Join(sizes, ", ") + ")"
	}
	if v.kind != typeFloat && v.kind != typeUnknown {
		text += " of " + typeName(v.kind)
	}
	return text
}

// transparent are the operators between a softmax, or a last linear layer, and the output that keep
// its numbers.
var transparent = []string{
	"Identity", "Cast", "Dropout", "Clip", "Flatten", "Reshape", "Squeeze", "Unsqueeze", "QuantizeLinear",
	"DequantizeLinear",
}

// classKind tells what a final Softmax, LogSoftmax or Sigmoid makes of an output, or Sigmoids that
// are concatenated, one or several classes each.
func (a *analysis) classKind(name string, opset int64) model.OutputKind {
	n := a.final(name)
	switch {
	case n == nil:
	case n.is("Softmax") && softmaxAxis(n, opset) != 0:
		return model.Probabilities
	case n.is("LogSoftmax") && softmaxAxis(n, opset) != 0:
		return model.LogProbabilities
	case a.areSigmoids(n):
		return model.Sigmoid
	}
	return ""
}

func (a *analysis) areSigmoids(n *nodeProto) bool {
	isSigmoid := func(n *nodeProto) bool { return n != nil && n.is("Sigmoid", "HardSigmoid") }
	const most = 1000 // outputs of one class each
	if n == nil || !n.is("Concat") || len(n.inputs) == 0 || len(n.inputs) > most {
		return isSigmoid(n)
	}
	return !slices.ContainsFunc(n.inputs, func(in string) bool { return !isSigmoid(a.final(in)) })
}

// final is the last node before an output that changes its numbers, nil for none.
func (a *analysis) final(name string) *nodeProto {
	for range a.graph.nodes {
		n := a.producer[name]
		if n == nil || !n.is(transparent...) {
			return n
		}
		name = n.input(0)
	}
	return nil
}

// softmaxAxis is the axis of a Softmax or LogSoftmax; up to opset 12 it is the first of several.
func softmaxAxis(n *nodeProto, opset int64) int64 {
	if opset < 13 {
		return n.integer("axis", 1)
	}
	return n.integer("axis", -1)
}

// checkSoftmax refuses an output whose final Softmax runs over one number alone: it is 1 for every
// image, which would look like perfect invariance.
func (a *analysis) checkSoftmax(name string, opset int64) error {
	n := a.final(name)
	if n == nil || !n.is("Softmax", "LogSoftmax") {
		return nil
	}
	sizes := newShapes(a, int(opset))
	for i := range a.graph.nodes {
		sizes.infer(&a.graph.nodes[i])
	}
	dims, _ := sizes.of(n.input(0))
	axis := softmaxAxis(n, opset)
	if axis < 0 {
		axis += int64(len(dims))
	}
	if axis < 0 || axis >= int64(len(dims)) {
		return nil
	}
	over := dims[axis : axis+1]
	if opset < 13 {
		over = dims[axis:]
	}
	if slices.ContainsFunc(over, func(d int64) bool { return d != 1 }) {
		return nil
	}
	return fmt.Errorf("ends in a %s %q over axis %d of %v numbers, which is one number alone, so that its result is "+
		"the same for every image; "+
		"export it with the axis of the classes, or one output with Sigmoid", n.op, nodeName(n), axis, dims)
}

// linearWidth is the number of classes that the weights of the last linear layer give, 0 when they
// are out of sight.
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
