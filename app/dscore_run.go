package app

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/store/job"
)

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

// do runs what is missing, computes the scores and says what came out.
func (w *dscoreWork) do() error {
	grids, err := w.Grids()
	if err != nil {
		return err
	}
	if w.Augment != "" && len(w.models)*len(w.suites) > 1 {
		return usageError("--augment follows the score of one model on one suite; name them with --models and --suite")
	}
	if err := w.look(); err != nil {
		return err
	}
	if err := w.run(); err != nil {
		return err
	}
	found, left, err := w.diagnose(grids)
	if err != nil {
		return err
	}
	for k, d := range found {
		found[k].Maps = w.edits[editKey{d.Model.Hash, d.Suite, d.N}].Maps
	}
	return w.show(found, left)
}

// diagnose computes the scores of what has signals.
func (w *dscoreWork) diagnose(grids []dscore.Grid) ([]dscore.Diagnosis, []dscore.LeftOut, error) {
	ask := w.ask(grids)
	bar := newBar(w.s.stderr, "D-Score")
	found, left, err := diagnosis.Diagnose(w.s.ctx, w.from, ask, bar)
	bar.done()
	if err != nil {
		return nil, nil, err
	}
	for i, l := range left {
		for _, family := range []string{l.Grid.Shift, l.Grid.Mask} {
			if reason := w.reasons[[3]string{l.Hash, l.Suite, family}]; !reason.None() {
				left[i].Reason = reason
			}
		}
	}
	if len(found) == 0 {
		return nil, nil, w.nothing(left)
	}
	return found, left, nil
}

// ask is the question about the chosen models and suites.
func (w *dscoreWork) ask(grids []dscore.Grid) diagnosis.Ask {
	ask := diagnosis.Ask{
		Grids: grids, Workers: w.Workers, ScoresOnly: w.Samples == 0,
		Bootstrap: dscore.BootstrapOptions{Samples: w.Samples, Seed: w.Seed},
	}
	for _, m := range w.models {
		ask.Models = append(ask.Models, m.Hash)
	}
	for _, m := range w.suites {
		ask.Suites = append(ask.Suites, m.Hash)
	}
	return ask
}

// nothing is the sentence for no score at all.
func (w *dscoreWork) nothing(left []dscore.LeftOut) error {
	if len(w.models) == 1 && len(left) > 0 {
		return errors.New(left[0].Reason.Text)
	}
	err := fmt.Sprintf("no model of %s has a D-Score", w.Source)
	for i, line := range dscore.LeftOutLines(left) {
		err += map[bool]string{true: ": ", false: "; "}[i == 0] + line
	}
	return errors.New(err)
}

// look finds out what the masks do to every model. Models that cannot be masked are left out with
// the reason.
func (w *dscoreWork) look() error {
	w.edits, w.reasons = map[editKey]edited{}, map[[3]string]result.Reason{}
	for _, m := range w.models {
		if !w.from.HasFile(m.Hash) {
			continue
		}
		data, err := readWhole(w.from.ModelPath(m.Hash))
		if err != nil {
			return fmt.Errorf("model %s: %w", m.ID, err)
		}
		for _, manifest := range w.suites {
			for _, n := range w.N {
				maps, leftAlone, err := onnx.Maps("model "+m.ID, data, diagnosis.Input(m, manifest), w.Masks(n))
				w.edits[editKey{m.Hash, manifest.Hash, n}] = edited{dscore.NewMaps(maps, leftAlone), err}
			}
		}
	}
	return nil
}

// readWhole reads a model's file with the data that lie beside it.
func readWhole(path string) ([]byte, error) {
	_, open, err := onnx.Read(path)
	if err != nil {
		return nil, err
	}
	in, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // read only: nothing is lost
	return io.ReadAll(in)
}

// run computes the signals that are missing; what is there, or was finished before an interrupt,
// is not computed again.
func (w *dscoreWork) run() error {
	classes, err := w.classMap()
	if err != nil {
		return err
	}
	for _, manifest := range w.suites {
		families, err := w.families(manifest)
		if err != nil {
			return err
		}
		for _, f := range families {
			if err := w.runOne(manifest, f, classes); err != nil {
				return err
			}
		}
	}
	return nil
}

// wanted is a transformation set with the models that need it.
type wanted struct {
	family string
	models []model.Model
}

