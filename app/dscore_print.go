package app

import (
	"fmt"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/result"
)

// dscoreAnswer is what dscore found.
type dscoreAnswer struct {
	scores    []dscore.Diagnosis
	layers    []dscore.Layer // with --per-layer
	augmented []dscore.Augmented
	left      []dscore.LeftOut
}

// sheets are all tables.
func (w *dscoreWork) sheets(a dscoreAnswer) []*result.Sheet {
	list := []*result.Sheet{
		dscore.Scores.Sheet(a.scores), dscore.Regions.Sheet(dscore.RegionsOf(a.scores)),
		dscore.MapsOf(a.scores),
	}
	if w.PerLayer {
		list = append(list, dscore.Layers(w.Tolerance).Sheet(a.layers),
			dscore.LayerRegions.Sheet(dscore.LayerRegionsOf(a.layers, w.Tolerance)))
	}
	if w.Augment != "" {
		list = append(list, dscore.Augmentations.Sheet(a.augmented))
	}
	return append(list, dscore.LeftOuts.Sheet(a.left))
}

// tables are those for people: scores, the regions of a single score, and layers.
func (w *dscoreWork) tables(a dscoreAnswer) []*result.Sheet {
	list := []*result.Sheet{dscore.Scores.Sheet(a.scores)}
	if len(a.scores) == 1 {
		list = append(list, dscore.OfOneScore.Sheet(dscore.RegionsOf(a.scores)))
	}
	if len(a.layers) > 0 {
		list = append(list, dscore.Layers(w.Tolerance).Sheet(a.layers))
	}
	return list
}

// remarks stand below the tables.
func (w *dscoreWork) remarks(a dscoreAnswer) (lines []string) {
	if len(a.layers) > 0 {
		with := ", with its 95 % interval,"
		if w.Samples == 0 {
			with = ""
		}
		lines = append(lines, fmt.Sprintf("nothing is lost where the loss of accuracy%s is at most %g", with, w.Tolerance))
	}
	for _, one := range a.augmented {
		lines = append(lines, "", fmt.Sprintf("%d images in %s, %d of them padded%s", one.Images, one.Folder, one.Padded,
			map[bool]string{true: " (there already)"}[one.There]))
	}
	notes := dscore.Notes(a.scores)
	for _, line := range dscore.LeftOutLines(a.left) {
		notes = append(notes, "left out: "+line)
	}
	if len(notes) > 0 {
		lines = append(append(lines, ""), notes...)
	}
	return lines
}
