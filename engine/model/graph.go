// Package model describes imported ONNX classifiers: what the file says of itself (Graph), what people and
// training records say of it (Model), and the settings that are in force (Settings, DESIGN.md section 4).
//
// The package holds values only. Reading an ONNX file is engine/onnx's work, keeping models is store's.
package model

import (
	"slices"
	"strings"
)

// Layout is the order of the axes of a model's image input.
type Layout string

// The two layouts that image classifiers use.
const (
	NCHW Layout = "NCHW"
	NHWC Layout = "NHWC"
)

// OutputKind says what the numbers of a classifier's output are.
type OutputKind string

// The kinds of DESIGN.md section 4. The empty kind means "not known".
const (
	Logits           OutputKind = "logits"
	Probabilities    OutputKind = "probabilities"
	LogProbabilities OutputKind = "log-probabilities"
)

// ParseOutputKind reads the words of models.csv and of ONNX metadata; ok is false for anything else.
func ParseOutputKind(text string) (kind OutputKind, ok bool) {
	kind = OutputKind(strings.ToLower(strings.TrimSpace(text)))
	return kind, slices.Contains([]OutputKind{Logits, Probabilities, LogProbabilities}, kind)
}

// Input is the image input of a graph. A size of 0 is dynamic: Batch is then free, Height and Width take the suite's.
type Input struct {
	Name     string `json:"name"`
	Layout   Layout `json:"layout"`
	Batch    int    `json:"batch"`
	Channels int    `json:"channels"`
	Height   int    `json:"height"`
	Width    int    `json:"width"`
}

// Output is one graph output of form (N, C), or (N, K, H, W) among Graph.Maps.
type Output struct {
	Name    string `json:"name"`
	Classes int    `json:"classes"` // 0 when the file does not say
	// Kind is what the graph shows: Probabilities after a final Softmax, LogProbabilities after LogSoftmax, else empty.
	Kind OutputKind `json:"kind,omitempty"`
}

// Graph is what a model file says of itself, read without running it.
type Graph struct {
	Opset    int      `json:"opset"`
	IR       int      `json:"ir"`
	Producer string   `json:"producer,omitempty"`
	Input    Input    `json:"input"`
	Outputs  []Output `json:"outputs"` // in graph order, only those of form (N, C); the first is the default
	// Maps are the outputs of form (N, K, H, W), the scores of a segmentation network, in graph order. Only engine.NetworkReader looks
	// for them.
	Maps       []Output `json:"maps,omitempty"`
	Parameters int64    `json:"parameters"`
	// Convs are the output names of the Conv nodes of the main graph, in graph order.
	Convs []string `json:"convs"`
	// Head is the tensor of position HEAD (background.md section 8), empty when absent.
	Head string `json:"head,omitempty"`
	// Tensors are the names of all float outputs of the main graph's nodes, in graph order.
	Tensors []string `json:"tensors"`
	// Metadata is the file's metadata_props.
	Metadata map[string]string `json:"metadata,omitempty"`
}

// The positions with a fixed meaning; any tensor of the main graph is a position under its own name.
const (
	CONF  = "CONF"
	Conv1 = "CONV-1"
	Conv2 = "CONV-2"
	Head  = "HEAD"
)

// DefaultPositions are the positions of the paper's five matrices.
func DefaultPositions() []string { return []string{CONF, Conv1, Conv2} }

// Tensor returns the name of the tensor behind a position: assigned first (position -> tensor name), then the meaning
// of spec/variance.md section 3. For CONF it is the default class output. ok is false when the position is absent.
func (g Graph) Tensor(position string, assigned map[string]string) (name string, ok bool) {
	if name, ok := assigned[position]; ok {
		return name, true
	}
	n := len(g.Convs)
	switch position {
	case Conv1:
		if n < 1 {
			return "", false
		}
		return g.Convs[n-1], true
	case Conv2:
		if n < 2 {
			return "", false
		}
		return g.Convs[n-2], true
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
