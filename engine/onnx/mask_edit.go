package onnx

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// maskEdit makes of a model in memory the graph that runs when a region is deleted. Behind every
// spot stands a Mul with a mask, which is 0 inside the region and 1 elsewhere; the masks are inputs
// of the graph, one per size of maps, so that one session serves all regions:
//
//	Conv -> NAME_map1 -> Mul(NAME_map1, NAME_mask0) -> the Conv's own output for all that follows
//
// What no mask changes, as the first convolution and all before it, is cut off into a graph of its
// own, whose results are further inputs: it is computed once for all regions of a batch. The
// untouched model is a third graph, so that the numbers without deletion are those of a run without
// masks, bit by bit.
//
// Measured with n = 3, the untouched model and its nine variants on a batch of 32, as a part of ten
// runs of the untouched model, in processor time (a few percent of noise; BenchmarkMasks measures
// the last row):
//
//	                                                        mnist 307   cifar 4   vgg13bn-half
//	one session, Mul behind Conv                                 1.19      1.30           1.14
//	one session, Where behind Conv                               1.33      1.30           1.27
//	one session, Mul behind Conv and Relu                        1.18      1.26           1.13
//	nine sessions with constant masks                            1.29      1.28           1.17
//	Mul behind Conv, the shared part in a session of its own     0.80      1.14           1.09
//	Mul behind Conv and Relu, likewise                           0.75      1.10           1.08
//	and shapes fixed, small maps' masks per channel (this one)   0.74      1.13           1.07
//
// One session for the untouched model's result and the shared part at once would save 5 percent
// more for mnist 307, but gives the untouched model other last bits where a batch-norm follows the
// first convolution. Nine sessions are slow because their weights do not stay in the cache. What
// masks cost the deeper models is that the library cannot fold a batch-norm or Relu into a
// convolution whose output is masked, nor keep the map in its blocked order.
//
// Mul gives exact zeros (of either sign, which no sum shows) for all finite numbers. A map that is
// infinite or NaN inside a deleted region becomes NaN there; Where would not, but such a model's
// results are refused in any case (engine: "cannot be used").
type maskEdit struct {
	*analysis
	file    *fileParts
	spots   []spot
	outputs []string   // wanted tensors
	name    string     // begins all new names; occurs nowhere in the file
	sizes   []maskSize // of the masks, each once
	// shared are the tensors that the cut-off part hands on, nil where nothing is cut off.
	shared []string
	first  map[string]spot // those of them that are masked behind the cut
	needed []bool          // nodes behind the cut; nil for all
}

// newMaskEdit plans the edit of a file for spots whose sizes are known.
func newMaskEdit(a *analysis, data []byte, spots []spot, outputs []string) (*maskEdit, error) {
	file, err := takeApart(data)
	if err != nil {
		return nil, err
	}
	e := &maskEdit{analysis: a, file: file, spots: spots, outputs: outputs, name: freshName(data)}
	for _, s := range spots {
		if size := s.mask(); !slices.Contains(e.sizes, size) {
			e.sizes = append(e.sizes, size)
		}
	}
	e.cut()
	return e, nil
}

// maskSize is the form of a mask: one entry per place of a map, the same for all channels; for
// small maps one per channel too, since the library multiplies channel by channel otherwise, which
// takes longer than the numbers themselves.
type maskSize struct{ channels, height, width int }

// smallMap is the number of places up to which a map's mask has an entry per channel.
const smallMap = 64

func (s spot) mask() maskSize {
	size := maskSize{1, s.shape[2], s.shape[3]}
	if size.height*size.width <= smallMap {
		size.channels = s.shape[1]
	}
	return size
}

// freshName begins names that occur nowhere in a file: nobody can write the file's own hash into
// it.
func freshName(data []byte) string {
	sum := sha256.Sum256(data)
	return fmt.Sprintf("variscope_%x", sum[:12])
}

// rawName is the tensor that a spot's node writes in place of its own.
func (e *maskEdit) rawName(s spot) string { return fmt.Sprintf("%s_map%d", e.name, s.number) }

// maskName is the input with the masks of one size.
func (e *maskEdit) maskName(size int) string { return fmt.Sprintf("%s_mask%d", e.name, size) }

// inputNames are what the masked graph takes: the image where it is still read, what is shared, the
// masks.
func (e *maskEdit) inputNames(image string) (names []string, takesImage bool) {
	takesImage = e.needed == nil
	for i, needed := range e.needed {
		takesImage = takesImage || needed && slices.Contains(e.graph.nodes[i].inputs, image)
	}
	if takesImage {
		names = append(names, image)
	}
	for _, tensor := range e.shared {
		names = append(names, e.fedName(tensor))
	}
	for k := range e.sizes {
		names = append(names, e.maskName(k))
	}
	return names, takesImage
}

// fedName is what a shared tensor is called behind the cut.
func (e *maskEdit) fedName(tensor string) string {
	if s, masked := e.first[tensor]; masked {
		return e.rawName(s)
	}
	return tensor
}

