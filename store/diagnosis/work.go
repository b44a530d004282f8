package diagnosis

import (
	"context"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store/lookup"
)

// Work computes the D-Scores of models on suites (Scores), after the signals that they rest on
// have been computed, as far as these are not there (Prepare).
type Work struct {
	From    lookup.Signals
	Models  []model.Model
	Suites  []suite.Manifest // whole
	Options dscore.Options
	Workers int // 0 for one per processor
	// Open reads a model's file; of tells what masks do to it when its input has these sizes. nil
	// where the file is not here.
	Open func(m model.Model) (of MapsOf, err error)
	// Run computes the signals of models on a suite (its hash) under a set that are missing.
	// failed has, by hash, why there are none; an error ends the work.
	Run func(suite, set string, models []model.Model) (failed map[string]string, err error)

	edits   map[editKey]edited
	reasons map[[3]string]result.Reason // why there are no signals: by model, suite and set
}

// MapsOf says what masks do to a model (engine/onnx.Maps).
type MapsOf func(input model.Input, masks transform.Masks) (maps []model.FeatureMap, leftAlone []int, err error)

// editKey names what masks do to a model: its input size can be the suite's.
type editKey struct {
	model, suite string
	n            int
}

// edited is what the masks of the options do to a model whose file is here.
type edited struct {
	*dscore.Maps
	err error
}

// Prepare finds out what masks do to the models, and runs what is missing. What is there, or was
// finished before an interrupt, is not computed again.
func (w *Work) Prepare() error {
	if _, err := w.Options.Grids(); err != nil {
		return err
	}
	if err := w.look(); err != nil {
		return err
	}
	for _, s := range w.Suites {
		sets, err := w.sets(s)
		if err != nil {
			return err
		}
		for _, want := range sets {
			if len(want.models) == 0 {
				continue
			}
			failed, err := w.Run(s.Hash, want.set, want.models)
			if err != nil {
				return err
			}
			for hash, why := range failed {
				w.notRun(hash, s.Hash, want.set, why)
			}
		}
	}
	return nil
}

// Scores computes the scores of all grids of the options. What cannot be masked, or whose run
// failed, is among left, with the reason. Progress counts scores.
func (w *Work) Scores(
	ctx context.Context, p engine.Progress,
) (found []dscore.Diagnosis, left []dscore.LeftOut, err error) {
	grids, err := w.Options.Grids()
	if err != nil {
		return nil, nil, err
	}
	if found, left, err = Diagnose(ctx, w.From, w.ask(grids), p); err != nil {
		return nil, nil, err
	}
	for k, d := range found {
		found[k].Maps = w.edits[editKey{d.Model.Hash, d.Suite, d.N}].Maps
	}
	for i, l := range left {
		for _, set := range []string{l.Grid.Shift, l.Grid.Mask} {
			if reason := w.reasons[[3]string{l.Hash, l.Suite, set}]; !reason.None() {
				left[i].Reason = reason
			}
		}
	}
	return found, left, nil
}

// Compare says what sets the two models of the work apart on its suites and grids.
func (w *Work) Compare(ctx context.Context, p engine.Progress) ([]dscore.Pair, error) {
	grids, err := w.Options.Grids()
	if err != nil {
		return nil, err
	}
	return Compare(ctx, w.From, w.ask(grids), p)
}

// ask is the question about the models and suites.
func (w *Work) ask(grids []dscore.Grid) Ask {
	ask := Ask{
		Grids: grids, Workers: w.Workers, ScoresOnly: w.Options.Samples == 0,
		Bootstrap: dscore.BootstrapOptions{Samples: w.Options.Samples, Seed: w.Options.Seed},
	}
	for _, m := range w.Models {
		ask.Models = append(ask.Models, m.Hash)
	}
	for _, m := range w.Suites {
		ask.Suites = append(ask.Suites, m.Hash)
	}
	return ask
}

// look finds out what the masks do to every model. Models that cannot be masked are left out with
// the reason.
func (w *Work) look() error {
	w.edits, w.reasons = map[editKey]edited{}, map[[3]string]result.Reason{}
	for _, m := range w.Models {
		of, err := w.Open(m)
		if err != nil {
			return err
		}
		if of == nil {
			continue
		}
		for _, s := range w.Suites {
			for _, n := range w.Options.N {
				maps, leftAlone, err := of(Input(m, s), w.Options.Masks(n))
				w.edits[editKey{m.Hash, s.Hash, n}] = edited{dscore.NewMaps(maps, leftAlone), err}
			}
		}
	}
	return nil
}

