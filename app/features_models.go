package app

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/training"
)

// modelFeatures is what --json prints of a workspace's models.
type modelFeatures struct {
	Suite   string         `json:"suite"`
	Hash    string         `json:"suite_hash"`
	Family  string         `json:"family"`
	Images  string         `json:"images"`
	Layout  feature.Layout `json:"layout"`
	Names   []string       `json:"names"`
	Models  []modelRow     `json:"models"`
	LeftOut []leftReport   `json:"left_out"`
}

// modelRow is one model; what is undefined is null.
type modelRow struct {
	ID       string                    `json:"id"`
	Hash     string                    `json:"hash"`
	Label    string                    `json:"label,omitempty"`
	Accuracy *float64                  `json:"accuracy"`
	Chance   chance.Level              `json:"chance"`
	Scores   named                     `json:"scores"`
	Values   []*float64                `json:"values"`
	Flags    map[string][]feature.Flag `json:"flags"`
}

// ofWorkspace measures the models of a workspace.
func (c *featuresCommand) ofWorkspace(s *session) error {
	layout, err := c.layout()
	if err != nil {
		return err
	}
	ws, err := s.open(c.Source)
	if err != nil {
		return err
	}
	from, err := c.labels(s, ws)
	if err != nil {
		return err
	}
	manifest, family, err := suiteAndFamily(ws, c.Suite, c.Family)
	if err != nil {
		return err
	}
	models, err := hashes(ws, c.Model)
	if err != nil {
		return err
	}
	images := (&matrixCommand{Images: c.Images, Class: c.Class, Share: c.Share, Seed: c.Seed, Exclude: c.Exclude}).choice()
	ask := training.Ask{Suite: manifest.Hash, Family: family.String(), Models: models, Layout: layout, Images: images}
	found := modelFeatures{Suite: manifest.Name, Hash: manifest.Hash, Family: ask.Family, Images: images.String(), Layout: layout, Names: layout.Names()}
	table, err := c.gather(s, ws, ask, from, &found)
	if err != nil {
		return err
	}
	if c.Out != "" {
		if err := c.write(s, table); err != nil {
			return err
		}
	}
	return s.print(found, found.table(layout))
}

// layout is the vector that the flags ask for.
func (c *featuresCommand) layout() (feature.Layout, error) {
	layout := feature.DefaultLayout()
	layout.Tau, layout.Profile = c.Tau, feature.Profile(c.Profile)
	if len(c.Modality) > 0 {
		layout.Modalities = c.Modality
	}
	return layout.Validate()
}

// labels are what the flags name; a name that is no file is a round.
func (c *featuresCommand) labels(s *session, ws *store.Workspace) (training.Labels, error) {
	from := training.Labels{Column: c.Column, Ties: c.Ties, Borderline: training.Borderline(c.Borderline), Researcher: true}
	if c.Labels == "" {
		return from, nil
	}
	if c.Column != "" {
		return from, usageError("labels come either from --labels or from --column")
	}
	if (asked{DataOptions: assess.DataOptions{Labels: c.Labels}}).labelFile() {
		from.File = c.Labels
		return from, nil
	}
	round, err := findRound(ws, c.Labels)
	if err != nil {
		return from, err
	}
	s.warnSecret(round)
	from.Round = round.ID
	return from, nil
}