// families are the sets that scores on a suite need: for every n the masks of all layers together,
// of single layers where these are asked for, and the shifts.
func (w *dscoreWork) families(s suite.Manifest) ([]wanted, error) {
	var list []wanted
	add := func(f transform.Family, err error, models []model.Model) error {
		if err == nil {
			list = append(list, wanted{f.String(), models})
		}
		return err
	}
	for _, n := range w.N {
		models := w.maskable(s, n)
		mask, err := transform.Mask(w.Masks(n))
		if err := add(mask, err, models); err != nil {
			return nil, err
		}
		for _, layer := range w.layersOf(s, n) {
			one, err := transform.Mask(w.Masks(n, layer))
			if err := add(one, err, w.withLayer(s, n, layer)); err != nil {
				return nil, err
			}
		}
		for _, t := range w.T {
			shift, err := transform.Shift(n, t)
			if err := add(shift, err, models); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// maskable are the models that masks can be put on, as far as that can be told; for the others the
// reason is noted.
func (w *dscoreWork) maskable(s suite.Manifest, n int) []model.Model {
	var list []model.Model
	for _, m := range w.models {
		e := w.edits[editKey{m.Hash, s.Hash, n}]
		if e.err == nil {
			list = append(list, m)
			continue
		}
		if mask, err := transform.Mask(w.Masks(n)); err == nil {
			w.reasons[[3]string{m.Hash, s.Hash, mask.String()}] = notRun(e.err.Error())
		}
	}
	return list
}

// notRun is the reason for a model that cannot be masked, or whose run failed.
func notRun(text string) result.Reason { return result.Reason{Code: dscore.NotRun, Text: text} }

// deleted are the feature maps of a model that masks delete regions of, as far as its file is
// here.
func (w *dscoreWork) deleted(hash, suite string, n int) []model.FeatureMap {
	if e := w.edits[editKey{hash, suite, n}]; e.Maps != nil {
		return e.Deleted
	}
	return nil
}

// layersOf are the convolutions that single masks are wanted of: those of any model.
func (w *dscoreWork) layersOf(s suite.Manifest, n int) []int {
	var layers []int
	if !w.PerLayer {
		return nil
	}
	for _, m := range w.models {
		for _, one := range w.deleted(m.Hash, s.Hash, n) {
			layers = append(layers, one.Number)
		}
	}
	return dscore.Ascending(layers)
}

// withLayer are the models that have the convolution.
func (w *dscoreWork) withLayer(s suite.Manifest, n, layer int) []model.Model {
	return slices.DeleteFunc(slices.Clone(w.models), func(m model.Model) bool {
		return !slices.ContainsFunc(w.deleted(m.Hash, s.Hash, n),
			func(one model.FeatureMap) bool { return one.Number == layer })
	})
}

// compute is a run that has ended, in the workspace or of the file.
func (w *dscoreWork) compute(req job.Request) (ran, error) {
	limits := engine.Limits{Workers: w.Workers}
	if w.file != nil {
		return w.file.compute(w.s, req, limits)
	}
	return runAndWait(w.s, w.ws, req, limits)
}

// runOne runs a set for the models that lack it. A model that fails is left out with the reason.
func (w *dscoreWork) runOne(s suite.Manifest, want wanted, classes map[string]string) error {
	req := job.Request{Suite: s.Hash, Family: want.family, ClassMap: classes}
	for _, m := range want.models {
		_, there, err := w.from.BestSet(m, s.Hash, want.family)
		if err == nil && there && classes == nil {
			continue // what is wrong with a model's settings is said by the run, and another table of classes is set by it
		}
		req.Models = append(req.Models, m.Hash)
	}
	if len(req.Models) == 0 {
		return nil
	}
	if w.ws != nil {
		if err := w.ws.MayChange(); err != nil {
			for _, hash := range req.Models {
				w.reasons[[3]string{hash, s.Hash, want.family}] = notRun("its signals are missing, and cannot be computed now: " + err.Error())
			}
			return nil
		}
	}
	report, err := w.compute(req)
	switch {
	case w.s.ctx.Err() != nil:
		return errors.Join(err, w.s.ctx.Err())
	case errors.Is(err, job.ErrNothingToRun) && len(w.models) > 1:
		for _, hash := range req.Models {
			w.reasons[[3]string{hash, s.Hash, want.family}] = notRun(err.Error())
		}
		return nil
	case err != nil:
		return err
	}
	for _, m := range report.Models {
		if m.Reason != "" {
			w.reasons[[3]string{m.Hash, s.Hash, want.family}] = notRun(m.Reason)
		}
	}
	return nil
}
