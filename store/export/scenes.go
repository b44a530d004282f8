package export

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/lookup"
)

// InScenes is what models did in the scenes of selections, with their interpolated matrices.
type InScenes struct {
	Outcomes []background.InScenes
	Matrices []background.Interpolated
	Left     []background.LeftOut
}

// Add reads a model's signals in the scenes of a selection and interpolates their measures as
// usual. Signals and clouds that cannot be used are left out with the reason.
func (s *InScenes) Add(
	ctx context.Context, ws *store.Workspace, m model.Model, record store.SelectionRecord, measures ...scenes.Measure,
) error {
	left := background.LeftOut{Model: cmp.Or(m.ID, short(m.Hash)), Hash: m.Hash, Selection: record.Name}
	read, reason, err := scenes.Read(ctx, ws, m, record.Hash)
	if err != nil {
		return fmt.Errorf("model %s in the scenes of %s: %w", left.Model, record.Name, err)
	}
	if left.Reason = reason; reason != "" {
		s.Left = append(s.Left, left)
		return nil
	}
	s.Outcomes = append(s.Outcomes, read.InScenes())
	for _, measure := range measures {
		cloud, there := read.Clouds[measure]
		if left.Measure, left.Reason = string(measure), read.Absent[measure]; !there {
			s.Left = append(s.Left, left)
			continue
		}
		by := scatter.Interpolants()
		matrices, err := scenes.Matrices(ctx, ws, read, measure, scatter.DefaultRaster, by)
		if err != nil {
			return fmt.Errorf("model %s in the scenes of %s: %w", left.Model, record.Name, err)
		}
		for k, matrix := range matrices {
			s.Matrices = append(s.Matrices, read.Interpolated(measure, cloud, by[k], matrix))
		}
	}
	return nil
}

// scenes yields what models did in the scenes of the selections that some of them have signals in,
// and their interpolated matrices.
func (e *exporting) scenes(ctx context.Context) ([]file, error) {
	models, err := lookup.Models(e.ws, e.scope.models)
	if err != nil {
		return nil, err
	}
	records, err := e.selections()
	if err != nil {
		return nil, err
	}
	var s InScenes
	var selections []background.Named
	e.progress.SetTotal(int64(len(records) * len(models)))
	for _, r := range records {
		selections = append(selections, background.Named{Name: r.Name, Hash: r.Hash, Selection: r.Selection})
		for _, m := range models {
			if err := s.Add(ctx, e.ws, m, r, e.measures()...); err != nil {
				return nil, err
			}
			e.progress.Add(1)
		}
	}
	var files []file
	if len(s.Matrices) > 0 {
		var arrays []Array
		for _, f := range s.Matrices {
			arrays = append(arrays, Array{
				Name:   fmt.Sprintf("%s/%s/%s.%s", f.Model, f.Selection, f.Measure, f.Name),
				Matrix: variance.Matrix{N: f.Matrix.R, Data: f.Matrix.Values},
			})
		}
		files = []file{{
			path: "background/matrices.npz", holds: "interpolated matrices as ID/SELECTION/MEASURE.INTERPOLANT",
			fill: func(w io.Writer) error { return WriteNPZ(w, arrays, nil) },
		}}
	}
	return append(files, e.method("Models in scenes", Background, len(s.Outcomes),
		texts(s.Left, func(l background.LeftOut) string { return l.Reason }),
		background.Outcomes.Sheet(s.Outcomes), background.Matrices.Sheet(s.Matrices),
		background.Selections.Sheet(selections), background.LeftOuts.Sheet(s.Left))...), nil
}

// selections are those that some model has signals in.
func (e *exporting) selections() (list []store.SelectionRecord, err error) {
	all, err := e.ws.Selections()
	if err != nil {
		return nil, err
	}
	of := e.scope
	for _, r := range all {
		if of.selections != nil && !slices.Contains(of.selections, r.Hash) {
			continue
		}
		family, err := r.Family()
		if err != nil {
			return nil, err
		}
		ran := false
		err = lookup.EachSet(e.ws, r.Targets, func(info store.SetInfo) {
			chosen := of.models == nil || slices.Contains(of.models, info.Spec.Model)
			ran = ran || chosen && info.Spec.Family == family
		})
		if err == nil && ran {
			r, err = e.ws.Selection(r.Hash) // with its scenes
			list = append(list, r)
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// measures are the usual ones, and those that the exported rounds show.
func (e *exporting) measures() []scenes.Measure {
	list := []scenes.Measure{scenes.ConfMax, scenes.HeadMax}
	for _, r := range e.set.Rounds {
		if r.Kind != label.BackgroundRound {
			continue
		}
		for _, text := range r.Modalities {
			if m, err := scenes.ParseMeasure(text); err == nil && !slices.Contains(list, m) {
				list = append(list, m)
			}
		}
	}
	return list
}
