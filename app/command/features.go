package command

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/matrixfile"
	"github.com/variscope/variscope/store/training"
)

type featuresCommand struct {
	Source  string `arg:"" study:"path" help:"Matrix (.npy), matrices (.npz), or workspace."`
	Reduced string `help:"The same matrix, or matrices, from 90 % of the images, for ssty." type:"path" placeholder:"FILE"`
	training.Options
	training.PlotOptions
	Correlations bool     `help:"Also how each feature goes with accuracy and robust accuracy over the models (Table V of ${ml4ml}), with intervals and p-values for all tests together."`
	Format       []string `help:"Tables to write: csv, parquet." default:"csv" enum:"csv,parquet"`
	output       `set:"out=Folder for the tables and figures."`
}

func (c *featuresCommand) Run(s *Session) error {
	switch suffix := suffixOf(c.Source); {
	case suffix == ".npy" || suffix == ".npz":
		return c.ofMatrices(s)
	case exists(c.Source) && !meansWorkspace(c.Source):
		return fmt.Errorf("%s is neither a matrix (.npy), matrices (.npz), nor a workspace (.variscope)", c.Source)
	case c.Reduced != "":
		return usageError("--reduced goes with a matrix; for a workspace the sub-sample is drawn from its signals")
	}
	return c.ofWorkspace(s)
}

// ofMatrices measures the matrices of a file.
func (c *featuresCommand) ofMatrices(s *Session) error {
	switch { // they are made already
	case c.Labels != "" || c.Column != "" || c.Out != "":
		return usageError("--labels, --column and --out go with a workspace")
	case c.Groups != "":
		return usageError("--groups goes with a workspace, which has the training records")
	case c.Borderline != "keep" || c.Ties:
		return usageError("--borderline and --ties go with labels, and those with a workspace")
	case c.Correlations || len(c.Histogram)+len(c.Scatter) > 0:
		return usageError("--correlations, --histogram and --scatter are those over the models of a workspace")
	case c.Suite+c.Family != "" || len(c.Models)+len(c.Modalities) > 0 || !c.All() || c.Resamples > 0:
		return usageError("--models, --suite, --family, --modalities, --resamples and the choice of images go with a " +
			"workspace; a file is measured as it is")
	}
	all, err := matrixfile.Read(c.Source)
	if err != nil {
		return err
	}
	reduced, err := all.Reduced(c.Source, c.Reduced)
	if err != nil {
		return err
	}
	archive := suffixOf(c.Source) == ".npz"
	list := make([]feature.OfMatrix, len(all.Items))
	for i, it := range all.Items {
		m, err := feature.Measure(it.Matrix, reduced[i], c.VectorOptions.Options)
		if err != nil && archive {
			err = fmt.Errorf("%s/%s: %w", it.Model, it.Modality, err)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.Source, err)
		}
		if !archive {
			it.Model, it.Modality = "", "" // the file's name says nothing that is sure
		}
		list[i] = feature.OfMatrix{Model: it.Model, Matrix: it.Modality, Values: m.Shown(), Flags: m.Flags}
		if c.Profile != feature.Refcode {
			list[i].Measured = it.Matrix
		}
	}
	return s.give(answer{Document: s.document("features", &c.Options, feature.Matrices.Sheet(list)), card: !archive})
}

