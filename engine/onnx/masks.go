package onnx

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/transform"
)

// Map is a feature map that masks delete regions of. It is a value of engine/model, since store and
// ui do not know this package.
type Map = model.FeatureMap

// Maps lists what masks do to a model whose input has these sizes: the maps that they delete
// regions of, and in leftAlone the numbers of the convolutions whose output is not 4-D, both among
// the layers that the masks name. name stands for the file in messages. Maps that masks.Auto leaves
// out are listed as Small. A model without a 2-D convolution that loses a region, and layers that
// it does not have, are errors. Nothing is run: a size that the operators on the way do not give,
// or that input leaves open (0), is 0, and what is empty there is not known.
func Maps(name string, data []byte, input model.Input, masks transform.Masks) (maps []Map, leftAlone []int, err error) {
	g, a, err := inspect(name, data)
	if err != nil {
		return nil, nil, err
	}
	if err := checkMasks(g, masks); err != nil {
		return nil, nil, fmt.Errorf("%s %w", name, err)
	}
	sizes := newShapes(a, g.Opset)
	sizes.put(g.Input.Name, inputDims(input, g.Input.Layout))
	for i := range a.graph.nodes {
		sizes.infer(&a.graph.nodes[i])
	}
	for _, s := range a.spots(masks, nil) {
		dims, rank := a.mapDims(sizes, s)
		if rank != 0 && rank != 4 {
			leftAlone = append(leftAlone, s.number)
			continue
		}
		m := Map{Number: s.number, Tensor: s.shown, Height: int(max(dims[0], 0)), Width: int(max(dims[1], 0))}
		switch {
		case masks.Auto && tooSmall(masks, m.Height, m.Width):
			m.Small = true
		case m.Height > 0 && m.Width > 0:
			m.Empty = region.Empty(m.Height, m.Width, masks.N)
		}
		maps = append(maps, m)
	}
	if !slices.ContainsFunc(maps, func(m Map) bool { return !m.Small }) {
		return nil, leftAlone, fmt.Errorf("%s %w", name, noRegions(masks, len(maps) > 0))
	}
	return maps, leftAlone, nil
}

// checkMasks says what is wrong with masks, or with a model for masks, before anything is run.
func checkMasks(g model.Graph, masks transform.Masks) error {
	if _, err := transform.Mask(masks); err != nil {
		return fmt.Errorf("cannot be masked: %w", err)
	}
	return engine.CheckMasks(g, masks)
}

// tooSmall tells whether a map of known size has fewer rows or columns than there are regions a
// side.
func tooSmall(masks transform.Masks, height, width int) bool {
	return height > 0 && height < masks.N || width > 0 && width < masks.N
}

// noRegions says that nothing is left to delete regions of; small tells that maps were left out for
// their size.
func noRegions(masks transform.Masks, small bool) error {
	if small {
		return engine.ErrSmallMaps(masks.N)
	}
	if len(masks.Layers) == 0 {
		return engine.ErrNoRegions
	}
	return fmt.Errorf("has no two-dimensional convolution among layers %v, "+
		"so there are no regions to delete", masks.Layers)
}

// inputDims is an input's shape with unknownSize for what is open.
func inputDims(in model.Input, layout model.Layout) []int64 {
	in.Layout = layout
	sizes := in.Dims()
	dims := make([]int64, len(sizes))
	for k, size := range sizes {
		dims[k] = int64(size)
		if size < 1 {
			dims[k] = unknownSize
		}
	}
	return dims
}

// mapDims are height and width of a spot's map as far as shapes are known, and its number of axes,
// 0 where nothing tells it.
func (a *analysis) mapDims(sizes *shapes, s spot) (dims [2]int64, rank int) {
	dims = [2]int64{unknownSize, unknownSize}
	conv := &a.graph.nodes[s.conv]
	if have, ok := sizes.of(conv.outputs[0]); ok {
		if len(have) == 4 {
			copy(dims[:], have[2:])
		}
		return dims, len(have)
	}
	if weight, ok := sizes.of(conv.input(1)); ok {
		return dims, len(weight)
	}
	if kernel, ok := conv.attribute("kernel_shape"); ok {
		return dims, len(kernel.ints) + 2
	}
	return dims, 0
}

// spot is a place in the main graph where regions are deleted: the first output of node, called
// tensor.
type spot struct {
	number int    // of the convolution, from 1
	conv   int    // its node
	shown  string // its output, or the batch-norm's: what the user is told
	node   int
	tensor string
	shape  [4]int // batch, channels, height, width; once measured
}

// spots are the places for the convolutions that masks name. A place lies right behind its
// convolution; with AfterBatchNorm behind the batch-norm that is all that reads it; and one step
// further where a Relu is all that reads that, since a Relu leaves zeros as they are and the
// library computes both in one. None is moved past a tensor in keep, which is to be seen masked.
func (a *analysis) spots(masks transform.Masks, keep []string) (list []spot) {
	readers := a.readers()
	for k, node := range a.convNodes() {
		if len(masks.Layers) > 0 && !slices.Contains(masks.Layers, k+1) {
			continue
		}
		s := spot{number: k + 1, conv: node, node: node}
		if masks.AfterBatchNorm {
			s.node = a.follow(readers, s.node, nil, "BatchNormalization")
		}
		s.shown = a.graph.nodes[s.node].outputs[0]
		s.node = a.follow(readers, s.node, keep, "Relu")
		s.tensor = a.graph.nodes[s.node].outputs[0]
		list = append(list, s)
	}
	return list
}

// follow is the node of that type that alone reads the first output of a node as its first input,
// or the node itself.
func (a *analysis) follow(readers map[string][]int, node int, keep []string, op string) int {
	tensor := a.graph.nodes[node].outputs[0]
	if a.producer[tensor] != &a.graph.nodes[node] || slices.Contains(keep, tensor) || len(readers[tensor]) != 1 {
		return node
	}
	next := readers[tensor][0]
	if next == hiddenReader {
		return node
	}
	n := &a.graph.nodes[next]
	if !n.is(op) || len(n.outputs) == 0 || n.outputs[0] == "" || slices.Contains(n.inputs[1:], tensor) {
		return node
	}
	return next
}

// hiddenReader stands for what inner graphs may read.
const hiddenReader = -1

// readers are the nodes that read a tensor, each once, and hiddenReader where some node holds an
// inner graph.
func (a *analysis) readers() map[string][]int {
	readers := map[string][]int{}
	for i := range a.graph.nodes {
		for _, in := range a.graph.nodes[i].inputs {
			if list := readers[in]; len(list) == 0 || list[len(list)-1] != i {
				readers[in] = append(list, i)
			}
		}
	}
	if a.hasInner() {
		for name := range readers {
			readers[name] = append(readers[name], hiddenReader)
		}
	}
	return readers
}

// hasInner tells whether some node holds an inner graph, which may read any tensor.
func (a *analysis) hasInner() bool {
	return slices.ContainsFunc(a.graph.nodes, func(n nodeProto) bool { return n.inner })
}
