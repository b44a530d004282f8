package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/store/job"
)

// trial is a model file to be run on a suite, both outside any workspace.
type trial struct {
	Model, Suite string // paths
	Family       transform.Family
	Modalities   []string
	SkipCorrupt  bool
	Classes      string // file of suite class and model class; empty where they agree
	Corrections  intake.CorrectionOptions
}

// tried is what a trial leaves for the time of one call.
type tried struct {
	ws    *store.Workspace
	model model.Model
	suite suite.Manifest
}

// try imports model and suite into a workspace that is thrown away afterwards, runs there and
// hands it to use.
func (s *session) try(t trial, use func(tried) error) error {
	return s.lay(t, func(in tried) error {
		if err := s.runTrial(t, in); err != nil {
			return err
		}
		return use(in)
	})
}

// lay imports model and suite into a workspace that is thrown away afterwards and hands it to use.
func (s *session) lay(t trial, use func(tried) error) (err error) {
	folder, err := os.MkdirTemp("", "variscope-trial-")
	if err != nil {
		return fmt.Errorf("make a folder to run %s in: %w", t.Model, err)
	}
	ws, err := store.Create(filepath.Join(folder, "trial.variscope"))
	if err != nil {
		return errors.Join(err, os.RemoveAll(folder))
	}
	defer func() { err = errors.Join(err, ws.Close(), os.RemoveAll(folder)) }()
	in, err := s.takeIn(ws, t)
	if err != nil {
		return err
	}
	return use(in)
}

// runTrial runs the trial's family.
func (s *session) runTrial(t trial, in tried) error {
	names, vectors, err := job.Positions(nil, t.Modalities)
	if err != nil {
		return err
	}
	classes, err := t.classMap()
	if err != nil {
		return err
	}
	req := job.Request{ClassMap: classes, Suite: in.suite.Hash, Family: t.Family.String(), Positions: names, Vectors: vectors}
	one, err := runAndWait(s, in.ws, req, engine.Limits{})
	return errors.Join(err, reasons(one))
}

// classMap is nil where no file was named.
func (t trial) classMap() (map[string]string, error) {
	if t.Classes == "" {
		return nil, nil
	}
	return job.ReadClassMap(t.Classes)
}

// takeIn imports the model and the suite of a trial.
func (s *session) takeIn(ws *store.Workspace, t trial) (tried, error) {
	runtime, err := s.runtime()
	if err != nil {
		return tried{}, err
	}
	report, err := intake.Models(s.ctx, ws, runtime, onnx.Read, []string{t.Model},
		intake.ModelOptions{CorrectionOptions: t.Corrections}, engine.NoProgress{})
	if err != nil {
		return tried{}, err
	}
	for _, failed := range report.Failed {
		return tried{}, failed.Err
	}
	for _, note := range report.Notes {
		fmt.Fprintf(s.stderr, "variscope: %s: %s\n", note.ID, note.Text)
	}
	models, err := ws.Models()
	if err != nil {
		return tried{}, err
	}
	if len(models) != 1 {
		return tried{}, fmt.Errorf("%s holds %d models; name one .onnx file", t.Model, len(models))
	}
	manifest, err := intake.Suite(s.ctx, ws, t.Suite, intake.SuiteOptions{SkipCorrupt: t.SkipCorrupt}, engine.NoProgress{})
	return tried{ws, models[0], manifest}, err
}

// unfit says why a trial's images cannot be put under a family; nil where they can or where it is
// not known yet.
func unfit(in tried, f transform.Family) error {
	size := diagnosis.Input(in.model, in.suite)
	if size.Channels == 0 || size.Height == 0 || size.Width == 0 {
		return nil
	}
	return f.Fits(size.Channels, size.Height, size.Width)
}
