package onnx

import (
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/transform"
)

// Map is a feature map that masks delete regions of.
type Map struct {
	Number        int    // of the Conv node, from 1
	Tensor        string // the Conv's output, or the batch-norm's with Masks.AfterBatchNorm
	Height, Width int    // 0 where the file does not tell
	Empty         []int  // regions without an entry: "region i is empty in LAYER"
}

// Maps lists what masks do to a model whose input has these sizes: the maps that they delete regions of, and in leftAlone the
// numbers of the convolutions whose output is not 4-D. name stands for the file in messages. A model without a 2-D convolution,
// and layers that it does not have, are errors.
func Maps(name string, data []byte, input model.Input, masks transform.Masks) (maps []Map, leftAlone []int, err error) {
	panic("not built yet")
}

// Mask deletes a region of the feed's masks in the Runs that follow (engine.Runner).
func (r *runner) Mask(region int) { panic("not built yet") }
