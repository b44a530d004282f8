package model

import "slices"

// Layer is one node of a model's main graph, as far as it depends on the image: what it does, to
// what, and what comes out.
type Layer struct {
	Name string // of the node; often empty
	Op   string // "Conv", with the domain in front where it is no standard operator
	// Inputs are the tensors it takes that depend on the image, Outputs those it makes.
	Inputs, Outputs []string
	// From are the layers that make Inputs, by their index in the list; -1 is the model's own
	// input.
	From []int
	// Shape is that of the first output; -1 is a size that is only known at run time. Shaped is
	// false where nothing is known about it.
	Shape  []int64
	Shaped bool
	// Attributes are what sets the operator apart, in short: "3×3, stride 2, pad 1".
	Attributes string
	// Parameters counts the numbers of the floating-point weights that this layer is the first to
	// use.
	Parameters int64
}

// Positions are the names that the layer's outputs have as positions: CONF, CONV-1, CONV-2 and
// HEAD.
func (g Graph) Positions(l Layer, assigned map[string]string) []string {
	var names []string
	for _, position := range []string{CONF, Conv1, Conv2, Head} {
		if tensor, ok := g.Tensor(position, assigned); ok && slices.Contains(l.Outputs, tensor) {
			names = append(names, position)
		}
	}
	return names
}
