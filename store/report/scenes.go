package report

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
)

// seeRound sets the view to what the models of a round are seen by. Matrices of a background round
// are those of the measures and interpolants, with the scatter plot in front, all by the names of
// store.FieldName.
func (g *gathering) seeRound(r label.Round) error {
	images, err := variance.ParseImages(cmp.Or(r.Filter, variance.AllImages().String()))
	if err != nil {
		return err
	}
	if r.Kind != label.BackgroundRound {
		g.view, err = g.newView(r.Suite, r.Family, r.Modalities, images)
		return err
	}
	v, err := g.newView(r.Suite, r.Family, nil, images) // true@CONF is none of variance matrices
	if err != nil {
		return err
	}
	v.scenes, v.modalities = &r, nil
	for _, measure := range r.Modalities {
		for _, p := range append([]string{store.Points}, r.Interpolants...) {
			v.modalities = append(v.modalities, store.FieldName(measure, p))
		}
	}
	if record, err := g.ws.Selection(r.Selection); err == nil { // a round from a package has none
		if v.family, err = record.Family(); err != nil {
			return err
		}
	}
	g.view = v
	g.colours, err = g.colourMap(settingFieldMap, &render.Green)
	return err
}

// measureOf is the measure of a matrix of a background round: max@CONF of max@CONF.I1.
func measureOf(field string) string {
	measure, _, _ := strings.Cut(field, ".")
	return measure
}

// title is a matrix's name as people read it.
func (v view) title(name string) string {
	if v.scenes == nil {
		return name
	}
	measure, shown, _ := strings.Cut(name, ".")
	if shown == store.Points {
		shown = "scatter"
	}
	return measure + " " + shown
}

// lookInScenes reads what a background round shows of a model.
func (g *gathering) lookInScenes(ctx context.Context, s *seen) error {
	v := g.view
	e, reason, err := background.RoundEvidence(ctx, g.ws, *v.scenes, s.Model)
	if err != nil {
		return err
	}
	if reason != "" {
		s.problem = errors.New(reason)
		return nil
	}
	for _, name := range v.modalities {
		m := measure{Judged: variance.Judged{Modality: name, Matrix: e.Matrices[name], Images: e.Chosen}}
		if m.Matrix.N == 0 {
			m.Why = absence(cmp.Or(e.Absent[name], e.Absent[measureOf(name)]))
		}
		s.measures = append(s.measures, m)
	}
	s.scenes = e.Scenes
	return nil
}

// sceneWords are the accuracies of a model in the scenes of a background round, "" where nothing
// is known of them.
func sceneWords(s seen) string {
	if s.scenes == nil || s.scenes.Labelled == 0 {
		return ""
	}
	say := func(v float64) string { return result.Share.Say(v, 0) }
	return "; accuracy " + say(s.scenes.Accuracy) + ", mean in scenes " + say(s.scenes.MeanComposite) +
		", worst case " + say(s.scenes.WorstCase)
}
