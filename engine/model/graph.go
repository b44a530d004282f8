// Package model describes imported ONNX classifiers: what the file says of itself (Graph), what
// people and training records say of it (Model), and the settings that are in force (Settings,
// DESIGN.md section 4).
//
// The package holds values only. Reading an ONNX file is engine/onnx's work, keeping models is
// store's.
package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Layout is the order of the axes of a model's image input, a letter each: batch, channels, height,
// width. Without a C images are gray; without an N the model takes one image at a time.
type Layout string

// The layouts that image classifiers use.
const (
	NCHW Layout = "NCHW"
	NHWC Layout = "NHWC"
	NHW  Layout = "NHW"
	CHW  Layout = "CHW"
	HWC  Layout = "HWC"
	HW   Layout = "HW"
)

// Known tells whether a layout is one of these.
func (l Layout) Known() bool { return slices.Contains([]Layout{NCHW, NHWC, NHW, CHW, HWC, HW}, l) }

// ChannelsLast tells whether the channels of a pixel lie side by side.
func (l Layout) ChannelsLast() bool { return strings.HasSuffix(string(l), "C") }

// NumberType is the type of the numbers of an input; empty is float32.
type NumberType string

// The types besides float32. Whole numbers stand for pixel values of 0..255, those of int8 moved
// down by 128 (spec/recipe.md section 1, step 7).
const (
	Float16 NumberType = "float16"
	Float64 NumberType = "float64"
	Uint8   NumberType = "uint8"
	Int8    NumberType = "int8"
)

// Known tells whether a type is one of these or float32.
func (t NumberType) Known() bool {
	return slices.Contains([]NumberType{"", Float16, Float64, Uint8, Int8}, t)
}

// Whole tells whether the type is one of pixel values of 0..255.
func (t NumberType) Whole() bool { return t == Uint8 || t == Int8 }

// OutputKind says what the numbers of a classifier's output are.
type OutputKind string

// The kinds of DESIGN.md section 4. The empty kind means "not known".
const (
	Logits           OutputKind = "logits"
	Probabilities    OutputKind = "probabilities"
	LogProbabilities OutputKind = "log-probabilities"
	// Sigmoid is C independent probabilities, which need not sum to 1.
	Sigmoid OutputKind = "sigmoid"
	// BinaryLogit and BinaryProbability are one number per image, about the second of two classes.
	BinaryLogit       OutputKind = "binary-logit"
	BinaryProbability OutputKind = "binary-probability"
)

// OutputKinds are all kinds.
func OutputKinds() []OutputKind {
	return []OutputKind{Logits, Probabilities, LogProbabilities, Sigmoid, BinaryLogit, BinaryProbability}
}

// Binary tells whether an output has one number per image for its two classes.
func (k OutputKind) Binary() bool { return k == BinaryLogit || k == BinaryProbability }

// ParseOutputKind reads the words of models.csv and of ONNX metadata; ok is false for anything
// else.
func ParseOutputKind(text string) (kind OutputKind, ok bool) {
	kind = OutputKind(strings.ToLower(strings.TrimSpace(text)))
	return kind, slices.Contains(OutputKinds(), kind)
}

// Dims are the sizes of the axes in their order.
func (in Input) Dims() []int {
	sizes := map[rune]int{'N': in.Batch, 'C': in.Channels, 'H': in.Height, 'W': in.Width}
	var dims []int
	for _, axis := range in.Layout {
		dims = append(dims, sizes[axis])
	}
	return dims
}

// Input is the image input of a graph. A size of 0 is dynamic: Batch is then free, Height and Width
// take the suite's.
type Input struct {
	Name   string `json:"name"`
	Layout Layout `json:"layout"`
	// Type is that of the file's own input; Variscope gives float32 numbers, which are converted
	// inside the graph.
	Type     NumberType `json:"type,omitempty"`
	Batch    int        `json:"batch"`
	Channels int        `json:"channels"`
	Height   int        `json:"height"`
	Width    int        `json:"width"`
	// Scaling is the operator that shifts or scales the pixels of three channels by constants right
	// behind the input, "Mul"; empty for none. It may want pixels of 0..255.
	Scaling string `json:"scaling,omitempty"`
}

// Output is one graph output with a row of numbers per image, or one of form (N, K, H, W) among
// Graph.Maps.
type Output struct {
	Name    string `json:"name"`
	Classes int    `json:"classes"` // numbers per image; 0 when the file does not say
	// Form is that of the file, "(N, 3, 1, 1) of float16", where it is not (N, C) of float32.
	Form string `json:"form,omitempty"`
	// Kind is what the graph shows: Probabilities after a final Softmax, LogProbabilities after
	// LogSoftmax, Sigmoid after that, else empty.
	Kind OutputKind `json:"kind,omitempty"`
}

// Named is a node's type and its first output.
type Named struct {
	Op     string `json:"op"`
	Tensor string `json:"tensor"`
}

