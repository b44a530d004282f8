package app

import (
	"slices"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store/diagnosis"
)

// perLayer is what each convolution alone costs the models that have a score: scores with masks of
// it alone. The shifts do not matter here, so that one t will do.
func (w *dscoreWork) perLayer(found []dscore.Diagnosis) ([]dscore.Layer, error) {
	var grids []dscore.Grid
	for _, n := range w.N {
		for _, layer := range w.allLayers(n) {
			grid, err := dscore.NewGrid(w.Masks(n, layer), w.T[0])
			if err != nil {
				return nil, err
			}
			grids = append(grids, grid)
		}
	}
	if len(grids) == 0 {
		return nil, nil // no model's file is here
	}
	bar := newBar(w.s.stderr, "layers")
	list, _, err := diagnosis.Diagnose(w.s.ctx, w.from, w.ask(grids), bar)
	bar.done()
	if err != nil {
		return nil, err
	}
	scored := map[[2]string]bool{}
	for _, d := range found {
		scored[[2]string{d.Model.Hash, d.Suite}] = true
	}
	var layers []dscore.Layer
	for _, d := range list {
		if l, ok := w.layerOf(d); ok && scored[[2]string{d.Model.Hash, d.Suite}] {
			layers = append(layers, l)
		}
	}
	return layers, nil
}

// allLayers are the convolutions that single masks are wanted of, on any suite.
func (w *dscoreWork) allLayers(n int) []int {
	var layers []int
	for _, s := range w.suites {
		layers = append(layers, w.layersOf(s, n)...)
	}
	return dscore.Ascending(layers)
}

// layerOf is the score with masks of one layer as what the layer costs; ok is false where the
// masks of the options leave it alone.
func (w *dscoreWork) layerOf(d dscore.Diagnosis) (l dscore.Layer, ok bool) {
	masks, err := d.Masks()
	if err != nil {
		return l, false
	}
	maps := w.deleted(d.Model.Hash, d.Suite, d.N)
	at := slices.IndexFunc(maps, func(m model.FeatureMap) bool { return slices.Equal(masks.Layers, []int{m.Number}) })
	if at < 0 {
		return l, false
	}
	return d.Layer(maps[at]), true
}
