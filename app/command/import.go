package command

import (
	"cmp"
	"fmt"
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
	sources := make([]intake.Source, len(c.Path))
	for i, path := range c.Path {
		if sources[i] = (intake.Source{Path: path, Kind: intake.LogKind}); !c.Log {
			sources[i] = intake.Recognise(path)
		}
		switch sources[i].Kind {
		case intake.WorkspaceKind: // perhaps the arguments have changed places
			return fmt.Errorf("%s is a workspace; name it as the first argument, or import the models' own files", path)
		case intake.LabelKind:
			sources[i] = intake.Source{Path: path, Err: fmt.Errorf(
				"%s holds labels; variscope label WORKSPACE import takes them in", path)}
		}
	}
	if err := c.ImportOptions.Fit(sources); err != nil {
		return err
	}
	ws, err := s.openOrCreate(c.Workspace)
	if err != nil {
		return err
	}
	var runtime engine.Runtime
	if len(intake.Paths(sources, intake.ModelKind)) > 0 {
		if loaded, err := s.Runtime(); err == nil {
			runtime = loaded
		} else {
			s.tell("%v; models are imported without being tried", err)
		}
	}
	list, err := intake.Importer{
		Workspace: ws, Runtime: runtime, Read: onnx.Read, Say: sentence,
		Stage: func(name string) engine.Progress { return s.bar(name) },
	}.Import(s.ctx, sources, c.ImportOptions)
	if err != nil {
		return err
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
