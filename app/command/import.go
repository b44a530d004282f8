package command

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/ui/present"
)

type importCommand struct {
	Workspace     string   `arg:"" help:"Workspace folder, NAME.variscope; made where there is none." study:"-"`
	Path          []string `arg:"" study:"path" help:"Models (.onnx files, folders with models.csv), suites (IDX, CIFAR-10 and CIFAR-100, .npz and .npy arrays, image folders, CSV manifests), CSV tables of records for models by id or model_hash, and logs of training (event files of TensorBoard or their folder, CSV of Lightning or Keras, trainer_state.json)."`
	importOptions `embed:""`
	outFolder     `set:"out=Folder to write the report to, import.json and import.csv."`
}

// importOptions say what the paths are, and how they are read.
type importOptions struct {
	intake.ImportOptions
	Log         bool `help:"The paths are logs of training; those that look like one are taken for it without this, too."`
	Predictions bool `help:"The paths are predictions that were made elsewhere: .csv, .npy, .npz, or folders with a file per model."`
	predictions.Options
}

// Help is what stands above the flags.
func (*importCommand) Help() string { return present.ModelNeeds() }

func (c *importCommand) Run(s *Session) error {
	if c.Predictions {
		return c.importPredictions(s)
	}
	models, suites, records, logs, err := c.sort()
	if err != nil {
		return err
	}
	if c.Model != "" && len(logs) != 1 {
		return usageError(fmt.Sprintf("--model names the model of one log; among the paths there are %d", len(logs)))
	}
	ws, err := s.openOrCreate(c.Workspace)
	if err != nil {
		return err
	}
	var done intake.Report
	if len(models) > 0 {
		var runtime engine.Runtime
		if loaded, err := s.Runtime(); err == nil {
			runtime = loaded
		} else {
			s.tell("%v; models are imported without being tried", err)
		}
		if done, err = intake.Models(s.ctx, ws, runtime, onnx.Read, models, c.ModelOptions,
			s.bar("models")); err != nil {
			return err
		}
	}
	var others []intake.Outcome
	add := func(o intake.Outcome, path string, err error) error {
		if err != nil {
			o = intake.NotImported(path, sentence(err))
		}
		others = append(others, o)
		return s.ctx.Err()
	}
	for _, path := range suites {
		m, err := intake.Suite(s.ctx, ws, path, c.SuiteOptions, s.bar(filepath.Base(path)))
		if err := add(intake.SuiteOutcome(m, present.SuiteLines(m)), path, err); err != nil {
			return err
		}
	}
	for _, path := range records { // after the models, which they may speak of
		plan, _, err := intake.Records(ws, path)
		if err := add(intake.RecordsOutcome(path, plan), path, err); err != nil {
			return err
		}
	}
	for _, path := range logs {
		plan, _, err := intake.Log(s.ctx, ws, path, c.LogOptions)
		if err := add(intake.LogOutcome(plan, c.LogOptions), path, err); err != nil {
			return err
		}
	}
	list, err := done.Outcomes(ws) // after the suites, whose classes they may have
	if err != nil {
		return err
	}
	list = append(list, others...)
	for _, f := range done.Failed {
		list = append(list, intake.NotImported(f.Path, sentence(f.Err)))
	}
	return c.answer(s, list)
}

// answer writes and prints what has come in. What has not is the error, one sentence for each.
func (c *importCommand) answer(s *Session, list []intake.Outcome) error {
	var came []intake.Outcome
	var reasons []string
	for _, o := range list {
		if o.Reason == "" {
			came = append(came, o)
		} else {
			reasons = append(reasons, o.Reason)
		}
	}
	doc := s.document("import", &c.importOptions, intake.Sheets(list)...)
	a := answer{Document: doc, out: output{outFolder: c.outFolder}, shown: []any{}}
	if len(came) > 0 { // where nothing came in the error says why
		a.shown = append(a.shown, intake.Outcomes.Sheet(came))
	}
	return cmp.Or(s.give(a), joined(reasons, len(came) > 0))
}

// sort tells models, suites, tables of records and logs apart: a .onnx file or a folder that holds
// some is models, a CSV with a column id or model_hash and no models beside it is records, what a
// program wrote while it trained is a log, all else must be a suite.
func (c *importCommand) sort() (models, suites, records, logs []string, err error) {
	for _, path := range c.Path {
		info, err := os.Stat(path)
		if err != nil {
			return nil, nil, nil, nil, fmt.Errorf("import %s: %w", path, err)
		}
		if info.IsDir() && isWorkspace(path) {
			return nil, nil, nil, nil,
				fmt.Errorf("%s is a workspace; name it as the first argument, or import the models' own files", path)
		}
		switch {
		case c.Log:
			logs = append(logs, path)
		case !info.IsDir() && intake.HoldsRecords(path):
			records = append(records, path)
		case intake.HoldsModels(path, info):
			models = append(models, path)
		case intake.HoldsLog(path):
			logs = append(logs, path)
		default:
			suites = append(suites, path)
		}
	}
	return models, suites, records, logs, nil
}

// Check refuses flags that do not go together.
func (c *importCommand) Check() error {
	switch {
	case !c.Predictions && (c.Suite != "" || c.ClassNames != ""):
		return option.Errorf("{suite} and {class-names} go with {predictions}")
	case c.Predictions && (c.Copy || c.Labels != "" || c.SkipCorrupt || c.SkipBadRows):
		return option.Errorf("{copy}, {idx-labels}, {skip-corrupt} and {skip-bad-rows} go with suites, not with " +
			"{predictions}")
	case c.Predictions && (c.Log || c.Model != "" || c.Replace):
		return option.Errorf("{log}, {model} and {replace} go with logs of training, not with {predictions}")
	case c.Predictions && c.Name != "" && len(c.Path) > 1:
		return option.Errorf("{name} names one table of predictions; give one file")
	}
	return nil
}

// importPredictions adds tables of predictions. A workspace is made for the first of them that can
// be read.
func (c *importCommand) importPredictions(s *Session) error {
	var err error
	var ws *store.Workspace
	var of suite.Manifest
	if c.Suite != "" {
		if ws, err = s.open(c.Workspace); err != nil {
			return err
		}
		if of, err = findSuite(ws, c.Suite); err != nil {
			return err
		}
	}
	var list []intake.Outcome
	for _, path := range c.Path {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		t, err := predictions.ReadFor(path, c.ClassNames, of)
		t.Name = cmp.Or(c.Name, t.Name)
		if err == nil && ws == nil {
			if ws, err = s.openOrCreate(c.Workspace); err != nil {
				return err
			}
		}
		var kept store.PredictionTable
		if err == nil {
			if kept, err = predictions.Keep(ws, t); err != nil {
				err = fmt.Errorf("%s: %w", filepath.Base(path), err)
			}
		}
		if err != nil {
			list = append(list, intake.NotImported(path, sentence(err)))
		} else {
			list = append(list, intake.PredictionsOutcome(kept, t, of.Name))
		}
	}
	return c.answer(s, list)
}
