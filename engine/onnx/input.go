package onnx

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/model"
)

func names(list []valueInfo) string {
	var text []string
	for _, v := range list[:min(len(list), 4)] {
		text = append(text, v.name)
	}
	return strings.Join(text, ", ")
}

func notAnImage(v valueInfo) error {
	switch {
	case v.kind != typeFloat && numberTypes[v.kind] == "":
		return fmt.Errorf("takes %s at its input %q, not images of float32, float16, float64, uint8 or int8; "+
			"export it with a float input", typeName(v.kind), v.name)
	case !v.ranked:
		return fmt.Errorf("does not say the shape of its input %q; "+
			"export it with four axes such as N x 3 x 32 x 32", v.name)
	}
	return fmt.Errorf("has an input %q of %d axes; an image input has four, such as N x 3 x 32 x 32", v.name,
		len(v.dims))
}

func (a *analysis) describeInput(v valueInfo) (model.Input, error) {
	if v.name == "" {
		return model.Input{}, errors.New("has an input without a name; export it again")
	}
	for axis, d := range v.dims {
		if d == 0 || d < -1 {
			return model.Input{}, fmt.Errorf("declares size %d on axis %d of its input %q; export it again",
				d, axis, v.name)
		}
	}
	layout := a.layout(v)
	size := func(axis string, without int) int {
		at := strings.Index(string(layout), axis)
		if at < 0 {
			return without
		}
		return int(max(v.dims[at], 0))
	}
	in := model.Input{
		Name: v.name, Layout: layout, Batch: size("N", 1), Channels: size("C", 1), Height: size("H", 0),
		Width: size("W", 0),
	}
	if in.Channels == 0 {
		_, channels := a.layoutHint(v.name)
		in.Channels = int(channels)
	}
	if in.Channels == 3 {
		in.Scaling = a.scaling(v.name)
	}
	return in, checkInput(in)
}

// layout decides the order of an input's axes. Three axes are (N, H, W) unless the first or the
// last has the size of channels; a first one of 1 is a batch.
func (a *analysis) layout(v valueInfo) model.Layout {
	isColour := func(size int64) bool { return size == 3 }
	switch {
	case len(v.dims) == 4:
		hint, _ := a.layoutHint(v.name)
		return layoutOf(v.dims, hint)
	case len(v.dims) == 2:
		return model.HW
	case isColour(v.dims[0]):
		return model.CHW
	case isColour(v.dims[2]) || v.dims[2] == 1:
		return model.HWC
	}
	return model.NHW
}

func checkInput(in model.Input) error {
	switch {
	case in.Channels == 0:
		return fmt.Errorf("does not say how many channels its input %q has; export it with 1 or 3", in.Name)
	case in.Channels != 1 && in.Channels != 3:
		return fmt.Errorf("has an input %q of %d channels; images have 1 or 3", in.Name, in.Channels)
	case len(in.Layout) < 4 && (in.Height > 0 && in.Height < 4 || in.Width > 0 && in.Width < 4):
		return fmt.Errorf("has an input %q of %d axes and %d x %d numbers, which is no image; export it with four "+
			"axes such as N x 3 x 32 x 32", in.Name, len(in.Layout), in.Height, in.Width)
	}
	return checkSizes(in)
}

// checkSizes holds an input, dynamic or not, against the caps.
func checkSizes(in model.Input) error {
	if in.Height > maxSide || in.Width > maxSide {
		return fmt.Errorf("declares images of %d x %d pixels; at most %d x %d can be used", in.Height, in.Width,
			maxSide, maxSide)
	}
	if in.Batch > maxBatch {
		return fmt.Errorf("declares batches of %d images; at most %d can be used", in.Batch, maxBatch)
	}
	if max(in.Batch, 1)*max(in.Channels, 1)*max(in.Height, 1)*max(in.Width, 1) > maxElements {
		return fmt.Errorf("declares a batch of %d images of %d x %d x %d, too large to be used",
			in.Batch, in.Channels, in.Height, in.Width)
	}
	return nil
}

// layoutOf decides the order of the axes: by the axis that has 1 or 3 entries; where both or
// neither have, by what the graph does with the input, and NCHW where that says nothing.
func layoutOf(dims []int64, hint model.Layout) model.Layout {
	first := dims[1] == 1 || dims[1] == 3
	last := dims[3] == 1 || dims[3] == 3
	switch {
	case first && !last:
		return model.NCHW
	case last && !first:
		return model.NHWC
	case hint != "":
		return hint
	}
	return model.NCHW
}

// elementwise are the operators that leave the order of the axes alone.
var elementwise = []string{
	"Add", "Sub", "Mul", "Div", "Identity", "Cast", "Round", "QuantizeLinear", "DequantizeLinear",
	"Clip", "Pad", "BatchNormalization", "Dropout", "Neg", "Pow", "Sqrt", "Max", "Min",
}

// layoutHint follows the input to the first Conv (its input is NCHW) or Transpose to or from NCHW;
// channels is what that Conv expects, 0 when unknown.
func (a *analysis) layoutHint(input string) (hint model.Layout, channels int64) {
	reached := map[string]bool{input: true}
	for i := range a.graph.nodes {
		n := &a.graph.nodes[i]
		if !slices.ContainsFunc(n.inputs, func(in string) bool { return reached[in] }) {
			continue
		}
		perm, _ := n.attribute("perm")
		switch {
		case n.is("Conv"):
			hint = cmp.Or(hint, model.NCHW)
			if w := a.graph.weights[n.input(1)]; len(w.dims) == 4 {
				channels = min(max(w.dims[1], 0), 1<<16) * min(max(n.integer("group", 1), 1), 1<<16)
			}
			return hint, channels
		case n.is("Transpose") && hint == "" && slices.Equal(perm.ints, []int64{0, 3, 1, 2}):
			hint = model.NHWC
		case n.is("Transpose") && hint == "" && slices.Equal(perm.ints, []int64{0, 2, 3, 1}):
			hint = model.NCHW
		case n.is(elementwise...):
		default:
			continue
		}
		for _, out := range n.outputs {
			reached[out] = true
		}
	}
	return hint, 0
}

// scaling is the type of the first operator behind the input when it shifts or scales the input by
// constants, else "" (spec/recipe.md section 2, "the graph itself").
func (a *analysis) scaling(input string) string {
	reached := map[string]bool{input: true}
	for i := range a.graph.nodes {
		n := &a.graph.nodes[i]
		if !slices.ContainsFunc(n.inputs, func(in string) bool { return reached[in] }) {
			continue
		}
		switch {
		case n.is("Identity", "Cast", "Transpose"):
			for _, out := range n.outputs {
				reached[out] = true
			}
		case n.is("Sub", "Div", "Mul", "Add", "BatchNormalization") &&
			slices.ContainsFunc(n.inputs, func(in string) bool { return a.fixed[in] }):
			return n.op
		default:
			return ""
		}
	}
	return ""
}
