package assessors

import (
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// Scened tells whether models are measured in the scenes of a selection.
func (p Place) Scened() bool { return p.Selection.Hash != "" }

// placeOf is where the models of a selection are measured: on its targets, in its scenes.
func placeOf(ws *store.Workspace, selection string) (Place, error) {
	record, err := ws.Selection(selection)
	if err != nil {
		return Place{}, fmt.Errorf("the selection of testing scenes is not in this workspace any more; choose another one: %w", err)
	}
	family, err := record.Family()
	if err != nil {
		return Place{}, err
	}
	manifest, err := ws.Suite(record.Targets)
	return Place{Suite: manifest, Family: family, Selection: record}, err
}

// judgesScenes tells whether an assessor is one of interpolated matrices.
func judgesScenes(a *assess.Assessor) bool {
	if len(a.Names) == 0 {
		return false
	}
	_, _, err := feature.SplitBackground(a.Names[0])
	return err == nil
}

// fieldsOf are the interpolated matrices of a model that was measured, in an order of names like
// max@CONF.I1.
func fieldsOf(s Subject, j assess.Judgement, order []string) evidence.Evidence {
	record := s.Place.Selection
	e := evidence.Evidence{
		Family: s.Place.familyName(), Suite: s.Place.Suite.Name,
		Scenes: &evidence.Scenery{
			SceneFacts: store.SceneFacts{Selection: record.Name, N: record.N, Far: record.Selection.Far()},
		},
	}
	m, ok := s.measured(j.Hash)
	if !ok {
		return e
	}
	e.Model = m.Model
	for _, name := range order {
		measure, interpolant := partsOf(name)
		tile := evidence.Tile{Modality: measure, Interpolant: interpolant, Matrix: m.Vector.Matrices[name]}
		if tile.Absent() {
			tile.Reason = "no matrix"
		}
		e.Tiles = append(e.Tiles, tile)
	}
	return e
}

// partsOf parts the name of an interpolated matrix, max@CONF.I1.
func partsOf(name string) (measure, interpolant string) {
	for _, m := range feature.BackgroundModalities() {
		if rest, ok := strings.CutPrefix(name, m+"."); ok {
			return m, rest
		}
	}
	return name, ""
}

// fieldRanges are the colour ranges of interpolated matrices: the same for all models and measures
// (spec/background.md section 11).
func fieldRanges(order []string) evidence.Ranges {
	r := evidence.Ranges{}
	for _, name := range order {
		measure, _ := partsOf(name)
		r[measure] = label.Range{High: render.FieldHigh}
	}
	return r
}
