package onnx

import (
	"fmt"
	"slices"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
)

// measureSpots runs the untouched model once on a black image, asks for the shapes of the maps, and
// returns the spots whose maps are 4-D, with their sizes. What operators do at run time counts, not
// what a file declares: a mask of a wrong size could be broadcast and change the map in silence.
func measureSpots(data []byte, feed engine.Feed, spots []spot) (maps []spot, err error) {
	names := make([]string, len(spots))
	var extra []byte
	prefix := freshName(data)
	for k, s := range spots {
		names[k] = fmt.Sprintf("%s_shape%d", prefix, s.number)
		extra = appendMessage(extra, 1, plainNode("Shape", names[k], s.tensor))
		extra = appendMessage(extra, 12, appendString(nil, 1, names[k]))
	}
	edited := appendMessage(slices.Clip(data), 7, extra) // merged with the graph before, as in expose
	session, err := create(edited, []string{feed.Input.Name}, names, func(o *ort.SessionOptions) error {
		return o.SetGraphOptimizationLevel(ort.GraphOptimizationLevelDisableAll) // loads faster
	})
	if err != nil {
		return nil, err
	}
	defer func() { _ = session.Destroy() }() // what was measured stands
	input, err := ort.NewEmptyTensor[float32](inputShape(feed.Input))
	if err != nil {
		return nil, err
	}
	defer func() { _ = input.Destroy() }()
	outputs := make([]ort.Value, len(spots))
	defer func() {
		for _, v := range outputs {
			destroy(v)
		}
	}()
	if err := session.Run([]ort.Value{input}, outputs); err != nil {
		return nil, err
	}
	for k, s := range spots {
		shape, ok := outputs[k].(*ort.Tensor[int64])
		if !ok || len(shape.GetData()) != 4 || slices.Contains(shape.GetData(), 0) {
			continue
		}
		for axis, size := range shape.GetData() {
			s.shape[axis] = int(size)
		}
		maps = append(maps, s)
	}
	return maps, nil
}

// inputShape is the shape of a batch.
func inputShape(in model.Input) (shape ort.Shape) {
	for _, size := range in.Dims() {
		shape = append(shape, int64(size))
	}
	return shape
}
