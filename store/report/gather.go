package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// The workspace's colour maps of variance matrices and of interpolated ones, names of the render
// package.
const settingMap, settingFieldMap = "view.map", "scenes.map"

// gathering reads a workspace for one report.
type gathering struct {
	ws       *store.Workspace
	q        Request
	progress engine.Progress
	colours  *render.Map
	names    map[string]string // of annotators, by id
	ids      map[string]string // of models, by hash
	all      []model.Model
	view     view // what the report's models are seen by
}

// begin reads what every report needs.
func (g *gathering) begin() (err error) {
	if g.colours, err = g.colourMap(settingMap, &render.Viridis); err != nil {
		return err
	}
	if g.names, err = g.ws.AnnotatorNames(); err != nil {
		return err
	}
	if g.all, err = g.ws.Models(); err != nil {
		return err
	}
	g.ids = map[string]string{}
	for _, m := range g.all {
		g.ids[m.Hash] = m.ID
	}
	return nil
}

// colourMap is the one that a setting names, usual where it names none.
func (g *gathering) colourMap(setting string, usual *render.Map) (*render.Map, error) {
	var name string
	found, err := g.ws.Setting(setting, &name)
	if colours, ok := render.MapByName(name); found && ok {
		return colours, err
	}
	return usual, err
}

// name is what an annotator is called.
func (g *gathering) name(id string) string { return cmp.Or(g.names[id], id) }

// modelName is a model's id, or the beginning of its hash where the workspace does not have it.
func (g *gathering) modelName(hash string) string {
	return cmp.Or(g.ids[hash], result.ID.SayText(hash))
}

// view is what models are seen by.
type view struct {
	suite      suite.Manifest
	known      bool   // the suite is in the workspace
	base       string // name of the suite that it is made from; "" where it is not derived
	family     string
	axis       render.Axis
	modalities []string
	images     variance.Images
	ranges     map[string]label.Range
	scenes     *label.Round // the background round whose matrices are shown; nil for variance matrices
}

// newView resolves suite, family and modalities; a suite that is gone keeps its hash.
func (g *gathering) newView(suiteHash, family string, modalities []string, images variance.Images) (v view, err error) {
	v = view{family: family, images: images, ranges: map[string]label.Range{}, known: true}
	v.suite, err = g.ws.Suite(suiteHash)
	if errors.Is(err, store.ErrNotFound) {
		v.suite, v.known, err = suite.Manifest{Hash: suiteHash, Name: result.ID.SayText(suiteHash)}, false, nil
	}
	if err != nil {
		return v, err
	}
	if d := v.suite.Derived; d != nil {
		base, err := g.ws.Suite(d.Of)
		if err != nil {
			return v, err
		}
		v.base = base.Name
	}
	if family != "" {
		f, err := transform.Parse(family)
		if err != nil {
			return v, err
		}
		v.family, v.axis = f.String(), render.Axis{Name: f.Name(), Unit: f.Unit(), Values: f.Values()}
	}
	if v.modalities, err = signal.ModalityNames(strings.Join(modalities, ",")); len(v.modalities) == 0 {
		v.modalities = signal.DefaultNames()
	}
	return v, err
}

// measure is one matrix of a model under its scale.
type measure struct {
	variance.Judged
	scale render.Scale
}

// seen is a model as a view shows it.
type seen struct {
	model.Model
	settings   model.Settings
	problem    error // why there are no matrices
	set        store.SetInfo
	answer     store.Answer
	chance     chance.Level // over all images of the suite
	measures   []measure
	confidence []float64 // mean per transformation over the chosen images
	scenes     *store.SceneFacts
}

// look reads a model's matrices under the report's view, and with detail also what needs its
// signals. A model whose signals are missing or damaged, or without images left, has a problem
// instead.
func (g *gathering) look(ctx context.Context, hash string, detail bool) (seen, error) {
	m, err := g.ws.Model(hash)
	if err != nil {
		return seen{}, err
	}
	s := seen{Model: m}
	if s.settings, s.problem = m.Settings(); s.problem != nil {
		return s, nil
	}
	err = g.measure(ctx, &s, detail)
	for _, known := range []error{store.ErrNoSignals, variance.ErrNoImages, variance.ErrNoLabels} {
		if errors.Is(err, known) {
			s.problem = known // without the model's name in front
			return s, nil
		}
	}
	reason, err := lookup.Reason(err)
	if !reason.None() {
		s.problem, s.measures, s.answer = errors.New(reason.Text), nil, store.Answer{}
	}
	return s, err
}

// measure reads what look tells of a model.
func (g *gathering) measure(ctx context.Context, s *seen, detail bool) (err error) {
	v := g.view
	if v.scenes != nil {
		return g.lookInScenes(ctx, s)
	}
	s.answer, err = g.ws.Matrices(ctx, store.MatrixRequest{
		Model: s.Model, Suite: v.suite.Hash, Family: v.family, Modalities: v.modalities, Images: v.images,
	})
	if err != nil {
		return err
	}
	if s.set, _, err = g.ws.BestSet(s.Model, v.suite.Hash, v.family); err != nil {
		return err
	}
	if s.chance, err = g.chanceOf(ctx, s.Model); err != nil {
		return err
	}
	for _, name := range v.modalities {
		s.measures = append(s.measures, measure{Judged: variance.Judged{
			Modality: name, Matrix: s.answer.Matrices[name], Why: absence(s.answer.Absent[name]),
			Images: s.answer.Chosen,
		}})
	}
	if detail && s.answer.Set != "" { // a round package brings no signals
		return g.detail(ctx, s)
	}
	return nil
}