// Graph is what a model file says of itself, read without running it.
type Graph struct {
	Opset    int      `json:"opset"`
	IR       int      `json:"ir"`
	Producer string   `json:"producer,omitempty"`
	Input    Input    `json:"input"`
	Outputs  []Output `json:"outputs"` // in graph order, only those of form (N, C); the first is the default
	// Maps are the outputs of form (N, K, H, W), the scores of a segmentation network, in graph
	// order. Only engine.NetworkReader looks for them.
	Maps       []Output `json:"maps,omitempty"`
	Parameters int64    `json:"parameters"`
	// Convs are the output names of the Conv nodes of the main graph, in graph order.
	Convs []string `json:"convs"`
	// Points are those of them whose map is 1 x 1: they are no positions (DESIGN.md section 4).
	Points []string `json:"points,omitempty"`
	// Joined has, for each of several parallel convolutions that meet right behind, the joined
	// tensor, which is a position in their place (DESIGN.md section 4).
	Joined map[string]string `json:"joined,omitempty"`
	// Others are nodes of other types that convolve, such as QLinearConv, or may do so inside,
	// such as Loop: no positions either, but tensors that can be assigned.
	Others []Named `json:"others,omitempty"`
	// Blocks are the outputs of a transformer's blocks, in graph order, which are positions under
	// their own names.
	Blocks []string `json:"blocks,omitempty"`
	// Head is the tensor of position HEAD (background.md section 8), empty when absent.
	Head string `json:"head,omitempty"`
	// Tensors are the names of all float outputs of the main graph's nodes, in graph order.
	Tensors []string `json:"tensors"`
	// Data are the files beside the model that held its weights at import, slash-separated names
	// within its folder in byte order. The workspace's own file has them inside.
	Data []string `json:"data,omitempty"`
	// Metadata is the file's metadata_props.
	Metadata map[string]string `json:"metadata,omitempty"`
}

// OutputWords names the outputs that can be chosen, with their form: `a (N, 10), b (N, 5, 1, 1)`.
func (g Graph) OutputWords() string {
	var words []string
	for _, o := range g.Outputs {
		form := o.Form
		if form == "" && o.Classes == 0 {
			form = "(N, C)"
		} else if form == "" {
			form = fmt.Sprintf("(N, %d)", o.Classes)
		}
		words = append(words, o.Name+" "+form)
	}
	return strings.Join(words, ", ")
}

// ConvMaps are the tensors that count as positions of convolutions, in graph order: the outputs of
// those that have a place in the image (all but Points), and in place of parallel ones the joined
// tensor, where the last of them stands.
func (g Graph) ConvMaps() []string {
	if len(g.Points) == 0 && len(g.Joined) == 0 {
		return g.Convs
	}
	var maps []string
	for _, tensor := range g.Convs {
		if slices.Contains(g.Points, tensor) {
			continue
		}
		if joined := g.Joined[tensor]; joined != "" {
			tensor = joined
			maps = slices.DeleteFunc(maps, func(before string) bool { return before == joined })
		}
		maps = append(maps, tensor)
	}
	return slices.DeleteFunc(maps, func(tensor string) bool { return slices.Contains(g.Points, tensor) })
}

// Lacks says why CONV-1 or CONV-2 is absent, and what there is in its place.
func (g Graph) Lacks(position string) string {
	why := "no convolution"
	if position == Conv2 && len(g.ConvMaps()) == 1 {
		why = "no second convolution"
	}
	var there []string
	if n := len(g.Points); n > 0 {
		why += " with a map larger than 1 x 1"
	}
	if len(g.ConvMaps()) > 0 && len(g.Joined) > 0 {
		why += " (parallel ones that meet right behind count as one)"
	}
	for _, o := range g.Others {
		there = append(there, o.Op+" "+strconv.Quote(o.Tensor))
	}
	if len(there) == 0 {
		return why
	}
	const most = 4
	if len(there) > most {
		there = append(there[len(there)-most:], fmt.Sprintf("%d more", len(there)-most))
	}
	return fmt.Sprintf("%s of type Conv, but %s: assign one as %s=NAME", why, strings.Join(there, ", "), position)
}

// The positions with a fixed meaning; any tensor of the main graph is a position under its own
// name.
const (
	CONF  = "CONF"
	Conv1 = "CONV-1"
	Conv2 = "CONV-2"
	Head  = "HEAD"
)

// DefaultPositions are the positions of the paper's five matrices.
func DefaultPositions() []string { return []string{CONF, Conv1, Conv2} }

// Tensor returns the name of the tensor behind a position: assigned first (position -> tensor
// name), then the meaning of spec/variance.md section 3. For CONF it is the default class output.
// ok is false when the position is absent.
func (g Graph) Tensor(position string, assigned map[string]string) (name string, ok bool) {
	if name, ok := assigned[position]; ok {
		return name, true
	}
	maps := g.ConvMaps()
	n := len(maps)
	switch position {
	case Conv1:
		if n < 1 {
			return "", false
		}
		return maps[n-1], true
	case Conv2:
		if n < 2 {
			return "", false
		}
		return maps[n-2], true
	case Head:
		return g.Head, g.Head != ""
	case CONF:
		if len(g.Outputs) == 0 {
			return "", false
		}
		return g.Outputs[0].Name, true
	}
	return position, slices.Contains(g.Tensors, position)
}
