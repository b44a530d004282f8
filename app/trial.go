package app

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/store/job"
)

// trialOptions say how a model file is run that lies outside of any workspace.
type trialOptions struct {
	SkipCorrupt bool   `help:"For a model file: leave corrupt images of the suite out and count them."`
	ClassMap    string `aliases:"classes" help:"Table of suite class and model class, where one holds only part of the other's." type:"existingfile" placeholder:"map.csv"`
	Workspace   string `help:"For a model file: workspace that knows it. It is run as it is there, unless other options say otherwise." type:"path" placeholder:"DIR"`
	intake.CorrectionOptions
}

// onlyFile is the usage error of options that go with a model file, given for a workspace.
func (o trialOptions) onlyFile() error {
	switch {
	case o.SkipCorrupt:
		return usageError("--skip-corrupt goes with a model; a workspace has its suites read already")
	case o.ClassMap != "":
		return usageError("--class-map goes with a model; a workspace has its classes matched already")
	case o.Workspace != "":
		return usageError("--workspace goes with a model file")
	case o.given():
		return usageError("--recipe, --mean, --std, --output, --batch and --position go with a model file; " +
			"how a model of a workspace is run is changed with: variscope model WORKSPACE ID")
	}
	return nil
}

// given tells whether one of the options is given.
func (o trialOptions) given() bool { return !reflect.ValueOf(o).IsZero() }

// trial is a model file to be run on a suite, both outside any workspace.
type trial struct {
	Model, Suite string // paths
	Family       transform.Family
	Modalities   []string
	trialOptions
}

// tried is what a trial leaves for the time of one call. Zero is no trial.
type tried struct {
	trialOptions
	ws       *store.Workspace
	model    model.Model
	settings model.Settings
	suite    suite.Manifest
	notes    []string // what a reader must know of how the model is run
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

// runTrial runs the trial's family, and warns of a model that is no better than chance or looks as
// if it wants another recipe.
func (s *session) runTrial(t trial, in *tried) error {
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
	for _, doubt := range doubts([]ran{one}) {
		if !slices.Contains(in.notes, doubt) {
			in.notes = append(in.notes, doubt)
			s.warn(doubt)
		}
	}
	return errors.Join(err, reasons(one))
}

// classMap is nil where no file was named.
func (o trialOptions) classMap() (map[string]string, error) {
	if o.ClassMap == "" {
		return nil, nil
	}
	return job.ReadClassMap(o.ClassMap)
}

// takeIn imports the model and the suite of a trial.
func (s *session) takeIn(ws *store.Workspace, t trial) (in tried, err error) {
	in.trialOptions, in.ws = t.trialOptions, ws
	known := false
	if t.Workspace != "" {
		known, err = s.takeKnown(&in, t.Workspace, t)
		if err == nil && !known {
			in.note("no model of %s has the bytes of %s; what the file says counts", t.Workspace, t.Model)
		}
	} else if at := cmp.Or(workspaceAbove(t.Model), workspaceAbove(t.Suite)); at != "" {
		known, err = s.takeKnown(&in, at, t)
	}
	if err == nil && !known {
		err = s.takeFile(&in, t)
	}
	if err != nil {
		return in, err
	}
	if in.settings, err = in.model.Settings(); err != nil {
		return in, err
	}
	if in.settings.By(recipe.All) == model.ByDefault {
		in.note("%s", unsaid(in.model.ID))
	}
	in.suite, err = intake.Suite(s.ctx, ws, t.Suite, intake.SuiteOptions{SkipCorrupt: t.SkipCorrupt}, engine.NoProgress{})
	return in, err
}

// takeKnown takes the model as a workspace has it, with what is corrected there and for this trial.
// known is false where the workspace does not have these bytes.
func (s *session) takeKnown(in *tried, at string, t trial) (known bool, err error) {
	_, open, err := onnx.Read(t.Model)
	if err != nil {
		return false, err
	}
	hash, err := intake.Hash(s.ctx, open)
	if err != nil {
		return false, err
	}
	there, err := recordIn(at, hash)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return false, nil
	case err != nil && t.Workspace == "":
		in.note("what %s says of the model is not known; what the file says counts: %v", at, err)
		return false, nil
	case err != nil:
		return false, err
	}
	here := there
	if err := t.Correct(&here); err != nil {
		return false, err
	}
	was, err := there.Settings()
	if err != nil {
		return false, err
	}
	is, err := here.Settings()
	if err != nil {
		return false, err
	}
	if before, now := inventory.Difference(inventory.SettingsOf(there, was), inventory.SettingsOf(here, is)); now != "" {
		in.note("%s in %s is measured with %s; here it is run with %s", there.ID, at, before, now)
	}
	file, err := open()
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }() // read only: nothing is lost
	in.model, _, err = in.ws.AddModel(here, file)
	return true, err
}

