package onnx

import (
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/transform"
)

// Map is a feature map that masks delete regions of. It is a value of engine/model, since store and ui do not know this package.
type Map = model.FeatureMap

// Maps lists what masks do to a model whose input has these sizes: the maps that they delete regions of, and in leftAlone the
// numbers of the convolutions whose output is not 4-D. name stands for the file in messages. A model without a 2-D convolution,
// and layers that it does not have, are errors.
func Maps(name string, data []byte, input model.Input, masks transform.Masks) (maps []Map, leftAlone []int, err error) {
	panic("not built yet")
}

// Mask deletes a region of the feed's masks in the Runs that follow (engine.Runner).
func (r *runner) Mask(region int) { panic("not built yet") }
