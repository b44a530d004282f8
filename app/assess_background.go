package app

import (
	"fmt"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/assess/tables"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/training"
)

// resolveScenes finds the selection whose interpolated matrices are measured: that of --selection,
// else the one that the assessor was trained on.
func (a asked) resolveScenes(ws *store.Workspace, r *repository) (selection string, err error) {
	if a.Suite != "" {
		return "", usageError("--suite goes with variance matrices; a selection of testing scenes has its own targets")
	}
	name := a.Selection
	if name == "" {
		family, err := transform.ParseAny(a.Family)
		if err != nil {
			return "", err
		}
		hash, _, ok := family.Scened()
		if !ok {
			return "", usageError("interpolated matrices are of a selection of testing scenes; name one with --selection")
		}
		name = hash
	}
	record, err := findSelection(ws, name)
	if err != nil {
		return "", err
	}
	family, err := transform.Scenes(record.Hash, record.N)
	if err != nil {
		return "", err
	}
	manifest, err := ws.Suite(record.Targets)
	if err != nil {
		return "", err
	}
	r.family, r.suite = family.String(), saved.Suite{Name: manifest.Name, Hash: manifest.Hash, Images: manifest.Images}
	return record.Hash, nil
}

// perInterpolant computes and prints Table 3, with the statistics of the repository that it rests
// on (Tables 5 and 6, Fig. 16).
func (c *assessEvalCommand) perInterpolant(s *session, r repository) error {
	bar := newBar(s.stderr, "interpolants")
	lines, err := tables.Table3(s.ctx, r.data, c.AllSettings(r.data.Layout), c.Parting(c.Seed), bar)
	bar.done()
	if err != nil {
		return err
	}
	accuracies, err := tables.AccuraciesIn(r.data)
	if err != nil {
		return err
	}
	doc := s.document("automation", &c.EvalOptions, tables.Automations.Sheet(lines),
		saved.Sources.Sheet([]saved.Source{r.source()}), tables.Labels.Sheet(tables.LabelsOf(r.data)), tables.Accuracies.Sheet(accuracies), assess.LeftOuts.Sheet(r.left))
	below := []string{r.source().String()}
	for _, l := range lines {
		if l.Fit != nil {
			below = append(below, l.Fit.String())
		}
		if l.Problem != nil {
			below = append(below, fmt.Sprintf("%s is missing: %s", l.Settings.Algorithm.Title(true), l.Problem))
		}
	}
	for _, a := range accuracies {
		below = append(below, a.String())
	}
	if c.Coverage {
		rt, err := s.runtime()
		if err != nil {
			return err
		}
		bar := newBar(s.stderr, "coverage")
		diversity, err := training.Diversity(s.ctx, r.ws, rt, r.data, r.family, bar)
		bar.done()
		if err != nil {
			return err
		}
		doc.Sheets, below = append(doc.Sheets, tables.Diversities.Sheet([]tables.Diversity{diversity})),
			append(below, diversity.String())
	}
	return s.give(answer{
		Document: doc, name: "automation", folder: c.Out, forSpreadsheets: c.ForSpreadsheets,
		lines: append(below, assess.Lines(r.left)...),
	})
}
