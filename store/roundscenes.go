package store

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store/database"
)

// sceneRange is the range of all interpolated matrices: signals of CONF as they are, those of HEAD
// divided by a constant per model, so that colours compare (spec/background.md section 11).
var sceneRange = label.Range{Low: 0, High: render.FieldHigh}

// canonicalScenes fills the defaults of a round of backgrounds: the matrices of spec/background.md
// section 13. true@CONF, which no variance matrix has, is among its modalities. Interpolants get
// their names, each once.
func canonicalScenes(r *label.Round) error {
	usual := feature.DefaultBackgroundLayout()
	if len(r.Modalities) == 0 {
		r.Modalities = usual.Modalities
	}
	if len(r.Interpolants) == 0 {
		r.Interpolants = usual.Background.Interpolants
	}
	r.Interpolants = slices.Clone(r.Interpolants)
	for k, text := range r.Interpolants {
		p, err := scatter.ParseInterpolant(text)
		if err != nil {
			return err
		}
		if r.Interpolants[k] = p.Name(); slices.Contains(r.Interpolants[:k], p.Name()) {
			return fmt.Errorf("interpolant %s is named twice; name it once", p.Name())
		}
	}
	return nil
}

// FieldName names the matrix of a measure under an interpolant in evidence of a background round:
// max@CONF.I1. Points is in the place of the interpolant for the scatter plot: the mean of the
// points in each element, NaN where none lies.
func FieldName(measure, interpolant string) string { return measure + "." + interpolant }

// Points is the name of the scatter plot, in the place of an interpolant's.
const Points = "points"

// RoundFamily is what evidence of a round is filed under beside model and suite: the family, or
// the hash of the selection for a background round.
func RoundFamily(r label.Round) string {
	if r.Kind == label.BackgroundRound {
		return r.Selection
	}
	return r.Family
}

// SceneEvidence is what a round package brought of a model for a background round; found is false
// without. Of several it is the one with most of what the round shows.
func (w *Workspace) SceneEvidence(r label.Round, modelHash string) (e database.Evidence, found bool, err error) {
	var wanted []string
	for _, measure := range r.Modalities {
		for _, p := range r.Interpolants {
			wanted = append(wanted, FieldName(measure, p))
		}
	}
	err = w.View(func(tx *database.Tx) error {
		list, err := database.EvidenceOf(tx, modelHash, r.Suite, RoundFamily(r), database.WithMatrices)
		list = slices.DeleteFunc(list, func(e database.Evidence) bool { return e.Scenes == nil })
		e, found = richest(list, variance.AllImages().String(), wanted)
		return err
	})
	return e, found, err
}
