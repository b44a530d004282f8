package background

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
)

// Missing in the place of a measure's matrices: what a package that was written for fewer measures
// does not hold.
const Missing = store.NotInPackage

// RoundEvidence is what the annotators of a background round see of a model: for each measure of
// the round its scatter plot and one matrix per interpolant, under the names of store.FieldName,
// all of scatter.DefaultRaster; element (column a, row b) is row b of the matrix, column a.
// Without signals here it is from a round package; reason says in words why there is nothing at
// all.
func RoundEvidence(
	ctx context.Context, ws *store.Workspace, r label.Round, m model.Model,
) (e store.Evidence, reason string, err error) {
	read, reason, err := Read(ctx, ws, m, r.Selection)
	if errors.Is(err, store.ErrNotFound) { // a round package brings no selection
		reason, err = "the selection of the round is not in this workspace", nil
	}
	if err != nil {
		return e, "", err
	}
	if reason != "" {
		packed, found, err := ws.SceneEvidence(r, m.Hash)
		if err != nil || !found {
			return e, reason, err
		}
		return packedFor(r, packed), "", nil
	}
	e, err = evidenceOf(ctx, ws, r, read)
	if err != nil {
		return e, "", fmt.Errorf("round %q: %w", r.Name, err)
	}
	return e, "", nil
}

// packedFor says of everything that a round shows and a package does not hold that it is missing.
func packedFor(r label.Round, e store.Evidence) store.Evidence {
	absent := maps.Clone(e.Absent)
	for _, measure := range r.Modalities {
		for _, p := range r.Interpolants {
			if _, ok := e.Matrices[store.FieldName(measure, p)]; !ok && absent[measure] == "" {
				if absent == nil {
					absent = map[string]string{}
				}
				absent[store.FieldName(measure, p)] = Missing
			}
		}
	}
	e.Absent = absent
	return e
}

func evidenceOf(ctx context.Context, ws *store.Workspace, r label.Round, read Evidence) (store.Evidence, error) {
	e := store.Evidence{
		Round: r.ID, Model: read.Model.Hash, Suite: r.Suite, Family: store.RoundFamily(r),
		Filter: variance.AllImages().String(), Chosen: read.Outcome.Targets, Total: read.Outcome.Targets,
		Labelled: read.Outcome.Labelled, Classes: read.Set.ClassMap, Absent: map[string]string{},
		Matrices: map[string]variance.Matrix{}, Scenes: sceneFacts(read),
	}
	list := make([]scatter.Interpolant, len(r.Interpolants))
	for k, text := range r.Interpolants {
		var err error
		if list[k], err = scatter.ParseInterpolant(text); err != nil {
			return e, err
		}
	}
	for _, text := range r.Modalities {
		measure, err := ParseMeasure(text)
		if err != nil {
			return e, err
		}
		cloud, ok := read.Clouds[measure]
		if !ok {
			e.Absent[text] = read.Absent[measure]
			continue
		}
		matrices, err := Matrices(ctx, ws, read, measure, scatter.DefaultRaster, list)
		if err != nil {
			return e, err
		}
		bins, err := scatter.Bin(ctx, cloud, scatter.DefaultRaster)
		if err != nil {
			return e, err
		}
		e.Matrices[store.FieldName(text, store.Points)] = square(bins.Means())
		for k, m := range matrices {
			e.Matrices[store.FieldName(text, list[k].Name())] = square(m)
		}
	}
	return e, nil
}

func square(m scatter.Matrix) variance.Matrix { return variance.Matrix{N: m.R, Data: m.Values} }

// sceneFacts are a model's shares; what is undefined is 0 and Labelled says so.
func sceneFacts(e Evidence) *store.SceneFacts {
	o := e.Outcome
	return &store.SceneFacts{
		Selection: e.Selection.Name, N: e.Selection.N, Far: e.Selection.Selection.Far(), Labelled: o.Labelled,
		Accuracy: definedOr0(o.Accuracy), MeanComposite: definedOr0(o.MeanComposite),
		WorstCase: definedOr0(o.WorstCase), Changed: definedOr0(o.ChangedShare),
	}
}

func definedOr0(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}
