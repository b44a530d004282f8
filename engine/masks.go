package engine

import (
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/transform"
)

// minimumMaskOpset is the first opset whose Mul broadcasts, which masks need.
const minimumMaskOpset = 7

// ErrNoRegions says that a model has nothing that masks could delete regions of.
var ErrNoRegions = errors.New("has no two-dimensional convolution, so there are no regions to delete")

// ErrSmallMaps says that no map of a model has a row and a column for each of n x n regions.
func ErrSmallMaps(n int) error {
	return fmt.Errorf("has no convolution with a map of at least %d x %d; "+
		"take fewer regions, or all layers, as in the D-Score paper", n, n)
}

// CheckMasks says why regions of a model's feature maps cannot be deleted, as far as its graph's
// description shows it; nil where they can be. The sentence goes on behind the model's name: "model
// X" has 2 convolutions; layer 3 is not there.
func CheckMasks(g model.Graph, m transform.Masks) error {
	if len(g.Convs) == 0 {
		return ErrNoRegions
	}
	for _, layer := range m.Layers {
		if layer >= 1 && layer <= len(g.Convs) {
			continue
		}
		if len(g.Convs) == 1 {
			return fmt.Errorf("has 1 convolution; layer %d is not there", layer)
		}
		return fmt.Errorf("has %d convolutions; layer %d is not there", len(g.Convs), layer)
	}
	if g.Opset > 0 && g.Opset < minimumMaskOpset {
		return fmt.Errorf("was exported with opset %d, but regions can be deleted from opset %d on; export it again",
			g.Opset, minimumMaskOpset)
	}
	return nil
}

// masksFit tells whether a model is opened with the masks of its family, and without where the
// family has none.
func masksFit(f transform.Family, opened *transform.Masks) bool {
	masks, masked := f.Masked()
	if !masked || opened == nil {
		return masked == (opened != nil)
	}
	same, err := transform.Mask(*opened)
	return err == nil && same == f && len(masks.Layers) == len(opened.Layers)
}