// notRun notes why a model has no signals: it cannot be masked, or its run failed.
func (w *Work) notRun(model, suite, set, why string) {
	w.reasons[[3]string{model, suite, set}] = result.Reason{Code: dscore.NotRun, Text: why}
}

// wanted is a transformation set with the models that need it.
type wanted struct {
	set    string
	models []model.Model
}

// sets are those that scores on a suite need: for every n the masks of all layers together, of
// single layers where these are asked for, and the shifts.
func (w *Work) sets(s suite.Manifest) (list []wanted, err error) {
	for _, n := range w.Options.N {
		mask, err := transform.Mask(w.Options.Masks(n))
		if err != nil {
			return nil, err
		}
		models := w.maskable(s, n, mask.String())
		list = append(list, wanted{mask.String(), models})
		for _, layer := range w.layersOf(s, n) {
			one, err := transform.Mask(w.Options.Masks(n, layer))
			if err != nil {
				return nil, err
			}
			list = append(list, wanted{one.String(), w.withLayer(s, n, layer)})
		}
		for _, t := range w.Options.T {
			shift, err := transform.Shift(n, t)
			if err != nil {
				return nil, err
			}
			list = append(list, wanted{shift.String(), models})
		}
	}
	return list, nil
}

// maskable are the models that masks can be put on, as far as that can be told; for the others the
// reason is noted.
func (w *Work) maskable(s suite.Manifest, n int, set string) (list []model.Model) {
	for _, m := range w.Models {
		if e := w.edits[editKey{m.Hash, s.Hash, n}]; e.err != nil {
			w.notRun(m.Hash, s.Hash, set, e.err.Error())
		} else {
			list = append(list, m)
		}
	}
	return list
}

// deleted are the feature maps of a model that masks delete regions of, as far as its file is
// here.
func (w *Work) deleted(hash, suite string, n int) []model.FeatureMap {
	if e := w.edits[editKey{hash, suite, n}]; e.Maps != nil {
		return e.Deleted
	}
	return nil
}

// layersOf are the convolutions that single masks are wanted of: those of any model.
func (w *Work) layersOf(s suite.Manifest, n int) (layers []int) {
	if !w.Options.PerLayer {
		return nil
	}
	for _, m := range w.Models {
		for _, one := range w.deleted(m.Hash, s.Hash, n) {
			layers = append(layers, one.Number)
		}
	}
	return dscore.Ascending(layers)
}

// withLayer are the models that have the convolution.
func (w *Work) withLayer(s suite.Manifest, n, layer int) []model.Model {
	return slices.DeleteFunc(slices.Clone(w.Models), func(m model.Model) bool {
		return !slices.ContainsFunc(w.deleted(m.Hash, s.Hash, n),
			func(one model.FeatureMap) bool { return one.Number == layer })
	})
}

// Layers are what each convolution alone costs the models that have a score: scores with masks of
// it alone, after Prepare. The shifts do not matter here, so that one t will do. Progress counts
// scores.
func (w *Work) Layers(
	ctx context.Context, found []dscore.Diagnosis, p engine.Progress,
) (layers []dscore.Layer, err error) {
	var grids []dscore.Grid
	for _, n := range w.Options.N {
		var numbers []int
		for _, s := range w.Suites {
			numbers = append(numbers, w.layersOf(s, n)...)
		}
		for _, layer := range dscore.Ascending(numbers) {
			grid, err := dscore.NewGrid(w.Options.Masks(n, layer), w.Options.T[0])
			if err != nil {
				return nil, err
			}
			grids = append(grids, grid)
		}
	}
	if len(grids) == 0 {
		return nil, nil // no model's file is here
	}
	list, _, err := Diagnose(ctx, w.From, w.ask(grids), p)
	if err != nil {
		return nil, err
	}
	scored := map[[2]string]bool{}
	for _, d := range found {
		scored[[2]string{d.Model.Hash, d.Suite}] = true
	}
	for _, d := range list {
		if l, ok := w.layerOf(d); ok && scored[[2]string{d.Model.Hash, d.Suite}] {
			layers = append(layers, l)
		}
	}
	return layers, nil
}

// layerOf is the score with masks of one layer as what the layer costs; ok is false where the
// masks of the options leave it alone.
func (w *Work) layerOf(d dscore.Diagnosis) (l dscore.Layer, ok bool) {
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