// absence is the reason why there is no matrix, none for "".
func absence(why string) result.Reason {
	if why == "" {
		return result.Reason{}
	}
	return result.Because("no_matrix", "%s", why)
}

// chanceOf is a model's chance level under the report's view.
func (g *gathering) chanceOf(ctx context.Context, m model.Model) (chance.Level, error) {
	summary, found, err := g.ws.Summary(m, g.view.suite.Hash, g.view.family)
	if err != nil || !found {
		return chance.Level{}, err
	}
	return g.ws.Chance(ctx, summary)
}

// detail adds bounds, flagged images and mean confidences, which need the signals.
func (g *gathering) detail(ctx context.Context, s *seen) error {
	v := g.view
	modalities, err := signal.ParseModalities(v.modalities)
	if err != nil {
		return err
	}
	confidence := signal.Modality{Position: model.CONF, Reducer: signal.Max}
	want := store.Want{Modalities: slices.Concat(modalities, []signal.Modality{confidence}), Predictions: true}
	set, err := g.ws.LoadSet(ctx, s.set.Key, want)
	if err != nil {
		return err
	}
	predicted := set.Predictions()
	at := evidence{
		set: set, view: v, classes: s.set.ClassMap, identity: predicted[len(predicted)/2], names: s.settings.ClassNames,
	}
	labels := v.suite.Labels
	if !slices.ContainsFunc(labels, func(l int) bool { return l >= 0 }) {
		labels = nil
	}
	if at.images, err = v.images.Choose(labels, at.identity, s.set.ClassMap); err != nil {
		return err
	}
	if at.confidence, err = set.Signals(confidence); err != nil {
		return err
	}
	for _, row := range at.confidence {
		sum := 0.0
		for _, k := range at.images {
			sum += float64(row[k])
		}
		s.confidence = append(s.confidence, sum/float64(len(at.images)))
	}
	for k, m := range modalities {
		if s.measures[k].Why.None() {
			if err := at.judge(&s.measures[k].Judged, m); err != nil {
				return fmt.Errorf("%s: %w", m, err)
			}
		}
	}
	return nil
}

// evidence is the signals behind a model's matrices.
type evidence struct {
	set        *signal.Set
	view       view
	images     []int
	identity   []int32 // predictions under the identity
	confidence [][]float32
	classes    []int // suite label -> class of the model
	names      []string
}

// judge finds f+ and the flagged images of a matrix. Images are ranked for scalar modalities only.
func (e evidence) judge(j *variance.Judged, m signal.Modality) error {
	d, err := variance.DifferencesOf(e.set, m)
	if err != nil {
		return err
	}
	bound, known := m.Bound()
	for _, share := range j.Judge(d, e.images, bound, known, !m.Vector()) {
		j.Extremes = append(j.Extremes, e.extreme(j.Modality, share))
	}
	return nil
}

// extreme names a flagged image, what it is and what the model made of it.
func (e evidence) extreme(modality string, share variance.Share) variance.Extreme {
	k, manifest := share.Image, e.view.suite
	x := variance.Extreme{Modality: modality, Image: k, Share: share.Share}
	if len(manifest.Files) == manifest.Images && k < len(manifest.Files) {
		x.File = manifest.Files[k].Path
	}
	if k < len(manifest.Labels) && manifest.Labels[k] >= 0 {
		x.Class = className(manifest.Classes, manifest.Labels[k])
	}
	x.Predicted = e.predicted(int(e.identity[k]))
	x.Confidence = float64(e.confidence[len(e.confidence)/2][k])
	return x
}

// predicted names a class of the model: by its own names, else by the suite's through the mapping.
func (e evidence) predicted(class int) string {
	if class < len(e.names) {
		return e.names[class]
	}
	if at := slices.Index(e.classes, class); at >= 0 {
		return className(e.view.suite.Classes, at)
	}
	return fmt.Sprintf("class %d", class)
}

func className(names []string, class int) string {
	if class < len(names) {
		return names[class]
	}
	return fmt.Sprintf("class %d", class)
}

// scales sets the colour ranges: those that are given, of a background round by measure, else one
// per modality over all matrices of the report.
func (v *view) scales(given map[string]label.Range, list []seen, colours *render.Map) {
	for _, name := range v.modalities {
		r, ok := given[name]
		if v.scenes != nil {
			r, ok = given[measureOf(name)]
		}
		if !ok {
			var values []float64
			for _, s := range list {
				values = append(values, s.answer.Matrices[name].Data...)
			}
			r.Low, r.High = render.DefaultRange(name, values)
		}
		v.ranges[name] = r
	}
	for i := range list {
		for k := range list[i].measures {
			at := &list[i].measures[k]
			r := v.ranges[at.Modality]
			if at.scale = (render.Scale{Map: colours}); v.scenes != nil {
				at.scale = render.FieldScale(r.High, colours)
			}
			at.Low, at.High, at.scale.Low, at.scale.High = r.Low, r.High, r.Low, r.High
		}
	}
}

// shared are the colour ranges that a round of all models of the workspace would have, for
// modalities whose matrices lie ready: reports of different models can be laid side by side.
func (g *gathering) shared(ctx context.Context) (map[string]label.Range, error) {
	v := g.view
	r := label.Round{Suite: v.suite.Hash, Family: v.family, Filter: variance.AllImages().String()}
	for _, name := range v.modalities {
		if slices.Contains(signal.DefaultNames(), name) {
			r.Modalities = append(r.Modalities, name)
		}
	}
	for _, m := range g.all {
		if _, err := m.Settings(); err == nil { // what cannot be read has no signals
			r.Models = append(r.Models, m.Hash)
		}
	}
	return g.ws.RoundRanges(ctx, r)
}