// ofWorkspace measures the models of a workspace.
func (c *featuresCommand) ofWorkspace(s *Session) error {
	if len(c.Histogram)+len(c.Scatter) > 0 && !s.wants(c.output) {
		return usageError("--histogram and --scatter draw figures; name a folder for them with --out")
	}
	layout, err := c.Layout()
	if err == nil {
		err = c.Known(layout)
	}
	if err != nil {
		return err
	}
	ws, err := s.read(c.Source)
	if err != nil {
		return err
	}
	from := asked{
		DataOptions: assess.DataOptions{
			Suite: c.Suite, Family: c.Family, Labels: c.Labels, Column: c.Column, Borderline: c.Borderline,
			Ties: c.Ties, SkipUnknown: true,
		},
		opened: ws, layout: layout, images: c.Chosen().String(),
	}
	if from.models, err = hashes(ws, c.Models); err != nil {
		return err
	}
	r, err := from.gather(s)
	if err != nil {
		return err
	}
	rows := training.Rows(r.Measured, r.Data)
	c.Suite, c.Family, c.Modalities = r.Suite.Name, r.Family, layout.Modalities // as they are recorded
	if c.Out != "" {
		of := subject.Subject{Suite: r.Suite.Name, SuiteHash: r.Suite.Hash, Family: r.Family}
		table := training.Files(layout, of, rows)
		sheet := table.Sheet()
		for _, format := range c.Format {
			path := filepath.Join(c.Out, sheet.Name+"."+format)
			fill := func(w io.Writer) error { return sheet.CSV(w, c.ForSpreadsheets) }
			if format == "parquet" {
				fill = sheet.Parquet
			}
			if err := durable.WriteFile(path, fill); err != nil {
				return err
			}
			s.say("%d models x %d features in %s", len(table.Rows), len(table.Names), path)
		}
	}
	matrices := training.Matrices.Sheet(training.MatricesOf(layout, rows))
	sheets := []*result.Sheet{training.Models(layout, "", rows).Sheet(rows), matrices}
	a := answer{shown: []any{matrices}} // eighty columns are for files
	if c.Resamples > 0 {
		by := variance.Bootstrap{Resamples: c.Resamples, Seed: c.Seed}
		intervals, err := c.intervals(s, &r, rows, by)
		if err != nil {
			return err
		}
		sheets, a.shown = append(sheets, intervals), []any{intervals}
	}
	doc := s.document("features", &c.Options, append(sheets, assess.LeftOuts.Sheet(r.Left))...)
	if c.Groups != "" {
		list, left, err := training.SpreadsOf(layout, rows, c.Groups)
		if err != nil {
			return err
		}
		spreads := training.Spreads.Sheet(list)
		doc.Sheets = append(doc.Sheets, spreads)
		a.shown, a.lines = []any{spreads}, training.Cautions(c.Groups, list, left)
	}
	for _, r := range rows {
		if r.Chance.Flagged() {
			a.lines = append(a.lines, r.Model.ID+": "+r.Chance.Sentence())
		}
	}
	for _, l := range r.Left {
		a.lines = append(a.lines, l.ID+": "+l.Reason.Text)
	}
	if c.Correlations {
		found, err := training.Correlate(s.ctx, layout, rows, "")
		if err != nil {
			return err
		}
		for _, with := range []feature.With{feature.WithRobust, feature.WithAccuracy} {
			table := feature.Correlations(with)
			sheet := table.Sheet(found)
			doc.Sheets, a.shown = append(doc.Sheets, sheet), append(a.shown, sheet)
			a.figures = append(a.figures, result.Drawn{
				Name: table.Name, Figure: feature.CorrelationFigure(found, with, render.Scale{Low: -1, High: 1}),
			})
		}
	}
	family, err := transform.Parse(r.Family)
	if err != nil {
		return err
	}
	plots := training.Plots{Layout: layout, Rows: rows, About: r.Suite.Name + ", " + family.Short()}
	if c.Labels+c.Column != "" {
		plots.Classes = r.Data.Classes
	}
	a.figures = append(a.figures, c.Figures(plots)...)
	if c.Out != "" {
		for _, d := range a.figures {
			if err := drawFigure(c.Out, d.Name, d.Figure, "svg"); err != nil {
				return err
			}
		}
	}
	a.Document = doc
	return s.give(a)
}

// intervals makes the table of intervals, and writes it beside the tables of features.
func (c *featuresCommand) intervals(
	s *Session, r *repository, rows []training.Row, by variance.Bootstrap,
) (*result.Sheet, error) {
	ask, err := r.resampled()
	if err != nil {
		return nil, err
	}
	list, left, err := training.Intervals(s.ctx, r.ws, ask, rows, by, s.bar("resamples"))
	if err != nil {
		return nil, err
	}
	r.Left = append(r.Left, left...)
	sheet := feature.Intervals.Sheet(list)
	if c.Out == "" {
		return sheet, nil
	}
	path := filepath.Join(c.Out, sheet.Name+".csv")
	s.say("intervals of %d features in %s", sheet.Len(), path)
	return sheet, c.write(path, sheet)
}
