package app

import (
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
)

type backgroundMatrixCommand struct {
	Workspace string   `arg:"" help:"Workspace folder."`
	Models    []string `arg:"" optional:"" name:"model" help:"Models by id (default: all with signals)." placeholder:"ID"`
	background.MatrixOptions
	Format []string `help:"Pictures to write: png, svg, pdf." default:"png" enum:"png,svg,pdf"`
	Out    string   `help:"Folder for matrices.npz, pictures, signals and tables." type:"path"`
	spreadsheetFlag
}

func (c *backgroundMatrixCommand) Run(s *session) error {
	if err := needFolder(c.Out); err != nil {
		return err
	}
	ws, err := s.read(c.Workspace)
	if err != nil {
		return err
	}
	ask := scenes.Measuring{
		Workspace: ws, Options: c.MatrixOptions, Keep: c.Out != "",
		Runtime: func() (engine.Runtime, error) { return s.runtime() },
	}
	var selections []background.Named
	for _, name := range c.Selection {
		record, err := findSelection(ws, name)
		if err != nil {
			return err
		}
		again := func(other store.SelectionRecord) bool { return other.Hash == record.Hash }
		if slices.ContainsFunc(ask.Selections, again) {
			continue
		}
		ask.Selections = append(ask.Selections, record)
		selections = append(selections, background.Named{Name: record.Name, Hash: record.Hash, Selection: record.Selection})
	}
	if ask.Models, err = modelsOf(ws, c.Models); err != nil {
		return err
	}
	var found scenes.Measured
	err = withBar(s, "matrices", func(p engine.Progress) (err error) {
		found, err = ask.Measure(s.ctx, p)
		return err
	})
	if err != nil {
		return err
	}
	doc := s.document("background_matrix", &c.MatrixOptions,
		background.Outcomes.Sheet(found.Outcomes()), background.Matrices.Sheet(found.Interpolated()))
	if len(found.Runs) > 0 {
		doc.Sheets = append(doc.Sheets, background.Runs.Sheet(found.Runs))
	}
	shown := doc.Sheets
	doc.Sheets = append(slices.Clip(shown), background.Selections.Sheet(selections), background.LeftOuts.Sheet(found.Left))
	if c.Out != "" {
		if err := found.Write(c.Out, c.Format, c.ForSpreadsheets); err != nil {
			return err
		}
		s.say("%d models in %s", len(found.Of), c.Out)
	}
	lines := found.Remarks()
	if len(lines) > 0 {
		lines = append([]string{""}, lines...)
	}
	return s.give(answer{
		Document: doc, name: "background", folder: c.Out, forSpreadsheets: c.ForSpreadsheets, tables: shown, lines: lines,
	})
}
