package onnx

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/variscope/variscope/engine/model"
)

// Network reads what a file says of itself (engine.NetworkReader). Refusals are those of Inspect,
// but for outputs: the file has one of form (N, C) or one of form (N, K, H, W), a segmentation
// network's.
func Network(path string) (model.Graph, error) {
	data, err := readOne(path) // its identity is its file alone: none beside it
	if err != nil {
		return model.Graph{}, err
	}
	g, _, err := inspectNetwork(filepath.Base(path), data)
	return g, err
}

// inspectNetwork is inspect for files that need not be classifiers.
func inspectNetwork(name string, data []byte) (model.Graph, *analysis, error) {
	return describe(name, data, func(g *model.Graph, a *analysis, opset int64) error {
		g.Maps = a.mapOutputs()
		var err error
		if g.Outputs, err = a.classOutputs(opset); err != nil && len(g.Maps) == 0 {
			return errors.New("has neither an output of form (N, C) nor one of form (N, K, H, W); it says nothing " +
				"about what an image shows")
		}
		return nil
	})
}

// mapOutputs are the float outputs of form (N, K, H, W), in graph order. Where the file gives no
// output's shape, all float outputs of unknown shape are taken, and the probe tells.
func (a *analysis) mapOutputs() []model.Output {
	var shaped, open []model.Output
	ranked := false
	for _, v := range a.graph.outputs {
		ranked = ranked || v.ranked
		if kind := a.kinds[v.name]; kind != typeFloat && kind != typeUnknown || v.name == "" ||
			a.producer[v.name] == nil {
			continue
		}
		switch {
		case !v.ranked:
			open = append(open, model.Output{Name: v.name})
		case len(v.dims) == 4 && v.dims[1] != 0 && v.dims[1] <= maxClasses:
			shaped = append(shaped, model.Output{Name: v.name, Classes: int(max(v.dims[1], 0))})
		}
	}
	if len(shaped) > 0 || ranked {
		return shaped
	}
	return open
}

// checkMaps refuses a class output that is not of the form that Feed.Maps asks for.
func (s *session) checkMaps(name string, shape []int64) error {
	if !s.feed.Maps {
		return nil
	}
	batch := int64(s.feed.Input.Batch)
	if len(shape) != 4 || shape[0] != batch || min(shape[1], shape[2], shape[3]) < 1 {
		return fmt.Errorf("gives scores of shape %v at %q for %d images; a segmentation network gives images x "+
			"elements x height x width", shape, name, batch)
	}
	return nil
}
