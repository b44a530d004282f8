package diagnosis

import (
	"cmp"
	"fmt"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

// MapReader reads what masks do to a model file whose input has these sizes: engine/onnx.Maps of
// its bytes, which app passes in, so that neither store nor ui knows ONNX.
type MapReader func(path string, input model.Input, masks transform.Masks) (maps []model.FeatureMap, leftAlone []int,
	err error)

// Maps are the feature maps that the masks of a grid delete regions of, with the regions that are
// empty in them, and in leftAlone the numbers of the convolutions that masks leave alone, since
// their output is not 4-D. A dynamic input takes the size of the suite's images. It reads the
// model's file; one that is not here is store.ErrNoFile. A model without a 2-D convolution is an
// error.
func Maps(
	ws *store.Workspace, m model.Model, suiteHash string, g dscore.Grid, read MapReader,
) (maps []model.FeatureMap, leftAlone []int, err error) {
	masks, err := g.Masks()
	if err != nil {
		return nil, nil, err
	}
	s, err := ws.Suite(suiteHash)
	if err != nil {
		return nil, nil, fmt.Errorf("feature maps of model %s: %w", m.ID, err)
	}
	if !ws.HasFile(m.Hash) {
		return nil, nil, fmt.Errorf("feature maps of model %s: %w", m.ID, store.ErrNoFile)
	}
	maps, leftAlone, err = read(ws.ModelPath(m.Hash), Input(m, s), masks)
	if err != nil {
		return nil, nil, fmt.Errorf("feature maps of model %s: %w", m.ID, err)
	}
	return maps, leftAlone, nil
}

// Input is a model's input with the sizes that it has on a suite: those of the images where its
// own are dynamic.
func Input(m model.Model, s suite.Manifest) model.Input {
	in := m.Graph.Input
	in.Channels = cmp.Or(in.Channels, s.Shape[0])
	in.Height, in.Width = cmp.Or(in.Height, s.Shape[1]), cmp.Or(in.Width, s.Shape[2])
	return in
}
