package graph

import (
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
)

// assignable are the positions that a person may give to another tensor of a model.
var assignable = []string{model.Conv1, model.Conv2, model.Head}

// View is a model's graph as it is listed. It is immutable.
type View struct {
	Model   model.Model
	Layers  []model.Layer
	lanes   []lanes
	shapes  map[string]string // of tensors, for people
	problem string            // why there are no layers
}

// NewView prepares the layers of a model.
func NewView(m model.Model, layers []model.Layer) View {
	v := View{Model: m, Layers: layers, lanes: layLanes(layers), shapes: map[string]string{}}
	for _, l := range layers {
		if len(l.Outputs) > 0 {
			v.shapes[l.Outputs[0]] = ShapeText(l)
		}
	}
	return v
}

// ShapeText writes a layer's shape as N×16×32×32; an open first size is N, any other that is not
// known a question mark.
func ShapeText(l model.Layer) string {
	if !l.Shaped {
		return "?"
	}
	if len(l.Shape) == 0 {
		return "one number"
	}
	texts := make([]string, len(l.Shape))
	for k, d := range l.Shape {
		switch {
		case d >= 0:
			texts[k] = strconv.FormatInt(d, 10)
		case k == 0:
			texts[k] = "N"
		default:
			texts[k] = "?"
		}
	}
	return strings.Join(texts, "×")
}

// Name is what tells a layer from others: its own name, else its first output's.
func Name(l model.Layer) string {
	if l.Name == "" && len(l.Outputs) > 0 {
		return l.Outputs[0]
	}
	return l.Name
}

// Positions are the names of the positions that a layer's results have.
func (v View) Positions(at int) []string {
	return v.Model.Graph.Positions(v.Layers[at], v.Model.Correction.Positions)
}

// Tensor is the first result of a layer that can be a position; "" when none can.
func (v View) Tensor(at int) string {
	for _, out := range v.Layers[at].Outputs {
		if slices.Contains(v.Model.Graph.Tensors, out) {
			return out
		}
	}
	return ""
}

// Find are the layers in whose operator, name, tensors, attributes or positions the text stands;
// none for no text.
func (v View) Find(text string) []int {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" {
		return nil
	}
	var found []int
	for k, l := range v.Layers {
		fields := slices.Concat([]string{l.Op, l.Name, l.Attributes, ShapeText(l)}, l.Outputs, v.Positions(k))
		if slices.ContainsFunc(fields, func(f string) bool { return strings.Contains(strings.ToLower(f), text) }) {
			found = append(found, k)
		}
	}
	return found
}

// Fact is a line about a layer.
type Fact struct{ Name, Value string }

// Facts is everything about a layer.
func (v View) Facts(at int) []Fact {
	l := v.Layers[at]
	facts := []Fact{{"operator", l.Op}, {"name", Name(l)}, {"shape", ShapeText(l)}}
	if l.Attributes != "" {
		facts = append(facts, Fact{"attributes", l.Attributes})
	}
	if l.Parameters > 0 {
		facts = append(facts, Fact{"parameters", result.Whole(l.Parameters)})
	}
	for k, in := range l.Inputs {
		shape := v.shapes[in]
		if l.From[k] < 0 && shape == "" {
			shape = "the model's input"
		}
		facts = append(facts, Fact{"takes", in + "  " + shape})
	}
	for _, out := range l.Outputs {
		facts = append(facts, Fact{"makes", strings.TrimSpace(out + "  " + v.shapes[out])})
	}
	if positions := v.Positions(at); len(positions) > 0 {
		facts = append(facts, Fact{"position", strings.Join(positions, ", ")})
	}
	return facts
}

// Sum is the line about the whole graph.
func (v View) Sum() string {
	return result.Counted(len(v.Layers), "layer") + ", " + result.Counted(v.Model.Graph.Parameters, "parameter")
}

// kind groups operators that do the same sort of work, for their colours.
type kind int

const (
	arranging kind = iota // moves numbers around: Reshape, Transpose
	convolving
	linear
	activating
	pooling
	normalising
	joining
)

var kinds = func() map[string]kind {
	all := map[string]kind{}
	for k, names := range map[kind]string{
		convolving: "Conv ConvTranspose ConvInteger QLinearConv DeformConv",
		linear:     "Gemm MatMul MatMulInteger QLinearMatMul Einsum Attention",
		activating: "Relu LeakyRelu PRelu Elu Selu Celu Gelu Sigmoid HardSigmoid HardSwish Mish Tanh Softplus " +
			"Softsign Softmax LogSoftmax Clip Erf",
		pooling: "MaxPool AveragePool LpPool GlobalAveragePool GlobalMaxPool GlobalLpPool ReduceMean " +
			"ReduceMax ReduceSum",
		normalising: "BatchNormalization InstanceNormalization LayerNormalization GroupNormalization " +
			"LRN LpNormalization",
		joining: "Add Sub Mul Div Concat Sum Mean Max Min Pow Where",
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] = k
		}
	}
	return all
}()

// assign is a model with a position given to a tensor, or left to its usual meaning where tensor
// is "". before is what the position was given to until now.
func assign(m *model.Model, position, tensor string) (before string) {
	before = m.Correction.Positions[position]
	changed := map[string]string{}
	for name, of := range m.Correction.Positions {
		changed[name] = of
	}
	if tensor == "" {
		delete(changed, position)
	} else {
		changed[position] = tensor
	}
	m.Correction.Positions = changed
	if len(changed) == 0 {
		m.Correction.Positions = nil
	}
	return before
}
