package app

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/ui/present"
)

type importCommand struct {
	Workspace     string   `arg:"" help:"Workspace folder, NAME.variscope; made where there is none."`
	Path          []string `arg:"" help:"Models (.onnx files, folders with models.csv), suites (IDX, CIFAR-10 and CIFAR-100, .npz and .npy arrays, image folders, CSV manifests), and CSV tables of records for models by id or model_hash."`
	importOptions `embed:""`
	Out           string `help:"Folder to write the report to, import.json and import.csv." type:"path"`
}

// importOptions say what the paths are, and how they are read.
type importOptions struct {
	intake.ImportOptions
	Predictions bool `help:"The paths are predictions that were made elsewhere: .csv, .npy, .npz, or folders with a file per model."`
	predictions.Options
}

// Help is what stands above the flags.
func (*importCommand) Help() string { return present.ModelNeeds() }

func (c *importCommand) Run(s *session) error {
	if err := c.checkPredictions(); err != nil {
		return err
	}
	if err := needFolder(c.Out); err != nil {
		return err
	}
	if c.Predictions {
		return c.importPredictions(s)
	}
	models, suites, records, err := c.sort()
	if err != nil {
		return err
	}
	ws, err := s.openOrCreate(c.Workspace)
	if err != nil {
		return err
	}
	var done intake.Report
	if len(models) > 0 {
		if done, err = c.models(s, ws, models); err != nil {
			return err
		}
	}
	var others []intake.Outcome
	for _, path := range suites {
		o, err := c.suite(s, ws, path)
		if err != nil {
			return err
		}
		others = append(others, o)
	}
	for _, path := range records { // after the models, which they may speak of
		others = append(others, ofRecords(ws, path))
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
func (c *importCommand) answer(s *session, list []intake.Outcome) error {
	var came []intake.Outcome
	var reasons []string
	for _, o := range list {
		if o.Reason == "" {
			came = append(came, o)
		} else {
			reasons = append(reasons, o.Reason)
		}
	}
	doc := result.Document{Schema: "variscope.import", Version: 1, Options: option.Record(&c.importOptions), Sheets: intake.Sheets(list)}
	a := answer{Document: doc, name: "import", folder: c.Out, tables: []*result.Sheet{}}
	if len(came) > 0 { // where nothing came in the error says why
		a.tables = append(a.tables, intake.Outcomes.Sheet(came))
	}
	return cmp.Or(s.give(a), joined(reasons))
}

// sort tells models, suites and tables of records apart: a .onnx file or a folder that holds some
// is models, a CSV with a column id or model_hash and no models beside it is records, all else
// must be a suite.
func (c *importCommand) sort() (models, suites, records []string, err error) {
	for _, path := range c.Path {
		info, err := os.Stat(path)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("import %s: %w", path, err)
		}
		if info.IsDir() && isWorkspace(path) {
			return nil, nil, nil, fmt.Errorf("%s is a workspace; name it as the first argument, or import the models' own files", path)
		}
		if !info.IsDir() && intake.HoldsRecords(path) {
			records = append(records, path)
		} else if intake.HoldsModels(path, info) {
			models = append(models, path)
		} else {
			suites = append(suites, path)
		}
	}
	return models, suites, records, nil
}

// ofRecords imports one table of records.
func ofRecords(ws *store.Workspace, path string) intake.Outcome {
	plan, _, err := intake.Records(ws, path)
	if err != nil {
		return intake.NotImported(path, sentence(err))
	}
	return intake.RecordsOutcome(path, plan)
}

func (c *importCommand) models(s *session, ws *store.Workspace, paths []string) (intake.Report, error) {
	var runtime engine.Runtime
	if loaded, err := s.runtime(); err == nil {
		runtime = loaded
	} else {
		fmt.Fprintf(s.stderr, "variscope: %v; models are imported without being tried\n", err)
	}
	bar := newBar(s.stderr, "models")
	defer bar.done()
	return intake.Models(s.ctx, ws, runtime, onnx.Read, paths, c.ModelOptions, bar)
}

func (c *importCommand) suite(s *session, ws *store.Workspace, path string) (intake.Outcome, error) {
	bar := newBar(s.stderr, filepath.Base(path))
	defer bar.done()
	m, err := intake.Suite(s.ctx, ws, path, c.SuiteOptions, bar)
	if err != nil {
		if s.ctx.Err() != nil {
			return intake.Outcome{}, err
		}
		return intake.NotImported(path, sentence(err)), nil
	}
	return intake.SuiteOutcome(m, present.SuiteLines(m)), nil
}
