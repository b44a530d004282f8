package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

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
)

// settingMap is the workspace's colour map, a name of the render package.
const settingMap = "view.map"

// gathering reads a workspace for one report.
type gathering struct {
	ws       *store.Workspace
	q        Question
	progress engine.Progress
	colours  *render.Map
	names    map[string]string // of annotators, by id
	ids      map[string]string // of models, by hash
	all      []model.Model
}

// begin reads what every report needs.
func (g *gathering) begin() (err error) {
	var name string
	if _, err := g.ws.Setting(settingMap, &name); err != nil {
		return err
	}
	colours, ok := render.MapByName(name)
	if !ok {
		colours = &render.Viridis
	}
	g.colours = colours
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

// name is what an annotator is called; a name that differs from the id has the id behind it.
func (g *gathering) name(id string) string {
	if name := g.names[id]; name != "" {
		return name
	}
	return id
}

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
func (g *gathering) newView(suiteHash, family string, modalities []string, images variance.Images) (view, error) {
	v := view{family: family, images: images, ranges: map[string]label.Range{}}
	manifest, err := g.ws.Suite(suiteHash)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return v, err
	}
	v.known = err == nil
	v.suite = manifest
	if !v.known {
		v.suite.Hash, v.suite.Name = suiteHash, result.ID.SayText(suiteHash)
	}
	if d := manifest.Derived; d != nil {
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
	for _, name := range modalities {
		m, err := signal.ParseModality(name)
		if err != nil {
			return v, err
		}
		if text := m.String(); !slices.Contains(v.modalities, text) {
			v.modalities = append(v.modalities, text)
		}
	}
	if len(v.modalities) == 0 {
		for _, m := range signal.DefaultModalities() {
			v.modalities = append(v.modalities, m.String())
		}
	}
	return v, nil
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
	problem    string // why there are no signals
	set        store.SetInfo
	answer     store.Answer
	chance     chance.Level // over all images of the suite
	measures   []measure
	confidence []float64 // mean per transformation over the chosen images
	scenes     *store.SceneFacts
}

// look reads a model's matrices under a view, and with detail also what needs its signals. A model
// without signals, or without images left, has a problem instead.
func (g *gathering) look(ctx context.Context, hash string, v view, detail bool) (seen, error) {
	m, err := g.ws.Model(hash)
	if err != nil {
		return seen{}, err
	}
	s := seen{Model: m}
	if s.settings, err = m.Settings(); err != nil {
		s.problem = err.Error()
		return s, nil
	}
	if v.scenes != nil {
		err = g.lookInScenes(ctx, &s, v)
		return s, err
	}
	s.answer, err = g.ws.Matrices(ctx, store.Question{Model: m, Suite: v.suite.Hash, Family: v.family, Modalities: v.modalities, Images: v.images})
	if errors.Is(err, store.ErrNoSignals) || errors.Is(err, variance.ErrNoImages) || errors.Is(err, variance.ErrNoLabels) {
		s.problem = cause(err).Error()
		return s, nil
	}
	if err != nil {
		return s, err
	}
	info, _, err := g.ws.BestSet(m, v.suite.Hash, v.family)
	if err != nil {
		return s, err
	}
	s.set = info
	if s.chance, err = g.chanceOf(ctx, m, v); err != nil {
		return s, err
	}
	for _, name := range v.modalities {
		s.measures = append(s.measures, measure{Judged: variance.Judged{
			Modality: name, Matrix: s.answer.Matrices[name], Why: absence(s.answer.Absent[name]), Images: s.answer.Chosen,
		}})
	}
	if detail && s.answer.Set != "" { // a round package brings no signals
		err = g.detail(ctx, &s, v)
	}
	return s, err
}

// absence is the reason why there is no matrix, none for "".
func absence(why string) result.Reason {
	if why == "" {
		return result.Reason{}
	}
	return result.Because("no_matrix", "%s", why)
}

// chanceOf is a model's chance level under a view.
func (g *gathering) chanceOf(ctx context.Context, m model.Model, v view) (chance.Level, error) {
	summary, found, err := g.ws.Summary(m, v.suite.Hash, v.family)
	if err != nil || !found {
		return chance.Level{}, err
	}
	level, err := g.ws.Chance(ctx, summary)
	if err != nil {
		return level, fmt.Errorf("model %s: %w", m.ID, err)
	}
	return level, nil
}

// cause is the sentinel of a problem, whose text needs no model's name in front.
func cause(err error) error {
	for _, known := range []error{store.ErrNoSignals, variance.ErrNoImages, variance.ErrNoLabels} {
		if errors.Is(err, known) {
			return known
		}
	}
	return err
}

// detail adds bounds, flagged images and mean confidences, which need the signals.
func (g *gathering) detail(ctx context.Context, s *seen, v view) error {
	confidence := signal.Modality{Position: model.CONF, Reducer: signal.Max}
	want := store.Want{Modalities: []signal.Modality{confidence}, Predictions: true}
	for _, name := range v.modalities {
		m, err := signal.ParseModality(name)
		if err != nil {
			return err
		}
		want.Modalities = append(want.Modalities, m)
	}
	set, err := g.ws.LoadSet(ctx, s.set.Key, want)
	if err != nil {
		return fmt.Errorf("model %s: %w", s.ID, err)
	}
	predicted := set.Predictions()
	at := evidence{set: set, view: v, classes: s.set.ClassMap, identity: predicted[len(predicted)/2], names: s.settings.ClassNames}
	labels := v.suite.Labels
	if !slices.ContainsFunc(labels, func(l int) bool { return l >= 0 }) {
		labels = nil
	}
	if at.images, err = v.images.Choose(labels, at.identity, s.set.ClassMap); err != nil {
		return fmt.Errorf("model %s: %w", s.ID, err)
	}
	if at.confidence, err = set.Signals(confidence); err != nil {
		return fmt.Errorf("model %s: %w", s.ID, err)
	}
	for _, row := range at.confidence {
		s.confidence = append(s.confidence, meanOver(row, at.images))
	}
	for k, m := range want.Modalities[1:] {
		if s.measures[k].Why.None() {
			if err := at.judge(&s.measures[k].Judged, m); err != nil {
				return fmt.Errorf("model %s: %s: %w", s.ID, m, err)
			}
		}
	}
	return nil
}

func meanOver(row []float32, images []int) float64 {
	sum := 0.0
	for _, k := range images {
		sum += float64(row[k])
	}
	return sum / float64(len(images))
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
func (e evidence) judge(m *variance.Judged, modality signal.Modality) error {
	if modality.Vector() {
		rows, err := e.set.Distances(modality)
		if err != nil {
			return err
		}
		if bound, known := modality.Bound(); known {
			m.Largest = bound
			return nil
		}
		m.Estimated = true
		for _, row := range rows {
			for _, k := range e.images {
				m.Largest = max(m.Largest, float64(row[k]))
			}
		}
		return nil
	}
	rows, err := e.set.Signals(modality)
	if err != nil {
		return err
	}
	if bound, known := modality.Bound(); known {
		m.Largest = bound
	} else {
		m.Largest, m.Estimated = widest(rows, e.images), true
	}
	m.Ranked = true
	for _, share := range variance.FlagExtremes(rows, e.images) {
		m.Extremes = append(m.Extremes, e.extreme(m.Modality, share))
	}
	return nil
}

// widest is the largest difference between two signals of one image.
func widest(rows [][]float32, images []int) float64 {
	most := 0.0
	for _, k := range images {
		low, high := rows[0][k], rows[0][k]
		for _, row := range rows {
			low, high = min(low, row[k]), max(high, row[k])
		}
		most = max(most, float64(high)-float64(low))
	}
	return most
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

// scales sets the colour ranges: the round's where it has them, else one per modality over all
// matrices that are given and, for models, over the workspace's.
func (v *view) scales(given map[string]label.Range, list []seen, colours *render.Map, more map[string][]float64) {
	if v.scenes != nil {
		v.fieldScales(given, list, colours)
		return
	}
	for _, name := range v.modalities {
		r, ok := given[name]
		if !ok {
			values := more[name]
			if values == nil {
				for _, s := range list {
					values = append(values, s.answer.Matrices[name].Data...)
				}
			}
			r.Low, r.High = render.DefaultRange(name, values)
		}
		v.ranges[name] = r
	}
	for i := range list {
		for k, m := range list[i].measures {
			r, at := v.ranges[m.Modality], &list[i].measures[k]
			at.Low, at.High, at.scale = r.Low, r.High, render.Scale{Low: r.Low, High: r.High, Map: colours}
		}
	}
}

// shared are the elements of the workspace's matrices under a view, by modality, for modalities
// whose matrices lie ready.
func (g *gathering) shared(ctx context.Context, v view) (map[string][]float64, error) {
	values := map[string][]float64{}
	for _, m := range g.all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, err := m.Settings(); err != nil {
			continue // what cannot be read has no signals
		}
		summary, ok, err := g.ws.Summary(m, v.suite.Hash, v.family)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		for name, matrix := range summary.Matrices {
			values[name] = append(values[name], matrix.Data...)
		}
	}
	return values, nil
}
