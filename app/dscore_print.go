package app

import (
	"slices"

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

// print writes the tables for people: scores, the regions of a single score, layers, and notes.
func (w *dscoreWork) print(a dscoreAnswer) error {
	tables := []*result.Sheet{dscore.Scores.Sheet(a.scores)}
	if len(a.scores) == 1 {
		tables = append(tables, dscore.OfOneScore.Sheet(dscore.RegionsOf(a.scores)))
	}
	if len(a.layers) > 0 {
		tables = append(tables, dscore.Layers(w.Tolerance).Sheet(a.layers))
	}
	for k, sheet := range tables {
		if k > 0 {
			w.s.say("")
		}
		if err := sheet.Text(w.s.stdout); err != nil {
			return err
		}
	}
	if len(a.layers) > 0 {
		with := ", with its 95 % interval,"
		if w.Samples == 0 {
			with = ""
		}
		w.s.say("nothing is lost where the loss of accuracy%s is at most %g", with, w.Tolerance)
	}
	for _, one := range a.augmented {
		w.s.say("\n%d images in %s, %d of them padded%s", one.Images, one.Folder, one.Padded,
			map[bool]string{true: " (there already)"}[one.There])
	}
	notes := dscore.Notes(a.scores)
	for _, line := range dscore.LeftOutLines(a.left) {
		notes = append(notes, "left out: "+line)
	}
	if len(notes) > 0 {
		notes = slices.Insert(notes, 0, "")
	}
	printLines(w.s.stdout, notes)
	return nil
}