// masked is the file of the graph with masks.
func (e *maskEdit) masked(image string) []byte {
	var g []byte
	for k, size := range e.sizes {
		if slices.ContainsFunc(e.spots, func(s spot) bool { return e.isHalf(s) && s.mask() == size }) {
			g = appendMessage(g, 1, castNode(e.maskName(k), e.halfName(k), typeFloat16))
		}
	}
	at := map[int]spot{}
	for _, s := range e.spots {
		at[s.node] = s
	}
	for i, raw := range e.file.nodes {
		s, masked := at[i]
		kept := e.needed == nil || e.needed[i]
		if kept && masked {
			raw = renameOutput(raw, e.rawName(s))
		}
		if kept {
			g = appendMessage(g, 1, raw)
		}
		if _, fed := e.first[s.tensor]; masked && (kept || fed) {
			g = appendMessage(g, 1, plainNode("Mul", s.tensor, e.rawName(s), e.maskOf(s)))
		}
	}
	g = e.file.appendOthers(g, e.weightsOf(e.needed))
	_, takesImage := e.inputNames(image)
	for _, in := range e.file.inputs {
		if takesImage || in.name != image {
			g = appendMessage(g, 11, in.bytes)
		}
	}
	for _, tensor := range e.shared {
		var shape []int
		if s, masked := e.first[tensor]; masked {
			shape = s.shape[:]
		}
		g = appendMessage(g, 11, floatValue(e.fedName(tensor), shape))
	}
	for k, size := range e.sizes {
		g = appendMessage(g, 11, floatValue(e.maskName(k), []int{1, size.channels, size.height, size.width}))
	}
	return e.file.with(e.appendOutputs(g, e.outputs))
}

// before is the file of the graph that is cut off: it computes the shared tensors.
func (e *maskEdit) before() []byte {
	needed := e.upstream(e.shared)
	var g []byte
	for i, raw := range e.file.nodes {
		if needed[i] {
			g = appendMessage(g, 1, raw)
		}
	}
	g = e.file.appendOthers(g, e.weightsOf(needed))
	for _, in := range e.file.inputs {
		g = appendMessage(g, 11, in.bytes)
	}
	return e.file.with(e.appendOutputs(g, e.shared))
}

// appendOutputs declares outputs as the file does, else by their names alone.
func (e *maskEdit) appendOutputs(g []byte, names []string) []byte {
	for _, name := range names {
		info := appendString(nil, 1, name)
		if k := slices.IndexFunc(e.file.outputs, func(v namedPart) bool { return v.name == name }); k >= 0 {
			info = e.file.outputs[k].bytes
		}
		g = appendMessage(g, 12, info)
	}
	return g
}

// weightsOf are the initialisers that nodes read; nil for all.
func (e *maskEdit) weightsOf(needed []bool) map[string]bool {
	if needed == nil {
		return nil
	}
	used := map[string]bool{}
	for i, is := range needed {
		if is {
			for _, in := range e.graph.nodes[i].inputs {
				used[in] = true
			}
		}
	}
	for _, in := range e.file.inputs {
		used[in.name] = true // files of IR below 4 list initialisers among the inputs
	}
	return used
}

// isHalf tells whether a spot's map holds float16; what is not known is taken for float32, the only
// other type that the library has a convolution for.
func (e *maskEdit) isHalf(s spot) bool { return e.kinds[s.tensor] == typeFloat16 }

// halfName is a mask of one size in float16.
func (e *maskEdit) halfName(size int) string { return e.maskName(size) + "_half" }

// maskOf is the mask that fits a spot's map.
func (e *maskEdit) maskOf(s spot) string {
	size := slices.Index(e.sizes, s.mask())
	if e.isHalf(s) {
		return e.halfName(size)
	}
	return e.maskName(size)
}

// plainNode is a NodeProto without attributes.
func plainNode(op, output string, inputs ...string) (n []byte) {
	for _, in := range inputs {
		n = appendString(n, 1, in)
	}
	n = appendString(n, 2, output)
	return appendString(n, 4, op)
}

// castNode converts a tensor to an element type.
func castNode(from, to string, kind int64) []byte {
	attribute := appendString(nil, 1, "to")
	attribute = protowire.AppendVarint(protowire.AppendTag(attribute, 3, protowire.VarintType), uint64(kind))
	attribute = protowire.AppendVarint(protowire.AppendTag(attribute, 20, protowire.VarintType), 2) // INT
	return appendMessage(plainNode("Cast", to, from), 5, attribute)
}

// floatValue is the ValueInfoProto of a float32 tensor, without a shape for nil dims. A size below
// 1 is left open.
func floatValue[T int | int64](name string, dims []T) []byte {
	tensor := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), typeFloat)
	if dims != nil {
		var shape []byte
		for _, d := range dims {
			var size []byte
			if d > 0 {
				size = protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(d))
			}
			shape = appendMessage(shape, 1, size)
		}
		tensor = appendMessage(tensor, 2, shape)
	}
	return appendMessage(appendString(nil, 1, name), 2, appendMessage(nil, 1, tensor))
}
