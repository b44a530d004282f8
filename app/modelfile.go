package app

import (
	"cmp"
	"errors"
	"fmt"
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
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/store/memory"
)

// fileOptions say how a model file is run that lies outside of any workspace.
type fileOptions struct {
	SkipCorrupt bool   `help:"For a model file: leave corrupt images of the suite out and count them."`
	ClassMap    string `aliases:"classes" help:"Table of suite class and model class, where one holds only part of the other's." type:"existingfile" placeholder:"map.csv"`
	Workspace   string `help:"For a model file: workspace that knows it. It is run as it is there, unless other options say otherwise." type:"path" placeholder:"DIR"`
	intake.CorrectionOptions
}

// onlyFile is the usage error of options that go with a model file, given for a workspace.
func (o fileOptions) onlyFile() error {
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
func (o fileOptions) given() bool { return !reflect.ValueOf(o).IsZero() }

// readClassMap reads a table of classes; nil where no file was named.
func readClassMap(path string) (map[string]string, error) {
	if path == "" {
		return nil, nil
	}
	return job.ReadClassMap(path)
}

// modelFile is a model file that is run on a suite, both outside any workspace.
type modelFile struct {
	*memory.Store // of the signals of its runs
	fileOptions
	model    model.Model
	settings model.Settings
	suite    suite.Manifest
	notes    []string // what a reader must know of how the model is run
}

// readModel reads a model file and a suite at a path. want are the signals that are kept of runs.
func (s *session) readModel(path, on string, o fileOptions, want signal.Want) (*modelFile, error) {
	f := &modelFile{fileOptions: o}
	known := false
	var err error
	if o.Workspace != "" {
		known, err = f.readKnown(s, path, o.Workspace)
		if err == nil && !known {
			f.note("no model of %s has the bytes of %s; what the file says counts", o.Workspace, path)
		}
	} else if at := cmp.Or(workspaceAbove(path), workspaceAbove(on)); at != "" {
		known, err = f.readKnown(s, path, at)
	}
	if err != nil {
		return nil, err
	}
	if !known { // it is what its file and those beside it say
		runtime, err := s.runtime()
		if err != nil {
			return nil, err
		}
		var notes []intake.Note
		if f.model, notes, err = intake.File(s.ctx, runtime, onnx.Read, path, o.CorrectionOptions); err != nil {
			return nil, err
		}
		for _, note := range notes {
			s.tell("%s: %s", note.ID, note.Text)
		}
	}
	if f.settings, err = f.model.Settings(); err != nil {
		return nil, err
	}
	if f.settings.By(recipe.All) == model.ByDefault {
		f.note("%s", unsaid(f.model.ID))
	}
	f.suite, err = suite.Scan(s.ctx, on, suite.Options{SkipCorrupt: o.SkipCorrupt}, engine.NoProgress{})
	if err != nil {
		return nil, err
	}
	f.Store = memory.New(f.model, path, f.suite, want)
	return f, nil
}

// run computes the signals under a family, and warns of a model that is no better than chance or
// looks as if it wants another recipe.
func (f *modelFile) run(s *session, family transform.Family, modalities []string) error {
	names, vectors, err := job.Positions(nil, modalities)
	if err != nil {
		return err
	}
	one, err := f.compute(s, job.Request{Family: family.String(), Positions: names, Vectors: vectors}, engine.Limits{})
	for _, doubt := range job.Doubts([]job.Ended{one}) {
		if !slices.Contains(f.notes, doubt) {
			f.notes = append(f.notes, doubt)
			s.warn(doubt)
		}
	}
	return errors.Join(err, joined(job.Reasons(one)))
}

// compute is a run that has ended, of a request without suite, models and table of classes.
func (f *modelFile) compute(s *session, req job.Request, limits engine.Limits) (job.Ended, error) {
	m, err := f.Model(f.model.Hash) // with what earlier runs have found
	if err == nil {
		req.ClassMap, err = readClassMap(f.ClassMap)
	}
	if err != nil {
		return job.Ended{}, err
	}
	start := func(eng *engine.Engine, rt engine.Runtime) (string, []job.Refused, error) {
		return job.StartFile(s.ctx, f.Store, eng, rt, m, f.suite, req)
	}
	status, refused, err := s.runToEnd(f.Store, limits, start)
	if err != nil {
		return job.Ended{}, err
	}
	one := job.EndedAs(status, f.suite.Hash, refused)
	look, _, err := f.Look(f.model, f.suite.Hash)
	for k := range one.Models {
		one.Models[k].Looks, one.Models[k].Chance = look.Looks, f.Chance(req.Family)
	}
	return one, err
}

// readKnown takes the model as a workspace has it, with what is corrected there and for this
// command; the workspace is needed for nothing else. known is false where it does not have these
// bytes.
func (f *modelFile) readKnown(s *session, path, at string) (known bool, err error) {
	_, open, err := onnx.Read(path)
	if err != nil {
		return false, err
	}
	hash, err := intake.Hash(s.ctx, open)
	if err != nil {
		return false, err
	}
	var there model.Model
	ws, err := store.Open(at) // for as long as it takes to look
	if err == nil {
		there, err = ws.Model(hash)
		err = errors.Join(err, ws.Close())
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return false, nil
	case err != nil && f.Workspace == "":
		f.note("what %s says of the model is not known; what the file says counts: %v", at, err)
		return false, nil
	case err != nil:
		return false, err
	}
	f.model = there
	if err := f.Correct(&f.model); err != nil {
		return false, err
	}
	was, err := there.Settings()
	if err != nil {
		return false, err
	}
	is, err := f.model.Settings()
	if err != nil {
		return false, err
	}
	before, now := inventory.Difference(inventory.SettingsOf(there, was), inventory.SettingsOf(f.model, is))
	if now != "" {
		f.note("%s in %s is measured with %s; here it is run with %s", there.ID, at, before, now)
	}
	return true, nil
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

// unsaid says what a model is given that has nothing but the default recipe.
func unsaid(id string) string {
	return "nothing says how an image becomes the input of " + id + ": it is stretched to the input's size and has " +
		"values of 0..1; " +
		"where the model wants others, what is shown is wrong; say it with --recipe, in a file beside the model, " +
		"or with --workspace where one knows the model"
}

func (f *modelFile) note(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

func (s *session) warn(note string) { s.tell("warning: %s", outside.Visible(note)) }

// say warns of the notes and prints how the model is run.
func (f *modelFile) say(s *session) {
	for _, note := range f.notes {
		s.warn(note)
	}
	of := &f.suite
	if f.ClassMap != "" {
		of = nil // the map says it
	}
	words := strings.Join(intake.ModelOutcome(f.model, of, nil).Details, "; ")
	s.say("%s", outside.Visible(f.model.ID+": "+words))
}

// told is a document with the options of the file and how the model was run, in the table
// settings. A nil file adds nothing.
func (f *modelFile) told(doc result.Document) result.Document {
	if f == nil {
		return doc
	}
	list := inventory.SettingsOf(f.model, f.settings)
	for _, note := range f.notes {
		list = append(list, inventory.Setting{Name: "warning", Value: note})
	}
	doc.Options = slices.Concat(doc.Options.(option.Settings), option.Record(&f.fileOptions))
	doc.Sheets = append(doc.Sheets, inventory.Settings.Sheet(list))
	return doc
}