// recordIn is the model with this hash as a workspace has it, which is open only for as long as it
// takes to look.
func recordIn(path, hash string) (m model.Model, err error) {
	ws, err := store.Open(path)
	if err != nil {
		return m, err
	}
	m, err = ws.Model(hash)
	return m, errors.Join(err, ws.Close())
}

// workspaceAbove is the workspace in whose folder a file lies, "" where it lies in none.
func workspaceAbove(path string) string {
	path, err := filepath.Abs(path)
	for err == nil && path != filepath.Dir(path) {
		path = filepath.Dir(path)
		if exists(filepath.Join(path, "workspace.db")) {
			return path
		}
	}
	return ""
}

// takeFile imports the model's file with what it and the files beside it say.
func (s *session) takeFile(in *tried, t trial) error {
	runtime, err := s.runtime()
	if err != nil {
		return err
	}
	report, err := intake.Models(s.ctx, in.ws, runtime, onnx.Read, []string{t.Model},
		intake.ModelOptions{CorrectionOptions: t.CorrectionOptions}, engine.NoProgress{})
	if err != nil {
		return err
	}
	for _, failed := range report.Failed {
		return failed.Err
	}
	for _, note := range report.Notes {
		fmt.Fprintf(s.stderr, "variscope: %s: %s\n", note.ID, note.Text)
	}
	models, err := in.ws.Models()
	if err != nil {
		return err
	}
	if len(models) != 1 {
		return fmt.Errorf("%s holds %d models; name one .onnx file", t.Model, len(models))
	}
	in.model = models[0]
	return nil
}

// unsaid says what a model is given that has nothing but the default recipe.
func unsaid(id string) string {
	return "nothing says how an image becomes the input of " + id + ": it is stretched to the input's size and has values of 0..1; " +
		"where the model wants others, what is shown is wrong; say it with --recipe, in a file beside the model, " +
		"or with --workspace where one knows the model"
}

func (in *tried) note(format string, args ...any) {
	in.notes = append(in.notes, fmt.Sprintf(format, args...))
}

func (s *session) warn(note string) { fmt.Fprintf(s.stderr, "variscope: warning: %s\n", note) }

// say warns of the notes and prints how the model is run.
func (in tried) say(s *session) {
	for _, note := range in.notes {
		s.warn(note)
	}
	of := &in.suite
	if in.ClassMap != "" {
		of = nil // the map says it
	}
	words := strings.Join(intake.ModelOutcome(in.model, of, nil).Details, "; ")
	s.say("%s", outside.Visible(in.model.ID+": "+words))
}

// told is a document with the options of the trial and how the model was run, in the table
// settings.
func (in tried) told(doc result.Document) result.Document {
	if in.ws == nil {
		return doc
	}
	list := inventory.SettingsOf(in.model, in.settings)
	for _, note := range in.notes {
		list = append(list, inventory.Setting{Name: "warning", Value: note})
	}
	doc.Options = slices.Concat(doc.Options.(option.Settings), option.Record(&in.trialOptions))
	doc.Sheets = append(doc.Sheets, inventory.Settings.Sheet(list))
	return doc
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
