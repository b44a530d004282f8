package onnx

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
)

// Limits of what Layers describes.
const (
	maxLayers  = 50_000
	maxSummary = 120 // bytes of an attribute summary
)

// Layers reads the layers of a model file in the order of its main graph, without running it and
// without a library. What is computed from weights alone is left out. It fails where Inspect fails,
// and on more than 50,000 layers.
func Layers(path string) ([]model.Layer, error) {
	data, _, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return LayersBytes(filepath.Base(path), data)
}

// LayersBytes is Layers for a file in memory; name stands for it in messages.
func LayersBytes(name string, data []byte) ([]model.Layer, error) {
	g, a, err := inspect(name, data)
	if err != nil {
		return nil, err
	}
	w := walk{
		analysis: a, shapes: newShapes(a, g.Opset), maker: map[string]int{g.Input.Name: -1}, used: map[string]bool{},
	}
	for i := range a.graph.nodes {
		n := &a.graph.nodes[i]
		w.shapes.infer(n)
		if a.isFixed(n) {
			continue
		}
		if len(w.layers) == maxLayers {
			return nil, fmt.Errorf("%s has more than %d layers; they cannot be listed", name, maxLayers)
		}
		w.add(n)
	}
	return w.layers, nil
}

// walk collects layers in the order of the graph.
type walk struct {
	*analysis
	shapes *shapes
	maker  map[string]int // tensor -> the layer that makes it
	used   map[string]bool
	layers []model.Layer
}

func (w *walk) add(n *nodeProto) {
	l := model.Layer{Name: n.name, Op: n.op, Attributes: summary(n)}
	if !isDefault(n.domain) {
		l.Op = n.domain + "." + n.op
	}
	for _, in := range n.inputs {
		if w.fixed[in] || in == "" {
			l.Parameters += w.weights(in)
			continue
		}
		from, ok := w.maker[in]
		if !ok {
			from = -1 // made later, or by nobody: a damaged graph
		}
		l.Inputs, l.From = append(l.Inputs, in), append(l.From, from)
	}
	for _, out := range n.outputs {
		if out == "" {
			continue
		}
		l.Outputs = append(l.Outputs, out)
		if _, twice := w.maker[out]; !twice {
			w.maker[out] = len(w.layers)
		}
	}
	if len(l.Outputs) > 0 {
		l.Shape, l.Shaped = w.shapes.of(l.Outputs[0])
	}
	w.layers = append(w.layers, l)
}

// weights counts the floating-point numbers behind a fixed tensor that no layer before has used: an
// initialiser, or what is computed from some, such as a transposed or dequantised weight.
func (w *walk) weights(tensor string) int64 {
	var total int64
	open := []string{tensor}
	for len(open) > 0 {
		name := open[len(open)-1]
		open = open[:len(open)-1]
		if name == "" || w.used[name] {
			continue
		}
		w.used[name] = true
		if weight, ok := w.graph.weights[name]; ok {
			if weight.isFloat() {
				n, _ := product(weight.dims) // parameters has refused what does not fit
				total += n
			}
			continue
		}
		if n := w.producer[name]; n != nil {
			open = append(open, n.inputs...)
		}
	}
	return total
}

// summary are the attributes of a node that tell it from others of its kind, in short.
func summary(n *nodeProto) string {
	var parts []string
	for _, at := range n.attributes {
		if text := attributeText(at); text != "" && len(parts) < 8 {
			parts = append(parts, text)
		}
	}
	if at, ok := n.attribute("kernel_shape"); ok { // the kernel first, as people say it
		kernel := times(at.ints)
		parts = slices.Insert(slices.DeleteFunc(parts, func(p string) bool { return p == kernel }), 0, kernel)
	}
	text := strings.Join(parts, ", ")
	if len(text) > maxSummary {
		text = strings.ToValidUTF8(text[:maxSummary], "") + "…"
	}
	return text
}

// attributeText is one attribute, "" for a value that is the usual one or says nothing.
func attributeText(a attribute) string {
	switch a.name {
	case "kernel_shape":
		return times(a.ints)
	case "strides":
		return unless(a.ints, 1, "stride ")
	case "dilations":
		return unless(a.ints, 1, "dilation ")
	case "pads":
		return unless(a.ints, 0, "pad ")
	case "group":
		if a.i > 1 {
			return "groups " + strconv.FormatInt(a.i, 10)
		}
	case "axis", "keepdims", "num_heads", "blocksize":
		return a.name + " " + strconv.FormatInt(a.i, 10)
	case "transA", "transB":
		if a.i != 0 {
			return a.name
		}
	case "perm", "axes", "output_shape", "split":
		return a.name + " " + listed(a.ints)
	case "alpha", "beta", "epsilon", "ratio":
		if a.f != 1 {
			return a.name + " " + result.Digits(float64(a.f), 4)
		}
	case "to":
		return "to " + typeName(a.i)
	case "auto_pad", "mode", "approximate":
		if a.text != "" && a.text != "NOTSET" {
			return strings.ToLower(a.text)
		}
	}
	return ""
}

// times writes sizes as 3×3.
func times(sizes []int64) string {
	texts := make([]string, len(sizes))
	for k, v := range sizes {
		texts[k] = strconv.FormatInt(v, 10)
	}
	return strings.Join(texts, "×")
}

func listed(values []int64) string { return "(" + strings.ReplaceAll(times(values), "×", ", ") + ")" }

// unless writes equal values once, "" where all are the usual one.
func unless(values []int64, usual int64, name string) string {
	if len(values) == 0 {
		return ""
	}
	first := values[0]
	for _, v := range values {
		if v != first {
			return name + listed(values)
		}
	}
	if first == usual {
		return ""
	}
	return name + strconv.FormatInt(first, 10)
}
