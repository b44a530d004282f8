package app

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/subject"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/matrixfile"
	"github.com/variscope/variscope/store/training"
)

type featuresCommand struct {
	Source  string `arg:"" help:"Matrix (.npy), matrices (.npz), or workspace."`
	Reduced string `help:"The same matrix, or matrices, from 90 % of the images, for ssty." type:"path" placeholder:"FILE"`
	training.Options
	Format []string `help:"Tables to write: csv, parquet." default:"csv" enum:"csv,parquet"`
	output `set:"out=Folder for the tables."`
}

func (c *featuresCommand) Run(s *session) error {
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
func (c *featuresCommand) ofMatrices(s *session) error {
	switch { // they are made already
	case c.Labels != "" || c.Column != "" || c.Out != "":
		return usageError("--labels, --column and --out go with a workspace")
	case c.Borderline != "keep" || c.Ties:
		return usageError("--borderline and --ties go with labels, and those with a workspace")
	case c.Suite+c.Family != "" || len(c.Models)+len(c.Modalities) > 0 || !c.All():
		return usageError("--models, --suite, --family, --modalities and the choice of images go with a workspace; " +
			"a file is measured as it is")
	}
	all, err := matrixfile.Read(c.Source)
	if err != nil {
		return err
	}
	reduced, err := c.readReduced(all)
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
		list[i] = feature.NewOfMatrix(it.Model, it.Modality, m, c.Profile)
	}
	return s.give(answer{Document: s.document("features", &c.Options, feature.Matrices.Sheet(list)), card: !archive})
}

// readReduced reads the reduced matrix of each item: the one of a .npy file, or that of the same
// name in an archive; nil where there is none.
func (c *featuresCommand) readReduced(of *matrixfile.Set) ([]*variance.Matrix, error) {
	list := make([]*variance.Matrix, len(of.Items))
	if c.Reduced == "" {
		return list, nil
	}
	reduced, err := matrixfile.Read(c.Reduced)
	if err != nil {
		return nil, err
	}
	single := len(reduced.Items) == 1 && len(of.Items) == 1
	found := false
	for i, it := range of.Items {
		for _, r := range reduced.Items {
			if !single && (r.Model != it.Model || r.Modality != it.Modality) {
				continue
			}
			if r.Matrix.N != it.Matrix.N {
				return nil, fmt.Errorf("%s is %d x %d, %s %d x %d; they must be of the same transformations",
					c.Reduced, r.Matrix.N, r.Matrix.N, c.Source, it.Matrix.N, it.Matrix.N)
			}
			list[i], found = &r.Matrix, true
		}
	}
	if !found {
		return nil, errors.New(c.Reduced + " has none of the matrices of " + c.Source)
	}
	return list, nil
}

// ofWorkspace measures the models of a workspace.
func (c *featuresCommand) ofWorkspace(s *session) error {
	layout, err := c.Layout()
	if err != nil {
		return err
	}
	ws, err := s.read(c.Source)
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
	models, err := hashes(ws, c.Models)
	if err != nil {
		return err
	}
	c.Suite, c.Family, c.Modalities = manifest.Name, family.String(), layout.Modalities // as they are recorded
	ask := training.Ask{Suite: manifest.Hash, Family: c.Family, Models: models, Layout: layout, Images: c.Chosen()}
	rows, left, err := c.gather(s, ws, ask, from)
	if err != nil {
		return err
	}
	if c.Out != "" {
		of := subject.Subject{Suite: manifest.Name, SuiteHash: manifest.Hash, Family: c.Family}
		table := training.Files(layout, of, rows)
		sheet := table.Sheet()
		for _, format := range c.Format {
			path := filepath.Join(c.Out, sheet.Name+"."+format)
			write := func() error { return c.write(path, sheet) }
			if format == "parquet" {
				write = func() error { return durable.WriteFile(path, sheet.Parquet) }
			}
			if err := write(); err != nil {
				return err
			}
			s.say("%d models x %d features in %s", len(table.Rows), len(table.Names), path)
		}
	}
	matrices := training.Matrices.Sheet(training.MatricesOf(layout, rows))
	doc := s.document("features", &c.Options, training.Models(layout, "", rows).Sheet(rows), matrices,
		assess.LeftOuts.Sheet(left))
	var notes []string
	for _, r := range rows {
		if r.Chance.Flagged() {
			notes = append(notes, r.Model.ID+": "+r.Chance.Sentence())
		}
	}
	for _, l := range left {
		notes = append(notes, l.ID+": "+l.Reason.Text)
	}
	return s.give(answer{Document: doc, shown: []any{matrices}, lines: notes}) // eighty columns are for files
}

// labels are what the flags name; a name that is no file is a round.
func (c *featuresCommand) labels(s *session, ws *store.Workspace) (training.Labels, error) {
	if c.Labels != "" && c.Column != "" {
		return training.Labels{}, usageError("labels come either from --labels or from --column")
	}
	labels := assess.DataOptions{Labels: c.Labels, Column: c.Column, Ties: c.Ties, Borderline: c.Borderline}
	from, err := asked{DataOptions: labels}.from(want{})
	if err != nil || c.Labels == "" || from.File != "" {
		return from, err
	}
	round, err := findRound(ws, c.Labels)
	if err != nil {
		return from, err
	}
	s.warnSecret(round)
	from.Round = round.ID
	return from, nil
}

// gather measures and labels.
func (c *featuresCommand) gather(s *session, ws *store.Workspace, ask training.Ask, from training.Labels,
) ([]training.Row, []training.LeftOut, error) {
	measured, left, err := training.Measure(s.ctx, ws, ask, nil, s.bar("features"))
	switch {
	case err != nil:
		return nil, nil, err
	case len(measured)+len(left) == 0:
		_, err := modelsOf(ws, nil) // says that there are none
		return nil, nil, err
	case len(measured) == 0:
		return nil, nil, errors.Join(fmt.Errorf("no model of %s has features", ws.Path()), leftError(left))
	}
	data, unlabelled, err := training.Label(ws, measured, ask.Layout, from)
	if err != nil {
		return nil, nil, err
	}
	rows, err := training.Rows(ask.Layout, measured, data)
	return rows, training.AllLeftOut(left, unlabelled), err
}
