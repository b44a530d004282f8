package app

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/assess/tables"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
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
		diversity, err := coverage(s, r)
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

// coverage is the line of Table 4 of the selection, over the models of the evaluation.
func coverage(s *session, r repository) (d tables.Diversity, err error) {
	family, err := transform.ParseAny(r.family)
	if err != nil {
		return d, err
	}
	selection, n, _ := family.Scened()
	rt, err := s.runtime()
	if err != nil {
		return d, err
	}
	bar := newBar(s.stderr, "coverage")
	defer bar.done()
	bar.SetTotal(int64(len(r.data.Rows)))
	values := make([]float64, len(r.data.Rows))
	ratings := make([][]int, len(r.data.Raters))
	for i, row := range r.data.Rows {
		m, err := r.ws.Model(row.Hash)
		if err != nil {
			return d, err
		}
		c, reason, err := background.Cover(s.ctx, r.ws, rt, m, selection, 0, engine.NoProgress{})
		if err != nil {
			return d, err
		}
		if values[i] = c.Share; reason != "" {
			values[i] = math.NaN()
		}
		for a := range ratings {
			rating, ok := row.Ratings[a].Index(len(r.data.Classes))
			if !ok {
				rating = agreement.Missing
			}
			ratings[a] = append(ratings[a], rating)
		}
		bar.Add(1)
	}
	return tables.Table4(n, values, ratings, len(r.data.Classes)), nil
}