// gather measures and labels, fills in what is printed, and returns the table for files.
func (c *featuresCommand) gather(s *session, ws *store.Workspace, ask training.Ask, from training.Labels, found *modelFeatures) (export.FeatureTable, error) {
	bar := newBar(s.stderr, "features")
	defer bar.done()
	table := export.FeatureTable{Names: found.Names, Layout: &ask.Layout}
	measured, left, err := training.Measure(s.ctx, ws, ask, nil, bar)
	if err != nil {
		return table, err
	}
	if len(measured) == 0 {
		return table, noFeatures(ws, left)
	}
	data, unlabelled, err := training.Label(ws, measured, ask.Layout, from)
	if err != nil {
		return table, err
	}
	unlabelled = slices.DeleteFunc(unlabelled, func(l training.LeftOut) bool { // it was not measured, for the reason that is listed
		return slices.ContainsFunc(left, func(have training.LeftOut) bool { return have.Hash == l.Hash })
	})
	found.LeftOut = []leftReport{}
	for _, l := range slices.Concat(left, unlabelled) {
		found.LeftOut = append(found.LeftOut, leftReport{l.ID, l.Hash, l.Reason.Text})
	}
	for i, m := range measured {
		values, err := export.FeaturesOf(ask.Layout, m.Vector)
		if err != nil {
			return table, fmt.Errorf("model %s: %w", m.Model.ID, err)
		}
		row := data.Rows[i]
		table.Rows = append(table.Rows, export.FeatureRow{ModelID: row.ID, ModelHash: row.Hash, Values: values, Final: row.Label})
		found.Models = append(found.Models, modelRow{
			ID: row.ID, Hash: row.Hash, Label: string(row.Label), Accuracy: defined(row.Accuracy), Chance: m.Chance, Scores: scoreNumbers(row.Scores),
			Values: definedAll(values), Flags: m.Vector.Flags,
		})
	}
	return table, nil
}

// leftReport is a model that takes no part, as --json shows it.
type leftReport struct {
	ID     string `json:"id"`
	Hash   string `json:"hash,omitempty"`
	Reason string `json:"reason"`
}

// noFeatures says why there is nothing to print.
func noFeatures(ws *store.Workspace, left []training.LeftOut) error {
	if len(left) == 0 {
		return fmt.Errorf("%s has no models; import some: variscope import %s PATH", ws.Path(), ws.Path())
	}
	return errors.Join(fmt.Errorf("no model of %s has features", ws.Path()), leftError(left))
}

// defined is nil for NaN.
func defined(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

func definedAll(values []float64) []*float64 {
	list := make([]*float64, len(values))
	for i, v := range values {
		list[i] = defined(v)
	}
	return list
}

func scoreNumbers(s assess.Scores) named {
	return named{
		{string(assess.CorrectProduct), defined(s.CorrectProduct)},
		{string(assess.CorrectMean), defined(s.CorrectMean)},
		{string(assess.ConsistencyProduct), defined(s.ConsistencyProduct)},
		{string(assess.ConsistencyMean), defined(s.ConsistencyMean)},
	}
}

// write makes the tables.
func (c *featuresCommand) write(s *session, table export.FeatureTable) error {
	for _, format := range c.Format {
		name, fill := export.FeaturesCSVName, export.FeaturesCSV
		if format == "parquet" {
			name, fill = export.FeaturesParquetName, export.FeaturesParquet
		}
		path := filepath.Join(c.Out, name)
		if err := durable.WriteFile(path, func(w io.Writer) error { return fill(w, table) }); err != nil {
			return err
		}
		s.say("%d models x %d features in %s", len(table.Rows), len(table.Names), path)
	}
	return nil
}

// table has one row per model and matrix: eighty columns are for files.
func (f modelFeatures) table(layout feature.Layout) [][]string {
	header := []string{"model", "label", "chance", "modality"}
	for k := range feature.Count {
		header = append(header, feature.Feature(k).String())
	}
	rows := [][]string{append(header, "flags")}
	for _, m := range f.Models {
		for i, modality := range layout.Modalities {
			row := []string{m.ID, orDash(m.Label), orDash(m.Chance.Code.Word()), modality}
			for k := range feature.Count {
				row = append(row, namedNumber{value: m.Values[i*feature.Count+k]}.text())
			}
			rows = append(rows, append(row, flagTexts(m.Flags[modality])))
		}
	}
	for _, m := range f.Models {
		if m.Chance.Flagged() {
			rows = append(rows, []string{m.ID + ": " + m.Chance.Sentence()})
		}
	}
	for _, l := range f.LeftOut {
		rows = append(rows, []string{l.ID + ": " + l.Reason})
	}
	return rows
}
