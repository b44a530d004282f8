package report

import (
	"cmp"
	"context"
	"strings"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
)

// settingFieldMap is the workspace's colour map of interpolated matrices.
const settingFieldMap = "scenes.map"

// roundView is what the models of a round are seen by. Matrices of a background round are those of
// the measures and interpolants, with the scatter plot in front, all by the names of
// store.FieldName.
func (g *gathering) roundView(r label.Round, v view) (view, error) {
	if r.Kind != label.BackgroundRound {
		return v, nil
	}
	v.scenes, v.modalities = &r, nil
	for _, measure := range r.Modalities {
		for _, p := range append([]string{store.Points}, r.Interpolants...) {
			v.modalities = append(v.modalities, store.FieldName(measure, p))
		}
	}
	if record, err := g.ws.Selection(r.Selection); err == nil { // a round from a package has none
		if v.family, err = record.Family(); err != nil {
			return v, err
		}
	}
	name := "green"
	if _, err := g.ws.Setting(settingFieldMap, &name); err != nil {
		return v, err
	}
	if colours, ok := render.MapByName(name); ok {
		g.colours = colours
	}
	return v, nil
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
func (g *gathering) lookInScenes(ctx context.Context, s *seen, v view) error {
	e, reason, err := background.RoundEvidence(ctx, g.ws, *v.scenes, s.Model)
	if err != nil {
		return err
	}
	if s.problem = reason; reason != "" {
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

// fieldScales sets the colour ranges of a background round.
func (v *view) fieldScales(given map[string]label.Range, list []seen, colours *render.Map) {
	for _, name := range v.modalities {
		v.ranges[name] = given[measureOf(name)]
	}
	for i := range list {
		for k, m := range list[i].measures {
			r := v.ranges[m.Modality]
			scale := render.FieldScale(r.High, colours)
			scale.Low = r.Low
			list[i].measures[k].scale = scale
		}
	}
}

// sceneWords are the accuracies of a model in the scenes of a background round, "" where nothing
// is known of them.
func sceneWords(s seen) string {
	if s.scenes == nil || s.scenes.Labelled == 0 {
		return ""
	}
	return "; accuracy " + result.Share.Say(s.scenes.Accuracy, 0) + ", mean in scenes " + result.Share.Say(s.scenes.MeanComposite, 0) + ", worst case " + result.Share.Say(s.scenes.WorstCase, 0)
}
